// Query expansion: finds the terms of the index for each word of a query.

import { MAX_EXPANSIONS, compare } from "./segment.js";
import { stem } from "./stem.js";

/** @import { WordsClause } from "./query.js" */
/** @import { Segment } from "./segment.js" */
/** @import { QueryTerm } from "./tokenizer.js" */

/**
 * A word of a query, with its terms in the index.
 *
 * @typedef {{surface: string, terms: string[]}} ExpandedWord
 */

/**
 * Consecutive words.
 *
 * @typedef {{isNegated: boolean, words: ExpandedWord[]}} Phrase
 */

/**
 * Finds the terms of each word of a query.
 *
 * @param {WordsClause[]} clauses
 * @param {Segment[]} segments
 * @param {string[]} languages
 * @param {boolean} isTyping Whether the last word is still being typed.
 * @returns {Promise<{phrases: Phrase[], corrections: [from: string, to: string][], leftOut: string[]}>}
 */
export async function expand(clauses, segments, languages, isTyping) {
  /** @type {[string, string][]} */
  const corrections = [];
  const common = new Map(segments[0]?.summary.common ?? []);
  const leftOut = clauses.filter(clause => isLeftOut(clause, clauses, common));

  /** @param {string[]} terms */
  const isKnown = async terms => {
    const lists = segments.flatMap(segment => terms.flatMap(term => [segment.turnsOf(term), segment.turnsOfName(term)]));
    return (await Promise.all(lists)).some(Boolean);
  };
  /** @param {string} prefix */
  const termsWithPrefix = async prefix => {
    const all = await Promise.all(segments.map(segment => segment.termsWithPrefix(prefix)));
    return Array.from(new Set(all.flat())).sort(compare).slice(0, MAX_EXPANSIONS);
  };
  /**
   * @param {QueryTerm} word
   * @param {WordsClause["prefix"]} prefix
   * @param {boolean} isCorrectable
   * @returns {Promise<ExpandedWord>}
   */
  const expandWord = async ({ surface, forms, isPrefix }, prefix, isCorrectable) => {
    if (isPrefix || prefix === "always") {
      return { surface, terms: Array.from(new Set([...forms, ...await termsWithPrefix(surface)])) };
    }
    const isStart = prefix === "fallback" && Array.from(surface).length > 1;
    const [isWhole, longer] = await Promise.all([isKnown(forms), isStart && isTyping ? termsWithPrefix(surface) : []]);
    if (isWhole) return { surface, terms: Array.from(new Set([...forms, ...longer])) };
    const instead = isStart && !isTyping ? await termsWithPrefix(surface) : longer;
    if (instead.length) return { surface, terms: instead };
    const meant = isCorrectable ? await (await import("./spelling.js")).correct(surface, segments, languages) : null;
    // Looked up for quoted words too, as this notices that the index has been replaced.
    if (!meant || prefix === "exact") return { surface, terms: forms };
    corrections.push([surface, meant]);
    return { surface: meant, terms: Array.from(new Set(languages.map(language => stem(meant, language)))) };
  };

  const phrases = clauses.filter(clause => !leftOut.includes(clause)).map(async ({ isNegated, words, prefix }) => {
    const last = words.length - 1;
    const expanded = words.map((word, i) =>
      expandWord(word, i === last || prefix === "exact" ? prefix : "never", !isNegated));
    return { isNegated, words: await Promise.all(expanded) };
  });
  const allPhrases = await Promise.all(phrases);
  // In the order of the query, not in that of loading.
  const order = clauses.flatMap(clause => clause.words.map(word => word.surface));
  corrections.sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  return { phrases: allPhrases, corrections, leftOut: leftOut.map(clause => clause.words[0].surface) };
}

/**
 * Returns whether a clause is ignored as a stop word, because almost every turn has it and the query has other words.
 * If all words are common, the rarest stays.
 *
 * @param {WordsClause} clause
 * @param {WordsClause[]} clauses
 * @param {Map<string, number>} common
 */
function isLeftOut(clause, clauses, common) {
  /** @param {WordsClause} clause */
  const turnsWith = ({ isNegated, words, prefix }) => {
    if (isNegated || words.length > 1 || prefix === "always") return 0;
    return Math.max(...words[0].forms.map(form => common.get(form) ?? 0));
  };
  const turns = turnsWith(clause), place = clauses.indexOf(clause);
  return turns > 0 && clauses.some((other, i) => {
    const others = turnsWith(other);
    return i !== place && !other.isNegated && (others < turns || others === turns && i < place);
  });
}
