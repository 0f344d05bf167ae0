// The results of queries on an index, and their order.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { indexFiles, serve } from "./support/index_files.js";

/** @import { Talk } from "./support/index_files.js" */

const { facetsOf } = await import("../../src/search/script/facet_lists.js");
const { LoadError } = await import("../../src/search/script/files.js");
const { open } = await import("../../src/search/script/index.js");

/** @type {Talk[]} */
const TALKS = [
  { title: "Moss", day: 20240301, tags: ["garden"], turns: [
    { speaker: "Ada", text: "Which mosses grow on the north side?" },
    { speaker: "Wren", text: "The north side has many mosses; a side of the roof has none." },
  ] },
  { title: "A heron in the fog", day: 20250520, tags: ["birds", "garden"], turns: [
    { speaker: "Ada", text: "Did the heron come through the fog?" },
    { speaker: "Ivo", text: "It stood beside the moss, and a robin sang." },
    { speaker: "Ada", text: "日本語の鳥 means a bird of the Japanese language." },
  ] },
  { title: "Lanterns", turns: [
    { speaker: "Ivo", text: "Lanterns on the river. The fog came later." },
  ] },
];

/** @param {Parameters<typeof indexFiles>[1]} [options] */
async function openTalks(options) {
  const asked = serve(indexFiles(TALKS, options));
  return { index: await open("https://site.example/base/search/index.json"), asked };
}

/**
 * Returns the results as `conversation.turn`.
 *
 * @param {string} query
 * @param {Parameters<typeof indexFiles>[1]} [options]
 */
async function find(query, options) {
  const { index } = await openTalks(options);
  const { conversations, turns } = await index.find(query);
  const all = conversations.flatMap(({ document, turns }) => turns.map(({ turn }) => `${document}.${turn}`));
  assert.equal(all.length, turns);
  return all.sort().join(" ");
}

test("every kind of condition finds its turns", async () => {
  for (const [query, expected] of [
    ["moss ", "0.0 0.1 0.2 1.2"],
    ["moss north ", "0.1 0.2"],
    ['"north side" ', "0.1 0.2"],
    ['"side north" ', ""],
    ['"the north side has" ', "0.2"],
    ["moss -robin ", "0.0 0.1 0.2"],
    ['moss -"north side" ', "0.0 1.2"],
    ["her* ", "1.0 1.1"],
    ["lant", "2.0 2.1"],
    ["speaker:ada ", "0.1 1.1 1.3"],
    ["speaker:ada speaker:ivo fog ", "1.1 2.1"],
    ["fog -speaker:ada ", "1.0 2.1"],
    ["tag:garden fog ", "1.0 1.1"],
    ["tag:garden ", "0.0 1.0"],
    ["fog -tag:garden ", "2.1"],
    ["before:2025 ", "0.0"],
    ["after:2024-03 ", "0.0 1.0"],
    ["after:2024-03-02 moss ", "1.2"],
    ["after:2024 before:2025 heron ", ""],
    ["日本語 ", "1.3"],
    ["鳥 ", "1.3"],
    ["nothing-like-it ", ""],
    // The speaker's name counts as words of the turn.
    ["ada ", "0.1 1.1 1.3"],
    ["wren side ", "0.2"],
    ["ivo fog ", "1.2 2.1"],
    ["wre", "0.2"],
  ]) assert.equal(await find(query), expected, query);
});

test("title words count for all turns of a conversation that contain at least one other word", async () => {
  assert.equal(await find("heron robin "), "1.2");
  assert.equal(await find("heron fog japanese "), "1.3");
  // In a phrase, words must be consecutive.
  assert.equal(await find('"heron in" robin '), "1.2");
  assert.equal(await find('"heron robin" '), "");
  // Excluded words are checked for the turn alone.
  assert.equal(await find("robin -heron "), "1.2");
});

