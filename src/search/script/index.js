// The index of the site, and running queries on it.

import { expand } from "./expansion.js";
import { LoadError, load } from "./files.js";
import { gather, turnsOfAll, turnsTogether } from "./matching.js";
import { say } from "./messages.js";
import { parse } from "./query.js";
import { rank } from "./ranking.js";
import { Segment } from "./segment.js";
import { VERSION } from "./tables.js";

/** @import { Phrase } from "./expansion.js" */
/** @import { Gathered } from "./matching.js" */
/** @import { FoundConversation } from "./ranking.js" */
/** @import { Summary } from "./segment.js" */

/**
 * How close together the words of a query were found: all in one turn, including its speaker's name and the title;
 * all in one conversation, but in no single turn of any; or more than half of them in one conversation, and all in
 * none.
 *
 * @typedef {"turn" | "conversation" | "most"} Tier
 */

/**
 * The result of a query.
 *
 * @typedef {object} Result
 * @property {boolean} isAsked Whether the query asks for anything.
 * @property {FoundConversation[]} conversations The best first.
 * @property {number} turns How many were found.
 * @property {Tier} tier
 * @property {Phrase[]} words What was looked for.
 * @property {number[]} counts In how many turns each of these is.
 * @property {[from: string, to: string][]} corrections
 * @property {string[]} notes What of the query was left out or taken otherwise.
 */

/**
 * A conversation as shown in results.
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

  // The sizes in bytes of the file of languages, types and tags, and of the file of speakers.
  get facetBytes() {
    return [0, 1].map(file => this.segments.reduce((sum, { summary }) => sum + summary.facets[file], 0));
  }

  /**
   * @param {string} text
   * @param {boolean} [isTyping] Whether the last word is still being typed: then longer words that start with it are
   * found too, even if some turns contain it exactly.
   * @returns {Promise<Result>}
   */
  async find(text, isTyping = false) {
    const { clauses, notes } = parse(text, this.languages);
    const filters = clauses.filter(clause => "terms" in clause);
    const days = clauses.filter(clause => "before" in clause || "after" in clause);
    const { phrases, corrections, leftOut } =
      await expand(clauses.filter(clause => "words" in clause), this.segments, this.languages, isTyping);
    if (leftOut.length) notes.push(say("left_out", { words: leftOut.map(word => `“${word}”`).join(", ") }));
    const words = phrases.filter(phrase => !phrase.isNegated);
    const isAsked = words.length > 0 || days.length > 0 || filters.some(filter => !filter.isNegated);
    const about = { isAsked, words, corrections, notes };
    if (!isAsked) {
      if (clauses.length) notes.push(say("only_nots"));
      return { ...about, conversations: [], turns: 0, tier: "turn", counts: [] };
    }
    const gathered = await Promise.all(this.segments.map(segment => gather(segment, { phrases, filters, days })));
    const { tier, found } = firstTier(gathered, words.length);
    const allTurns = this.segments.reduce((sum, { summary }) => sum + summary.turns, 0);
    const turns = found.reduce((sum, ids) => sum + ids.length, 0);
    const counts = words.map((_, k) => gathered.reduce((sum, { places }) => sum + places[k].own.ids.length, 0));
    return { ...about, tier, counts, conversations: rank(gathered, found, allTurns, tier === "turn"), turns };
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
   * Returns a function that checks whether a person wrote a turn of a conversation.
   *
   * @param {FoundConversation} found
   */
  async prompts({ segment, document }) {
    const { models, turns } = await this.segments[segment].speakers();
    /** @param {number} turn */
    return turn => models[document][turns[document].charCodeAt(turn) - 48] === null;
  }

  /**
   * Returns the location of a turn: the URL of its page, and the page's first turn.
   *
   * @param {About} about
   * @param {number} turn
   */
  part({ path, parts }, turn) {
    const number = Math.max(parts.findLastIndex(first => first <= turn), 0);
    return { url: this.base + encodeURI(number ? `${path}${number + 1}/` : path), first: parts[number] };
  }
}

/**
 * Returns the turns of each segment, from the first tier that has any.
 *
 * @param {Gathered[]} gathered
 * @param {number} words
 * @returns {{tier: Tier, found: Float64Array[]}}
 */
function firstTier(gathered, words) {
  const found = gathered.map(turnsOfAll);
  if (words < 2 || found.some(ids => ids.length)) return { tier: "turn", found };
  const most = Math.min(Math.floor(words / 2) + 1, words - 1);
  /** @type {[Tier, number][]} */
  const tiers = [["conversation", words], ["most", most]];
  for (const [tier, least] of tiers) {
    const found = least < 2 ? [] : gathered.map(one => turnsTogether(one, least));
    if (found.some(ids => ids.length)) return { tier, found };
  }
  return { tier: "turn", found };
}
