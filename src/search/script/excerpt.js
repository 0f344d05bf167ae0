// Excerpts: the part of a text with most of the wanted words close together, with marks.

import { stem } from "./stem.js";
import { chunks } from "./tokenizer.js";

const LENGTH = 300; // characters

/**
 * The range of a marked word.
 *
 * @typedef {[start: number, end: number]} Mark
 */

/**
 * Finds wanted terms in a text.
 *
 * @param {string} text
 * @param {(term: string) => boolean} isWanted
 * @param {string[]} languages
 */
export function findMarks(text, isWanted, languages) {
  /** @type {Mark[]} */
  const marks = [];
  /**
   * @param {number} start
   * @param {number} end
   */
  const mark = (start, end) => {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  };
  for (const chunk of chunks(text)) {
    if (chunk.whole !== null && isWanted(chunk.whole)) {
      mark(chunk.start, chunk.end);
      continue;
    }
    for (const { text: part, start, end } of chunk.parts) {
      if (typeof part === "string") {
        if (languages.some(language => isWanted(stem(part, language)))) mark(start, end);
        continue;
      }
      // Pairs overlap; their positions are known if folding did not change the length.
      const isExact = Array.from(text.slice(start, end)).length === part.length;
      let at = start;
      part.forEach((c, i) => {
        const next = part[i + 1] ?? "";
        if (isWanted(c + next)) {
          if (isExact) mark(at, at + c.length + next.length);
          else mark(start, end);
        }
        at += c.length;
      });
    }
  }
  return marks;
}

/**
 * Returns a text as marked and unmarked pieces; a long text is cut.
 *
 * @param {string} text
 * @param {Mark[]} marks
 * @param {{isWhole?: boolean, length?: number}} options
 */
export function excerpt(text, marks, { isWhole = false, length = LENGTH }) {
  const [from, to] = isWhole || text.length <= length ? [0, text.length] : cut(text, marks, length);
  const pieces = [];
  let at = from;
  for (const [start, end] of marks) {
    if (start < at || end > to) continue;
    pieces.push({ text: text.slice(at, start), isMarked: false }, { text: text.slice(start, end), isMarked: true });
    at = end;
  }
  pieces.push({ text: text.slice(at, to), isMarked: false });
  if (from > 0) pieces.unshift({ text: "… ", isMarked: false });
  if (to < text.length) pieces.push({ text: " …", isMarked: false });
  return pieces;
}

/**
 * Returns the range of an excerpt: around the place with the most marks, cut between words.
 *
 * @param {string} text
 * @param {Mark[]} marks
 * @param {number} length
 * @returns {[from: number, to: number]}
 */
function cut(text, marks, length) {
  const context = length / 4;
  let best = 0, most = -1;
  marks.forEach(([start], i) => {
    let count = 0;
    while (i + count < marks.length && marks[i + count][1] < start + length - context) count++;
    if (count > most) [best, most] = [start, count];
  });
  let from = Math.max(0, Math.floor(best - context));
  if (from > 0) from = text.indexOf(" ", from) + 1 || from;
  if (from > best) from = best;
  const end = Math.min(text.length, from + length);
  return [from, end < text.length ? Math.max(text.lastIndexOf(" ", end), from + Math.floor(length / 2)) : end];
}
