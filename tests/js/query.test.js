// The query parser. `search_drift.rs` compares random queries with the program.

import "./support/page.js";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const { parse } = await import("../../src/search/script/query.js");

const vectors = new URL("../data/search/queries.json", import.meta.url);

test("queries are parsed as in the program", () => {
  const rows = JSON.parse(readFileSync(vectors, "utf8"));
  assert.ok(rows.length >= 20);
  for (const { query, clauses } of rows) assert.deepEqual(parse(query, ["de", "en"]).clauses, clauses, query);
});

test("words, phrases, filters and days are distinguished", () => {
  const { clauses, notes } = parse('rust "borrow checker" -async tag:"machine learning" before:2025-06 kub*');
  const kinds = clauses.map(clause => Object.keys(clause).filter(key => key !== "isNegated").sort().join());
  assert.deepEqual(kinds, ["prefix,words", "prefix,words", "prefix,words", "field,terms", "before", "prefix,words"]);
  assert.deepEqual(clauses.map(clause => clause.isNegated), [false, false, true, false, false, false]);
  assert.deepEqual(clauses[3], { isNegated: false, field: "tag", terms: ["tag:machine", "tag:learning"] });
  assert.deepEqual(clauses[4], { isNegated: false, before: 20250600 });
  assert.deepEqual(notes, []);
});

test("only the last word can be incomplete", () => {
  /** @param {string} query */
  const prefixes = query => parse(query).clauses.map(clause => "prefix" in clause ? clause.prefix : null);
  assert.deepEqual(prefixes("rust lif"), ["never", "fallback"]);
  assert.deepEqual(prefixes("rust lif "), ["never", "never"]);
  assert.deepEqual(prefixes("rust -lif"), ["never", "never"]);
  assert.deepEqual(prefixes("ru* lif"), ["always", "fallback"]);
  assert.deepEqual(prefixes('"rust lif"'), ["exact"]);
});

test("ignored parts are reported", () => {
  for (const [query, note] of [
    ['"open', "open_quote"], ["foo:bar", "no_filter"], ["???", "no_letters"], ["speaker:", "no_value"],
    ["before:soon", "takes_day"], ["before:2025-13", "takes_day"], ["after:2025-02-30", "takes_day"], ["after:2025-00", "takes_day"],
    ["has:fun", "has_takes"], ["x".repeat(1001), "cut_letters"], ["word ".repeat(33), "cut_words"],
  ]) assert.deepEqual(parse(query).notes, [note], query);
  assert.equal(parse("word ".repeat(99)).clauses.length, 32);
});

test("no query takes long", () => {
  const started = performance.now();
  for (const piece of ["\"", "-", "a:", "_.", "'", "+", "日", "e\u0301", "*"]) parse(piece.repeat(5000));
  assert.ok(performance.now() - started < 2000);
});