test("names are found as phrases, and corrected like words", async () => {
  const talks = [{ title: "Ferns", turns: [
    { speaker: "Ada Marsh Lovage", text: "Ferns unroll." }, { speaker: "Marsh Ada", text: "Ferns sleep." },
  ] }];
  serve(indexFiles(talks));
  const index = await open("https://site.example/base/search/index.json");
  for (const [query, expected] of /** @type {[string, number[]][]} */ ([
    ['"ada marsh" ', [1]], ['"marsh ada" ', [2]], ['"ada marsh lovage" ', [1]], ['"ada lovage" ', []], ["ada-marsh ", [1]],
    ["ada lovage ", [1]], ["lova", [1]], ["lovaje ", [1]], ["lovage ferns ", [1]],
  ])) {
    const { conversations } = await index.find(query);
    assert.deepEqual(conversations.flatMap(({ turns }) => turns.map(({ turn }) => turn)).sort(), expected, query);
  }
});

test("if no turn has all words, conversations with all or most of them are found", async () => {
  const { index } = await openTalks();
  for (const [query, tier, expected] of /** @type {[string, string, string[]][]} */ ([
    ["heron stood ", "turn", ["1: 2"]],
    ["come robin ", "conversation", ["1: 1 2"]],
    // Other conditions apply to each of the turns.
    ["come robin speaker:ada ", "turn", []],
    ["ada moss -north ", "conversation", ["1: 2 1 3"]],
    ["lantern come robin ", "most", ["1: 1 2"]],
    ["north heron lantern ", "turn", []],
    ["lantern heron ", "turn", []],
    ["come robin lantern north after:2025 ", "turn", []],
    ["come robin river japanese ", "most", ["1: 1 2 3"]],
  ])) {
    const found = await index.find(query);
    assert.equal(found.tier, tier, query);
    const rows = found.conversations.map(({ document, turns }) => `${document}: ${turns.map(({ turn }) => turn).join(" ")}`);
    assert.deepEqual(rows, expected, query);
  }
  const { conversations } = await index.find("lantern come robin ");
  assert.deepEqual(conversations[0].has, [false, true, true]);
});

test("dense posting lists are decoded", async () => {
  for (const query of ["moss ", "fog ", '"north side" ', "the* -moss "]) {
    assert.equal(await find(query, { denseFrom: 2 }), await find(query), query);
  }
});

test("ranking: titles, then rare words in short turns, then the newest", async () => {
  const { index } = await openTalks();
  const { conversations } = await index.find("moss ");
  assert.deepEqual(conversations.map(({ document }) => document), [0, 1]);
  assert.deepEqual(conversations[0].turns.map(({ turn }) => turn), [0, 1, 2]);
  const fog = await index.find("fog ");
  assert.deepEqual(fog.conversations.map(({ document }) => document), [1, 2]);
  const days = await index.find("after:2000 ");
  assert.deepEqual(days.conversations.map(({ document }) => document), [1, 0]);
});

test("mistyped words are corrected and reported, unless they are quoted", async () => {
  const { index } = await openTalks();
  const { corrections, turns, words } = await index.find("lanternz fog ");
  assert.deepEqual(corrections, [["lanternz", "lanterns"]]);
  assert.equal(turns, 1);
  assert.deepEqual(words.map(phrase => phrase.words.map(word => word.terms)), [[["lantern"]], [["fog"]]]);
  assert.deepEqual((await index.find("-lanternz fog ")).corrections, []);
  assert.deepEqual((await index.find('"lanternz" fog ')).corrections, []);
  const both = await index.find("herron lanternz ");
  assert.deepEqual(both.corrections, [["herron", "heron"], ["lanternz", "lanterns"]]);
});

