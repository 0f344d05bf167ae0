// The index of the site, and what a query finds in it.

import { expand } from "./expansion.js";
import { countFacets } from "./facets.js";
import { LoadError, load } from "./files.js";
import { match } from "./matching.js";
import { say } from "./messages.js";
import { parse } from "./query.js";
import { rank } from "./ranking.js";
import { Segment } from "./segment.js";
import { VERSION } from "./tables.js";

/** @import { Phrase } from "./expansion.js" */
/** @import { FoundConversation } from "./ranking.js" */
/** @import { Summary } from "./segment.js" */

/**
 * What a query finds.
 *
 * @typedef {object} Result
 * @property {boolean} isAsked Whether the query asks for anything.
 * @property {FoundConversation[]} conversations The best first.
 * @property {number} turns How many were found.
 * @property {Phrase[]} words What was looked for.
 * @property {[from: string, to: string][]} corrections
 * @property {string[]} notes What of the query was left out or taken otherwise.
 */

/**
 * A conversation as results show it.
 *
 * @typedef {object} About
 * @property {string} path Its folder.
 * @property {string} title
 * @property {string | null} day
 * @property {number[]} parts The first turn of each of its pages.
 */

/**
 * Loads the index.
 *
 * @param {string} url
 * @param {RequestInit} options
 */
export async function open(url, options = {}) {
  const response = await load(url, options, why => say("not_loaded", { why }));
  let root;
  try {
    root = await response.json();
  } catch {
    throw new LoadError(say("damaged"));
  }
  if (root?.version !== VERSION || !Array.isArray(root.segments)) throw new LoadError(say("other_version"));
  return new Index(url, root, options);
}

export class Index {
  /**
   * @param {string} url
   * @param {{languages: string[], segments: Summary[]}} root
   * @param {RequestInit} options
   */
  constructor(url, root, options) {
    this.base = new URL(url.replace(/search\/[^/]*$/, ""), location.href).href;
    this.version = JSON.stringify(root);
    this.languages = root.languages;
    this.segments = root.segments.map(summary => new Segment(this.base, summary, options));
  }

  get facetBytes() {
    return this.segments.reduce((sum, { summary }) => sum + summary.facets, 0);
  }

  /**
   * @param {string} text
   * @returns {Promise<Result>}
   */
  async find(text) {
    const { clauses, notes } = parse(text, this.languages);
    const filters = clauses.filter(clause => "terms" in clause);
    const days = clauses.filter(clause => "before" in clause || "after" in clause);
    const { phrases, corrections, leftOut } =
      await expand(clauses.filter(clause => "words" in clause), this.segments, this.languages);
    if (leftOut.length) notes.push(say("left_out", { words: leftOut.map(word => `“${word}”`).join(", ") }));
    const words = phrases.filter(phrase => !phrase.isNegated);
    const isAsked = words.length > 0 || days.length > 0 || filters.some(filter => !filter.isNegated);
    const about = { isAsked, words, corrections, notes };
    if (!isAsked) {
      if (clauses.length) notes.push(say("only_nots"));
      return { ...about, conversations: [], turns: 0 };
    }
    const found = await Promise.all(this.segments.map(segment => match(segment, { phrases, filters, days })));
    const allTurns = this.segments.reduce((sum, { summary }) => sum + summary.turns, 0);
    const turns = found.reduce((sum, { ids }) => sum + ids.length, 0);
    return { ...about, conversations: rank(found, allTurns), turns };
  }

  /** @param {Result} result */
  async facets({ conversations }) {
    const segments = this.segments.map(async segment => ({ facets: await segment.facets(), days: await segment.days() }));
    return countFacets(conversations, await Promise.all(segments));
  }

  /**
   * @param {FoundConversation} found
   * @returns {Promise<About>}
   */
  async about({ segment, document }) {
    const [path, title, day, parts] = await this.segments[segment].document(document);
    return { path, title, day, parts };
  }

  /**
   * Where a turn of a conversation stands: the address of its page, the page's first turn, and the
   * Markdown beside it.
   *
   * @param {About} about
   * @param {number} turn
   */
  part({ path, parts }, turn) {
    const number = Math.max(parts.findLastIndex(first => first <= turn), 0);
    const folder = encodeURI(number ? `${path}${number + 1}/` : path);
    return { url: this.base + folder, first: parts[number], markdown: `${this.base}${folder}index.md` };
  }
}
