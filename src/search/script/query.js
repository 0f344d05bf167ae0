// The query parser, as in `query/mod.rs`. No query is invalid: parts without a meaning are ignored or searched for as
// words, with a note.

import { say } from "./messages.js";
import { FILTER_FIELDS, MAX_CHARACTERS, MAX_CLAUSES, QUOTES, SPACES } from "./tables.js";
import { queryTerms, terms } from "./tokenizer.js";

/** @import { QueryTerm } from "./tokenizer.js" */

/**
 * Consecutive terms. `prefix` says whether the last one also matches longer words that start with it: "never",
 * "always", or as a "fallback" if no turn has the exact word. Quoted words are "exact": they are not corrected either.
 *
 * @typedef {{isNegated: boolean, words: QueryTerm[], prefix: "exact" | "never" | "fallback" | "always"}} WordsClause
 */

/**
 * All of these terms of a filter, which include the field's name.
 *
 * @typedef {{isNegated: boolean, field: string, terms: string[]}} FilterClause
 */

/**
 * Before a day, or on or after a day: year, month and day as one number, with zeros for missing parts.
 *
 * @typedef {{isNegated: boolean, before?: number, after?: number}} DayClause
 */

/** @typedef {{clauses: (WordsClause | FilterClause | DayClause)[], notes: string[]}} Query */

export const CLAUSE = new RegExp(`(-?)(?:([A-Za-z]+):(?:"([^"]*)("?)|([^${SPACES}":/][^${SPACES}"]*)|(?=[${SPACES}]|$))|"([^"]*)("?)|([^${SPACES}"]+))`, "gu");
export const QUOTE = new RegExp(`[${QUOTES}]`, "g");
export const OUTER_SPACE = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "g");

/**
 * Parses a query for an archive with words in these languages.
 *
 * @param {string} text
 * @param {string[]} languages
 * @returns {Query}
 */
export function parse(text, languages = ["en"]) {
  /** @type {Query["clauses"]} */
  const clauses = [];
  /** @type {string[]} */
  const notes = [];
  const characters = Array.from(text);
  if (characters.length > MAX_CHARACTERS) notes.push(say("cut_letters", { n: MAX_CHARACTERS }));
  const counting = characters.slice(0, MAX_CHARACTERS).join("").replace(QUOTE, '"');
  // The last word may be incomplete.
  /** @type {WordsClause | null} */
  let last = null;
  for (const match of counting.matchAll(CLAUSE)) {
    const [raw, minus, name, quoted, closed, bare, phrase, ended, word] = match;
    if (clauses.length === MAX_CLAUSES) {
      notes.push(say("cut_words", { n: MAX_CLAUSES }));
      break;
    }
    const isNegated = minus === "-";
    if (closed === "" || ended === "") notes.push(say("open_quote"));
    const field = name?.toLowerCase();
    last = null;
    if (name !== undefined && isField(field)) {
      const condition = parseFilter(field, (quoted ?? bare ?? "").replace(OUTER_SPACE, ""), notes);
      if (condition) clauses.push({ isNegated, ...condition });
      continue;
    }
    if (name !== undefined && (quoted ?? bare) !== undefined) notes.push(say("no_filter", { filter: name }));
    const words = queryTerms(phrase ?? word ?? `${name} ${quoted ?? bare ?? ""}`, languages);
    if (!words.length) {
      notes.push(say("no_letters", { word: raw }));
      continue;
    }
    /** @type {WordsClause} */
    const clause = { isNegated, words, prefix: phrase === undefined ? "never" : "exact" };
    if (word !== undefined && word.endsWith("*")) clause.prefix = "always";
    else if (word !== undefined && !isNegated && match.index + raw.length === counting.length) last = clause;
    clauses.push(clause);
  }
  if (last) last.prefix = "fallback";
  return { clauses, notes };
}

/** @param {string} field */
export const isField = field => FILTER_FIELDS.includes(field) || ["has", "before", "after"].includes(field);

/**
 * Returns whether a text is a day, a month or a year of the calendar.
 *
 * @param {string} text
 */
function isDate(text) {
  const date = new Date(text);
  // Browsers read 30 February as a day in March.
  return /^\d{4}(?:-\d\d){0,2}$/.test(text) && !isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/**
 * @param {string} field
 * @param {string} value
 * @param {string[]} notes
 */
export function parseFilter(field, value, notes) {
  if (value === "") {
    notes.push(say("no_value", { filter: field }));
    return null;
  }
  if (field === "has") {
    if (/^(?:code|tool)$/i.test(value)) return { field, terms: [`has:${value.toLowerCase()}`] };
    notes.push(say("has_takes"));
    return null;
  }
  if (field === "before" || field === "after") {
    if (isDate(value)) {
      const [year, month, day] = value.split("-").map(Number);
      return { [field]: year * 10000 + (month ?? 0) * 100 + (day ?? 0) };
    }
    notes.push(say("takes_day", { filter: field }));
    return null;
  }
  const values = Array.from(new Set(terms(value, "").map(([term]) => `${field}:${term}`)));
  if (values.length) return { field, terms: values };
  notes.push(say("no_letters", { word: value }));
  return null;
}
