// Conditions of a query beside the words that it looks for: filters, days and excluded words.

import { phraseIn } from "./phrases.js";
import { CONVERSATION_FIELDS } from "./tables.js";
import { documentOf, forEachCommon, intersection, turnId, union } from "./turns.js";

/** @import { Conditions, Keep } from "./matching.js" */
/** @import { DayClause, FilterClause } from "./query.js" */
/** @import { Segment } from "./segment.js" */

/** @param {FilterClause} filter */
const isOfConversation = ({ field }) => CONVERSATION_FIELDS.includes(field);

/**
 * Loads the data of a segment that conditions need, and returns a function that keeps the turns that meet them.
 *
 * @param {Segment} segment
 * @param {Conditions} conditions
 * @returns {Promise<Keep>}
 */
export async function conditionsIn(segment, { phrases, filters, days }) {
  const wanted = filters.filter(filter => !filter.isNegated);
  const unwanted = filters.filter(filter => filter.isNegated);
  const [passed, unwantedPlaces, excluded, dayOf] = await Promise.all([
    Promise.all(wanted.map(filter => turnsWithAll(segment, filter.terms))),
    Promise.all(phrases.filter(phrase => phrase.isNegated).map(phrase => phraseIn(segment, phrase))),
    Promise.all(unwanted.map(filter => turnsWithAll(segment, filter.terms))),
    days.length ? segment.days() : [],
  ]);
  return ids => {
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
}

/**
 * Returns the elements of a sorted list that are not in another one.
 *
 * @param {Float64Array} ids
 * @param {Float64Array} excluded
 */
export function difference(ids, excluded) {
  /** @type {Set<number>} */
  const places = new Set();
  forEachCommon(ids, excluded, i => places.add(i));
  return places.size ? ids.filter((_, i) => !places.has(i)) : ids;
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
