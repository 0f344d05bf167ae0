// Sorted lists of turns, compared with sets.

import assert from "node:assert/strict";
import { test } from "node:test";

import { difference } from "../../src/search/script/conditions.js";
import { documentOf, intersection, turnId, turnOf, union } from "../../src/search/script/turns.js";
import { random } from "./support/random.js";

test("a turn's id contains its conversation and its number", () => {
  for (const [document, turn] of [[0, 0], [1, 2_000_000], [4_000_000, 5]]) {
    assert.deepEqual([documentOf(turnId(document, turn)), turnOf(turnId(document, turn))], [document, turn]);
  }
});

test("lists are combined like sets", () => {
  const next = random(5);
  const list = () => Float64Array.from(new Set(Array.from({ length: next(20) }, () => next(30)))).sort();
  for (let round = 0; round < 500; round++) {
    const a = list(), b = list(), inB = new Set(b);
    assert.deepEqual(Array.from(intersection(a, b)), Array.from(a).filter(id => inB.has(id)));
    assert.deepEqual(Array.from(difference(a, b)), Array.from(a).filter(id => !inB.has(id)));
    const { ids, weights } = union([{ ids: a, weights: a.map(id => id * 2) }, { ids: b, weights: b.map(id => 30 - id) }]);
    assert.deepEqual(Array.from(ids), Array.from(new Set([...a, ...b])).sort((x, y) => x - y));
    ids.forEach((id, i) => assert.equal(weights[i], Math.max(a.includes(id) ? id * 2 : 0, inB.has(id) ? 30 - id : 0)));
  }
});
