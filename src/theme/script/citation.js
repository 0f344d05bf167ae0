// A turn in the forms in which people quote it.

/**
 * What a citation says of a turn.
 *
 * @typedef {{speaker: string, day: string, n: string, title: string, site: string, url: string}} Source
 */

/**
 * A reference: a text with the source in its braces; what is not known leaves no lonely full stop.
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

// How the Markdown of a page has what a model thought.
const THINKING = /^\*Thinking:\*\n\n(>.*\n?)+/gm;

/**
 * The Markdown of a turn as a quotation: what was said, and not what was thought before.
 *
 * @param {string} markdown
 * @param {Source} source
 */
export function quotation(markdown, { speaker, title, url }) {
  const lines = markdown.replace(THINKING, "").trim().split("\n").map(line => `> ${line}`.trimEnd());
  return `${lines.join("\n")}\n>\n> — [${`${speaker}, ${title}`.replace(/[[\]\\]/g, "\\$&")}](${url})\n`;
}

/**
 * The Markdown of a turn, from the Markdown of its page.
 *
 * @param {string} page
 * @param {string} id
 */
export function markdownOf(page, id) {
  const turn = page.split(/^(?=## \[)/m).find(turn => turn.split("\n", 1)[0].includes(`](./#${id})`));
  return (turn ?? "").split("\n").slice(1).join("\n").replace(/^\\## \[/gm, "## [").trim();
}
