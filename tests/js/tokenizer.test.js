// The tokenizer and the stemmer. `search_drift.rs` compares random texts with the program.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { stem } from "../../src/search/script/stem.js";
import { chunks, queryTerms, terms } from "../../src/search/script/tokenizer.js";

const vectors = new URL("../data/search/words.json", import.meta.url);

test("texts are tokenized as in the program", () => {
  const rows = JSON.parse(readFileSync(vectors, "utf8"));
  assert.ok(rows.length > 10);
  for (const { text, language, terms: expected } of rows) assert.deepEqual(terms(text, language), expected, text);
});

test("all forms of a word have the same stem", () => {
  /** @type {[string, string[]][]} */
  const families = [
    ["en", ["search", "searches", "searched", "searching"]],
    ["en", ["run", "runs", "running"]],
    ["en", ["study", "studies", "studied", "studying"]],
    ["de", ["katze", "katzen"]],
    ["fr", ["cherche", "chercher", "cherchent"]],
    ["es", ["buscar", "buscando", "buscado", "busca"]],
  ];
  for (const [language, words] of families) {
    assert.equal(new Set(words.map(word => stem(word, language))).size, 1, words.join());
  }
});

test("a stem keeps at least four letters, and other words are unchanged", () => {
  assert.equal(stem("eines", "de"), "eine");
  assert.equal(stem("esel", "de"), "esel");
  assert.equal(stem("straße", "de"), "straße");
  assert.equal(stem("x86s", "en"), "x86s");
  assert.equal(stem("katzen", "ja"), "katzen");
});

test("chunks have positions", () => {
  const text = "Say “naïve_café” in 日本語, l'Avion!";
  const slices = Array.from(chunks(text), chunk => text.slice(chunk.start, chunk.end));
  assert.deepEqual(slices, ["Say", "naïve_café", "in", "日本語", "l'Avion"]);
  const parts = Array.from(chunks(text)).flatMap(chunk => chunk.parts);
  assert.deepEqual(parts.map(part => part.text), ["say", "naive", "cafe", "in", ["日", "本", "語"], "avion"]);
  assert.deepEqual(parts.map(part => text.slice(part.start, part.end)), ["Say", "naïve", "café", "in", "日本語", "Avion"]);
});

test("accents, case and compatibility forms are ignored", () => {
  for (const [one, other] of [["ÉTÉ", "ete"], ["ﬁsh", "fish"], ["ＡＢＣ", "abc"], ["Straße", "strasse"], ["Łódź", "lodz"], ["ΣΊΣΥΦΟΣ", "σίσυφος"], ["שָׁלוֹם", "שלום"], ["مُحَمَّد", "محمد"]]) {
    assert.deepEqual(terms(one, ""), terms(other, ""), one);
  }
});

test("a long word is cut by characters", () => {
  assert.deepEqual(terms("x".repeat(99), ""), [["x".repeat(64), 0]]);
  assert.deepEqual(terms("𝔛".repeat(99), ""), [["x".repeat(64), 0]]);
  assert.equal(Array.from(terms("𐐨".repeat(99), "")[0][0]).length, 64);
});

test("a query of a single chunk matches the whole chunk", () => {
  assert.deepEqual(queryTerms("foo.bar", ["en"]), [{ surface: "foo.bar", forms: ["foo.bar"], isPrefix: false }]);
  assert.deepEqual(queryTerms("foo.bar baz", ["en"]).map(word => word.surface), ["foo", "bar", "baz"]);
  assert.deepEqual(queryTerms("searching", ["en", "de"]), [{ surface: "searching", forms: ["search", "searching"], isPrefix: false }]);
  assert.deepEqual(queryTerms("日", ["en"]), [{ surface: "日", forms: ["日"], isPrefix: true }]);
  assert.deepEqual(queryTerms("日本語", ["en"]).map(word => word.surface), ["日本", "本語"]);
});
