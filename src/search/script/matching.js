// Matching: which turns of a segment meet the conditions of a query.

import { forEachPosition } from "./postings.js";
import { CONVERSATION_FIELDS } from "./tables.js";
import { difference, documentOf, forEachCommon, intersection, turnId, union } from "./turns.js";

/** @import { ExpandedWord, Phrase } from "./expansion.js" */
/** @import { DayClause, FilterClause } from "./query.js" */
/** @import { Segment } from "./segment.js" */
/** @import { TurnList } from "./turns.js" */

/**
 * The conditions of a query.
 *
 * @typedef {{phrases: Phrase[], filters: FilterClause[], days: DayClause[]}} Conditions
 */

/**
 * The turns that meet all conditions, and the list of each phrase that is not negated.
 *
 * @typedef {{ids: Float64Array, lists: TurnList[]}} Matches
 */

/** @param {FilterClause} filter */
const isOfConversation = ({ field }) => CONVERSATION_FIELDS.includes(field);

/**
 * @param {Segment} segment
 * @param {Conditions} conditions
 * @returns {Promise<Matches>}
 */
export async function match(segment, { phrases, filters, days }) {
  const wanted = filters.filter(filter => !filter.isNegated);
  const unwanted = filters.filter(filter => filter.isNegated);
  const [lists, passed, unwantedLists, excluded, dayOf] = await Promise.all([
    Promise.all(phrases.filter(phrase => !phrase.isNegated).map(phrase => turnsWithPhrase(segment, phrase))),
    Promise.all(wanted.map(filter => turnsWithAll(segment, filter.terms))),
    Promise.all(phrases.filter(phrase => phrase.isNegated).map(phrase => turnsWithPhrase(segment, phrase))),
    Promise.all(unwanted.map(filter => turnsWithAll(segment, filter.terms))),
    days.length ? segment.days() : [],
  ]);
  /** @type {Float64Array | null} */
  let ids = null;
  for (const list of lists.toSorted((a, b) => a.ids.length - b.ids.length)) ids = narrow(ids, list.ids);
  // Of several values of a filter one is enough. Those of whole conversations come last, because they
  // find titles where nothing else is asked for.
  const fields = Array.from(new Set(wanted.toSorted((a, b) => Number(isOfConversation(a)) - Number(isOfConversation(b)))
    .map(filter => filter.field)));
  for (const field of fields) {
    const { ids: any } = union(passed.filter((_, i) => wanted[i].field === field).map(ids => ({ ids, weights: ids })));
    ids = ids && CONVERSATION_FIELDS.includes(field) ? keepDocuments(ids, any, true) : narrow(ids, any);
  }
  // Nothing but days: the conversations themselves, by their titles.
  ids ??= Float64Array.from(dayOf, (_, document) => turnId(document, 0));
  for (const list of unwantedLists) ids = difference(ids, list.ids);
  for (const [i, filter] of unwanted.entries()) {
    ids = isOfConversation(filter) ? keepDocuments(ids, excluded[i], false) : difference(ids, excluded[i]);
  }
  if (days.length) ids = ids.filter(id => days.every(day => isOnDay(dayOf[documentOf(id)], day)));
  return { ids, lists };
}

/**
 * @param {Float64Array | null} ids All if null.
 * @param {Float64Array} others
 */
const narrow = (ids, others) => ids ? intersection(ids, others) : others;

/**
 * The turns whose conversation has a turn among others, or has none.
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
 * The turns that have all of some terms of a filter; for a filter of whole conversations, their titles.
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

/**
 * The turns in which some words stand one after the other, with the greatest weight of any of them.
 *
 * @param {Segment} segment
 * @param {Phrase} phrase
 * @returns {Promise<TurnList>}
 */
async function turnsWithPhrase(segment, { words }) {
  const nothing = { ids: new Float64Array(), weights: new Float64Array() };
  const lists = await Promise.all(words.map(({ terms }) => Promise.all(terms.map(term => segment.turnsOf(term)))));
  const known = lists.map(forms => forms.filter(list => list !== null));
  if (known.some(forms => !forms.length)) return nothing;
  const merged = known.map(union);
  if (words.length === 1) return merged[0];
  const together = merged.map(list => list.ids).reduce(intersection);
  if (!together.length) return nothing;
  const positions = await Promise.all(words.map(word => positionsIn(segment, word, together)));
  const ids = together.filter((_, i) => followEachOther(positions.map(turns => turns[i])));
  const weights = new Float64Array(ids.length);
  for (const list of merged) {
    forEachCommon(ids, list.ids, (i, j) => weights[i] = Math.max(weights[i], list.weights[j]));
  }
  return { ids, weights };
}

/**
 * Whether words stand one after the other somewhere, by the positions of each.
 *
 * @param {number[][]} positions
 */
export function followEachOther([starts, ...rest]) {
  let left = starts;
  return left.length > 0 && rest.every((positions, i) => {
    const all = new Set(positions);
    left = left.filter(start => all.has(start + i + 1));
    return left.length > 0;
  });
}

/**
 * The positions of a word in each of some turns.
 *
 * @param {Segment} segment
 * @param {ExpandedWord} word
 * @param {Float64Array} ids
 */
async function positionsIn(segment, { terms }, ids) {
  /** @type {number[][]} */
  const all = Array.from(ids, () => []);
  await Promise.all(terms.map(async term => {
    const [list, decoder] = await Promise.all([segment.turnsOf(term), segment.positionsOf(term)]);
    if (list && decoder) forEachPosition(list.ids, decoder, ids, (place, position) => all[place].push(position));
  }));
  return all;
}
