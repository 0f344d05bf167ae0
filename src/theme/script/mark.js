// Marks the words that a reader came for: `result_list.js` of the search leaves them behind with the
// address.

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
