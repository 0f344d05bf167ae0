// Keyboard shortcuts: going from turn to turn, folding, search, and help.

import { store, stored } from "./storage.js";

/** Enables the keyboard shortcuts, unless the reader turned them off. */
export function listenForKeys() {
  let isOn = stored("keys") !== "off";
  const help = /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog.keys"));
  document.querySelector(".open-keys")?.addEventListener("click", () => help?.showModal());
  const choice = help?.querySelector("input");
  if (choice) choice.checked = isOn;
  choice?.addEventListener("change", () => {
    isOn = choice.checked;
    store("keys", isOn ? "on" : "off");
  });

  /** @type {Record<string, () => void>} */
  const actions = { j: () => step(1), k: () => step(-1), t: foldTools, "/": search };
  document.addEventListener("keydown", event => {
    if (event.key === "k" && (event.ctrlKey || event.metaKey) && document.querySelector("[type=search]")) {
      event.preventDefault();
      search();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (/** @type {Element} */ (event.target).closest("input, textarea, select, [contenteditable]")) return;
    const action = event.key === "?" ? () => help?.showModal() : isOn && Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
  });
}

// Opens the search dialog, with a click that `search.js` cancels; without it, focuses a search field.
function search() {
  const form = document.querySelector("header.site form.search");
  if (form && !form.dispatchEvent(new Event("click", { bubbles: true, cancelable: true }))) return;
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector("[type=search]");
  field?.focus();
}

// Returns the items to step through: turns, or the entries of a list.
function steps() {
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll("main :is(.turn, .event[id], .card, .results > li)");
  return [...all].filter(item => item.checkVisibility());
}

/** @param {number} by */
function step(by) {
  const all = steps();
  if (!all.length) return;
  const focused = all.findIndex(item => item === document.activeElement?.closest("[data-step]"));
  // At first nothing is focused: start where the reader looks.
  const top = all.findIndex(item => item.getBoundingClientRect().top > 24);
  const from = focused >= 0 ? focused + by : by > 0 ? top : (top < 0 ? all.length : top) - 1;
  const item = all[Math.min(Math.max(from < 0 && by > 0 ? all.length - 1 : from, 0), all.length - 1)];
  item.dataset.step = "";
  item.tabIndex = -1;
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "start" });
}

function foldTools() {
  /** @type {NodeListOf<HTMLDetailsElement>} */
  const tools = document.querySelectorAll("details.tool");
  const isOpen = [...tools].some(tool => tool.open);
  for (const tool of tools) tool.open = !isOpen;
}
