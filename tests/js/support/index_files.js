// Builds the files of a small index, encoded as `src/search/index` documents but independent of its code, and serves
// them.

import { deflateRawSync } from "node:zlib";

import { VERSION, VERSION_DIGITS } from "../../../src/search/script/tables.js";
import { terms } from "../../../src/search/script/tokenizer.js";

/**
 * A conversation: the title is its first turn.
 *
 * @typedef {object} Talk
 * @property {string} title
 * @property {number | null} [day]
 * @property {string[]} [tags]
 * @property {{speaker: string, text: string}[]} turns
 */

/** @param {number} number */
export function encodeNumber(number) {
  const bytes = [];
  while (number > 127) {
    bytes.push(number % 128 + 128);
    number = Math.floor(number / 128);
  }
  return [...bytes, number];
}

/** @param {string} text */
const encodeText = text => {
  const bytes = new TextEncoder().encode(text);
  return [...encodeNumber(bytes.length), ...bytes];
};

/**
 * Encodes terms in order, each with numbers.
 *
 * @param {{term: string, numbers: number[]}[]} rows
 */
export function encodeDictionary(rows) {
  const bytes = encodeNumber(rows.length);
  let before = "";
  for (const { term, numbers } of rows) {
    // A term shares only whole characters with the previous one.
    let shared = 0;
    while (shared < Math.min(term.length, before.length) && term[shared] === before[shared]) shared++;
    if (/[\uD800-\uDBFF]/.test(term[shared - 1] ?? "")) shared--;
    bytes.push(...encodeNumber(new TextEncoder().encode(term.slice(0, shared)).length));
    bytes.push(...encodeText(term.slice(shared)), ...numbers.flatMap(encodeNumber));
    before = term;
  }
  return [...encodeNumber(bytes.length), ...bytes];
}

/**
 * Compresses the content of a file.
 *
 * @param {number[] | string} content
 */
export const pack = content => deflateRawSync(typeof content === "string" ? Buffer.from(content) : Uint8Array.from(content));

/**
 * Returns the version of a file: the last digits, in base 36, of its checksum.
 *
 * @param {Buffer} file
 */
export function versionOf(file) {
  let sum = 0x811C9DC5;
  for (const byte of file) sum = Math.imul(sum ^ byte, 0x01000193);
  return (sum >>> 0).toString(36).padStart(VERSION_DIGITS, "0").slice(-VERSION_DIGITS);
}

/**
 * Encodes numbers, of which the last is marked.
 *
 * @param {number[]} sorted
 */
const encodeSteps = sorted => sorted.flatMap((number, i) =>
  encodeNumber((number - (sorted[i - 1] ?? 0)) * 2 + Number(i === sorted.length - 1)));

/**
 * Returns the files of an index with one segment, by path in the site.
 *
 * @param {Talk[]} talks
 * @param {{language?: string, denseFrom?: number, common?: [string, number][]}} options
 */
