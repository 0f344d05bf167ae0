// The search page: what is typed, what the address says, and what is shown.

import { button, make } from "./elements.js";
import { FacetPanel } from "./facet_panel.js";
import { LoadError } from "./files.js";
import { open } from "./index.js";
import { counted, say } from "./messages.js";
import { ResultList } from "./result_list.js";
import { MAX_CHARACTERS } from "./tables.js";

/** @import { Index, Result } from "./index.js" */

export class SearchPage {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.url = String(root.dataset.index);
    this.input = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
    this.help = /** @type {HTMLDetailsElement} */ (root.querySelector(".help"));
    this.results = new ResultList(/** @type {HTMLElement} */ (root.querySelector(".results")));
    this.facets = new FacetPanel(/** @type {HTMLDetailsElement} */ (root.querySelector(".facets")), filter => {
      this.input.value = `${this.input.value.trim()} ${filter} `;
      this.submit();
    });
    /** The number of the search that is being answered. */
    this.number = 0;
    /** @type {Promise<Index> | null} */
    this.index = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.input.addEventListener("input", () => this.searchSoon());
    /** @type {HTMLFormElement} */ (root.querySelector("form")).addEventListener("submit", event => {
      event.preventDefault();
      this.submit();
    });
    root.addEventListener("keydown", event => this.moveFocus(event));
    addEventListener("popstate", () => this.searchForAddress());
    this.searchForAddress();
    if (!this.input.value) this.input.focus();
  }

  searchForAddress() {
    this.input.value = (new URLSearchParams(location.search).get("q") ?? "").slice(0, MAX_CHARACTERS);
    this.search();
  }

  submit() {
    this.remember("pushState");
    this.search();
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.remember("replaceState");
      this.search();
    });
  }

  /**
   * The address says what was searched for; going back goes to what was searched before.
   *
   * @param {"pushState" | "replaceState"} how
   */
  remember(how) {
    const address = new URL(location.href);
    if (this.input.value) address.searchParams.set("q", this.input.value);
    else address.searchParams.delete("q");
    if (address.href !== location.href) history[how](null, "", address);
  }

  /**
   * Down and up through the results, and back to the words.
   *
   * @param {KeyboardEvent} event
   */
  moveFocus(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    if (event.key === "Escape" && focused !== this.input) {
      this.input.focus();
      event.preventDefault();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    /** @type {HTMLElement[]} */
    const stops = [this.input, ...this.results.list.querySelectorAll(/** @type {"a"} */ ("a, button"))];
    const at = stops.indexOf(focused);
    if (at < 0 || !stops[at + step]) return;
    stops[at + step].focus();
    event.preventDefault();
  }

  async search() {
    clearTimeout(this.timer);
    const number = ++this.number;
    const text = this.input.value;
    const isOld = () => number !== this.number;
    if (!text.trim()) {
      this.clear();
      return;
    }
    try {
      const { index, result } = await this.find(text);
      if (isOld()) return;
      await this.results.show(index, result, isOld);
      if (isOld()) return;
      this.help.open = false;
      this.status.replaceChildren(...summary(result));
      await this.facets.show(index, result);
    } catch (error) {
      if (isOld()) return;
      const isKnown = error instanceof LoadError;
      this.clear(isKnown ? error.message : say("failed"), " ", button(say("again"), () => {
        // What is wrong may be what the browser keeps.
        this.index = open(this.url, { cache: "reload" });
        this.search();
      }));
      if (!isKnown) throw error;
    }
  }

  /** @param {(Node | string)[]} status */
  clear(...status) {
    this.results.clear();
    this.facets.hide();
    this.status.replaceChildren(...status);
  }

  /** @param {string} text */
  async find(text) {
    const opening = this.index ??= open(this.url);
    let index;
    try {
      index = await opening;
      return { index, result: await index.find(text) };
    } catch (error) {
      // A newer search may have opened it again meanwhile.
      if (this.index === opening) this.index = null;
      if (!index) throw error;
      // The site may have been published anew since the index was read.
      const fresh = await open(this.url, { cache: "reload" });
      if (fresh.version === index.version) throw error;
      this.index = Promise.resolve(fresh);
      return { index: fresh, result: await fresh.find(text) };
    }
  }
}

/**
 * What the page says of a result.
 *
 * @param {Result} result
 */
function summary({ isAsked, conversations, turns, corrections, notes }) {
  /** @type {(Node | string)[]} */
  const lines = [];
  if (isAsked) {
    lines.push(conversations.length
      ? say("found", { turns: counted("turns", turns), conversations: counted("conversations", conversations.length) })
      : say("nothing"));
  }
  for (const [from, to] of corrections) {
    const [before, after] = say("mended", { from }).split("{to}");
    lines.push(` ${before}`, make("mark", {}, to), after ?? "");
  }
  for (const note of notes) lines.push(make("span", { class: "note" }, note));
  return lines.length ? lines : [say("type_a_word")];
}
