// The author's bar of the preview: changes the conversation of the open page. It is never part of the site.

import { send } from "./change.js";

/** @typedef {{title?: string, tags?: string[], withheld?: boolean, undo: boolean}} About */

const STYLE = [
  ":host { position: fixed; inset: auto 0 0 0; z-index: 2147483646; background: #1d2a33; color: #f2f6f8;",
  "  font: 15px/1.4 system-ui, sans-serif; }",
  "[role=toolbar], form { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; padding: 8px 16px; }",
  "[hidden], :host([hidden]) { display: none; }",
  "button, input { font: inherit; min-height: 32px; padding: 2px 12px; border: 1px solid #8aa1ae; border-radius: 6px; }",
  "button { background: #2f4350; color: inherit; cursor: pointer; }",
  "button:hover { background: #3f5868; }",
  "button:disabled { opacity: .55; cursor: default; }",
  "button[aria-pressed=true] { background: #f2f6f8; color: #1d2a33; }",
  "input { flex: 1 1 16rem; min-width: 0; background: #fff; color: #111; }",
  "output { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }",
  ":focus-visible { outline: 3px solid #ffd166; outline-offset: 1px; }",
  "@media print { :host { display: none; } }",
].join("\n");

const HIDE_STYLE =
  "font: 14px/1.4 system-ui, sans-serif; padding: 4px 12px; margin: 4px 0; border: 1px solid #b3261e; " +
  "border-radius: 6px; background: #b3261e; color: #fff; cursor: pointer; display: block;";

const host = document.createElement("convo-site-author");
const inside = host.attachShadow({ mode: "open" });
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
inside.adoptedStyleSheets = [sheet];

const bar = document.createElement("div");
bar.setAttribute("role", "toolbar");
bar.setAttribute("aria-label", "Edit this conversation");
const form = document.createElement("form");
form.hidden = true;
const input = document.createElement("input");
const status = document.createElement("output");

/** @type {About} */
let about = { undo: false };
/** @type {(value: string) => unknown} */
let answer = () => undefined;

/**
 * @param {Node} to
 * @param {string} text
 * @param {() => void} action
 */
function button(to, text, action) {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = text;
  element.onclick = action;
  to.appendChild(element);
  return element;
}

/**
 * Makes a change. The page is reloaded when the preview was built again.
 *
 * @param {unknown} change
 * @param {string} done
 */
async function make(change, done) {
  status.textContent = "Saving…";
  status.textContent = await send([location.pathname], change) || done;
  await load();
}

/**
 * Asks for a text.
 *
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => unknown} then
 */
function ask(label, value, then) {
  input.setAttribute("aria-label", label);
  input.placeholder = label;
  input.value = value;
  answer = then;
  form.hidden = false;
  input.select();
  input.focus();
}

function close() {
  form.hidden = true;
  title.focus();
}

/** @returns {HTMLElement[]} */
const turns = () => Array.from(document.querySelectorAll("article[id]"));

/** @param {boolean} on */
function choose(on) {
  hide.setAttribute("aria-pressed", String(on));
  document.querySelectorAll("[data-convo-site-hide]").forEach(element => element.remove());
  if (!on) return;
  for (const turn of turns()) {
    const element = document.createElement("button");
    element.type = "button";
    element.textContent = "Hide this turn";
    element.dataset.convoSiteHide = "";
    element.style.cssText = HIDE_STYLE;
    element.onclick = () => {
      choose(false);
      make({ hide: turn.id }, "Turn hidden.");
    };
    turn.before(element);
  }
}

const title = button(bar, "Title", () => {
  ask("Title", about.title ?? "", value => make({ title: value }, "Title changed."));
});
const tags = button(bar, "Tags", () => {
  const list = (/** @type {string} */ value) => value.split(",").map(tag => tag.trim()).filter(tag => tag !== "");
  ask("Tags, separated by commas", (about.tags ?? []).join(", "), value => make({ tags: list(value) }, "Tags changed."));
});
const hide = button(bar, "Hide turns", () => choose(hide.getAttribute("aria-pressed") !== "true"));
const redact = button(bar, "Redact selection", () => {
  const text = document.getSelection()?.toString().trim() ?? "";
  if (text === "") status.textContent = "Select the words to redact first.";
  else make({ redact: text }, "Words redacted in this conversation.");
});
const withhold = button(bar, "Withhold", () => make("withhold", "Conversation withheld."));
button(bar, "All conversations", () => location.assign("/.convo-site/conversations"));
const undo = button(bar, "Undo", () => make(null, "Last change undone."));
bar.append(status);

form.append(input);
button(form, "Save", () => form.requestSubmit());
button(form, "Cancel", close);
form.onsubmit = event => {
  event.preventDefault();
  answer(input.value);
  close();
};

async function load() {
  const response = await fetch(`/.convo-site/edit?${location.pathname}`, { cache: "no-store" });
  if (!response.ok) return;
  about = await response.json();
  const isConversation = about.title !== undefined;
  for (const one of [title, tags, hide, redact, withhold]) one.hidden = !isConversation;
  hide.hidden ||= turns().length === 0;
  withhold.hidden ||= about.withheld === true;
  undo.disabled = !about.undo;
  host.hidden = false;
  // The end of the page is above the bar.
  document.body.style.paddingBottom = `${host.offsetHeight}px`;
}

// The page has shortcuts of one letter.
form.onkeydown = event => {
  if (event.key !== "Escape") event.stopPropagation();
};
// The selection must not be lost by a click on the bar.
redact.onmousedown = event => event.preventDefault();
addEventListener("keydown", event => {
  if (event.key !== "Escape") return;
  choose(false);
  if (!form.hidden) close();
});
inside.append(form, bar);
host.hidden = true;
document.body.append(host);
load();
