// Formats a turn as a quote, a reference or BibTeX.

/**
 * The parts of a citation.
 *
 * @typedef {{speaker: string, day: string, n: string, title: string, site: string, url: string}} Source
 */

/**
 * Returns a reference: a text with its placeholders filled in. Unknown parts leave no stray full stop.
 *
 * @param {string} text
 * @param {Source} source
 */
export const reference = (text, source) =>
  text.replace(/\{(\w+)\}/g, (all, name) => source[/** @type {keyof Source} */ (name)] ?? all).replace(/\. \. /g, ". ");

/** @param {Source} source */
export function bibtex({ speaker, day, n, title, site, url }) {
  /** @param {string} text */
  const plain = text => text.replace(/[\\{}]/g, "").replace(/[&%$#_]/g, "\\$&");
  const fields = [["author", `{${plain(speaker)}}`], ["title", `{${plain(title)}}, ${n}`], ["howpublished", plain(site)], ["year", day.slice(0, 4)], ["url", url]];
  return `@misc{${url.split("#")[1]},\n${fields.filter(([, value]) => value).map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}\n`;
}

// The form of a model's thoughts in the Markdown of a page.
const THINKING = /^\*Thinking:\*\n\n(>.*\n?)+/gm;

/**
 * Returns the Markdown of a turn as a quote, without the thoughts before it.
 *
 * @param {string} markdown
 * @param {Source} source
 */
export function quotation(markdown, { speaker, title, url }) {
  const lines = markdown.replace(THINKING, "").trim().split("\n").map(line => `> ${line}`.trimEnd());
  return `${lines.join("\n")}\n>\n> — [${`${speaker}, ${title}`.replace(/[[\]\\]/g, "\\$&")}](${url})\n`;
}

/**
 * Returns the Markdown of a turn, from the Markdown of its page.
 *
 * @param {string} page
 * @param {string} id
 */
export function markdownOf(page, id) {
  const turn = page.split(/^(?=## \[)/m).find(turn => turn.split("\n", 1)[0].includes(`](./#${id})`));
  return (turn ?? "").split("\n").slice(1).join("\n").replace(/^\\## \[/gm, "## [").trim();
}
