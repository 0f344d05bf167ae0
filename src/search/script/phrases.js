// Phrases: finds where one or more consecutive words occur in a segment.

import { TITLE_WEIGHT } from "./tables.js";
import { documentOf, intersection, turnOf, union } from "./turns.js";

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
  const [lists, part] = await Promise.all([
    Promise.all(words.map(({ terms }) => Promise.all(terms.map(term => segment.turnsOf(term))))),
    words.length > 1 ? import("./consecutive.js") : null,
  ]);
  const known = lists.map(forms => forms.filter(list => list !== null));
  if (known.some(forms => !forms.length)) return union([]);
  const merged = known.map(union);
  return part ? part.turnsInOrder(segment, words, merged) : merged[0];
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
