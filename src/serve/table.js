// The author's table of all conversations in the preview. It is never part of the site.

import { send } from "./change.js";

/**
 * A conversation: `state` says why it is withheld, if it is.
 *
 * @typedef {{page: string, title: string, date: string | null, speakers: string[], turns: number, tags: string[], file: string, state: string | null}} Row
 */

const STYLE = [
  "body { margin: 0; font: 15px/1.4 system-ui, sans-serif; background: light-dark(#fff, #16191c); color: light-dark(#1b2226, #e6e9eb); }",
  "header { position: sticky; top: 0; z-index: 1; background: inherit; border-bottom: 1px solid light-dark(#c6ced3, #3c454b); padding: 12px 16px; }",
  "h1 { font-size: 18px; margin: 0 0 8px; }",
  "[hidden] { display: none !important; }",
  ".bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 8px; }",
  "button, input, select { font: inherit; min-height: 32px; padding: 2px 10px; border: 1px solid light-dark(#7c8b94, #6f7d86); border-radius: 6px; background: light-dark(#fff, #22282c); color: inherit; }",
  "button { cursor: pointer; }",
  "button:disabled { opacity: .5; cursor: default; }",
  ":is([type=search], [type=text]) { flex: 1 1 14rem; min-width: 0; }",
  "input[type=checkbox] { min-height: 0; width: 18px; height: 18px; margin: 0; }",
  "output { color: light-dark(#52616a, #a7b2b9); }",
  "table { border-collapse: collapse; width: 100%; }",
  "th, td { text-align: start; vertical-align: top; padding: 6px 8px; border-bottom: 1px solid light-dark(#e3e8eb, #2c3439); overflow-wrap: anywhere; }",
  "th { white-space: nowrap; }",
  "th button { border: 0; background: none; padding: 2px 0; font-weight: 600; }",
  "th:nth-child(1), td:nth-child(1) { width: 34px; padding-inline-start: 16px; }",
  "td:nth-child(2) { width: 45%; }",
  "td:nth-child(3), td:nth-child(5) { white-space: nowrap; font-variant-numeric: tabular-nums; }",
  "td:nth-child(4) { min-width: 8rem; }",
  "td:nth-child(7) { min-width: 6.5rem; }",
  "tr:has(:checked) { background: light-dark(#e8f1f6, #22323b); }",
  "a { color: light-dark(#0b5c86, #7cc4ec); }",
  ".withheld { color: light-dark(#a3261b, #ffab9f); }",
  ":focus-visible { outline: 3px solid #d99a00; outline-offset: 1px; }",
  "@media (max-width: 50rem) { :is(th, td):is(:nth-child(3), :nth-child(4), :nth-child(5), :nth-child(6), :nth-child(8)) { display: none; } td:nth-child(2) { width: auto; } }",
].join("\n");

/** The number of rows that are added at a time. */
const ROWS = 500;

const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);
document.adoptedStyleSheets = [sheet];

/** @type {Row[]} */
let rows = [];
/** @type {Row[]} */
let shown = [];
let withheld = 0;
let limit = ROWS;
/** @type {Set<string>} */
const selected = new Set();
/** @type {number | null} */
let last = null;

/** @type {[string, (row: Row) => string | number][]} */
const COLUMNS = [
  ["Title", row => row.title.toLowerCase()],
  ["Date", row => row.date ?? ""],
  ["Speakers", row => row.speakers.join(", ").toLowerCase()],
  ["Turns", row => row.turns],
  ["Tags", row => row.tags.join(", ").toLowerCase()],
  ["State", row => row.state ?? "published"],
  ["File", row => row.file.toLowerCase()],
];
let sorted = { column: 1, isDescending: true };

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Partial<HTMLElementTagNameMap[Name]>} [properties]
 * @param {(Node | string)[]} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

/**
 * @param {string} text
 * @param {() => void} onclick
 */
const button = (text, onclick) => make("button", { type: "button", textContent: text, onclick });

const filter = make("input", { type: "search", placeholder: "Filter by title, speaker, tag, file or date", ariaLabel: "Filter" });
const states = make("select", { ariaLabel: "State" }, ...["All", "Published", "Withheld"].map(text => make("option", { textContent: text })));
const all = make("input", { type: "checkbox", ariaLabel: "Select all shown" });
const counts = make("output");
const status = make("output");
const body = make("tbody");
const more = button("Show more rows", () => {
  limit += ROWS;
  draw();
});
const publish = button("Publish", () => change("publish", "set to public; settings in the files still apply"));
const withhold = button("Withhold", () => change("withhold", "withheld"));
const tag = button("Add tags…", () => {
  ask("Tags to add, separated by commas", text => {
    const tags = text.split(",").map(one => one.trim()).filter(one => one !== "");
    if (tags.length > 0) change({ tag: tags }, "tagged");
  });
});
const collection = button("Collection…", () => {
  ask("Name of the collection; empty for none", name => change({ collection: name }, "moved"));
});
const input = make("input", { type: "text" });
const form = make("form", { className: "bar", hidden: true }, input, make("button", { textContent: "Save" }), button("Cancel", close));
/** @type {HTMLElement | null} */
let asker = null;
/** @type {(text: string) => void} */
let answer = () => undefined;
const undo = button("Undo", () => save([], null, "Last change undone."));
const heads = COLUMNS.map(([name], column) => {
  const head = make("th", { scope: "col" }, button(name, () => {
    sorted = { column, isDescending: sorted.column === column && !sorted.isDescending };
    find();
  }));
  return head;
});

