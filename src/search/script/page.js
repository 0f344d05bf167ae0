// The search page: the field, the URL and the results.

import { button, make } from "./elements.js";
import { FacetPanel } from "./facet_panel.js";
import { LoadError } from "./files.js";
import { counted, say, tierInWords } from "./messages.js";
import { ResultList } from "./result_list.js";
import { MAX_CHARACTERS } from "./tables.js";

/** @import { Result } from "./index.js" */
/** @import { Quotes } from "./quotes.js" */
/** @import { Searcher } from "./searcher.js" */

export class SearchPage {
  /**
   * @param {HTMLElement} root
   * @param {Searcher} searcher
   * @param {Quotes} quotes
   */
  constructor(root, searcher, quotes) {
    this.searcher = searcher;
    this.input = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.status = /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
    this.help = /** @type {HTMLDetailsElement} */ (root.querySelector(".help"));
    this.results = new ResultList(/** @type {HTMLElement} */ (root.querySelector(".results")), quotes);
    this.facets = new FacetPanel(/** @type {HTMLDetailsElement} */ (root.querySelector(".facets")), filter => this.ask(`${this.input.value.trim()} ${filter} `));
    this.examples = /** @type {HTMLElement | null} */ (root.querySelector(".examples"));
    this.chosen = make("ul", { class: "chosen" });
    this.near = make("div", { class: "near" });
    this.status.before(this.chosen);
    this.status.after(this.near);
    /** The number of the current search. */
    this.number = 0;
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

  /** @param {string} text */
  ask(text) {
    this.input.value = text;
    this.submit();
    this.input.focus();
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
   * Stores the query in the URL, so that going back returns to the previous query.
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
   * Moves the focus through the results with the arrow keys, and back to the field.
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
    if (this.examples) this.examples.hidden = text.trim() !== "";
    const chosen = this.showChosen(text, isOld);
    if (!text.trim()) {
      this.clear();
      return;
    }
    this.help.open = false;
    try {
      this.searcher.open().then(index => this.facets.prepare(index), () => null);
      const found = await this.searcher.find(text);
      if (isOld()) return;
      // Everything appears together, so that nothing moves.
      const [rows, facets, offers] = await Promise.all([
        this.results.load(found.index, found.result), this.facets.load(found), this.offers(text, found.result), chosen,
      ]);
      if (isOld()) return;
      this.results.show(rows);
      this.status.replaceChildren(...summary(found.result));
      this.near.replaceChildren(...offers);
      this.facets.show(found, facets);
    } catch (error) {
      if (isOld()) return;
      const isKnown = error instanceof LoadError;
      this.clear(isKnown ? error.message : say("failed"), " ", button(say("again"), () => {
        this.searcher.openAnew();
        this.search();
      }));
      if (!isKnown) throw error;
    }
  }

  /**
   * Shows the filters of a query as chips.
   *
   * @param {string} text
   * @param {() => boolean} isOld
   */
  async showChosen(text, isOld) {
    const part = text.includes(":") ? await import("./chosen.js").catch(() => null) : null;
    if (!isOld()) this.chosen.replaceChildren(...part?.chips(text, rest => this.ask(rest)) ?? []);
  }

  /**
   * Returns suggestions for a query without results.
   *
   * @param {string} text
   * @param {Result} result
   */
  async offers(text, result) {
    if (!result.isAsked || result.conversations.length) return [];
    return (await import("./offers.js")).offersFor(text, result, rest => this.ask(rest));
  }

  /** @param {(Node | string)[]} status */
  clear(...status) {
    this.near.replaceChildren();
    this.results.clear();
    this.facets.hide();
    this.status.replaceChildren(...status);
  }
}

/**
 * Returns the status line of a result.
 *
 * @param {Result} result
 */
function summary({ isAsked, conversations, turns, tier, corrections, notes }) {
  /** @type {(Node | string)[]} */
  const lines = [];
  if (isAsked) {
    lines.push(conversations.length
      ? say("found", { turns: counted("turns", turns), conversations: counted("conversations", conversations.length) })
      : say("nothing"));
  }
  if (conversations.length && tier !== "turn") lines.push(make("span", { class: "note" }, tierInWords(tier)));
  for (const [from, to] of corrections) {
    const [before, after] = say("corrected", { from }).split("{to}");
    lines.push(` ${before}`, make("mark", {}, to), after ?? "");
  }
  for (const note of notes) lines.push(make("span", { class: "note" }, note));
  return lines.length ? lines : [say("type_a_word")];
}
