// The filters of a query, as chips that can be removed.

import { button, make } from "./elements.js";
import { dayInWords, say } from "./messages.js";
import { filtersIn } from "./query.js";

/**
 * Returns the name of a filter value; languages are named in the language itself.
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
 * Returns the chips of a query's filters. Removing one calls `ask` with the rest of the query.
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
