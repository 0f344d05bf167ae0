// Redirects links to a turn that has moved to another part of the conversation.

import { anchorOfAddress } from "./anchor.js";

/** Goes to the part that contains the turn in the URL. */
export function followMovedTurns() {
  addEventListener("hashchange", goToPart);
  goToPart();
}

async function goToPart() {
  /** @type {HTMLElement | null} */
  const element = document.querySelector("[data-anchors]");
  const anchors = element?.dataset.anchors, anchor = anchorOfAddress();
  if (!anchors || !anchor || document.getElementById(anchor)) return;
  const response = await fetch(anchors);
  if (!response.ok) return;
  /** @type {string[][]} */
  const parts = await response.json();
  const part = parts.findIndex(turns => turns.includes(anchor));
  if (part < 0) return;
  const first = anchors.slice(0, anchors.lastIndexOf("/") + 1);
  location.replace(`${first}${part ? `${part + 1}/` : ""}#${encodeURIComponent(anchor)}`);
}
