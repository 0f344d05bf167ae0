// Reads turns from the Markdown of a page, for quotes in results.

/** @typedef {{speaker: string, anchor: string, text: string}} Turn */

/**
 * Returns the turns of a page, each with its speaker, its anchor and its visible text.
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
 * Returns roughly the visible text of Markdown.
 *
 * @param {string} markdown
 */
export function plain(markdown) {
  return withoutTables(markdown)
    .replace(/^\\## \[/gm, "## [")
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*(?: "[^"\n]*")?\)/g, "$1")
    .replace(/^ {0,3}#{1,6} (.*?)(?: +#+)? *$/gm, `$1${HEADING_END}`)
    .replace(/^ {0,3}> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\] *$/gim, "")
    .replace(/^ {0,3}(?:> ?|[-*+] )/gm, "")
    .replace(/(?<![\\$\p{L}\p{N}])(\$\$?)(?=[^\s$])((?:\\.|[^$\\])*?)(?<=[^\s\\])\1(?![$\p{L}\p{N}])/gu, "$2")
    .replace(/(?<!\\)(\*\*|__|~~|`)(?=\S)(.*?[^\s\\])\1/g, "$2")
    .replace(/(^|[^\p{L}\p{N}*\\])\*(?=\S)([^*\n]*[^\s\\])\*(?![\p{L}\p{N}*])/gu, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .replace(/ ?\uE000 ?$/, "")
    .replace(/([.:!?…。：！？]?) ?\uE000 ?/g, (_, end) => end ? `${end} ` : " – ")
    .trim();
}

// Marks the end of a heading.
const HEADING_END = "\uE000";

/**
 * Returns Markdown with tables as lines of cells.
 *
 * @param {string} markdown
 */
function withoutTables(markdown) {
  /** @type {string[]} */
  const lines = [];
  let isTable = false;
  for (const line of markdown.split("\n")) {
    const before = lines.at(-1) ?? "";
    if (/^[ >]*\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/.test(line) && before.includes("|")) {
      isTable = true;
      lines[lines.length - 1] = cells(before);
    } else {
      isTable &&= line.includes("|");
      lines.push(isTable ? cells(line) : line);
    }
  }
  return lines.join("\n");
}

/** @param {string} row */
const cells = row => row.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map(cell => cell.trim()).filter(Boolean).join(" · ");

/**
 * Returns the direction of most letters of a text: the first word could be a foreign one.
 *
 * @param {string} text
 */
export function direction(text) {
  const all = text.match(/\p{L}/gu) ?? [];
  const fromRight = all.filter(letter => /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u.test(letter));
  return fromRight.length * 2 > all.length ? "rtl" : "ltr";
}
