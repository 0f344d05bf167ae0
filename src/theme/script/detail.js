// Remembers how much of a conversation is shown, for the next page.

import { store, stored } from "./storage.js";

export function rememberDetail() {
  /** @type {NodeListOf<HTMLInputElement>} */
  const inputs = document.querySelectorAll(".detail input");
  const choices = [...inputs];
  const wanted = choices.find(choice => choice.value === stored("detail"));
  if (wanted) wanted.checked = true;
  // The attribute was only needed for the first paint.
  delete document.documentElement.dataset.detail;
  for (const choice of choices) choice.addEventListener("change", () => store("detail", choice.value));
}
