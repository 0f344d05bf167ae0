// Filters of a query as chips, and the query without them.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const { nameOf } = await import("../../src/search/script/filter_names.js");
const { filtersIn, without } = await import("../../src/search/script/filters_in.js");

test("filters with a value are found at their positions", () => {
  const text = "moss Speaker:“Ada Marsh” -lang:de tag:  after:2024-05 before:soon foo:bar has:CODE \"tag:x\" speaker:";
  const found = filtersIn(text);
  assert.deepEqual(found.map(({ field, value, isNegated }) => [field, value, isNegated]), [
    ["speaker", "Ada Marsh", false], ["lang", "de", true], ["after", "2024-05", false], ["has", "CODE", false],
  ]);
  assert.deepEqual(found.map(({ start, end }) => text.slice(start, end)), ["Speaker:“Ada Marsh”", "-lang:de", "after:2024-05", "has:CODE"]);
  assert.equal(without(text, found), "moss tag: before:soon foo:bar \"tag:x\" speaker:");
  assert.equal(without(text, found.slice(0, 1)), "moss -lang:de tag: after:2024-05 before:soon foo:bar has:CODE \"tag:x\" speaker:");
  assert.deepEqual(filtersIn("no filter: in here"), []);
});

test("language codes become names, other values stay", () => {
  for (const [field, value, name] of [
    ["lang", "en", "English"], ["lang", "de", "Deutsch"], ["lang", "es", "Español"], ["lang", "ja", "日本語"],
    ["lang", "not a language", "not a language"], ["tag", "en", "en"], ["speaker", "Ada", "Ada"], ["has", "CODE", "code"],
  ]) assert.equal(nameOf(field, value), name);
});
