// Conveniences on long lists of conversations: a filter, and a switch to short rows. Lists are complete without them.

import { store } from "./storage.js";

/** @param {string} text */
const plain = text => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * Shows only the rows that contain all words of the field.
 *
 * @param {HTMLFormElement} form
 */
function filter(form) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("q"));
  const status = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
  const rows = Array.from(document.querySelectorAll(".card"), row => ({
    row: /** @type {HTMLElement} */ (row), text: plain(row.textContent),
  }));
  const show = () => {
    const words = plain(field.value).split(/\s+/).filter(word => word !== "");
    let shown = 0;
    for (const { row, text } of rows) {
      row.hidden = !words.every(word => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    for (const month of document.querySelectorAll("section.month")) {
      /** @type {HTMLElement} */ (month).hidden = !month.querySelector(".card:not([hidden])");
    }
    status.value = words.length > 0 ? `${shown} / ${rows.length}` : "";
  };
  field.addEventListener("input", show);
  form.addEventListener("submit", event => event.preventDefault());
  // The browser restores the field when the reader returns.
  if (field.value) show();
}

/**
 * Makes the button switch between short and full rows.
 *
 * @param {HTMLButtonElement} button
 */
function switchRows(button) {
  const { dataset } = document.documentElement;
  const isShort = () => (dataset.rows ? dataset.rows === "short" : document.querySelector("main.short") !== null);
  const say = () => button.setAttribute("aria-pressed", String(isShort()));
  button.addEventListener("click", () => {
    dataset.rows = isShort() ? "full" : "short";
    store("rows", dataset.rows);
    say();
  });
  say();
}

/** @type {HTMLFormElement | null} */
const form = document.querySelector("form.filter");
if (form) {
  filter(form);
  switchRows(/** @type {HTMLButtonElement} */ (form.querySelector("button.rows")));
}
