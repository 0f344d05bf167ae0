// Reads turns from pages, for quotes in results on sites that publish no Markdown.

import { loadText } from "./files.js";
import { tidy } from "./markdown.js";

/** @import { Turn } from "./markdown.js" */

/**
 * Loads the turns of the page at a URL. Returns none for a page with forks or subagents, whose turns are not in the
 * order in which they are numbered.
 *
 * @param {string} url
 */
export const turnsOnPage = async url => turnsOf(new DOMParser().parseFromString(await loadText(url), "text/html"));

/**
 * @param {Document} page
 * @returns {Turn[]}
 */
function turnsOf(page) {
  if (page.querySelector(".turns > :is(.fork, .agent)")) return [];
  const turns = Array.from(page.querySelectorAll(".turns > :is(.turn, .event)"));
  return turns.map(turn => {
    turn.querySelectorAll(".when, .body > .extra, .buttons, .gutter, .hunk").forEach(part => part.remove());
    turn.querySelectorAll("td, th").forEach(cell => cell.append(" · "));
    const work = Array.from(turn.querySelectorAll(".fold:is(.tool, .thinking)"), fold => {
      fold.remove();
      return plainOf(fold);
    });
    const text = plainOf(turn.querySelector(".body") ?? turn);
    return { speaker: turn.querySelector("h2 bdi")?.textContent ?? "", anchor: turn.id, text, work: work.join(" ") };
  });
}

/** @param {Element} element */
const plainOf = element => tidy(element.textContent ?? "");
