// Facets: counts the conversations of a result by language, type, tag and so on.

import { FILTER_FIELDS } from "./tables.js";

/** @import { FoundConversation } from "./ranking.js" */
/** @import { Filed, Speakers } from "./segment.js" */

/** The facets in display order. */
export const FACETS = [...FILTER_FIELDS, "year"];

/**
 * @param {FoundConversation[]} conversations
 * @param {{filed: Filed, days: (number | null)[], said: Speakers}[]} segments
 * @returns {Record<string, Map<string, number>>}
 */
export function countFacets(conversations, segments) {
  const counts = Object.fromEntries(FACETS.map(facet => [facet, new Map()]));
  for (const { segment, document, turns } of conversations) {
    const { filed: { names, langs, types, tags }, days, said } = segments[segment];
    const day = days[document], type = types[document];
    /** @type {Record<string, (string | undefined)[]>} */
    const values = {
      lang: langs[document].map(place => names.lang[place]),
      type: type === null ? [] : [names.type[type]],
      tag: tags[document].map(place => names.tag[place]),
      year: day === null ? [] : [String(Math.floor(day / 10000))],
    };
    // The speakers of the turns that were found, as indices into the conversation's speakers.
    const pattern = said.turns[document];
    const places = Array.from(new Set(turns.map(({ turn }) => pattern.charCodeAt(turn) - 48))).filter(place => place >= 0);
    values.speaker = places.map(place => said.names.speaker[said.speakers[document][place]]);
    values.model = places.map(place => said.names.model[said.models[document][place] ?? -1]);
    for (const [facet, list] of Object.entries(values)) {
      for (const value of new Set(list)) {
        if (value !== undefined) counts[facet].set(value, (counts[facet].get(value) ?? 0) + 1);
      }
    }
  }
  return counts;
}
