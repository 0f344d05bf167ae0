// The search dialog: results while typing, over any page. It is a combobox: the focus stays in the field, and arrow
// keys select one of the options below it.

import { make } from "./elements.js";
import { LoadError } from "./files.js";
import { MESSAGES, counted, dayInWords, say, tierInWords } from "./messages.js";
import { markedTitle, rememberWords, wantedBy } from "./quotes.js";

/** @import { Index, Result } from "./index.js" */
/** @import { Quotes } from "./quotes.js" */
/** @import { FoundConversation } from "./ranking.js" */
/** @import { Searcher } from "./searcher.js" */

const PAUSE = 130; // milliseconds after a key press before searching
const QUIET = 250; // milliseconds without a key press before quoting turns
const SHOWN = 5; // conversations
const SHOWN_TURNS = 2; // of each
const QUOTE_LENGTH = 140; // characters

export class SearchDialog {
  /**
   * @param {HTMLDialogElement} dialog Contains the form of the search page.
   * @param {Searcher} searcher
   * @param {Quotes} quotes
   */
  constructor(dialog, searcher, quotes) {
    this.dialog = dialog;
    dialog.lang = MESSAGES.language ?? "";
    this.form = /** @type {HTMLFormElement} */ (dialog.querySelector("form"));
    this.input = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
    this.searcher = searcher;
    this.quotes = quotes;
    this.list = make("div", { id: "search-dialog-list", role: "listbox", "aria-label": say("results") });
    this.status = make("p", { role: "status" });
    this.all = make("a", { class: "all" }, say("all_results"));
    const close = make("button", { type: "button", "aria-label": say("close"), title: say("close") }, "×");
    const { style } = dialog.dataset;
    if (style) document.head.append(make("link", { rel: "stylesheet", href: style }));
    this.form.append(close);
    dialog.append(this.status, this.list, make("p", { class: "foot" }, this.all));
    /** The number of the current search. */
    this.number = 0;
    /** The time of the last key press. */
    this.typed = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    for (const [name, value] of Object.entries({
      role: "combobox", "aria-expanded": "false", "aria-controls": this.list.id, "aria-autocomplete": "list",
      autocomplete: "off", autocapitalize: "off", spellcheck: "false",
    })) this.input.setAttribute(name, value);
    this.input.addEventListener("input", () => this.searchSoon());
    dialog.addEventListener("keydown", event => this.key(event));
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", event => {
      // A click outside the content hits the backdrop; a link can go to an anchor on this page.
      const target = /** @type {Element} */ (event.target);
      if (target === dialog || target.closest("a") && !event.ctrlKey && !event.metaKey) dialog.close();
    });
    this.search();
  }

  searchSoon() {
    clearTimeout(this.timer);
    this.typed = performance.now();
    this.timer = setTimeout(() => this.search(), PAUSE);
  }

  async search() {
    const number = ++this.number;
    const isOld = () => number !== this.number;
    const text = this.input.value;
    const address = new URL(this.form.action);
    address.searchParams.set("q", text);
    this.all.href = address.href;
    this.all.hidden = !text.trim();
    try {
      if (!text.trim()) {
        this.show([], "");
        await this.searcher.open();
        return;
      }
      const { index, result } = await this.searcher.find(text, true);
      if (isOld()) return;
      const found = result.conversations.slice(0, SHOWN);
      const isWanted = wantedBy(result);
      const rows = await Promise.all(found.map((conversation, i) => this.row(index, conversation, isWanted, i)));
      if (isOld()) return;
      this.show(rows.map(row => row.element), summary(result));
      // Quotes are most of what is loaded, so they wait until typing pauses.
      await new Promise(done => {
        setTimeout(done, QUIET - (performance.now() - this.typed));
      });
      if (!isOld()) await Promise.all(rows.map(row => row.quote(isOld)));
    } catch (error) {
      if (isOld()) return;
      const isKnown = error instanceof LoadError;
      this.show([], isKnown ? error.message : say("failed"));
      this.searcher.openAnew();
      if (!isKnown) throw error;
    }
  }

  /**
   * @param {HTMLElement[]} rows
   * @param {string} status
   */
  show(rows, status) {
    this.list.replaceChildren(...rows);
    this.status.textContent = status;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.choose(null);
  }

  /**
   * Returns the row of a conversation: its title and, on request, its best turns.
   *
   * @param {Index} index
   * @param {FoundConversation} conversation
   * @param {(term: string) => boolean} isWanted
   * @param {number} number
   */
  async row(index, conversation, isWanted, number) {
    const about = await index.about(conversation);
    const id = `search-dialog-${number}`;
    const title = option(`${id}-0`, index.part(about, 0).url, "auto", make("b", {}, ...markedTitle(index, about.title, isWanted)));
    const meta = make("small", {}, counted("turns", conversation.turns.length));
    if (about.day) meta.prepend(make("time", { datetime: about.day }, dayInWords(about.day)), " · ");
    title.append(" ", meta);
    const element = make("div", { role: "group", "aria-labelledby": title.id }, title);
    /** @param {() => boolean} isOld */
    const quote = async isOld => {
      const { picked } = await this.quotes.pick(index, conversation, isWanted, { count: SHOWN_TURNS, length: QUOTE_LENGTH });
      if (isOld()) return;
      picked.forEach(({ quote }, i) => {
        if (!quote) return;
        const link = option(`${id}-${i + 1}`, quote.address, quote.direction);
        if (quote.speaker) link.append(make("b", {}, make("bdi", {}, quote.speaker)), " ");
        link.append(...quote.content);
        link.addEventListener("click", () => rememberWords(quote));
        element.append(link);
      });
    };
    return { element, quote };
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.altKey) return;
    if (event.key === "Escape") {
      // The browser would only clear the field.
      event.preventDefault();
      this.dialog.close();
      return;
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.target !== this.input || !step && event.key !== "Enter") return;
    /** @type {HTMLAnchorElement[]} */
    const options = Array.from(this.list.querySelectorAll(/** @type {"a"} */ ("a")));
    const at = options.findIndex(option => option.id === this.input.getAttribute("aria-activedescendant"));
    if (!step) {
      if (at < 0) return;
      event.preventDefault();
      options[at].click();
      return;
    }
    event.preventDefault();
    // Past both ends is the field itself.
    const places = options.length + 1;
    this.choose(options[(at + 1 + step + places) % places - 1] ?? null);
  }

  /** @param {HTMLElement | null} option */
  choose(option) {
    this.list.querySelector("[aria-selected=true]")?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
  }
}

/**
 * Returns an option of the list, which is also a link.
 *
 * @param {string} id
 * @param {string} href
 * @param {string} dir
 * @param {(Node | string)[]} content
 */
const option = (id, href, dir, ...content) =>
  make("a", { id, href, dir, role: "option", "aria-selected": "false", tabindex: "-1" }, ...content);

/**
 * Returns the status line of a result.
 *
 * @param {Result} result
 */
function summary({ isAsked, conversations, turns, tier, corrections, notes }) {
  const lines = [];
  if (isAsked) {
    lines.push(conversations.length
      ? say("found", { turns: counted("turns", turns), conversations: counted("conversations", conversations.length) })
      : say("nothing"));
  }
  if (conversations.length && tier !== "turn") lines.push(tierInWords(tier));
  for (const [from, to] of corrections) lines.push(say("corrected", { from, to }));
  return [...lines, ...isAsked ? [] : notes].join(" ");
}
