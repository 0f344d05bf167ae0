// Conveniences on every page: shortcuts and the colour scheme. Pages are complete without them.

import { listenForKeys } from "./keys.js";
import { listenForScheme } from "./scheme.js";

listenForKeys();
listenForScheme();
