// The script of the search page.

import { turnsBeside } from "./copy_turns.js";
import { LoadError } from "./files.js";
import { open } from "./index.js";
import { SearchPage } from "./page.js";
import { parse } from "./query.js";
import { Quotes } from "./quotes.js";
import { Searcher } from "./searcher.js";
import { terms } from "./tokenizer.js";

// For use in the console, and for tests.
Object.assign(globalThis, { convoSearch: { open, parse, terms, LoadError } });

const searchRoot = document.getElementById("search");
if (searchRoot) new SearchPage(searchRoot, new Searcher(String(searchRoot.dataset.index)), new Quotes(turnsBeside));
