// Decoding files of the index: numbers, dictionaries, posting lists, positions.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { encodeDictionary, encodeNumber, pack, serve, versionOf } from "./support/index_files.js";
import { random } from "./support/random.js";

const { Decoder, decodeDictionary } = await import("../../src/search/script/decoder.js");
const { LoadError, loadFile } = await import("../../src/search/script/files.js");
const { decodePositions, forEachPosition } = await import("../../src/search/script/consecutive.js");
const { decodePostings } = await import("../../src/search/script/postings.js");
const { turnId } = await import("../../src/search/script/turns.js");

test("numbers of every size are read", () => {
  const numbers = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31, 2 ** 32, 2 ** 45 + 7];
  const decoder = new Decoder(Uint8Array.from(numbers.flatMap(encodeNumber)));
  assert.deepEqual(numbers.map(() => decoder.number()), numbers);
  assert.throws(() => decoder.number(), LoadError);
});

test("a dictionary decodes to its terms, whatever prefixes they share", () => {
  const rows = ["", "a", "ab", "abc", "b", "na", "nä", "näh", "日", "日本", "𝔛a", "𝔜b"].map((term, i) => ({ term, numbers: [i, i * 1000] }));
  const bytes = encodeDictionary(rows);
  assert.deepEqual(decodeDictionary(Uint8Array.from([...bytes, 1, 2, 3]), 2), { all: rows, end: bytes.length });
});

test("posting lists and positions decode to what was encoded", () => {
  const dictionary = encodeDictionary([
    { term: "few", numbers: [3 * 2, 2, 3] },
    { term: "many", numbers: [4 * 2 + 1, 1, 3] },
  ]);
  const gaps = [0, 4, 2], places = [0 * 2, 5 * 2 + 1, 1 * 2 + 1, 2, 0b10000001, 0b110], weights = [200, 25, 1, 0, 8, 64, 255];
  const postings = decodePostings(Uint8Array.from([...dictionary, ...gaps, ...places, ...weights]));
  const few = postings.get("few")?.decode(), many = postings.get("many")?.decode();
  assert.deepEqual(Array.from(few?.ids ?? []), [turnId(0, 0), turnId(0, 5), turnId(5, 1)]);
  assert.deepEqual(Array.from(many?.ids ?? []), [0, 7, 9, 10].map(turn => turnId(2, turn)));
  const rounded = Array.from(few?.weights ?? [], weight => Math.round(weight * 100));
  assert.deepEqual(rounded, [220, 110, 38]);
  assert.equal(postings.get("few")?.decode(), few, "decoded once");

  const positions = decodePositions(Uint8Array.from([
    ...encodeDictionary([{ term: "few", numbers: [4] }, { term: "many", numbers: [1] }]),
    3 * 2, 4 * 2 + 1, 1 * 2 + 1, 0 * 2 + 1, 9 * 2 + 1,
  ]));
  /** @type {number[][]} */
  const seen = [];
  const decoder = positions.get("few")?.();
  assert.ok(few && decoder);
  forEachPosition(few.ids, decoder, Float64Array.of(turnId(0, 0), turnId(3, 3), turnId(5, 1)), (place, position) => seen.push([place, position]));
  assert.deepEqual(seen, [[0, 3], [0, 7], [2, 0]]);
});

test("random bytes are rejected or decoded, and never hang", () => {
  const next = random(3);
  for (let round = 0; round < 3000; round++) {
    const bytes = Uint8Array.from({ length: next(40) }, () => next(4) ? next(12) : next(256));
    try {
      for (const list of decodePostings(bytes).values()) list.decode();
    } catch (error) {
      assert.ok(error instanceof LoadError || error instanceof RangeError, String(error));
    }
  }
});

test("the checksum and the version of a file are verified", async () => {
  const good = pack("moss");
  const damaged = Buffer.from(good);
  damaged[5] ^= 1;
  const bomb = pack("0".repeat((64 << 20) + 1));
  serve(new Map([["good", good], ["damaged", damaged], ["short", Buffer.from([1, 2])], ["bomb", bomb]]));
  /**
   * @param {string} name
   * @param {Buffer} file
   */
  const loaded = (name, file) => loadFile(`https://site.example/base/${name}`, versionOf(file), {});
  assert.equal(new TextDecoder().decode(await loaded("good", good)), "moss");
  const other = new LoadError("part_damaged");
  await assert.rejects(loaded("damaged", good), other);
  await assert.rejects(loaded("short", good), other);
  await assert.rejects(loaded("bomb", bomb), other);
  await assert.rejects(loaded("good", pack("heron")), other);
  await assert.rejects(loaded("missing", good), new LoadError("part_not_loaded"));
  Object.assign(globalThis, { fetch: () => Promise.reject(new TypeError("offline")) });
  await assert.rejects(loaded("good", good), new LoadError("part_not_loaded"));
});

test("a file that the browser kept from an older site is loaded again", async () => {
  const now = pack("moss"), before = pack("heron");
  Object.assign(globalThis, {
    fetch: async (/** @type {string} */ _, /** @type {RequestInit} */ { cache }) =>
      new Response(Uint8Array.from(cache === "reload" ? now : before)),
  });
  const file = await loadFile("https://site.example/base/p0.bin", versionOf(now), {});
  assert.equal(new TextDecoder().decode(file), "moss");
});
