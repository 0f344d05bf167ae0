// Names of filter values for readers.

import { dayInWords, say } from "./messages.js";

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
