// Sorted lists of turns, with set operations.

/**
 * The factor in the id of a turn: the number of its conversation times this, plus its own number. The title is turn
 * 0.
 */
const TURNS = 2 ** 21;

/**
 * @param {number} document
 * @param {number} turn
 */
export const turnId = (document, turn) => document * TURNS + turn;

/** @param {number} id */
export const documentOf = id => Math.floor(id / TURNS);

/** @param {number} id */
export const turnOf = id => id % TURNS;

/**
 * Sorted turns, with the weight of a term in each.
 *
 * @typedef {{ids: Float64Array, weights: Float32Array | Float64Array}} TurnList
 */

/**
 * Calls `each` with the indices of the common elements of two sorted lists.
 *
 * @param {Float64Array} a
 * @param {Float64Array} b
 * @param {(i: number, j: number) => void} each
 */
export function forEachCommon(a, b, each) {
  let i = 0, j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] < b[j]) i++;
    else if (a[i] > b[j]) j++;
    else each(i++, j++);
  }
}

/**
 * @param {Float64Array} a
 * @param {Float64Array} b
 */
export function intersection(a, b) {
  /** @type {number[]} */
  const common = [];
  forEachCommon(a, b, i => common.push(a[i]));
  return Float64Array.from(common);
}

/**
 * Returns the turns that are in any of some lists, with the largest of their weights.
 *
 * @param {TurnList[]} lists
 * @returns {TurnList}
 */
export function union(lists) {
  if (lists.length === 1) return lists[0];
  if (!lists.length) return { ids: new Float64Array(), weights: new Float64Array() };
  /** @type {Map<number, number>} */
  const all = new Map();
  for (const { ids, weights } of lists) {
    ids.forEach((id, i) => all.set(id, Math.max(all.get(id) ?? 0, weights[i])));
  }
  const ids = Float64Array.from(all.keys()).sort();
  return { ids, weights: Float64Array.from(ids, id => all.get(id) ?? 0) };
}
