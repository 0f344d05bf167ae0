// Links to a turn that stands on another part of the conversation by now.

import { anchorOfAddress } from "./anchor.js";

/** Goes to the part of the conversation that has the turn of the address. */
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
