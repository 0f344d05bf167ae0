// Conveniences on every page, such as shortcuts and copy buttons. Pages are complete without them.

import { addCopyButtons } from "./copy.js";
import { listenForKeys } from "./keys.js";
import { listenForScheme } from "./scheme.js";
import { listenForSearch } from "./search.js";

const { dataset } = /** @type {HTMLScriptElement} */ (document.currentScript);

listenForKeys();
addCopyButtons(dataset);
listenForScheme();
listenForSearch();
