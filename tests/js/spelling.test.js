// Spelling correction.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { random } from "./support/random.js";

const { compare, fileOf } = await import("../../src/search/script/segment.js");
const { correct, distance } = await import("../../src/search/script/spelling.js");

/**
 * Edit distance with swapped neighbours as one edit, from the definition.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
function edits(a, b) {
  if (!a || !b) return a.length + b.length;
  const best = Math.min(edits(a.slice(1), b) + 1, edits(a, b.slice(1)) + 1, edits(a.slice(1), b.slice(1)) + Number(a[0] !== b[0]));
  const isSwapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0];
  return isSwapped ? Math.min(best, edits(a.slice(2), b.slice(2)) + 1) : best;
}

test("the distance is the number of edits, up to a bound", () => {
  const next = random(7);
  const word = () => Array.from({ length: next(6) }, () => "abc"[next(3)]).join("");
  for (let round = 0; round < 400; round++) {
    const a = word(), b = word(), most = next(4), expected = edits(a, b), seen = distance(a, b, most);
    if (expected <= most) assert.equal(seen, expected, `${a} ${b}`);
    else assert.ok(seen > most, `${a} ${b}: ${seen}`);
  }
});

/** @param {string[]} lines */
const segmentOf = lines => /** @type {any} */ ({ spellingLines: async () => lines });

test("the closest word wins, then one with the same first letter, then the most frequent one", async () => {
  /**
   * @param {string} word
   * @param {string[]} lines
   */
  const meant = (word, ...lines) => correct(word, [segmentOf(lines)], ["en"]);
  assert.equal(await meant("kubernetis", "akubernetes", "azebra"), "kubernetes");
  assert.equal(await meant("zebar", "azebra"), "zebra");
  assert.equal(await meant("moss", "cboss", "amass"), "mass");
  assert.equal(await meant("moss", "amass", "cmess"), "mess");
  assert.equal(await meant("cat", "abat"), null, "short words are not corrected");
  assert.equal(await meant("e0308", "ae0309"), null, "only letters are");
  assert.equal(await meant("zebra", "aokapi"), null);
  assert.equal(await meant("zebra"), null);
});

test("terms are sorted by code points", () => {
  // In UTF-16 order, the second would come first.
  assert.ok(compare("\uFF5E", "𝔛") < 0);
  assert.ok(compare("a", "ab") < 0 && compare("b", "ab") > 0 && compare("a", "a") === 0);
  const firsts = ["b", "d", "\uFF5E", "𝔛"];
  assert.deepEqual(["a", "b", "c", "d", "é", "\uFF5F", "𝔜"].map(term => fileOf(firsts, term)), [-1, 0, 0, 1, 1, 2, 3]);
});
