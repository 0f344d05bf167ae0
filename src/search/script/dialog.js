// The script of the search dialog, which `theme/script/search.js` loads when it is first opened.

import { SearchDialog } from "./search_dialog.js";

const dialogRoot = document.getElementById("search-dialog");
if (dialogRoot) new SearchDialog(/** @type {HTMLDialogElement} */ (dialogRoot));
