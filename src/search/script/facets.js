// Facets: what results are filed under, with the number of conversations for each.

import { FILTER_FIELDS } from "./tables.js";

/** @import { FoundConversation } from "./ranking.js" */
/** @import { Facets } from "./segment.js" */

/** The facets in the order in which they are shown. */
export const FACETS = [...FILTER_FIELDS, "year"];

/**
 * @param {FoundConversation[]} conversations
 * @param {{facets: Facets, days: (number | null)[]}[]} segments
 * @returns {Record<string, Map<string, number>>}
 */
export function countFacets(conversations, segments) {
  const counts = Object.fromEntries(FACETS.map(facet => [facet, new Map()]));
  for (const { segment, document, turns } of conversations) {
    const { facets: { names, rows }, days } = segments[segment];
    const [, speakers, models, langs, type, tags, pattern] = rows[document];
    const day = days[document];
    // Who said the turns that were found, by their places among the speakers of the conversation.
    const said = Array.from(new Set(turns.map(({ turn }) => pattern.charCodeAt(turn) - 48))).filter(place => place >= 0);
    /** @type {Record<string, (string | undefined)[]>} */
    const values = {
      speaker: said.map(place => names.speaker[speakers[place]]),
      model: said.map(place => names.model[models[place] ?? -1]),
      lang: langs.map(place => names.lang[place]),
      type: type === null ? [] : [names.type[type]],
      tag: tags.map(place => names.tag[place]),
      year: day === null ? [] : [String(Math.floor(day / 10000))],
    };
    for (const [facet, list] of Object.entries(values)) {
      for (const value of new Set(list)) {
        if (value !== undefined) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
      }
    }
  }
  return counts;
}
