// Spelling correction: finds the indexed word that a mistyped one probably means.

import { compare } from "./segment.js";
import { stem } from "./stem.js";

/** @import { Segment } from "./segment.js" */

/**
 * The maximum edit distance of a correction.
 *
 * @param {number} length
 */
const maxEdits = length => length < 4 ? 0 : length < 8 ? 1 : 2;

/**
 * Returns the closest word of the index. Ties go to a word with the same first letter, then to the one in more turns.
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
 * Returns the closest word of some lines; a line is a letter for the number of turns, and the word.
 *
 * @param {string} word
 * @param {string[]} stems The stems of the word in each of the languages.
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
 * Returns the edit distance of two words, with swapped neighbours as one edit; any larger number if it exceeds
 * `most`.
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
