// What a reader chose is there before anything is painted, so that nothing flashes.

import { DETAIL, SCHEME, stored } from "./storage.js";

const { dataset } = document.documentElement;
dataset.scheme = stored(SCHEME) ?? "system";
dataset.detail = stored(DETAIL) ?? "all";
