// Finds the turns in which words are consecutive, by the positions of the words.

import { decodeDictionary, Decoder } from "./decoder.js";
import { forEachCommon, intersection } from "./turns.js";

/** @import { ExpandedWord } from "./expansion.js" */
/** @import { Segment } from "./segment.js" */
/** @import { TurnList } from "./turns.js" */

/**
 * Returns the turns in which words are consecutive, with the largest weight of any of the words.
 *
 * @param {Segment} segment
 * @param {ExpandedWord[]} words
 * @param {TurnList[]} lists The turns of each word.
 * @returns {Promise<TurnList>}
 */
export async function turnsInOrder(segment, words, lists) {
  const together = lists.map(list => list.ids).reduce(intersection);
  const positions = together.length ? await Promise.all(words.map(word => positionsIn(segment, word, together))) : [];
  const ids = together.filter((_, i) => followEachOther(positions.map(turns => turns[i])));
  const weights = new Float64Array(ids.length);
  for (const list of lists) {
    forEachCommon(ids, list.ids, (i, j) => weights[i] = Math.max(weights[i], list.weights[j]));
  }
  return { ids, weights };
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
    const [list, decoder] = await Promise.all([segment.turnsOf(term), segment.positionsOf(term, decodePositions)]);
    if (list && decoder) forEachPosition(list.ids, decoder, ids, (place, position) => all[place].push(position));
  }));
  return all;
}

/**
 * Returns a decoder for the positions of each term in a file.
 *
 * @param {Uint8Array} bytes
 * @returns {Map<string, () => Decoder>}
 */
export function decodePositions(bytes) {
  const { all, end } = decodeDictionary(bytes, 1);
  let at = end;
  return new Map(all.map(({ term, numbers: [length] }) => {
    const start = at;
    at += length;
    return [term, () => new Decoder(bytes, start)];
  }));
}

/**
 * Returns the positions of a term in each of the wanted turns, which are sorted.
 *
 * @param {Float64Array} ids The turns of the term.
 * @param {Decoder} decoder Its positions.
 * @param {Float64Array} wanted
 * @param {(place: number, position: number) => void} each
 */
export function forEachPosition(ids, decoder, wanted, each) {
  let place = 0;
  for (const id of ids) {
    // The turn can have another form of the word instead of this one.
    while (wanted[place] < id) place++;
    if (place === wanted.length) break;
    const isWanted = id === wanted[place];
    for (let position = 0, isEnd = false; !isEnd;) {
      // The lowest bit marks the last position of its turn.
      const number = decoder.number();
      isEnd = number % 2 === 1;
      position += Math.floor(number / 2);
      if (isWanted) each(place, position);
    }
  }
}
