// Conveniences for readers of conversations, such as the menu of each turn. Pages are complete without them.

import { rememberDetail } from "./detail.js";
import { markOutline } from "./outline.js";
import { followMovedTurns } from "./parts.js";
import { addTurnMenu } from "./turn_menu.js";

rememberDetail();
followMovedTurns();
markOutline();
addTurnMenu();
