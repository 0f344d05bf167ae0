// The script of the search dialog, which `theme/script/search.js` loads when the dialog is first opened.

import { turnsBeside } from "./copy_turns.js";
import { Quotes } from "./quotes.js";
import { SearchDialog } from "./search_dialog.js";
import { Searcher } from "./searcher.js";

const dialogRoot = /** @type {HTMLDialogElement | null} */ (document.getElementById("search-dialog"));
if (dialogRoot) new SearchDialog(dialogRoot, new Searcher(String(dialogRoot.dataset.index)), new Quotes(turnsBeside));
