// Loads turns from the Markdown of a page, for results that quote them.

import { loadText } from "./files.js";
import { turnsIn } from "./markdown.js";

/**
 * Loads the turns of the page at a URL.
 *
 * @param {string} url
 */
export const turnsBeside = async url => turnsIn(await loadText(`${url}index.md`));
