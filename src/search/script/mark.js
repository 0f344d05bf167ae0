"use strict";
// Marks the words that a reader came for: `page.js` leaves them behind with the address.
{
  let found = null;
  try {
    found = JSON.parse(localStorage.getItem("convo-site:found"));
    if (found?.address === location.href) localStorage.removeItem("convo-site:found");
  } catch { /* no storage, or not ours */ }
  // What is no escape stays as it is.
  let anchor = location.hash.slice(1);
  try { anchor = decodeURIComponent(anchor); } catch { /* such as `#%` */ }
  const turn = found?.address === location.href && document.getElementById(anchor);
  const words = turn && Array.isArray(found.words) ? found.words.filter(word => typeof word === "string" && word) : [];
  if (words.length) {
    // What is folded opens where a word is inside.
    const walker = document.createTreeWalker(turn, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const pattern = new RegExp(words.sort((a, b) => b.length - a.length)
      .map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/\s+/g, "\\s+"))
      .map(word => `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])|(?<=[\\p{Lo}])${word}|${word}(?=[\\p{Lo}])`).join("|"), "gu");
    for (const text of texts) {
      const matches = Array.from(text.data.matchAll(pattern));
      if (!matches.length || text.parentElement.closest("header, summary, math")) continue;
      text.parentElement.closest("details")?.setAttribute("open", "");
      for (const match of matches.reverse()) {
        const rest = text.splitText(match.index);
        rest.splitText(match[0].length);
        const mark = document.createElement("mark");
        rest.replaceWith(mark);
        mark.append(rest);
      }
    }
  }
}
