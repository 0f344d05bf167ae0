// The script of the search page, for a site that publishes no Markdown.

import { LoadError } from "./files.js";
import { open } from "./index.js";
import { SearchPage } from "./page.js";
import { turnsOnPage } from "./page_turns.js";
import { parse } from "./query.js";
import { Quotes } from "./quotes.js";
import { Searcher } from "./searcher.js";
import { terms } from "./tokenizer.js";

// As in `search.js`.
Object.assign(globalThis, { convoSearch: { open, parse, terms, LoadError } });

const searchRoot = document.getElementById("search");
if (searchRoot) new SearchPage(searchRoot, new Searcher(String(searchRoot.dataset.index)), new Quotes(turnsOnPage));
