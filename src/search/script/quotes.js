// Quotes: excerpts of turns.

import { excerpt, findMarks } from "./excerpt.js";
import { direction } from "./markdown.js";

/** @import { Mark } from "./excerpt.js" */
/** @import { About, Index, Result } from "./index.js" */
/** @import { Turn } from "./markdown.js" */
/** @import { FoundConversation, FoundTurn } from "./ranking.js" */

/**
 * A turn as shown in results. `words` are the matches in it, as written; `isWork` says whether it is quoted from
 * reasoning or tool calls.
 *
 * @typedef {object} Quote
 * @property {string} address
 * @property {string} speaker
 * @property {string} direction
 * @property {(Node | string)[]} content
 * @property {string} text
 * @property {string[]} words
 * @property {boolean} isWork
 */

/** @typedef {{found: FoundTurn, url: string, quote: Quote | null}} Picked */

const MAX_WORDS = 50; // marked on the page of a turn
const TRIED = 4; // turns that are tried for each quote
const PASSAGE = 4; // words that two quotes have in common if they quote the same passage

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
    const all = [found.text, found.work].map(text => ({ text, marks: findMarks(text, isWanted, index.languages) }));
    const words = new Set(all.flatMap(({ text, marks }) => marks.map(([start, end]) => text.slice(start, end))));
    const isWork = !all[0].text || !all[0].marks.length && all[1].marks.length > 0;
    const { text: whole, marks } = all[Number(isWork)];
    const content = withMarks(whole, marks, { length });
    const shown = content.map(piece => typeof piece === "string" ? piece : piece.textContent).join("");
    return {
      address: `${url}#${found.anchor}`, speaker: found.speaker, direction: direction(whole), content, text: shown,
      words: Array.from(words).slice(0, MAX_WORDS), isWork,
    };
  }

  /**
   * Quotes turns of a conversation, the best first. Passages that are already quoted, and turns that the reader hides
   * on pages, are left for last.
   *
   * @param {Index} index
   * @param {FoundConversation} conversation
   * @param {(term: string) => boolean} isWanted
   * @param {{count: number, length?: number, quoted?: string[]}} options `quoted` collects the texts of the quotes.
   * @returns {Promise<{picked: Picked[], rest: FoundTurn[]}>}
   */
  async pick(index, conversation, isWanted, { count, length, quoted = [] }) {
    const about = await index.about(conversation);
    const detail = chosenDetail();
    const isPrompt = detail === "prompts" ? await index.prompts(conversation).catch(() => () => true) : () => true;
    // The title is already shown.
    const turns = conversation.turns.filter(({ turn }) => turn > 0);
    /** @type {Picked[]} */
    const picked = [];
    /** @type {Picked[]} */
    const later = [];
    /** @param {Picked} one */
    const isFresh = ({ quote }) => !quote || !quoted.some(text => isSamePassage(text, quote.text));
    /** @param {Picked} one */
    const isLiked = ({ found, quote }) => quote && isPrompt(found.turn) && !(quote.isWork && detail !== "all");
    /**
     * @param {Picked} one
     * @param {unknown} isGood
     */
    const sort = (one, isGood) => {
      if (!isGood || picked.length === count) return later.push(one);
      picked.push(one);
      if (one.quote) quoted.push(one.quote.text);
    };
    let at = 0;
    while (picked.length < count && at < Math.min(turns.length, count * TRIED)) {
      const next = turns.slice(at, at += count - picked.length);
      const tried = await Promise.all(next.map(async found => ({
        found, url: index.part(about, found.turn).url, quote: await this.of(index, about, found.turn, isWanted, length),
      })));
      for (const one of tried) sort(one, isLiked(one) && isFresh(one));
    }
    for (const isGood of [isFresh, () => true]) {
      if (!picked.length) for (const one of later.splice(0)) sort(one, isGood(one));
    }
    return { picked, rest: [...turns.slice(at), ...later.map(({ found }) => found)] };
  }
}

// How much of a conversation the reader shows on its page: see `theme/script/storage.js`.
function chosenDetail() {
  try { return localStorage.getItem("convo-site:detail") ?? "all"; } catch { return "all"; }
}

/**
 * Returns whether two quotes have more than half of the shorter one in common.
 *
 * @param {string} a
 * @param {string} b
 */
function isSamePassage(a, b) {
  const [few, many] = [runs(a), runs(b)].sort((x, y) => x.size - y.size);
  return Array.from(few).filter(run => many.has(run)).length * 2 > few.size;
}

/** @param {string} text */
function runs(text) {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map((_, i) => words.slice(i, i + PASSAGE).join(" ")));
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
