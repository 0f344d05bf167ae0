// Reads turns from the Markdown of a page, for quotes in results.

/**
 * A turn as plain text: what was said, and the work that is shown with it, such as reasoning and tool calls.
 *
 * @typedef {{speaker: string, anchor: string, text: string, work: string}} Turn
 */

// What labels the parts of a turn: see `Block::to_markdown`.
const LABEL = /^\*(?:Tool call|Thinking|Sources|Result[^*]*):\* ?|^\*(?:Decision: [^*]*|Exit code: -?\d+)\*(?=$| )/gm;

// Marks around words; they can be nested.
const PAIRED = /(?<!\\)(\*\*|__|~~|`)(?=\S)(.*?[^\s\\])\1/g;

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
    const [text, work] = split(markdown.slice(match.index + match[0].length, headings[i + 1]?.index));
    return { speaker: name === "·" ? "" : name, anchor: match[2], text: plain(text), work: plain(work) };
  });
}

/**
 * Separates what was said in a turn from the work in it. Lines after a label that can only continue it belong to it.
 *
 * @param {string} markdown
 */
function split(markdown) {
  /** @type {[text: string, work: string]} */
  const parts = ["", ""];
  let fence = "", isWork = false, isLabelled = false;
  for (const line of markdown.split("\n")) {
    const mark = /^(?:`{3,}|~{3,})/.exec(line)?.[0] ?? "";
    if (fence) {
      if (line.trim() === fence) fence = "";
    } else if (line.search(LABEL) === 0) {
      isWork = isLabelled = true;
    } else if (line.trim()) {
      fence = mark;
      if (isWork && !isLabelled && !/^(?:`|~~~|> |- \[|\d+\. )/.test(line)) {
        isWork = false;
        if (parts[0].trim()) parts[0] += "\n…\n\n";
      }
      isLabelled = false;
    }
    parts[Number(isWork)] += `${line}\n`;
  }
  return parts;
}

/**
 * Returns roughly the visible text of Markdown, without what an excerpt leaves out: labels of parts, line numbers of
 * files, and time stamps. `base/text/prose.rs` does the same for excerpts that the program makes.
 *
 * @param {string} markdown
 */
export function plain(markdown) {
  const text = withoutTables(withoutNumbers(markdown.replace(LABEL, "")))
    .replace(/^\\## \[/gm, "## [")
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, "")
    .replace(/!?\[([^\]\n]*)\]\((?:<[^<>\n]*>|[^()\s]*)(?: "[^"\n]*")?\)/g, "$1")
    .replace(/^ {0,3}#{1,6} (.*?)(?: +#+)? *$/gm, `$1${HEADING_END}`)
    .replace(/^ {0,3}> ?\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\] *$/gim, "")
    .replace(/^ {0,3}(?:> ?|[-*+] (?:\[[ x]\] )?)/gm, "")
    .replace(/(?<![\\$\p{L}\p{N}])(\$\$?)(?=[^\s$])((?:\\.|[^$\\])*?)(?<=[^\s\\])\1(?![$\p{L}\p{N}])/gu, "$2")
    .replace(/<((?:https?|mailto):[^<>\s]+)>/g, "$1")
    .replace(PAIRED, "$2")
    .replace(PAIRED, "$2")
    .replace(/(^|[^\p{L}\p{N}*\\])\*(?=\S)([^*\n]*[^\s\\])\*(?![\p{L}\p{N}*])/gu, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
  return tidy(text).replace(/ ?\uE000 ?$/, "").replace(/([.:!?…。：！？]?) ?\uE000 ?/g, (_, end) => end ? `${end} ` : " – ").trim();
}

/**
 * Returns text on one line, without line numbers of files and without time stamps.
 *
 * @param {string} text
 */
export const tidy = text => withoutNumbers(text)
  .replace(/(?<![\p{L}\p{N}_)\]])\[(?=[^\]\n]{0,30}\d:\d\d)[\d\s:.,/\\-]{4,30}(?:[AP]M)?\]/giu, "")
  .replace(/\s+/g, " ")
  .trim();

/** @param {string} text */
const withoutNumbers = text => text.replace(/^ *\d+(?:→|\t)/gm, "");

// Marks the end of a heading.
const HEADING_END = "\uE000";

/**
 * Returns Markdown with tables as lines of cells, and without lines that only rule off.
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
    } else if (!/^[\s>]*[-=+*_|:\u2500-\u257F\s]{3,}$/.test(line)) {
      isTable &&= line.includes("|");
      lines.push(isTable || /^[\s>]*[|│].*[|│]\s*$/.test(line) ? cells(line) : line);
    } else lines.push("");
  }
  return lines.join("\n");
}

/** @param {string} row */
const cells = row => row.replace(/^[\s>]*[|│]?|(?<!\\)[|│]\s*$/g, "").split(/(?<!\\)[|│]/).map(cell => cell.trim()).filter(Boolean).join(" · ");

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
