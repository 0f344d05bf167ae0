// The panel of facets, with values to filter the results by.

import { say } from "./messages.js";

/** @import { Index, Result } from "./index.js" */

const EASY = 16 << 10; // bytes of facet files that are loaded without a click
const WIDE = 1100; // pixels of window width with room for the panel

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
   * Returns whether the panel is open or opens with a result.
   *
   * @param {Index} index
   */
  opensWith({ facetBytes: [filed, speakers] }) {
    return this.panel.open || innerWidth >= WIDE && !this.isClosed && filed + speakers <= EASY;
  }

  /**
   * Loads the script of the facets while a result is loaded that they are shown with.
   *
   * @param {Index} index
   */
  prepare(index) {
    if (this.opensWith(index)) import("./facet_lists.js").catch(() => null);
  }

  /**
   * Loads the facets of a result, for `show`, if they are shown with it. Returns null if they cannot be loaded.
   *
   * @param {Found} found
   */
  async load(found) {
    return this.opensWith(found.index) && found.result.conversations.length ? this.facets(found) : undefined;
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
    try {
      const { facetLists } = await import("./facet_lists.js");
      return await facetLists(index, result, this.choose);
    } catch {
      return null;
    }
  }
}
