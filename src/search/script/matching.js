// Matching: finds the turns of a segment that meet the conditions of a query.

import { OUTER_WEIGHT, phraseIn } from "./phrases.js";
import { CONVERSATION_FIELDS } from "./tables.js";
import { difference, documentOf, forEachCommon, intersection, turnId, union } from "./turns.js";

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
 * The data of a segment for a query: where each phrase occurs that is not excluded, and a filter for turns by the
 * other conditions.
 *
 * @typedef {{places: Places[], keep: (ids: Float64Array | null) => Float64Array}} Gathered
 */

/** @param {FilterClause} filter */
const isOfConversation = ({ field }) => CONVERSATION_FIELDS.includes(field);

/**
 * Loads the data of a segment that a query needs.
 *
 * @param {Segment} segment
 * @param {Conditions} conditions
 * @returns {Promise<Gathered>}
 */
export async function gather(segment, { phrases, filters, days }) {
  const wanted = filters.filter(filter => !filter.isNegated);
  const unwanted = filters.filter(filter => filter.isNegated);
  const [places, passed, unwantedPlaces, excluded, dayOf] = await Promise.all([
    Promise.all(phrases.filter(phrase => !phrase.isNegated).map(phrase => phraseIn(segment, phrase))),
    Promise.all(wanted.map(filter => turnsWithAll(segment, filter.terms))),
    Promise.all(phrases.filter(phrase => phrase.isNegated).map(phrase => phraseIn(segment, phrase))),
    Promise.all(unwanted.map(filter => turnsWithAll(segment, filter.terms))),
    days.length ? segment.days() : [],
  ]);
  /** @type {Gathered["keep"]} */
  const keep = ids => {
    // One of several values of a filter is enough. Filters of whole conversations come last, because they match
    // titles if there is nothing else to find.
    const fields = Array.from(new Set(wanted.toSorted((a, b) => Number(isOfConversation(a)) - Number(isOfConversation(b)))
      .map(filter => filter.field)));
    for (const field of fields) {
      const { ids: any } = union(passed.filter((_, i) => wanted[i].field === field).map(ids => ({ ids, weights: ids })));
      if (!ids) ids = any;
      else ids = CONVERSATION_FIELDS.includes(field) ? keepDocuments(ids, any, true) : intersection(ids, any);
    }
    // Only dates: find conversations, by their titles.
    ids ??= Float64Array.from(dayOf, (_, document) => turnId(document, 0));
    for (const { text } of unwantedPlaces) ids = difference(ids, text.ids);
    for (const [i, filter] of unwanted.entries()) {
      ids = isOfConversation(filter) ? keepDocuments(ids, excluded[i], false) : difference(ids, excluded[i]);
    }
    return days.length ? ids.filter(id => days.every(day => isOnDay(dayOf[documentOf(id)], day))) : ids;
  };
  return { places, keep };
}

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

/**
 * Returns the turns whose conversation has, or does not have, a turn in another list.
 *
 * @param {Float64Array} ids
 * @param {Float64Array} others
 * @param {boolean} isWanted
 */
function keepDocuments(ids, others, isWanted) {
  const documents = new Set(Array.from(others, documentOf));
  return ids.filter(id => documents.has(documentOf(id)) === isWanted);
}

/**
 * @param {number | null} day
 * @param {DayClause} clause
 */
function isOnDay(day, { before, after }) {
  return day !== null && (before === undefined || day < before) && (after === undefined || day >= after);
}

/**
 * Returns the turns that have all terms of a filter; for a filter of whole conversations, their titles.
 *
 * @param {Segment} segment
 * @param {string[]} terms
 */
async function turnsWithAll(segment, terms) {
  const lists = await Promise.all(terms.map(term => segment.turnsOf(term)));
  let ids = null;
  for (const list of lists) {
    if (!list) return new Float64Array();
    ids = ids ? intersection(ids, list.ids) : list.ids;
  }
  return ids ?? new Float64Array();
}
