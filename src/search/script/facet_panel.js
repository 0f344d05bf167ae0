// The panel of facets, with values to filter the results by.

import { nameOf } from "./chosen.js";
import { button, make } from "./elements.js";
import { FACETS } from "./facets.js";
import { counted, say } from "./messages.js";

/** @import { Index, Result } from "./index.js" */

const EASY = 16 << 10; // bytes of facet files that are loaded without a click
const WIDE = 1100; // pixels of window width with room for the panel
const TOP = 8, MOST = 200; // values of a facet that are shown at first, and at most

/** @typedef {{index: Index, result: Result}} Found */

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
    /** @type {Found | null} */
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
   * Loads the facets of a result, for `show`, if the panel is open or opens with it. Returns null if they cannot be
   * loaded.
   *
   * @param {Found} found
   */
  async load(found) {
    const [filed, speakers] = found.index.facetBytes;
    const opens = this.panel.open || innerWidth >= WIDE && !this.isClosed && filed + speakers <= EASY;
    return opens && found.result.conversations.length ? this.facets(found) : undefined;
  }

  /**
   * @param {Found} found
   * @param {HTMLElement[] | null} [facets]
   */
  show(found, facets) {
    this.found = found;
    this.shown = null;
    this.panel.hidden = !found.result.conversations.length;
    if (facets === undefined) {
      if (this.panel.open) this.fill();
      return;
    }
    this.put(facets);
    this.panel.open = true;
  }

  // Fills the open panel for the current result.
  async fill() {
    const { found } = this;
    if (!found || this.shown === found.result) return;
    const facets = await this.facets(found);
    if (this.found === found) this.put(facets);
  }

  /** @param {HTMLElement[] | null} facets */
  put(facets) {
    this.shown = facets && this.found?.result || null;
    this.panel.hidden ||= facets?.length === 0;
    this.panel.querySelector("div")?.replaceChildren(...facets ?? [say("filters_failed")]);
  }

  /**
   * Returns the facets with values.
   *
   * @param {Found} found
   */
  async facets({ index, result }) {
    const counts = await index.facets(result).catch(() => null);
    return counts && FACETS.filter(field => counts[field].size).map(field => this.facet(field, counts[field]));
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
    return make("section", { "aria-label": say(field) }, make("h2", {}, say(field)), list);
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
