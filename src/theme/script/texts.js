// Conveniences on pages with texts, such as copy buttons and the menu of each turn. Pages are complete without them.

import { addCopyButtons } from "./copy.js";
import { rememberDetail } from "./detail.js";
import { markOutline } from "./outline.js";
import { followMovedTurns } from "./parts.js";
import { addTurnMenu } from "./turn_menu.js";

addCopyButtons(/** @type {HTMLScriptElement} */ (document.currentScript).dataset);
rememberDetail();
followMovedTurns();
markOutline();
addTurnMenu();
