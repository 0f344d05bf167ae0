// Runs queries on the index, which is opened for the first query and reopened after errors that this can fix.

import { open } from "./index.js";

/** @import { Index, Result } from "./index.js" */

export class Searcher {
  /** @param {string} url The address of the file that names the index's other files. */
  constructor(url) {
    this.url = url;
    /** @type {Promise<Index> | null} */
    this.index = null;
  }

  // Loads the data that every query needs.
  open() {
    return this.index ??= open(this.url);
  }

  // The browser's cache may be the problem.
  openAnew() {
    this.index = open(this.url, { cache: "reload" });
  }

  /**
   * @param {string} text
   * @param {boolean} [isTyping] Whether the last word is still being typed.
   * @returns {Promise<{index: Index, result: Result}>}
   */
  async find(text, isTyping) {
    const opening = this.open();
    let index;
    try {
      index = await opening;
      return { index, result: await index.find(text, isTyping) };
    } catch (error) {
      // A newer search may have reopened it in the meantime.
      if (this.index === opening) this.index = null;
      if (!index) throw error;
      // The site may have been published again since the index was read.
      const fresh = await open(this.url, { cache: "reload" });
      if (fresh.version === index.version) throw error;
      this.index = Promise.resolve(fresh);
      return { index: fresh, result: await fresh.find(text, isTyping) };
    }
  }
}
