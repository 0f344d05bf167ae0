// The list of results: conversations with their matching turns.

import { button, make } from "./elements.js";
import { counted, dayInWords, say } from "./messages.js";
import { markedTitle, rememberWords, wantedBy } from "./quotes.js";

/** @import { About, Index, Result } from "./index.js" */
/** @import { Quotes } from "./quotes.js" */
/** @import { FoundConversation } from "./ranking.js" */

/**
 * The results of a query, and how many of them are shown.
 *
 * @typedef {{index: Index, result: Result, isWanted: (term: string) => boolean, shown: number}} View
 */

const FIRST = 3; // conversations shown at first, about one screen
const MORE = 5;
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
    this.list.replaceChildren();
  }

  /**
   * @param {Index} index
   * @param {Result} result
   * @param {() => boolean} isOld Whether a newer query is running.
   */
  async show(index, result, isOld) {
    const view = { index, result, isWanted: wantedBy(result), shown: 0 };
    const rows = await this.rows(view, FIRST);
    if (isOld()) return;
    this.view = view;
    this.list.replaceChildren(...rows);
  }

  /**
   * Adds the next conversations, and the button for more.
   *
   * @param {View} view
   * @param {number} count
   */
  async rows(view, count) {
    const { conversations } = view.result;
    const next = conversations.slice(view.shown, view.shown + count);
    view.shown += next.length;
    const rows = await Promise.all(next.map(conversation => this.row(view, conversation)));
    if (view.shown < conversations.length) rows.push(this.moreRow(view));
    return rows;
  }

  /** @param {View} view */
  moreRow(view) {
    const more = button(say("more"), async () => {
      const hadFocus = document.activeElement === more;
      more.disabled = true;
      try {
        const rows = await this.rows(view, MORE);
        if (this.view !== view) return;
        row.replaceWith(...rows);
        if (hadFocus) rows[0]?.querySelector("a")?.focus();
      } catch {
        more.disabled = false;
        more.textContent = say("more_failed");
      }
    });
    const row = make("li", { class: "more" }, more);
    new IntersectionObserver((entries, observer) => {
      if (!row.isConnected || !entries.some(entry => entry.isIntersecting) || scrollY === 0) return;
      observer.disconnect();
      more.click();
    }).observe(row);
    return row;
  }

  /**
   * @param {View} view
   * @param {FoundConversation} conversation
   */
  async row(view, conversation) {
    const { index } = view;
    const about = await index.about(conversation);
    const title = make("a", { href: index.part(about, 0).url, dir: "auto" }, ...markedTitle(index, about.title, view.isWanted));
    const meta = make("p", { class: "meta" });
    if (about.day) meta.append(make("time", { datetime: about.day }, dayInWords(about.day)), " ");
    meta.append(make("span", {}, counted("turns", conversation.turns.length)));
    const lacking = view.result.words.filter((_, i) => !conversation.has[i]).map(phrase => phrase.words.map(word => word.surface).join(" "));
    if (lacking.length) meta.append(" ", make("span", {}, say("lacks", { words: lacking.join(", ") })));
    const hits = make("ul", {});
    const row = make("li", {}, make("h2", {}, title), meta, hits);
    // The title is already shown.
    const rest = conversation.turns.filter(({ turn }) => turn > 0);
    /** @param {number} count */
    const add = async count => hits.append(...await Promise.all(rest.splice(0, count).map(({ turn }) => this.hit(view, about, turn))));
    // If the words are spread over several turns, the first turns show each word.
    const { tier, words } = view.result;
    await add(tier === "turn" ? FIRST_TURNS : Math.min(Math.max(words.length, FIRST_TURNS), MOST_TURNS));
    if (rest.length) {
      row.append(button(counted("more_here", rest.length), async more => {
        const first = hits.children.length;
        await add(MORE_TURNS);
        hits.children[first]?.querySelector("a")?.focus();
        more.textContent = counted("more_here", rest.length);
        if (!rest.length) more.remove();
      }));
    }
    return row;
  }

  /**
   * @param {View} view
   * @param {About} about
   * @param {number} turn
   */
  async hit({ index, isWanted }, about, turn) {
    const quote = await this.quotes.of(index, about, turn, isWanted);
    if (!quote) return make("li", {}, make("a", { href: index.part(about, turn).url }, say("turn", { n: turn })));
    const link = make("a", { href: quote.address, dir: quote.direction });
    if (quote.speaker) link.append(make("b", {}, make("bdi", {}, quote.speaker)), " ");
    link.append(...quote.content);
    link.addEventListener("click", () => rememberWords(quote));
    return make("li", {}, link);
  }
}
