// Phrases: finds where one or more consecutive words occur in a segment.

import { forEachPosition } from "./postings.js";
import { TITLE_WEIGHT } from "./tables.js";
import { documentOf, forEachCommon, intersection, turnOf, union } from "./turns.js";

/** @import { ExpandedWord, Phrase } from "./expansion.js" */
/** @import { Segment } from "./segment.js" */
/** @import { TurnList } from "./turns.js" */

/**
 * The weight of a word in the speaker's name or in the conversation's title; a word in a turn of average length has
 * 1.
 */
export const OUTER_WEIGHT = 0.5;

/**
 * Where a phrase occurs: turns by their text; these and turns by the speaker's name; and conversations by their
 * title.
 *
 * @typedef {{text: TurnList, own: TurnList, titles: Set<number>}} Places
 */

/**
 * @param {Segment} segment
 * @param {Phrase} phrase
 * @returns {Promise<Places>}
 */
export async function phraseIn(segment, { words }) {
  const [text, names] = await Promise.all([turnsWithPhrase(segment, words), turnsOfNames(segment, words)]);
  const titles = new Set(Array.from(text.ids.filter(id => turnOf(id) === 0), documentOf));
  /** @type {TurnList} */
  const titled = { ids: text.ids, weights: text.weights.map((weight, i) => weight * (turnOf(text.ids[i]) === 0 ? TITLE_WEIGHT : 1)) };
  const named = { ids: names, weights: new Float32Array(names.length).fill(OUTER_WEIGHT) };
  return { text, own: names.length ? union([titled, named]) : titled, titles };
}

/**
 * Returns the turns in which words are consecutive, with the largest weight of any of the words.
 *
 * @param {Segment} segment
 * @param {ExpandedWord[]} words
 * @returns {Promise<TurnList>}
 */
async function turnsWithPhrase(segment, words) {
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
 * Returns the turns whose speaker's name has consecutive words: each two neighbours are in it.
 *
 * @param {Segment} segment
 * @param {ExpandedWord[]} words
 */
async function turnsOfNames(segment, words) {
  const pairs = words.length === 1 ? [words[0].terms]
    : words.slice(1).map(({ terms }, i) => words[i].terms.flatMap(first => terms.map(second => `${first} ${second}`)));
  let ids = null;
  for (const terms of pairs) {
    const lists = await Promise.all(terms.map(term => segment.turnsOfName(term)));
    const any = union(lists.filter(list => list !== null)).ids;
    ids = ids ? intersection(ids, any) : any;
    if (!ids.length) break;
  }
  return ids ?? new Float64Array();
}

/**
 * Returns whether words are consecutive anywhere, by the positions of each.
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
 * Returns the positions of a word in each of some turns.
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
