// The panel of facets, with values to filter the results by.

import { nameOf } from "./chosen.js";
import { button, make } from "./elements.js";
import { FACETS, SPEAKER_FACETS } from "./facets.js";
import { counted, say } from "./messages.js";

/** @import { Index, Result } from "./index.js" */

const EASY = 16 << 10; // bytes of facet files that are loaded without a click
const WIDE = 1100; // pixels of window width with room for the panel
const TOP = 8, MOST = 200; // values of a facet that are shown at first, and at most

export class FacetPanel {
  /**
   * @param {HTMLDetailsElement} panel
   * @param {(filter: string) => void} choose Called with the chosen filter.
   */
  constructor(panel, choose) {
    this.panel = panel;
    this.choose = choose;
    /** Whether the reader closed the panel. */
    this.isClosed = false;
    /** Whether the reader asked for speakers. */
    this.withSpeakers = false;
    /** @type {{index: Index, result: Result} | null} */
    this.found = null;
    /** @type {Result | null} */
    this.shown = null;
    panel.addEventListener("toggle", () => {
      if (panel.open) this.fill();
      else this.isClosed = true;
    });
  }

  hide() {
    this.found = null;
    this.panel.hidden = true;
  }

  /**
   * @param {Index} index
   * @param {Result} result
   */
  async show(index, result) {
    this.found = { index, result };
    this.shown = null;
    this.panel.hidden = result.conversations.length === 0;
    if (index.facetBytes[0] <= EASY && innerWidth >= WIDE && !this.isClosed) this.panel.open = true;
    if (this.panel.open) await this.fill();
  }

  // Fills the open panel for the current result.
  async fill() {
    const { found } = this;
    if (!found || this.shown === found.result) return;
    this.shown = found.result;
    const body = /** @type {HTMLElement} */ (this.panel.querySelector("div"));
    const [filed, speakers] = found.index.facetBytes;
    const withSpeakers = this.withSpeakers || filed + speakers <= EASY;
    const counts = await found.index.facets(found.result, withSpeakers).catch(() => null);
    if (this.found !== found) return;
    if (!counts) {
      this.shown = null;
      body.replaceChildren(say("filters_failed"));
      return;
    }
    const facets = FACETS.filter(field => counts[field].size).map(field => this.facet(field, counts[field]));
    if (!withSpeakers) facets.unshift(this.offer());
    body.replaceChildren(...facets);
  }

  // A button that loads the speakers: in a large archive they take more bytes than everything else.
  offer() {
    const names = SPEAKER_FACETS.map(field => say(field)).join(", ");
    return make("section", {}, button(`${names} …`, () => {
      this.withSpeakers = true;
      this.shown = null;
      this.fill();
    }));
  }

  /**
   * @param {string} field
   * @param {Map<string, number>} counts
   */
  facet(field, counts) {
    const values = Array.from(counts).sort(field === "year" ? byValue : byCount);
    const list = make("ul", {});
    /** @param {typeof values} part */
    const add = part => list.append(...part.map(([value, count]) => {
      const choice = button("", () => this.choose(filterFor(field, value)));
      choice.append(make("bdi", {}, nameOf(field, value)), " ", make("span", { class: "count" }, String(count)));
      return make("li", {}, choice);
    }));
    add(values.slice(0, TOP));
    const rest = values.slice(TOP, MOST);
    if (rest.length) {
      const all = button(counted("more", rest.length), () => {
        row.remove();
        add(rest);
      });
      all.className = "rest";
      const row = make("li", {}, all);
      list.append(row);
    }
    return make("section", { "aria-label": say(field) }, make("h3", {}, say(field)), list);
  }
}

/** @typedef {[value: string, count: number]} Count */

/**
 * @param {Count} a
 * @param {Count} b
 */
const byValue = (a, b) => b[0].localeCompare(a[0]);

/**
 * @param {Count} a
 * @param {Count} b
 */
const byCount = (a, b) => b[1] - a[1] || a[0].localeCompare(b[0]);

/**
 * Returns the part of a query that filters by a value of a facet.
 *
 * @param {string} field
 * @param {string} value
 */
function filterFor(field, value) {
  const year = Number(value);
  return field === "year" ? `after:${year} before:${year + 1}` : `${field}:"${value.replace(/"/g, " ")}"`;
}
