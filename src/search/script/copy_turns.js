// The turns in the Markdown beside a page, loaded for results that quote them.

import { loadText } from "./files.js";
import { turnsIn } from "./markdown.js";

/**
 * Loads the turns of the page at an address.
 *
 * @param {string} url
 */
export const turnsBeside = async url => turnsIn(await loadText(`${url}index.md`));
