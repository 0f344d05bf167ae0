// The turns in the Markdown beside a page, which results quote.

/** @typedef {{speaker: string, anchor: string, text: string}} Turn */

/**
 * The turns of a page, each with its speaker, its anchor, and the words that it shows.
 *
 * @param {string} markdown
 * @returns {Turn[]}
 */
export function turnsIn(markdown) {
  const heading = /^## \[((?:\\.|[^\]\\\n])*)\]\(\.\/#([^)\s]*)\)(.*)$/gm;
  const headings = Array.from(markdown.matchAll(heading));
  return headings.map((match, i) => {
    const name = match[1].replace(/\\(.)/g, "$1");
    const text = plain(markdown.slice(match.index + match[0].length, headings[i + 1]?.index));
    return { speaker: name === "·" ? "" : name, anchor: match[2], text };
  });
}

/**
 * Markdown as the words that it shows, about.
 *
 * @param {string} markdown
 */
export function plain(markdown) {
  return markdown
    .replace(/^\\## \[/gm, "## [")
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*(?: "[^"\n]*")?\)/g, "$1")
    .replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] )/gm, "")
    .replace(/(?<!\\)(\*\*|__|~~|`)(?=\S)(.*?[^\s\\])\1/g, "$2")
    .replace(/(^|[^\p{L}\p{N}*\\])\*(?=\S)([^*\n]*[^\s\\])\*(?![\p{L}\p{N}*])/gu, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * The direction of most letters of a text: its first word may be a foreign one.
 *
 * @param {string} text
 */
export function direction(text) {
  const all = text.match(/\p{L}/gu) ?? [];
  const fromRight = all.filter(letter => /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u.test(letter));
  return fromRight.length * 2 > all.length ? "rtl" : "ltr";
}
