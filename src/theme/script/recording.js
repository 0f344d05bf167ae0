// Plays a recording from its turns, and marks the turn that is playing.

import { placeAt, secondsOf } from "./recording_times.js";
import { store, stored } from "./storage.js";

const { follow: words = "" } = /** @type {HTMLScriptElement} */ (document.currentScript).dataset;
const player = /** @type {HTMLMediaElement | null} */ (document.querySelector(".recording :is(audio, video)"));
/** @type {HTMLAnchorElement[]} */
const links = Array.from(document.querySelectorAll(".turns a.offset"));
const turns = links.map(link => ({ start: secondsOf(link.hash), turn: /** @type {HTMLElement | null} */ (link.closest(".turn, .event")) }))
  .filter(({ start }) => !Number.isNaN(start)).toSorted((a, b) => a.start - b.start);
const starts = turns.map(({ start }) => start);

/** @param {HTMLMediaElement} media */
function playFromLinks(media) {
  for (const link of links) {
    link.addEventListener("click", event => {
      const start = secondsOf(link.hash);
      if (Number.isNaN(start) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      // A player that has loaded nothing yet cannot seek.
      if (media.readyState) media.currentTime = start;
      else media.addEventListener("loadedmetadata", () => { media.currentTime = start; }, { once: true });
      media.play().catch(() => { location.href = link.href; });
    });
  }
}

/** @param {HTMLMediaElement} media */
function markTurns(media) {
  const label = document.createElement("label");
  const choice = Object.assign(document.createElement("input"), { type: "checkbox", checked: stored("follow") === "on" });
  label.append(choice, ` ${words}`);
  /** @type {HTMLElement | null | undefined} */
  let current;
  const show = () => {
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (choice.checked && !media.paused) current?.scrollIntoView({ block: "start", behavior: isCalm ? "instant" : "smooth" });
  };
  const mark = () => {
    const turn = turns[placeAt(starts, media.currentTime)]?.turn;
    if (turn === current) return;
    current?.removeAttribute("aria-current");
    turn?.setAttribute("aria-current", "true");
    current = turn;
    show();
  };
  choice.addEventListener("change", () => {
    store("follow", choice.checked ? "on" : "off");
    show();
  });
  for (const moment of ["play", "timeupdate", "seeked"]) media.addEventListener(moment, mark);
  document.querySelector(".recording p")?.prepend(label, " ");
}

if (player && turns.length) {
  playFromLinks(player);
  markTurns(player);
}
