// Applies the reader's choices before the first paint, so that nothing flashes.

import { DETAIL, SCHEME, stored } from "./storage.js";

const { dataset } = document.documentElement;
dataset.scheme = stored(SCHEME) ?? "system";
dataset.detail = stored(DETAIL) ?? "all";
