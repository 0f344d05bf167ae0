// How much of a conversation is shown, here and on the next page.

import { store, stored } from "./storage.js";

const DETAIL = "convo-site:detail";

export function rememberDetail() {
  /** @type {HTMLInputElement[]} */
  const choices = Array.from(document.querySelectorAll(".detail input"));
  const wanted = choices.find(choice => choice.value === stored(DETAIL));
  if (wanted) wanted.checked = true;
  for (const choice of choices) choice.addEventListener("change", () => store(DETAIL, choice.value));
}
