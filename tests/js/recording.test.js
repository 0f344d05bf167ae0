// Times in recordings: what links mean, and which turn is playing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { placeAt, secondsOf } from "../../src/theme/script/recording_times.js";

test("a link contains the second", () => {
  assert.equal(secondsOf("#t=93.5"), 93.5);
  assert.equal(secondsOf("#t=0"), 0);
  for (const hash of ["", "#", "#t=", "#t=a", "#t=1,2", "#t=-1", "#t12", "#t=1e9", "#xt=1"]) {
    assert.ok(Number.isNaN(secondsOf(hash)), hash);
  }
});

test("the current turn is the last one that has started", () => {
  const starts = [1, 3.25, 3.25, 60];
  for (const [time, place] of [[0, -1], [0.9, -1], [0.96, 0], [1, 0], [3.2, 2], [3.25, 2], [59, 2], [60, 3], [9999, 3]]) {
    assert.equal(placeAt(starts, time), place, String(time));
  }
  assert.equal(placeAt([], 5), -1);
});
