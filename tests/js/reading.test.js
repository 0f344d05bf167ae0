// Highlighting words in turns, and citations of turns.

import assert from "node:assert/strict";
import { test } from "node:test";

import { bibtex, markdownOf, quotation, reference } from "../../src/theme/script/citation.js";
import { patternOf } from "../../src/theme/script/highlight.js";

/**
 * @param {string} text
 * @param {string[]} words
 */
const found = (text, ...words) => Array.from(text.matchAll(patternOf(words)), match => match[0]);

test("whole words are found", () => {
  assert.deepEqual(found("moss, mosses and Moss", "moss"), ["moss"]);
  assert.deepEqual(found("snake snake_case", "snake", "snake_case"), ["snake", "snake_case"]);
  assert.deepEqual(found("C++ (C#)", "C++", "C#"), ["C++", "C#"]);
  assert.deepEqual(found("north\n  side", "north side"), ["north\n  side"]);
  assert.deepEqual(found("日本語の検索エンジン", "検索"), ["検索"]);
  assert.deepEqual(found("a.b acb", "a.b"), ["a.b"]);
  assert.deepEqual(found("[x] {y} (z|w)", "[x]", "{y}", "(z|w)"), ["[x]", "{y}", "(z|w)"]);
});

const SOURCE = {
  speaker: "Ada", day: "2025-05-20", n: "3", title: "Herons & [fog]", site: "Pond_notes", url: "https://site.example/c/1/#t3",
};

test("a reference omits unknown parts", () => {
  const text = "{speaker}. {title}. {day}. {url}";
  assert.equal(reference(text, SOURCE), "Ada. Herons & [fog]. 2025-05-20. https://site.example/c/1/#t3");
  assert.equal(reference(text, { ...SOURCE, day: "" }), "Ada. Herons & [fog]. https://site.example/c/1/#t3");
  assert.equal(reference("{other}", SOURCE), "{other}");
});

test("BibTeX contains no TeX commands", () => {
  assert.equal(bibtex({ ...SOURCE, day: "" }), [
    "@misc{t3,", "  author = {{Ada}},", "  title = {{Herons \\& [fog]}, 3},", "  howpublished = {Pond\\_notes},",
    "  url = {https://site.example/c/1/#t3}", "}", "",
  ].join("\n"));
  assert.ok(bibtex(SOURCE).includes("year = {2025}"));
});

test("a quotation quotes every line and names its source", () => {
  assert.equal(quotation("One.\n\nTwo.", SOURCE), "> One.\n>\n> Two.\n>\n> — [Ada, Herons & \\[fog\\]](https://site.example/c/1/#t3)\n");
});

test("the Markdown of a turn is cut from its page", () => {
  const page = "# Title\n\n## [Ada](./#t1)\n\nOne.\n\n\\## [no heading](./#t2)\n\n## [Wren](./#t2)\n\nTwo.\n";
  assert.equal(markdownOf(page, "t1"), "One.\n\n## [no heading](./#t2)");
  assert.equal(markdownOf(page, "t2"), "Two.");
  assert.equal(markdownOf(page, "t9"), "");
});
