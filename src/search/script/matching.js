// Matching: finds the turns of a segment that meet the conditions of a query.

import { OUTER_WEIGHT, phraseIn } from "./phrases.js";
import { documentOf, forEachCommon, union } from "./turns.js";

/** @import { Phrase } from "./expansion.js" */
/** @import { Places } from "./phrases.js" */
/** @import { DayClause, FilterClause } from "./query.js" */
/** @import { Segment } from "./segment.js" */

/**
 * The conditions of a query.
 *
 * @typedef {{phrases: Phrase[], filters: FilterClause[], days: DayClause[]}} Conditions
 */

/**
 * Returns which turns meet the conditions; of null, which turns or titles meet them alone.
 *
 * @typedef {(ids: Float64Array | null) => Float64Array} Keep
 */

/**
 * The data of a segment for a query: where each phrase occurs that is not excluded, and a filter for turns by the
 * other conditions.
 *
 * @typedef {{places: Places[], keep: Keep}} Gathered
 */

/**
 * Loads the data of a segment that a query needs.
 *
 * @param {Segment} segment
 * @param {Conditions} conditions
 * @returns {Promise<Gathered>}
 */
export async function gather(segment, conditions) {
  const { phrases, filters, days } = conditions;
  const wanted = phrases.filter(phrase => !phrase.isNegated);
  const isPlain = wanted.length === phrases.length && !filters.length && !days.length;
  const [places, keep] = await Promise.all([
    Promise.all(wanted.map(phrase => phraseIn(segment, phrase))),
    isPlain ? keepAll : import("./conditions.js").then(({ conditionsIn }) => conditionsIn(segment, conditions)),
  ]);
  return { places, keep };
}

/** @type {Keep} */
const keepAll = ids => ids ?? new Float64Array();

/**
 * Returns the turns that match all phrases. At least one phrase must be in the turn itself; the others can be in the
 * title of the conversation.
 *
 * @param {Gathered} gathered
 */
export function turnsOfAll({ places, keep }) {
  if (!places.length) return keep(null);
  const [rarest, ...others] = places.toSorted((a, b) => a.own.ids.length - b.own.ids.length);
  let { ids } = rarest.own;
  if (rarest.titles.size && others.length) {
    const titled = others.map(({ own }) => own.ids.filter(id => rarest.titles.has(documentOf(id))));
    ids = union([ids, ...titled].map(ids => ({ ids, weights: ids }))).ids;
  }
  for (const { own, titles } of others) {
    const places = new Set();
    forEachCommon(ids, own.ids, i => places.add(i));
    ids = ids.filter((id, i) => places.has(i) || titles.has(documentOf(id)));
  }
  return keep(ids);
}

/**
 * Returns the turns of conversations that have at least this number of the phrases, each in a turn that meets the
 * other conditions or in the title.
 *
 * @param {Gathered} gathered
 * @param {number} least
 */
export function turnsTogether({ places, keep }, least) {
  const kept = places.map(({ own }) => keep(own.ids));
  const { ids } = union(kept.map(ids => ({ ids, weights: ids })));
  /** @type {Map<number, number>} How many of the phrases each conversation has. */
  const counts = new Map();
  places.forEach(({ titles }, i) => {
    for (const document of new Set([...titles, ...Array.from(kept[i], documentOf)])) {
      counts.set(document, (counts.get(document) ?? 0) + 1);
    }
  });
  return ids.filter(id => Number(counts.get(documentOf(id))) >= least);
}

/**
 * Scores turns for a phrase: `each` is called with the index of the turn and its score.
 *
 * @param {Float64Array} ids
 * @param {Places} places
 * @param {(i: number, weight: number) => void} each
 */
export function weigh(ids, { own, titles }, each) {
  let last = 0;
  /** @param {number} end */
  const outside = end => {
    for (; last < end; last++) if (titles.has(documentOf(ids[last]))) each(last, OUTER_WEIGHT);
  };
  forEachCommon(ids, own.ids, (i, j) => {
    outside(i);
    last = i + 1;
    each(i, own.weights[j]);
  });
  outside(ids.length);
}