export function indexFiles(talks, { language = "en", denseFrom = Infinity, common = [] } = {}) {
  /** @type {Map<string, Map<number, Map<number, number[]>>>} Positions by term, conversation and turn. */
  const found = new Map();
  /** @type {Map<string, Set<string>>} */
  const words = new Map();
  /**
   * @param {string} term
   * @param {number} document
   * @param {number} turn
   */
  const positionsOf = (term, document, turn) => {
    const documents = found.get(term) ?? new Map();
    const turns = documents.get(document) ?? new Map();
    const positions = turns.get(turn) ?? [];
    found.set(term, documents.set(document, turns.set(turn, positions)));
    return positions;
  };
  const lengths = talks.map(({ title, turns }) => [title, ...turns.map(({ text }) => text)].map(text => terms(text, language).length));
  const mean = lengths.flat().reduce((sum, length) => sum + length, 0) / lengths.flat().length;
  talks.forEach(({ title, turns, tags = [] }, document) => {
    [title, ...turns.map(({ text }) => text)].forEach((text, turn) => {
      for (const [term, position] of terms(text, language)) {
        const positions = positionsOf(term, document, turn);
        if (position !== null) positions.push(position);
      }
      for (const [surface] of terms(text, "")) {
        words.set(surface, (words.get(surface) ?? new Set()).add(`${document} ${turn}`));
      }
    });
    turns.forEach(({ speaker }, i) => {
      terms(speaker, "").forEach(([name]) => positionsOf(`speaker:${name}`, document, i + 1));
      // A name counts among the words of a turn: each word of it, and each pair of neighbours.
      const name = terms(speaker, language).map(([term]) => term);
      for (const [surface] of terms(speaker, "")) words.set(surface, (words.get(surface) ?? new Set()).add(`${document} ${i + 1}`));
      name.forEach((term, k) => {
        positionsOf(`${term}:`, document, i + 1);
        if (k > 0) positionsOf(`${name[k - 1]} ${term}:`, document, i + 1);
      });
    });
    for (const tag of tags) terms(tag, "").forEach(([name]) => positionsOf(`tag:${name}`, document, 0));
  });
  const sorted = Array.from(found.entries()).sort(([a], [b]) => a < b ? -1 : 1);
  const rows = sorted.map(([term, documents]) => {
    const turns = Array.from(documents.values(), turns => Array.from(turns.keys()));
    const isDense = turns.flat().length >= denseFrom;
    const gaps = Array.from(documents.keys()).flatMap((document, i, all) => encodeNumber(document - (all[i - 1] ?? -1) - 1));
    const places = turns.flatMap(turns => {
      if (!isDense) return encodeSteps(turns);
      const bits = Array.from({ length: (turns.at(-1) ?? 0) >> 3 }, () => 0).concat(0);
      for (const turn of turns) bits[turn >> 3] |= 1 << turn % 8;
      return [...encodeNumber(bits.length), ...bits];
    });
    const weights = Array.from(documents.entries()).flatMap(([document, turns]) => Array.from(turns.entries(), ([turn, positions]) => {
      const weight = positions.length * 2.2 / (positions.length + 1.2 * (0.25 + 0.75 * lengths[document][turn] / mean));
      return Math.round((weight / 2.2) ** 3 * 200);
    }));
    const positions = Array.from(documents.values()).flatMap(turns => Array.from(turns.values()).flatMap(encodeSteps));
    return { term, turns: turns.flat().length, isDense, gaps, places, weights, positions };
  });
  const postings = encodeDictionary(rows.map(({ term, turns, isDense, gaps, places }) =>
    ({ term, numbers: [turns * 2 + Number(isDense), gaps.length, places.length] })));
  const positioned = rows.filter(row => row.positions.length);
  const positions = encodeDictionary(positioned.map(({ term, positions }) => ({ term, numbers: [positions.length] })));
  const speakers = Array.from(new Set(talks.flatMap(({ turns }) => turns.map(({ speaker }) => speaker))));
  const tags = Array.from(new Set(talks.flatMap(({ tags = [] }) => tags)));
  let before = 0;
  const days = talks.map(({ day = null }) => {
    const step = day === null ? null : day - before;
    before = day ?? before;
    return step;
  });
  const namesOf = (/** @type {Talk} */ { turns }) => Array.from(new Set(turns.map(({ speaker }) => speaker)));
  const filed = {
    names: { lang: [], type: [], tag: tags }, days, langs: talks.map(() => []), types: talks.map(() => null),
    tags: talks.map(({ tags: own = [] }) => own.map(tag => tags.indexOf(tag))),
  };
  const said = {
    names: { speaker: speakers, model: [] },
    speakers: talks.map(talk => namesOf(talk).map(name => speakers.indexOf(name))),
    models: talks.map(talk => namesOf(talk).map(() => null)),
    turns: talks.map(talk => `/${talk.turns.map(({ speaker }) => String.fromCharCode(48 + namesOf(talk).indexOf(speaker))).join("")}`),
  };
  const dayText = (/** @type {number} */ day) => String(day).replace(/(\d{4})(\d\d)(\d\d)/, "$1-$2-$3");
  const documents = talks.map(({ title, day }, i) => [`c/${i}/`, title, day ? dayText(day) : null, [0]]);
  const spelling = Array.from(words.entries()).filter(([word]) => /^\p{Alphabetic}{3,24}$/u.test(word)).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([word, turns]) => `${String.fromCharCode(97 + Math.floor(Math.log2(turns.size)))}${word}\n`).join("");
  const files = new Map([
    ["p0", pack([...postings, ...rows.flatMap(row => row.gaps), ...rows.flatMap(row => row.places), ...rows.flatMap(row => row.weights)])],
    ["q0", pack([...positions, ...positioned.flatMap(row => row.positions)])],
    ["d0", pack(JSON.stringify(documents))],
    ["f0", pack(JSON.stringify(filed))],
    ["f1", pack(JSON.stringify(said))],
    ["w0", pack(spelling)],
  ]);
  /** @type {Record<string, string>} */
  const versions = {};
  for (const [name, file] of files) versions[name[0]] = (versions[name[0]] ?? "") + versionOf(file);
  const segment = {
    folder: "search/1/", turns: lengths.flat().length, by_length: false, facets: [1, 1], common, versions,
    postings: [""], positions: [""],
  };
  const root = Buffer.from(JSON.stringify({ version: VERSION, languages: [language], segments: [segment] }));
  const named = Array.from(files, ([name, file]) => /** @type {[string, Buffer]} */ ([`search/1/${name}.bin`, file]));
  return new Map([["search/index.json", root], ...named]);
}

/**
 * Serves these files to modules. Returns the list of requested files.
 *
 * @param {Map<string, Buffer>} files
 */
export function serve(files) {
  /** @type {string[]} */
  const asked = [];
  const base = "https://site.example/base/";
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ url) => {
      const [path] = new URL(url, `${base}search/`).href.slice(base.length).split("?");
      asked.push(path);
      const file = files.get(path);
      return file ? new Response(Uint8Array.from(file)) : new Response("", { status: 404 });
    },
  });
  return asked;
}

