// Moments of a recording.

/**
 * The second at which a media fragment starts, such as `#t=93.5`; none is not a number.
 *
 * @param {string} hash
 */
export function secondsOf(hash) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Number(found[1]) : NaN;
}

/**
 * The place of the last of some moments, which are in order, that is not after a time; -1 where all are.
 *
 * @param {number[]} starts
 * @param {number} time
 */
export function placeAt(starts, time) {
  let from = 0, to = starts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    // Players stop some milliseconds before or behind where they were sent.
    if (starts[middle] <= time + 0.05) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
