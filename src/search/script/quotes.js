// Quotes: excerpts of turns.

import { excerpt, findMarks } from "./excerpt.js";
import { direction } from "./markdown.js";

/** @import { Mark } from "./excerpt.js" */
/** @import { About, Index, Result } from "./index.js" */
/** @import { Turn } from "./markdown.js" */

/**
 * A turn as shown in results. `words` are the matches in it, as written.
 *
 * @typedef {object} Quote
 * @property {string} address
 * @property {string} speaker
 * @property {string} direction
 * @property {(Node | string)[]} content
 * @property {string[]} words
 */

const MAX_WORDS = 50; // marked on the page of a turn

export class Quotes {
  /** @param {(url: string) => Promise<Turn[]>} load Gives the turns of the page at an address; none where they are not to be had. */
  constructor(load) {
    this.load = load;
    /** @type {Map<string, Promise<Turn[]>>} */
    this.texts = new Map();
  }

  /**
   * Returns the quote of a turn; null if its text cannot be loaded.
   *
   * @param {Index} index
   * @param {About} about
   * @param {number} turn
   * @param {(term: string) => boolean} isWanted
   * @param {number} [length] The maximum number of characters.
   * @returns {Promise<Quote | null>}
   */
  async of(index, about, turn, isWanted, length) {
    const { url, first } = index.part(about, turn);
    let text = this.texts.get(url);
    if (!text) {
      text = this.load(url);
      this.texts.set(url, text);
    }
    // The title is the first turn of the first part, and is only in the index.
    const found = (await text)[turn - first - (first === 0 ? 1 : 0)];
    if (!found) {
      this.texts.delete(url);
      return null;
    }
    const marks = findMarks(found.text, isWanted, index.languages);
    const words = Array.from(new Set(marks.map(([start, end]) => found.text.slice(start, end)))).slice(0, MAX_WORDS);
    const content = withMarks(found.text, marks, { length });
    return { address: `${url}#${found.anchor}`, speaker: found.speaker, direction: direction(found.text), content, words };
  }
}

/**
 * Returns a function that checks whether a query looks for a term.
 *
 * @param {Result} result
 */
export function wantedBy({ words }) {
  const wanted = new Set(words.flatMap(phrase => phrase.words).flatMap(word => word.terms));
  return wanted.has.bind(wanted);
}

/**
 * Returns a title with marks.
 *
 * @param {Index} index
 * @param {string} title
 * @param {(term: string) => boolean} isWanted
 */
export const markedTitle = (index, title, isWanted) =>
  withMarks(title, findMarks(title, isWanted, index.languages), { isWhole: true });

/**
 * Returns a text, or an excerpt of it, with marks.
 *
 * @param {string} text
 * @param {Mark[]} marks
 * @param {{isWhole?: boolean, length?: number}} options
 */
const withMarks = (text, marks, options) => excerpt(text, marks, options).map(({ text, isMarked }) => {
  if (!isMarked) return text;
  const mark = document.createElement("mark");
  mark.append(text);
  return mark;
});

/**
 * Stores the words that a link's page should mark. Without storage, the page shows the turn without marks.
 *
 * @param {Quote} quote
 */
export function rememberWords({ address, words }) {
  try {
    localStorage.setItem("convo-site:found", JSON.stringify({ address, words }));
  } catch { /* not allowed */ }
}
