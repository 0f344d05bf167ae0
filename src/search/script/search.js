// The script of the search page.

import { LoadError } from "./files.js";
import { open } from "./index.js";
import { SearchPage } from "./page.js";
import { parse } from "./query.js";
import { terms } from "./tokenizer.js";

// For whoever tries it on the console, and for tests.
Object.assign(globalThis, { convoSearch: { open, parse, terms, LoadError } });

const searchRoot = document.getElementById("search");
if (searchRoot) new SearchPage(searchRoot);
