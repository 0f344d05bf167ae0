// Spelling correction: the word that was meant by one that nobody wrote.

import { compare } from "./segment.js";
import { stem } from "./stem.js";

/** @import { Segment } from "./segment.js" */

/**
 * The most edits by which a word may be mistyped.
 *
 * @param {number} length
 */
const maxEdits = length => length < 4 ? 0 : length < 8 ? 1 : 2;

/**
 * The nearest word of the index; of equally near ones, one that starts alike, then the one in the most
 * turns.
 *
 * @param {string} word
 * @param {Segment[]} segments
 * @param {string[]} languages
 */
export async function correct(word, segments, languages) {
  const most = maxEdits(Array.from(word).length);
  if (!most || !/^\p{Alphabetic}+$/u.test(word)) return null;
  const stems = languages.map(language => stem(word, language));
  /** @type {Set<number>} */
  const lengths = new Set();
  for (const form of [word, ...stems]) {
    const count = Array.from(form).length;
    for (let length = count - most; length <= count + most; length++) lengths.add(length);
  }
  const lines = await Promise.all(segments.map(segment => segment.spellingLines(Array.from(lengths))));
  return nearest(word, stems, lines.flat(), languages, most);
}

/**
 * The word of the nearest of some lines, each a letter for how many turns have the word and the word.
 *
 * @param {string} word
 * @param {string[]} stems Those of the word, in each of the languages.
 * @param {string[]} lines
 * @param {string[]} languages
 * @param {number} most
 */
function nearest(word, stems, lines, languages, most) {
  /** @type {{candidate: string, rank: number[]} | null} */
  let best = null;
  for (const line of lines) {
    const candidate = line.slice(1);
    let edits = distance(word, candidate, most);
    stems.forEach((own, i) => edits = Math.min(edits, distance(own, stem(candidate, languages[i]), most)));
    if (edits > most) continue;
    const startsAlike = candidate[0] === word[0] || candidate[0] === word[1] && candidate[1] === word[0];
    const rank = [edits, startsAlike ? 0 : 1, -line.charCodeAt(0)];
    if (!best || isBefore({ candidate, rank }, best)) best = { candidate, rank };
  }
  return best?.candidate ?? null;
}

/**
 * @param {{candidate: string, rank: number[]}} a
 * @param {{candidate: string, rank: number[]}} b
 */
function isBefore(a, b) {
  const order = a.rank.map((value, i) => value - b.rank[i]).find(value => value !== 0);
  return (order ?? compare(a.candidate, b.candidate)) < 0;
}

/**
 * Edits between two words, with neighbours swapped as one; more than `most` is any larger number.
 *
 * @param {string} a
 * @param {string} b
 * @param {number} most
 */
export function distance(a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  /** @type {number[]} */
  let before = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, before[j - 2] + 1);
      row.push(best);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[b.length];
}
