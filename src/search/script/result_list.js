// The list of results: conversations with their matching turns.

import { button, make } from "./elements.js";
import { counted, dayInWords, say } from "./messages.js";
import { markedTitle, rememberWords, wantedBy } from "./quotes.js";

/** @import { Index, Result } from "./index.js" */
/** @import { Picked, Quotes } from "./quotes.js" */
/** @import { FoundConversation } from "./ranking.js" */

/**
 * The results of a query: how many of them are shown, how many are wanted, and how many a click adds.
 *
 * @typedef {{index: Index, result: Result, isWanted: (term: string) => boolean, shown: number, wanted: number, step: number}} View
 */

const FIRST = 10; // conversations shown at first, and added when the reader scrolls
const TOGETHER = 5; // conversations loaded together
const FIRST_TURNS = 2, MOST_TURNS = 4, MORE_TURNS = 20; // turns of a conversation

export class ResultList {
  /**
   * @param {HTMLElement} list
   * @param {Quotes} quotes
   */
  constructor(list, quotes) {
    this.list = list;
    /** @type {View | null} */
    this.view = null;
    this.quotes = quotes;
  }

  clear() {
    this.view = null;
    this.list.replaceChildren();
  }

  /**
   * Loads the first rows of a result, for `show`.
   *
   * @param {Index} index
   * @param {Result} result
   */
  async load(index, result) {
    const view = { index, result, isWanted: wantedBy(result), shown: 0, wanted: FIRST, step: FIRST };
    return { view, rows: await this.rows(view) };
  }

  /** @param {{view: View, rows: HTMLElement[]}} loaded */
  show({ view, rows }) {
    this.view = view;
    this.list.replaceChildren(...rows);
    this.extend(view);
  }

  /**
   * Loads the next rows, and what follows them.
   *
   * @param {View} view
   */
  async rows(view) {
    const { conversations } = view.result;
    const next = conversations.slice(view.shown, Math.min(view.shown + TOGETHER, view.wanted));
    const rows = await Promise.all(next.map(conversation => this.row(view, conversation)));
    view.shown += next.length;
    if (view.shown < conversations.length) rows.push(this.end(view));
    return rows;
  }

  /**
   * Appends rows until as many are shown as are wanted. Rows are complete when they are appended, so none of them
   * moves.
   *
   * @param {View} view
   */
  async extend(view) {
    while (view.shown < Math.min(view.wanted, view.result.conversations.length)) {
      /** @type {HTMLElement[]} */
      let rows;
      try {
        rows = await this.rows(view);
      } catch {
        view.wanted = view.shown;
        rows = [this.end(view, say("more_failed"))];
      }
      if (this.view !== view) return;
      const end = this.list.lastElementChild;
      const hadFocus = end?.contains(document.activeElement);
      end?.replaceWith(...rows);
      if (hadFocus) rows[0].querySelector(/** @type {"a"} */ ("a, button"))?.focus();
    }
  }

  /**
   * Returns the row after the last result, with a button for more unless they are being loaded.
   *
   * @param {View} view
   * @param {string} [text]
   */
  end(view, text = say("more")) {
    const row = make("li", { class: "more" });
    if (view.shown < view.wanted) return row;
    /** @param {number} count */
    const add = count => {
      if (view.shown < view.wanted) return;
      more.disabled = true;
      view.wanted += count;
      this.extend(view);
    };
    const more = button(text, () => add(view.step *= 2));
    row.append(more);
    new IntersectionObserver(entries => {
      if (row.isConnected && scrollY > 0 && entries.some(entry => entry.isIntersecting)) add(FIRST);
    }, { rootMargin: "50%" }).observe(row);
    return row;
  }

  /**
   * @param {View} view
   * @param {FoundConversation} conversation
   */
  async row(view, conversation) {
    const { index, isWanted } = view;
    const about = await index.about(conversation);
    const title = make("a", { href: index.part(about, 0).url, dir: "auto" }, ...markedTitle(index, about.title, isWanted));
    const meta = make("p", { class: "meta" });
    if (about.day) meta.append(make("time", { datetime: about.day }, dayInWords(about.day)), " ");
    meta.append(make("span", {}, counted("turns", conversation.turns.length)));
    const lacking = view.result.words.filter((_, i) => !conversation.has[i]).map(phrase => phrase.words.map(word => word.surface).join(" "));
    if (lacking.length) meta.append(" ", make("span", {}, say("lacks", { words: lacking.join(", ") })));
    const hits = make("ul", {});
    const row = make("li", {}, make("h2", {}, title), meta, hits);
    let { turns } = conversation;
    /** @type {string[]} */
    const quoted = [];
    /** @param {number} count */
    const add = async count => {
      const { picked, rest } = await this.quotes.pick(index, { ...conversation, turns }, isWanted, { count, quoted });
      turns = rest;
      hits.append(...picked.map(hit));
    };
    // If the words are spread over several turns, the first turns show each word.
    const { tier, words } = view.result;
    await add(tier === "turn" ? FIRST_TURNS : Math.min(Math.max(words.length, FIRST_TURNS), MOST_TURNS));
    if (turns.length) {
      row.append(button(counted("more_here", turns.length), async more => {
        const first = hits.children.length;
        await add(MORE_TURNS);
        hits.children[first]?.querySelector("a")?.focus();
        more.textContent = counted("more_here", turns.length);
        if (!turns.length) more.remove();
      }));
    }
    return row;
  }
}

/** @param {Picked} picked */
function hit({ found, url, quote }) {
  if (!quote) return make("li", {}, make("a", { href: url }, say("turn", { n: found.turn })));
  const link = make("a", { href: quote.address, dir: quote.direction });
  if (quote.speaker) link.append(make("b", {}, make("bdi", {}, quote.speaker)), " ");
  link.append(...quote.content);
  link.addEventListener("click", () => rememberWords(quote));
  return make("li", {}, link);
}
