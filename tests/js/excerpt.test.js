// Excerpts with marks, and the Markdown that they are cut from.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { excerpt, findMarks } from "../../src/search/script/excerpt.js";
import { direction, plain, turnsIn } from "../../src/search/script/markdown.js";
import { random } from "./support/random.js";

/**
 * @param {string} text
 * @param {string[]} wanted
 */
const marked = (text, ...wanted) =>
  findMarks(text, term => wanted.includes(term), ["en"]).map(([start, end]) => text.slice(start, end));

test("words are marked in every form, and nothing else is", () => {
  assert.deepEqual(marked("Searching, searched: a search engine", "search"), ["Searching", "searched", "search"]);
  assert.deepEqual(marked("snake_case and snake", "snake_case"), ["snake_case"]);
  assert.deepEqual(marked("snake_case and snake", "snak"), ["snake", "snake"]);
  assert.deepEqual(marked("Über uber ÜBER", "uber"), ["Über", "uber", "ÜBER"]);
  assert.deepEqual(marked("research", "search"), []);
});

test("pairs of characters are marked together", () => {
  assert.deepEqual(marked("日本語の検索エンジン", "検索"), ["検索"]);
  assert.deepEqual(marked("日本語の検索", "日本", "本語"), ["日本語"]);
  // Folding makes two characters into one, so the whole run is marked.
  assert.deepEqual(marked("ｶﾞｽの火", "ガス"), ["ｶﾞｽの火"]);
});

test("short texts are shown whole, long ones around their marks", () => {
  const filler = "moss and fern ".repeat(60);
  const text = `${filler}the heron waits for the heron ${filler}`;
  const marks = findMarks(text, term => term === "heron", ["en"]);
  const pieces = excerpt(text, marks, { isWhole: false });
  assert.deepEqual(pieces.filter(piece => piece.isMarked).map(piece => piece.text), ["heron", "heron"]);
  const all = pieces.map(piece => piece.text).join("");
  assert.ok(all.length <= 310 && all.startsWith("… ") && all.endsWith(" …"), all);
  assert.equal(excerpt(text, marks, { isWhole: true }).map(piece => piece.text).join(""), text);
  assert.deepEqual(excerpt("Moss.", [], { isWhole: false }), [{ text: "Moss.", isMarked: false }]);
});

test("an excerpt is always a part of its text", () => {
  const next = random(11);
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: next(150) }, () => ["heron", "moss", "日本語", "x".repeat(next(40)), "l'étang"][next(5)]).join([" ", ""][next(2)]);
    const marks = findMarks(text, term => ["heron", "日本", "etang"].includes(term), ["en", "fr"]);
    for (const [i, [start, end]] of marks.entries()) assert.ok(start < end && (i === 0 || start > marks[i - 1][1]));
    const pieces = excerpt(text, marks, { isWhole: false });
    const shown = pieces.map(piece => piece.text).join("").replace(/^… | …$/g, "");
    assert.ok(text.includes(shown), text);
    assert.ok(!marks.length || pieces.some(piece => piece.isMarked) || marks[0][1] - marks[0][0] > 200, text);
  }
});

test("the turns of a page are found in its Markdown", () => {
  const page = "# Moss\n\n## [Ada](./#t1) · 10:00\n\nWhich *moss*?\n\n\\## [Not a turn](./#x)\n\n## [W\\]ren](./#t2)\n\n```\nlet x = 1;\n```\n\n## [·](./#t3)\n\nA note.";
  assert.deepEqual(turnsIn(page), [
    { speaker: "Ada", anchor: "t1", text: "Which moss? Not a turn", work: "" },
    { speaker: "W]ren", anchor: "t2", text: "let x = 1;", work: "" },
    { speaker: "", anchor: "t3", text: "A note.", work: "" },
  ]);
  assert.deepEqual(turnsIn("Nothing."), []);
});

test("text and tool calls of a turn are separated", () => {
  const page = (/** @type {string} */ body) => turnsIn(`## [Bot](./#t1)\n\n${body}`).map(({ text, work }) => [text, work])[0];
  for (const [body, said, work] of [
    [
      "I read it.\n\n*Tool call:* `Read`\n\n```\n./moss.md\n```\n\n*Result:*\n\n```\n1→# Moss\n\n2→*Result:* wet\n```\n\nIt is wet.",
      "I read it. … It is wet.", "Read ./moss.md Moss – Result: wet",
    ],
    ["*Tool call:* `Edit`\n\n`a.md`\n\n```diff\n-moss\n```\n\n*Result(failed):*\n\nno such file\n\nSorry.", "Sorry.", "Edit a.md -moss no such file"],
    ["*Thinking:*\n\n> Moss?\n\nMoss.\n\n*Sources:*\n\n1. [Fern](<https://example.org/a b>)", "Moss.", "Moss? 1. Fern"],
    ["*Tool call:* `Bash`\n\n```sh\nls\n```\n\n*Exit code: 1*\n\n*Decision: rejected:* not now", "", "Bash ls not now"],
    ["*Tool calls* are fine.", "Tool calls are fine.", ""],
  ]) assert.deepEqual(page(body), [said, work]);
});

test("excerpts are the same as those of the program", () => {
  /** @type {{markdown: string, text: string}[]} */
  const cases = JSON.parse(readFileSync(new URL("../data/search/excerpts.json", import.meta.url), "utf8"));
  for (const { markdown, text } of cases) assert.equal(plain(markdown), text);
});

test("Markdown is reduced to its visible text", () => {
  for (const [markdown, words] of [
    ["**bold** and *lean* and `code`", "bold and lean and code"],
    ["[a link](https://example.org \"title\")", "a link"],
    ["> quoted\n\n- item\n- item", "quoted item item"],
    ["> [!NOTE]\n> quoted\n\nIt is [!NOTE] here.", "quoted It is [!NOTE] here."],
    ["2 * 3 * 4", "2 * 3 * 4"],
    ["a < b > c", "a < b > c"],
    ["\\*not lean\\* \\*\\*nor bold\\*\\* \\`nor code\\`", "*not lean* **nor bold** `nor code`"],
    ["# Heading\n\ntext", "Heading – text"],
    ["## Is it so? ##\n\nYes.\n\n### End", "Is it so? Yes. End"],
    ["See:\n\n| Bird | Sings |\n|:-----|------:|\n| robin | `a \\| b` |\n\nor | not", "See: Bird · Sings robin · a | b or | not"],
    ["Bird | Sings\n---|---\nrobin | well", "Bird · Sings robin · well"],
    ["The sum $a^2 + b$ is $$c^2$$, or $x$.", "The sum a^2 + b is c^2, or x."],
    ["It costs $5 or $10, \\$7 for US$20 in $HOME:$PATH", "It costs $5 or $10, $7 for US$20 in $HOME:$PATH"],
  ]) assert.equal(plain(markdown), words);
});

test("the direction is the direction of most letters", () => {
  assert.equal(direction("Rust is fun"), "ltr");
  assert.equal(direction("Rust هي لغة برمجة"), "rtl");
  assert.equal(direction("123"), "ltr");
});
