// Ranking: sorts the conversations of matching turns.

import { weigh } from "./matching.js";
import { documentOf, turnOf } from "./turns.js";

/** @import { Gathered } from "./matching.js" */

/**
 * A conversation in a result: the numbers of its segment and within it, and its turns, the best first. `has` says for
 * each phrase whether the conversation contains it.
 *
 * @typedef {object} FoundConversation
 * @property {number} segment
 * @property {number} document
 * @property {number} score
 * @property {boolean[]} has
 * @property {FoundTurn[]} turns
 */

/**
 * A turn in a result; with a score for each phrase, if the words are spread over several turns.
 *
 * @typedef {{turn: number, score: number, scores: number[]}} FoundTurn
 */

/**
 * Ranks the matches of each segment by BM25, from the weights in the index. Conversations are sorted by their best
 * turn; if the words are spread over several turns, by the number of words and the best turn for each.
 *
 * @param {Gathered[]} gathered
 * @param {Float64Array[]} found The turns of each segment.
 * @param {number} allTurns The number of turns in the index.
 * @param {boolean} isInOneTurn Whether one turn contains all words.
 */
export function rank(gathered, found, allTurns, isInOneTurn) {
  const phrases = Array.from(gathered[0]?.places ?? [], (_, k) => k);
  const counts = phrases.map(k => gathered.reduce((sum, { places }) => sum + places[k].own.ids.length, 0));
  const rarity = counts.map(count => Math.log(1 + (allTurns - count + 0.5) / (count + 0.5)));
  /** @type {FoundConversation[]} */
  const conversations = [];
  found.forEach((ids, segment) => {
    const scores = new Float64Array(ids.length);
    /** @type {number[][]} */
    const single = isInOneTurn ? [] : Array.from(ids, () => phrases.map(() => 0));
    gathered[segment].places.forEach((places, k) => weigh(ids, places, (i, weight) => {
      scores[i] += rarity[k] * weight;
      if (!isInOneTurn) single[i][k] = rarity[k] * weight;
    }));
    ids.forEach((id, i) => {
      const document = documentOf(id);
      let conversation = conversations.at(-1);
      if (conversation?.document !== document || conversation.segment !== segment) {
        conversation = { segment, document, turns: [], score: 0, has: phrases.map(() => isInOneTurn) };
        conversations.push(conversation);
      }
      conversation.turns.push({ turn: turnOf(id), score: scores[i], scores: single[i] ?? [] });
    });
  });
  for (const conversation of conversations) {
    const { turns } = conversation;
    turns.sort((a, b) => b.score - a.score || a.turn - b.turn);
    conversation.score = turns[0].score;
    if (isInOneTurn) continue;
    const best = phrases.map(k => turns.reduce((most, { scores }) => Math.max(most, scores[k]), 0));
    conversation.has = best.map(score => score > 0);
    conversation.score = sum(best);
    conversation.turns = eachPhraseFirst(turns);
  }
  /** @param {FoundConversation} conversation */
  const countOf = ({ has }) => has.filter(Boolean).length;
  // With equal scores, the newest comes first.
  return conversations.sort((a, b) => countOf(b) - countOf(a) ||
    b.score - a.score || b.segment - a.segment || b.document - a.document);
}

/** @param {number[]} numbers */
const sum = numbers => numbers.reduce((all, number) => all + number, 0);

/**
 * Sorts turns so that the first ones show each phrase once.
 *
 * @param {FoundTurn[]} turns The best first.
 */
function eachPhraseFirst(turns) {
  const rest = turns.slice();
  const missing = new Set(turns[0].scores.keys());
  /** @type {FoundTurn[]} */
  const first = [];
  /** @param {FoundTurn} turn */
  const gain = ({ scores }) => sum(scores.filter((_, k) => missing.has(k)));
  for (;;) {
    const [best] = rest.toSorted((a, b) => gain(b) - gain(a));
    if (!best || gain(best) === 0) return [...first, ...rest];
    best.scores.forEach((score, k) => score > 0 && missing.delete(k));
    rest.splice(rest.indexOf(best), 1);
    first.push(best);
  }
}
