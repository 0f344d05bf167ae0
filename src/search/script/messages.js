// Texts of the page, in the language of the site; see `locale/en.toml`.

/**
 * The texts that the page was built with.
 *
 * @typedef {object} Messages
 * @property {string} [language]
 * @property {Record<string, string>} [search]
 * @property {Record<string, Record<string, string>> & {separator: string}} count
 * @property {{day: string, month: string, months: string[]}} date
 */

/** @type {Messages} */
export const MESSAGES = JSON.parse((document.getElementById("search") ?? document.getElementById("search-dialog"))?.dataset.words ?? "{}");
const PLURALS = new Intl.PluralRules(MESSAGES.language);

/**
 * Fills in the placeholders of a text.
 *
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (all, name) => String(values[name] ?? all));

/**
 * Returns a message with its placeholders filled in.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export const say = (key, values) => fill(MESSAGES.search?.[key] ?? key, values);

/**
 * Returns the note for results in which no turn has all words of the query.
 *
 * @param {string} tier
 */
export const tierInWords = tier => tier === "most" ? say("most") : say("conversation");

/** @param {number} count */
const grouped = count => String(count).replace(/\B(?=(?:\d{3})+$)/g, MESSAGES.count.separator);

/**
 * Returns a number with its unit, in the plural form of the language.
 *
 * @param {string} key
 * @param {number} count
 */
export function counted(key, count) {
  const forms = MESSAGES.count[key];
  return fill(forms[PLURALS.select(count)] ?? forms.other, { n: grouped(count) });
}

/**
 * Formats a day such as 2025-10-23; also a month or a year.
 *
 * @param {string} day
 */
export function dayInWords(day) {
  const [year, month, date] = day.split("-").map(Number);
  const name = MESSAGES.date.months[month - 1];
  if (date && name) return fill(MESSAGES.date.day, { year, month: name, day: date });
  return name ? fill(MESSAGES.date.month, { year, month: name }) : day;
}
