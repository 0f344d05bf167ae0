// Finds the filters in the text of a query.

import { CLAUSE, OUTER_SPACE, QUOTE, isField, parseFilter } from "./query.js";

/**
 * Returns the filters of a query that have a value, with their ranges in it.
 *
 * @param {string} text
 */
export function filtersIn(text) {
  const all = [];
  for (const match of text.replace(QUOTE, '"').matchAll(CLAUSE)) {
    const [raw, minus, name, quoted, , bare] = match;
    const field = name?.toLowerCase() ?? "", value = (quoted ?? bare ?? "").replace(OUTER_SPACE, "");
    if (!isField(field) || !parseFilter(field, value, [])) continue;
    all.push({ start: match.index, end: match.index + raw.length, isNegated: minus === "-", field, value });
  }
  return all;
}

/**
 * Returns a query without some of its parts.
 *
 * @param {string} text
 * @param {{start: number, end: number}[]} parts In order.
 */
export function without(text, parts) {
  let rest = "", at = 0;
  for (const { start, end } of parts) {
    rest += text.slice(at, start);
    at = end;
  }
  return (rest + text.slice(at)).replace(/\s+/g, " ").trim();
}