/**
 * Asks for a text.
 *
 * @param {string} label
 * @param {(text: string) => void} then
 */
function ask(label, then) {
  asker = /** @type {HTMLElement | null} */ (document.activeElement);
  input.ariaLabel = input.placeholder = label;
  input.value = "";
  answer = then;
  form.hidden = false;
  input.focus();
}

function close() {
  form.hidden = true;
  asker?.focus();
}

/**
 * Changes the selected conversations.
 *
 * @param {unknown} wanted
 * @param {string} done
 */
function change(wanted, done) {
  const pages = shown.filter(row => selected.has(row.page)).map(row => row.page);
  save(pages, wanted, `${pages.length} ${pages.length === 1 ? "conversation" : "conversations"} ${done}.`);
}

/**
 * @param {string[]} pages
 * @param {unknown} wanted
 * @param {string} done
 */
async function save(pages, wanted, done) {
  status.textContent = "Saving…";
  status.textContent = await send(pages, wanted) || done;
}

/** Loads the rows of the last build. */
async function load() {
  const response = await fetch("/.convo-site/rows", { cache: "no-store" });
  if (!response.ok) return;
  const list = await response.json();
  ({ rows, withheld } = list);
  undo.disabled = !list.undo;
  const known = new Set(rows.map(row => row.page));
  for (const page of selected) if (!known.has(page)) selected.delete(page);
  find();
}

/** Finds the rows that the filter and the state select, in order. */
function find() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(word => word !== "");
  const state = states.value;
  const [, key] = COLUMNS[sorted.column];
  shown = rows.filter(row => {
    if (state !== "All" && (state === "Withheld") !== (row.state !== null)) return false;
    const text = [row.title, row.date, row.file, ...row.speakers, ...row.tags].join(" ").toLowerCase();
    return words.every(word => text.includes(word));
  });
  const direction = sorted.isDescending ? -1 : 1;
  shown.sort((one, other) => {
    const [a, b] = [key(one), key(other)];
    return a < b ? -direction : a > b ? direction : 0;
  });
  limit = ROWS;
  last = null;
  draw();
}

function draw() {
  heads.forEach((head, column) => {
    head.ariaSort = column !== sorted.column ? "none" : sorted.isDescending ? "descending" : "ascending";
  });
  body.replaceChildren(...shown.slice(0, limit).map(line));
  more.hidden = shown.length <= limit;
  count();
}

function count() {
  const hidden = withheld === 0 ? "" : ` · ${withheld} more ${withheld === 1 ? "is" : "are"} withheld: see “convo-site status”`;
  const wanted = shown.filter(row => selected.has(row.page)).length;
  counts.textContent = `${shown.length} of ${rows.length} shown · ${wanted} selected${hidden}`;
  for (const one of [publish, withhold, tag, collection]) one.disabled = wanted === 0;
  all.checked = shown.length > 0 && shown.every(row => selected.has(row.page));
}

/**
 * @param {Row} row
 * @param {number} at
 */
function line(row, at) {
  const box = make("input", { type: "checkbox", checked: selected.has(row.page), ariaLabel: row.title });
  box.onclick = event => {
    // With Shift, the rows between this one and the last one.
    const from = event.shiftKey && last !== null ? Math.min(last, at) : at;
    const to = event.shiftKey && last !== null ? Math.max(last, at) : at;
    for (const one of shown.slice(from, to + 1)) select(one, box.checked);
    last = at;
    if (from === to) count();
    else draw();
  };
  box.onkeydown = event => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    /** @type {HTMLInputElement | null | undefined} */
    const next = body.rows[at + step]?.querySelector("input");
    next?.focus();
  };
  const state = make("td", { className: row.state === null ? "" : "withheld" }, row.state ?? "published");
  const title = make("a", { href: row.page, textContent: row.title });
  return make(
    "tr",
    {},
    make("td", {}, box),
    make("td", {}, title),
    ...[row.date ?? "", row.speakers.join(", "), String(row.turns), row.tags.join(", ")].map(text => make("td", {}, text)),
    state,
    make("td", {}, row.file),
  );
}

/**
 * @param {Row} row
 * @param {boolean} on
 */
function select(row, on) {
  if (on) selected.add(row.page);
  else selected.delete(row.page);
}

filter.oninput = find;
states.onchange = find;
all.onclick = () => {
  for (const row of shown) select(row, all.checked);
  draw();
};
form.onsubmit = event => {
  event.preventDefault();
  answer(input.value);
  close();
};
form.onkeydown = event => {
  if (event.key === "Escape") close();
};
addEventListener("keydown", event => {
  const target = /** @type {Element} */ (event.target);
  if (event.key !== "/" || target.matches("[type=search], [type=text]")) return;
  event.preventDefault();
  filter.focus();
});

document.body.append(
  make(
    "header",
    {},
    make("h1", {}, "Conversations"),
    make("div", { className: "bar" }, filter, states),
    make("div", { className: "bar" }, publish, withhold, tag, collection, undo, counts, status),
    form,
  ),
  make("main", {}, make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, all), ...heads)), body), more),
);
new EventSource("/.convo-site/events").onmessage = () => load();
