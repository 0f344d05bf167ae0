// A segment of the index: a folder of files, which are loaded on demand.

import { decodeText } from "./decoder.js";
import { loadFile } from "./files.js";
import { decodePostings } from "./postings.js";
import { DOCUMENTS_PER_FILE, VERSION_DIGITS, WORD_LETTERS } from "./tables.js";

/** @import { Decoder } from "./decoder.js" */

/**
 * The data of a segment in the root file: see `Summary` in `search/index/files.rs`.
 *
 * @typedef {object} Summary
 * @property {string} folder
 * @property {number} turns
 * @property {string[]} postings Where each file of postings begins.
 * @property {string[]} positions Where each file of positions begins.
 * @property {Record<string, string>} versions The versions of the files of each kind, in order.
 * @property {[string, number][]} common Terms that are in very many turns, with the number of these.
 * @property {boolean} by_length Whether words have a file for each of their lengths.
 * @property {[filed: number, speakers: number]} facets The sizes of the files of facets. Bytes.
 */

/** @typedef {[path: string, title: string, day: string | null, parts: number[]]} DocumentRow */

/**
 * Languages, types and tags of conversations: see `search/index/facets.rs`.
 *
 * @typedef {object} Filed
 * @property {Record<"lang" | "type" | "tag", string[]>} names
 * @property {(number | null)[]} days
 * @property {number[][]} langs
 * @property {(number | null)[]} types
 * @property {number[][]} tags
 */

/**
 * The speakers of conversations. `models` has null for a person, and -1 for a program whose model is unknown.
 *
 * @typedef {object} Speakers
 * @property {Record<"speaker" | "model", string[]>} names
 * @property {number[][]} speakers
 * @property {(number | null)[][]} models
 * @property {string[]} turns
 */

/** The maximum number of terms that a prefix is expanded to. */
export const MAX_EXPANSIONS = 100;

export class Segment {
  /**
   * @param {string} base
   * @param {Summary} summary
   * @param {RequestInit} options
   */
  constructor(base, summary, options) {
    this.summary = summary;
    this.options = options;
    this.base = base + summary.folder;
    /** @type {Map<string, Promise<any>>} */
    this.files = new Map();
  }

  /**
   * Loads a file once.
   *
   * @template T
   * @param {string} kind
   * @param {number} number
   * @param {(bytes: Uint8Array) => T} decode
   * @returns {Promise<T>}
   */
  load(kind, number, decode) {
    const name = kind + number, at = number * VERSION_DIGITS;
    let file = this.files.get(name);
    if (!file) {
      const version = this.summary.versions[kind].slice(at, at + VERSION_DIGITS);
      file = loadFile(`${this.base}${name}.bin`, version, this.options).then(decode);
      // Failed loads are tried again the next time.
      file.catch(() => this.files.delete(name));
      this.files.set(name, file);
    }
    return file;
  }

  /** @param {number} number */
  postings(number) {
    return this.load("p", number, decodePostings);
  }

  /**
   * Returns the turns of a term with their weights, or null.
   *
   * @param {string} term
   */
  async turnsOf(term) {
    const postings = await this.postings(fileOf(this.summary.postings, term));
    return postings.get(term)?.decode() ?? null;
  }

  /**
   * Returns the turns whose speaker's name contains a term, or null. Two terms with a space between them match names
   * that contain them consecutively.
   *
   * @param {string} term
   */
  turnsOfName(term) {
    return this.turnsOf(`${term}:`);
  }

  /**
   * Returns a decoder of the positions of a term, or null.
   *
   * @param {string} term
   * @param {(bytes: Uint8Array) => Map<string, () => Decoder>} decode Decodes a file of positions.
   */
  async positionsOf(term, decode) {
    const positions = await this.load("q", fileOf(this.summary.positions, term), decode);
    return positions.get(term)?.() ?? null;
  }

  /**
   * Returns the first terms, of texts or of names, that start with a prefix.
   *
   * @param {string} prefix
   */
  async termsWithPrefix(prefix) {
    const firsts = this.summary.postings;
    /** @type {Set<string>} */
    const found = new Set();
    let number = fileOf(firsts, prefix);
    for (; number < firsts.length && found.size < MAX_EXPANSIONS; number++) {
      const first = firsts[number];
      if (compare(first, prefix) > 0 && !first.startsWith(prefix)) break;
      // Of several files that begin here, all but the last are empty.
      number = fileOf(firsts, first);
      for (const key of (await this.postings(number)).keys()) {
        const term = key.replace(/:$/, "");
        if (term.startsWith(prefix) && !/[: ]/.test(term)) found.add(term);
      }
    }
    return [...found].sort(compare).slice(0, MAX_EXPANSIONS);
  }

  /**
   * Returns the lines of words with these lengths, possibly among others.
   *
   * @param {number[]} lengths
   * @returns {Promise<string[]>}
   */
  async spellingLines(lengths) {
    const [least, most] = WORD_LETTERS;
    const files = this.summary.by_length ? lengths.filter(length => length >= least && length <= most) : [0];
    /** @param {Uint8Array} bytes */
    const decode = bytes => decodeText(bytes).split("\n").slice(0, -1);
    return (await Promise.all(files.map(file => this.load("w", file, decode)))).flat();
  }

  /**
   * @param {number} document
   * @returns {Promise<DocumentRow>}
   */
  async document(document) {
    /** @type {DocumentRow[]} */
    const rows = await this.load("d", Math.floor(document / DOCUMENTS_PER_FILE), decodeJson);
    return rows[document % DOCUMENTS_PER_FILE];
  }

  /** @returns {Promise<Filed>} */
  filed() {
    return this.load("f", 0, decodeJson);
  }

  /** @returns {Promise<Speakers>} */
  speakers() {
    return this.load("f", 1, decodeJson);
  }

  // Returns the day of each conversation as a number such as 20251023.
  async days() {
    let day = 0;
    return (await this.filed()).days.map(step => step === null ? null : day += step);
  }
}

/** @param {Uint8Array} bytes */
const decodeJson = bytes => JSON.parse(decodeText(bytes));

/**
 * Compares by code points, which is the order of the index.
 *
 * @param {string} a
 * @param {string} b
 */
export function compare(a, b) {
  if (a === b) return 0;
  const x = Array.from(a), y = Array.from(b);
  for (let i = 0; i < x.length && i < y.length; i++) {
    const order = Number(x[i].codePointAt(0)) - Number(y[i].codePointAt(0));
    if (order) return order;
  }
  return x.length - y.length;
}

/**
 * Returns the number of the last file that begins at or before a term. The first file begins before every term.
 *
 * @param {string[]} firsts
 * @param {string} term
 */
export function fileOf(firsts, term) {
  let low = 0, high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(firsts[middle], term) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
