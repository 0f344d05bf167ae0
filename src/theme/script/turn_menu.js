// The menu of a turn: copy and cite.

import { bibtex, markdownOf, quotation, reference } from "./citation.js";
import { copy } from "./copy.js";

/** @import { Source } from "./citation.js" */

const LABEL = "⋯";
const MARGIN = 8; // pixels between the menu and the edges of the window

/** Adds the menu, if the browser supports it, and a button for it to each turn. */
export function addTurnMenu() {
  const template = /** @type {HTMLTemplateElement | null} */ (document.getElementById("turn-menu"))?.content;
  if (!template || !navigator.clipboard || !("popover" in HTMLElement.prototype)) return;
  const menu = document.importNode(/** @type {HTMLElement} */ (template.querySelector(".menu")), true);
  document.body.append(menu);
  /** @type {HTMLButtonElement | null} */
  let opener = null;
  for (const link of document.querySelectorAll(".turn > header .permalink")) {
    const button = document.importNode(/** @type {HTMLButtonElement} */ (template.querySelector("button")), true);
    link.before(button);
    button.addEventListener("click", () => {
      opener = button;
      showBeside(menu, button);
    });
  }
  menu.addEventListener("click", async event => {
    const choice = /** @type {Element} */ (event.target).closest("button");
    const turn = opener?.closest(".turn");
    if (!choice || !opener || !turn) return;
    const { copied = "", notCopied = "", reference = "" } = menu.dataset;
    const done = copy(opener, formOf(choice.value, turn, reference), { label: LABEL, copied, notCopied });
    menu.hidePopover();
    opener.focus();
    await done;
  });
  menu.addEventListener("keydown", event => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    const all = [...menu.querySelectorAll("button")];
    const at = all.findIndex(button => button === document.activeElement);
    all[(at + step + all.length) % all.length].focus();
    event.preventDefault();
  });
}

/**
 * @param {HTMLElement} menu
 * @param {HTMLElement} button
 */
function showBeside(menu, button) {
  menu.showPopover();
  const at = button.getBoundingClientRect();
  const left = Math.min(Math.max(MARGIN, at.left), innerWidth - menu.offsetWidth - MARGIN);
  const isBelow = at.bottom + menu.offsetHeight < innerHeight - MARGIN;
  menu.style.left = `${left}px`;
  menu.style.top = `${isBelow ? at.bottom : at.top - menu.offsetHeight}px`;
  menu.querySelector("button")?.focus();
}

/**
 * Returns a turn in the form that a menu item names.
 *
 * @param {string} form
 * @param {Element} turn
 * @param {string} text The text of references.
 */
async function formOf(form, turn, text) {
  const source = sourceOf(turn);
  switch (form) {
    case "markdown": return loadMarkdown(turn.id);
    case "quotation": return quotation(await loadMarkdown(turn.id), source);
    case "reference": return reference(text, source);
    case "bibtex": return bibtex(source);
    default: return source.url;
  }
}

/**
 * Returns the Markdown of a turn, from the Markdown file of the page.
 *
 * @param {string} id
 */
async function loadMarkdown(id) {
  const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[type='text/markdown']"));
  const response = await fetch(link.href);
  if (!response.ok) throw new Error(String(response.status));
  return markdownOf(await response.text(), id);
}

/**
 * @param {Element} turn
 * @returns {Source}
 */
function sourceOf(turn) {
  /**
   * @param {string} selector
   * @param {ParentNode} root
   */
  const text = (selector, root = document) => root.querySelector(selector)?.textContent ?? "";
  const day = turn.querySelector("header time") ?? document.querySelector("header.page time");
  /** @type {HTMLLinkElement | null} */
  const canonical = document.querySelector("link[rel=canonical]");
  return {
    speaker: text("h2 bdi", turn),
    day: day?.getAttribute("datetime")?.slice(0, 10) ?? "",
    n: text(".permalink", turn),
    title: text("h1"),
    site: text("header.site .name"),
    url: `${canonical?.href ?? location.href.split("#")[0]}#${turn.id}`,
  };
}
