// The button that changes the colour scheme.

import { store } from "./storage.js";

const SCHEMES = ["system", "light", "dark"];

/** Makes the button go through the schemes, with the current one in its label. */
export function listenForScheme() {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector("button.scheme");
  if (!button) return;
  const { dataset } = document.documentElement;
  const say = () => {
    const label = button.dataset[dataset.scheme ?? ""] ?? "";
    button.title = label;
    button.setAttribute("aria-label", label);
  };
  button.addEventListener("click", () => {
    const next = SCHEMES[(SCHEMES.indexOf(dataset.scheme ?? "") + 1) % SCHEMES.length];
    dataset.scheme = next;
    store("scheme", next);
    say();
  });
  say();
}
