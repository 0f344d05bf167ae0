// Suggestions for a query without results.

import { button, make } from "./elements.js";
import { filtersIn, without } from "./filters_in.js";
import { say } from "./messages.js";

/** @import { Result } from "./index.js" */

/**
 * @param {string} text
 * @param {Result} result
 * @param {(text: string) => void} ask Called with the suggested query.
 */
export function offersFor(text, { words, counts }, ask) {
  const offers = [];
  const filters = filtersIn(text);
  const rest = without(text, filters);
  if (filters.length && rest) offers.push(make("p", {}, button(say("without_filters"), () => ask(rest))));
  const known = words.map(({ words }, k) => ({ phrase: words.map(({ surface }) => surface).join(" "), count: counts[k] }))
    .filter(({ count }) => count > 0);
  if (words.length > 1 && known.length) {
    offers.push(make("p", {}, say("single"), " ", ...known.flatMap(({ phrase, count }) =>
      [button(`${phrase} (${count})`, () => ask(phrase.includes(" ") ? `"${phrase}" ` : `${phrase} `)), " "])));
  }
  return offers;
}
