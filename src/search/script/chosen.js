// The filters that a query has chosen, as chips that can be taken away.

import { button, make } from "./elements.js";
import { dayInWords, say } from "./messages.js";
import { filtersIn } from "./query.js";

/**
 * What a filter is called. A language has its own name.
 *
 * @param {string} field
 * @param {string} value
 */
export function nameOf(field, value) {
  if (field === "before") return say("before", { day: dayInWords(value) });
  if (field === "after") return say("after", { day: dayInWords(value) });
  if (field === "has") return value.toLowerCase() === "code" ? say("code") : say("tool");
  if (field !== "lang") return value;
  try {
    const name = new Intl.DisplayNames([value], { type: "language" }).of(value) ?? value;
    return Array.from(name)[0].toLocaleUpperCase(value) + Array.from(name).slice(1).join("");
  } catch {
    return value;
  }
}

/**
 * The chips of a query's filters. `ask` is called with the query without the one that is taken away.
 *
 * @param {string} text
 * @param {(text: string) => void} ask
 */
export function chips(text, ask) {
  return filtersIn(text).map(({ start, end, isNegated, field, value }) => {
    const name = nameOf(field, value);
    const label = isNegated ? say("not", { filter: name }) : name;
    const chip = button("", () => ask(without(text, [{ start, end }])));
    chip.setAttribute("aria-label", say("remove", { filter: label }));
    chip.append(make("bdi", {}, label), make("span", { "aria-hidden": "true" }, " ×"));
    return make("li", {}, chip);
  });
}

/**
 * A query without some of its parts.
 *
 * @param {string} text
 * @param {{start: number, end: number}[]} parts In their order.
 */
export function without(text, parts) {
  let rest = "", at = 0;
  for (const { start, end } of parts) {
    rest += text.slice(at, start);
    at = end;
  }
  return (rest + text.slice(at)).replace(/\s+/g, " ").trim();
}
