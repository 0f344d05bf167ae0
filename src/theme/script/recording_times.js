// Times in a recording.

/**
 * Returns the second at which a media fragment starts, such as `#t=93.5`; NaN if there is none.
 *
 * @param {string} hash
 */
export function secondsOf(hash) {
  const found = /^#t=(\d+(?:\.\d+)?)$/.exec(hash);
  return found ? Number(found[1]) : NaN;
}

/**
 * Returns the index of the last of some sorted times that is not after `time`; -1 if all are.
 *
 * @param {number[]} starts
 * @param {number} time
 */
export function placeAt(starts, time) {
  let from = 0, to = starts.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    // Players stop some milliseconds before or after the requested time.
    if (starts[middle] <= time + 0.05) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
