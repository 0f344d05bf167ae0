// Applies the reader's choices before the first paint, so that nothing flashes.

import { stored } from "./storage.js";

const { dataset } = document.documentElement;
dataset.scheme = stored("scheme") ?? "system";
dataset.detail = stored("detail") ?? "all";
dataset.rows = stored("rows") ?? "";
