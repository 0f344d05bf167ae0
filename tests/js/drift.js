// Compares the script's words and queries with those of the program, which `search_drift.rs` wrote to a file: `node
// drift.js FILE`.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";

const { messages, texts, queries, pairs } = JSON.parse(readFileSync(process.argv[2], "utf8"));
Object.assign(globalThis, { document: { getElementById: () => ({ dataset: { words: JSON.stringify(messages) } }) } });
const { parse } = await import("../../src/search/script/query.js");
const { distance } = await import("../../src/search/script/spelling.js");
const { terms } = await import("../../src/search/script/tokenizer.js");

/** @type {string[]} */
const differences = [];
// Ignore characters whose properties differ in the Unicode version of Node.
const isKnown = (/** @type {string} */ text) => !/[\p{Cn}]/u.test(text);
/**
 * @param {unknown} input
 * @param {unknown} script
 * @param {unknown} program
 */
function compare(input, script, program) {
  if (isDeepStrictEqual(script, program)) return;
  differences.push(`${JSON.stringify(input)}\n  program: ${JSON.stringify(program)}\n  script:  ${JSON.stringify(script)}`);
}

for (const { text, language, terms: expected } of texts) if (isKnown(text)) compare([language, text], terms(text, language), expected);
for (const { query, languages, clauses, notes } of queries) if (isKnown(query)) compare([languages, query], parse(query, languages), { clauses, notes });
for (const [a, b, edits] of pairs) {
  for (const most of [1, 2]) compare([a, b, most], Math.min(distance(a, b, most), most + 1), Math.min(edits, most + 1));
}
console.log(`${texts.length} texts, ${queries.length} queries and ${pairs.length} pairs of words; ${differences.length} differ`);
console.log(differences.slice(0, 20).join("\n"));
if (differences.length) process.exitCode = 1;
