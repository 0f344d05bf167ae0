// The content of the panel of facets: a list of values for each, with the number of conversations.

import { button, make } from "./elements.js";
import { FACETS, countFacets } from "./facets.js";
import { nameOf } from "./filter_names.js";
import { counted, say } from "./messages.js";

/** @import { Index, Result } from "./index.js" */

const TOP = 8, MOST = 200; // values of a facet that are shown at first, and at most

/** @typedef {[value: string, count: number]} Count */

/**
 * Returns the facets with values.
 *
 * @param {Index} index
 * @param {Result} result
 * @param {(filter: string) => void} choose Called with the chosen filter.
 */
export async function facetLists(index, result, choose) {
  const counts = await facetsOf(index, result);
  return FACETS.filter(field => counts[field].size).map(field => facetList(field, counts[field], choose));
}

/**
 * Counts the conversations of a result by the values of each facet.
 *
 * @param {Index} index
 * @param {Result} result
 */
export async function facetsOf(index, { conversations }) {
  const segments = index.segments.map(async segment => {
    const said = segment.speakers();
    return { filed: await segment.filed(), days: await segment.days(), said: await said };
  });
  return countFacets(conversations, await Promise.all(segments));
}

/**
 * @param {string} field
 * @param {Map<string, number>} counts
 * @param {(filter: string) => void} choose
 */
function facetList(field, counts, choose) {
  const values = Array.from(counts).sort(field === "year" ? byValue : byCount);
  const list = make("ul", {});
  /** @param {Count[]} part */
  const add = part => list.append(...part.map(([value, count]) => {
    const choice = button("", () => choose(filterFor(field, value)));
    choice.append(make("bdi", {}, nameOf(field, value)), " ", make("span", { class: "count" }, String(count)));
    return make("li", {}, choice);
  }));
  add(values.slice(0, TOP));
  const rest = values.slice(TOP, MOST);
  if (rest.length) {
    const all = button(counted("more", rest.length), () => {
      row.remove();
      add(rest);
    });
    all.className = "rest";
    const row = make("li", {}, all);
    list.append(row);
  }
  return make("section", { "aria-label": say(field) }, make("h2", {}, say(field)), list);
}

/**
 * @param {Count} a
 * @param {Count} b
 */
const byValue = (a, b) => b[0].localeCompare(a[0]);

/**
 * @param {Count} a
 * @param {Count} b
 */
const byCount = (a, b) => b[1] - a[1] || a[0].localeCompare(b[0]);

/**
 * Returns the part of a query that filters by a value of a facet.
 *
 * @param {string} field
 * @param {string} value
 */
function filterFor(field, value) {
  const year = Number(value);
  return field === "year" ? `after:${year} before:${year + 1}` : `${field}:"${value.replace(/"/g, " ")}"`;
}
