// The tokenizer: divides text into terms, as `query/tokenizer.rs` does.

import { stem } from "./stem.js";
import { ACCENTS, BIGRAM_SCRIPTS, ELIDED, MAX_TERM_CHARS, SPELLINGS } from "./tables.js";

const WORD = "[\\p{Alphabetic}\\p{N}\\p{M}]";
const CHUNK = new RegExp(`${WORD}+(?:(?:_+|[.'’])${WORD}+)*(?:\\+\\+|#)?`, "gu");
const NO_WORD = /[^\p{Alphabetic}\p{N}\p{M}]/gu;
const ACCENT = new RegExp(`[${ACCENTS}]`, "gu");
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join("")}]`, "g");
const RUN = new RegExp(`[${BIGRAM_SCRIPTS}]+|[^${BIGRAM_SCRIPTS}]+`, "gu");
const IS_BIGRAMS = new RegExp(`^[${BIGRAM_SCRIPTS}]`, "u");

/**
 * A part of a chunk, and its range in the text.
 *
 * @typedef {object} Part
 * @property {string | string[]} text A word, or characters that are searched for in pairs (bigrams).
 * @property {number} start
 * @property {number} end
 */

/**
 * Letters, digits and marks with the characters that join them, and their range in the text.
 *
 * @typedef {object} Chunk
 * @property {string | null} whole All of it, if it is a term beside its parts.
 * @property {Part[]} parts
 * @property {number} start
 * @property {number} end
 */

/**
 * Folds a word: removes differences in compatibility forms, case, accents and vowel points.
 *
 * @param {string} word
 */
function fold(word) {
  if (/^[\x00-\x7F]*$/.test(word)) return word.toLowerCase();
  return word.normalize("NFKC").toLowerCase().normalize("NFD").replace(ACCENT, "").normalize("NFC")
    .replace(SPELLED, letter => SPELLINGS[letter]).replace(NO_WORD, "");
}

/** @param {string} word */
const shortened = word => word.length > MAX_TERM_CHARS ? Array.from(word).slice(0, MAX_TERM_CHARS).join("") : word;

/**
 * Returns the chunks of a text.
 *
 * @param {string} text
 * @returns {Generator<Chunk>}
 */
export function* chunks(text) {
  for (const match of text.matchAll(CHUNK)) {
    const raw = match[0];
    const tail = /(?:\+\+|#)$/.exec(raw)?.[0] ?? "";
    const pieces = raw.slice(0, raw.length - tail.length).split(/(_+|[.'’])/);
    /** @type {Part[]} */
    const parts = [];
    let whole = "", isWhole = tail !== "", word = "", at = match.index, start = at;
    for (let i = 0; i < pieces.length; i += 2) {
      const piece = fold(pieces[i]), joiner = pieces[i + 1] ?? "";
      if (word === "") start = at;
      at += pieces[i].length;
      const end = at;
      at += joiner.length;
      const isApostrophe = joiner === "'" || joiner === "’";
      if (isApostrophe && word === "" && ELIDED.includes(piece)) continue;
      word += piece;
      whole += piece;
      if (isApostrophe) continue;
      whole += joiner;
      isWhole ||= joiner !== "";
      for (const run of word.match(RUN) ?? []) {
        parts.push({ text: IS_BIGRAMS.test(run) ? Array.from(run) : shortened(run), start, end });
      }
      word = "";
    }
    if (parts.length) {
      yield { whole: isWhole ? shortened(whole + tail) : null, parts, start: match.index, end: match.index + raw.length };
    }
  }
}

/**
 * Returns the terms of a text in a language, each with its position. A whole chunk has no position of its own.
 *
 * @param {string} text
 * @param {string} language
 */
export function terms(text, language) {
  /** @type {[string, number | null][]} */
  const all = [];
  let position = 0;
  for (const chunk of chunks(text)) {
    if (chunk.whole !== null) all.push([chunk.whole, null]);
    for (const { text } of chunk.parts) {
      if (typeof text === "string") all.push([stem(text, language), position++]);
      else text.forEach((c, i) => all.push([c + (text[i + 1] ?? ""), position++]));
    }
  }
  return all;
}

/**
 * A term of a query.
 *
 * @typedef {object} QueryTerm
 * @property {string} surface The word as it was typed, folded.
 * @property {string[]} forms The terms of the index that match it.
 * @property {boolean} isPrefix Whether longer terms that start with it match as well.
 */

/**
 * @param {string} term
 * @returns {QueryTerm}
 */
const exactly = term => ({ surface: term, forms: [term], isPrefix: false });

/**
 * Divides words of a query into consecutive terms, in the forms of several languages. A single chunk that is indexed
 * as a whole becomes that term.
 *
 * @param {string} text
 * @param {string[]} languages
 * @returns {QueryTerm[]}
 */
export function queryTerms(text, languages) {
  const all = Array.from(chunks(text));
  if (all.length === 1 && all[0].whole !== null) return [exactly(all[0].whole)];
  return all.flatMap(chunk => chunk.parts).flatMap(({ text }, part, parts) => {
    if (typeof text === "string") {
      const forms = languages.map(language => stem(text, language));
      return [{ surface: text, forms: Array.from(new Set(forms)), isPrefix: false }];
    }
    if (text.length === 1) return [{ ...exactly(text[0]), isPrefix: true }];
    // In texts, the last character is a term of its own, and the next part follows it.
    const last = part + 1 < parts.length ? [exactly(text[text.length - 1])] : [];
    return [...text.slice(1).map((c, i) => exactly(text[i] + c)), ...last];
  });
}
