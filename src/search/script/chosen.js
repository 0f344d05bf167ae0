// The filters of a query, as chips that can be removed.

import { button, make } from "./elements.js";
import { nameOf } from "./filter_names.js";
import { filtersIn, without } from "./filters_in.js";
import { say } from "./messages.js";

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
