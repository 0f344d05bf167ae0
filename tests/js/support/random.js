// Pseudo-random numbers that are the same in every run.

/** @param {number} seed */
export function random(seed) {
  let state = seed >>> 0;
  /** @param {number} below */
  return below => {
    state = Math.imul(state, 1_664_525) + 1_013_904_223 >>> 0;
    return (state >>> 8) % below;
  };
}