test("while typing, the last word is a prefix", async () => {
  serve(indexFiles([{ title: "Wood", turns: [{ speaker: "Ada", text: "An oar." }, { speaker: "Wren", text: "An oarlock; oars." }] }]));
  const index = await open("https://site.example/base/search/index.json");
  const turns = async (/** @type {string} */ query, isTyping = true) => (await index.find(query, isTyping)).turns;
  assert.deepEqual([await turns("lock oarl"), await turns("oarl"), await turns("wood oarl")], [0, 1, 1]);
  assert.deepEqual([await turns("oar", false), await turns("oar")], [2, 2]);
  assert.deepEqual([await turns("oa"), await turns("an wr"), await turns("oarlocc")], [2, 1, 1]);
  // A single letter is a word; a complete word is exact, or corrected.
  assert.equal(await turns("o"), 0);
  assert.deepEqual((await index.find("oarl ", true)).corrections, [["oarl", "oar"]]);
  // While typing, longer words are found even if some turn has the exact word.
  assert.equal((await index.find("oar", true)).words[0].words[0].terms.includes("oarlock"), true);
  assert.equal((await index.find("oar", false)).words[0].words[0].terms.includes("oarlock"), false);
});

test("stop words are ignored next to other words", async () => {
  const common = /** @type {[string, number][]} */ ([["th", 90], ["of", 50]]);
  const { index } = await openTalks({ common });
  const result = await index.find("the moss ");
  assert.equal(result.turns, 4);
  assert.deepEqual(result.notes, ["left_out"]);
  assert.deepEqual(result.words.map(phrase => phrase.words[0].surface), ["moss"]);
  // In a query of only common words, the rarest stays.
  assert.deepEqual((await index.find("the of ")).words.map(phrase => phrase.words[0].surface), ["of"]);
  assert.deepEqual((await index.find('"the fog" ')).notes, []);
});

test("a query with only excluded words finds nothing", async () => {
  const { index, asked } = await openTalks();
  const { isAsked, notes, turns } = await index.find("-speaker:ada");
  assert.deepEqual([isAsked, notes, turns], [false, ["only_nots"], 0]);
  assert.deepEqual(asked, ["search/index.json"]);
  assert.deepEqual((await index.find("")).notes, []);
});

test("results are counted by facet", async () => {
  const { index } = await openTalks();
  const found = await index.find("fog ");
  const counts = await facetsOf(index, found);
  assert.deepEqual(Array.from(counts.speaker), [["Ada", 1], ["Ivo", 1]]);
  assert.deepEqual(Array.from(counts.tag), [["birds", 1], ["garden", 1]]);
  assert.deepEqual(Array.from(counts.year), [["2025", 1]]);
});

test("a conversation has a URL, a title and a day", async () => {
  const { index } = await openTalks();
  const [found] = (await index.find("heron ")).conversations;
  const about = await index.about(found);
  assert.deepEqual(about, { path: "c/1/", title: "A heron in the fog", day: "2025-05-20", parts: [0] });
  const long = { ...about, parts: [0, 100, 200] };
  assert.equal(index.part(long, 0).url, "https://site.example/base/c/1/");
  assert.deepEqual(index.part(long, 150), {
    url: "https://site.example/base/c/1/2/", first: 100,
  });
});

test("each file is loaded once, and again after a failure", async () => {
  const files = indexFiles(TALKS);
  const postings = /** @type {Buffer} */ (files.get("search/1/p0.bin"));
  files.delete("search/1/p0.bin");
  const asked = serve(files);
  const index = await open("https://site.example/base/search/index.json");
  await assert.rejects(index.find("moss "), new LoadError("part_not_loaded"));
  files.set("search/1/p0.bin", postings);
  await index.find("moss ");
  await index.find("fog ");
  assert.deepEqual(asked.filter(path => path.endsWith("p0.bin")).length, 2);
});

test("an index of another version, or none, is reported", async () => {
  const url = "https://site.example/base/search/index.json";
  for (const [root, message] of [["{", "damaged"], ["{}", "other_version"], ['{"version":1,"segments":[]}', "other_version"]]) {
    serve(new Map([["search/index.json", Buffer.from(root)]]));
    await assert.rejects(open(url), new LoadError(message));
  }
  serve(new Map());
  await assert.rejects(open(url), new LoadError("not_loaded"));
});
