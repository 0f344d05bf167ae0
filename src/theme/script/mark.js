// Marks the words of the search result that the reader followed; `result_list.js` stores them with the URL.

import { anchorOfAddress } from "./anchor.js";
import { highlight } from "./highlight.js";

const FOUND = "convo-site:found";

/** @type {{address?: unknown, words?: unknown} | null} */
let found = null;
try {
  found = JSON.parse(localStorage.getItem(FOUND) ?? "null");
  if (found?.address === location.href) localStorage.removeItem(FOUND);
} catch { /* no storage, or not ours */ }
const turn = found?.address === location.href && document.getElementById(anchorOfAddress());
const words = Array.isArray(found?.words) ? found.words.filter(word => typeof word === "string" && word) : [];
if (turn && words.length) highlight(turn, words);
