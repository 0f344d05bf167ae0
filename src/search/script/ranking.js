// Ranking: the conversations of matching turns, the best first.

import { TITLE_WEIGHT } from "./tables.js";
import { documentOf, forEachCommon, turnOf } from "./turns.js";

/** @import { Matches } from "./matching.js" */

/**
 * A conversation that was found: the numbers of its segment and in its segment, and its turns, the best
 * first.
 *
 * @typedef {object} FoundConversation
 * @property {number} segment
 * @property {number} document
 * @property {number} score
 * @property {{turn: number, score: number}[]} turns
 */

/**
 * Ranks what was found in each segment by BM25, of which the index holds the weight of each term in each
 * turn, by the best turn.
 *
 * @param {Matches[]} found
 * @param {number} allTurns The turns of the index.
 */
export function rank(found, allTurns) {
  const counts = (found[0]?.lists ?? []).map((_, i) => found.reduce((sum, { lists }) => sum + lists[i].ids.length, 0));
  const rarity = counts.map(count => Math.log(1 + (allTurns - count + 0.5) / (count + 0.5)));
  /** @type {FoundConversation[]} */
  const conversations = [];
  found.forEach(({ ids, lists }, segment) => {
    const scores = new Float64Array(ids.length);
    lists.forEach((list, k) => forEachCommon(ids, list.ids, (i, j) => {
      scores[i] += rarity[k] * list.weights[j] * (turnOf(ids[i]) === 0 ? TITLE_WEIGHT : 1);
    }));
    for (let i = 0; i < ids.length; i++) {
      const document = documentOf(ids[i]);
      let conversation = conversations.at(-1);
      if (conversation?.document !== document || conversation.segment !== segment) {
        conversation = { segment, document, turns: [], score: 0 };
        conversations.push(conversation);
      }
      conversation.turns.push({ turn: turnOf(ids[i]), score: scores[i] });
      conversation.score = Math.max(conversation.score, scores[i]);
    }
  });
  for (const { turns } of conversations) turns.sort((a, b) => b.score - a.score || a.turn - b.turn);
  // Of equals the newest.
  return conversations.sort((a, b) => b.score - a.score || b.segment - a.segment || b.document - a.document);
}
