// Marks words in a turn, and opens the folded parts that contain them.

/**
 * Returns a pattern that matches words as whole words; letters of scripts without spaces also match inside text.
 *
 * @param {string[]} words
 */
export function patternOf(words) {
  const alternatives = words.toSorted((a, b) => b.length - a.length)
    .map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+").replace(/['’]/g, "['’]"))
    .map(word => `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])|(?<=[\\p{Lo}])${word}|${word}(?=[\\p{Lo}])`);
  return new RegExp(alternatives.join("|"), "gu");
}

/**
 * Marks words in an element.
 *
 * @param {Element} element
 * @param {string[]} words
 */
export function highlight(element, words) {
  const pattern = patternOf(words);
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(/** @type {Text} */ (walker.currentNode));
  for (const text of texts) {
    const matches = Array.from(text.data.matchAll(pattern));
    const parent = text.parentElement;
    if (!matches.length || !parent || parent.closest("header, summary, math")) continue;
    parent.closest("details")?.setAttribute("open", "");
    for (const match of matches.reverse()) {
      const rest = text.splitText(match.index);
      rest.splitText(match[0].length);
      const mark = document.createElement("mark");
      rest.replaceWith(mark);
      mark.append(rest);
    }
  }
}
