// Conveniences for readers, such as shortcuts and copy buttons. Pages are complete without them.

import { addCopyButtons } from "./copy.js";
import { rememberDetail } from "./detail.js";
import { listenForKeys } from "./keys.js";
import { markOutline } from "./outline.js";
import { followMovedTurns } from "./parts.js";
import { listenForScheme } from "./scheme.js";
import { listenForSearch } from "./search.js";
import { addTurnMenu } from "./turn_menu.js";

const { dataset } = /** @type {HTMLScriptElement} */ (document.currentScript);

listenForKeys();
addCopyButtons(dataset);
rememberDetail();
listenForScheme();
listenForSearch();
followMovedTurns();
markOutline();
addTurnMenu();
