// The results: conversations, each with the turns that were found.

import { button, make } from "./elements.js";
import { excerpt, findMarks } from "./excerpt.js";
import { direction, turnsIn } from "./markdown.js";
import { counted, dayInWords, say } from "./messages.js";

/** @import { Mark } from "./excerpt.js" */
/** @import { About, Index, Result } from "./index.js" */
/** @import { Turn } from "./markdown.js" */
/** @import { FoundConversation } from "./ranking.js" */

/**
 * The results of a query, and how many of them are shown.
 *
 * @typedef {{index: Index, result: Result, isWanted: (term: string) => boolean, shown: number}} View
 */

const FIRST = 3; // conversations shown at once: a screen of them
const MORE = 5;
const FIRST_TURNS = 2, MORE_TURNS = 20; // of a conversation
const MAX_WORDS = 50; // that are marked on the page of a turn

export class ResultList {
  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
    /** @type {View | null} */
    this.view = null;
    /** @type {Map<string, Promise<Turn[]>>} */
    this.texts = new Map();
  }

  clear() {
    this.list.replaceChildren();
  }

  /**
   * @param {Index} index
   * @param {Result} result
   * @param {() => boolean} isOld Whether a newer query is being answered.
   */
  async show(index, result, isOld) {
    const wanted = new Set(result.words.flatMap(phrase => phrase.words).flatMap(word => word.terms));
    const view = { index, result, isWanted: wanted.has.bind(wanted), shown: 0 };
    const rows = await this.rows(view, FIRST);
    if (isOld()) return;
    this.view = view;
    this.list.replaceChildren(...rows);
  }

  /**
   * The next conversations, and what leads to more.
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
    const marks = findMarks(about.title, view.isWanted, index.languages);
    const title = make("a", { href: index.part(about, 0).url, dir: "auto" }, ...quoted(about.title, marks, true));
    const meta = make("p", { class: "meta" });
    if (about.day) meta.append(make("time", { datetime: about.day }, dayInWords(about.day)), " ");
    meta.append(make("span", {}, counted("turns", conversation.turns.length)));
    const hits = make("ul", {});
    const row = make("li", {}, make("h2", {}, title), meta, hits);
    // The title is there already.
    const rest = conversation.turns.filter(({ turn }) => turn > 0);
    /** @param {number} count */
    const add = async count => hits.append(...await Promise.all(rest.splice(0, count).map(({ turn }) => this.hit(view, about, turn))));
    await add(FIRST_TURNS);
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
    const { url, first, markdown } = index.part(about, turn);
    let text = this.texts.get(markdown);
    if (!text) {
      text = fetch(markdown).then(response => response.ok ? response.text() : "", () => "").then(turnsIn);
      this.texts.set(markdown, text);
    }
    // The title is the first turn of the first part and stands nowhere else.
    const found = (await text)[turn - first - (first === 0 ? 1 : 0)];
    if (!found) {
      this.texts.delete(markdown);
      return make("li", {}, make("a", { href: url }, say("turn", { n: turn })));
    }
    const marks = findMarks(found.text, isWanted, index.languages);
    const address = `${url}#${found.anchor}`;
    const link = make("a", { href: address, dir: direction(found.text) });
    if (found.speaker) link.append(make("b", {}, make("bdi", {}, found.speaker)), " ");
    link.append(...quoted(found.text, marks, false));
    const words = Array.from(new Set(marks.map(([start, end]) => found.text.slice(start, end))));
    link.addEventListener("click", () => {
      // The page marks them. Without storage it shows the turn all the same.
      try {
        localStorage.setItem("convo-site:found", JSON.stringify({ address, words: words.slice(0, MAX_WORDS) }));
      } catch { /* not allowed */ }
    });
    return make("li", {}, link);
  }
}

/**
 * A text, or an excerpt of it, with its marks.
 *
 * @param {string} text
 * @param {Mark[]} marks
 * @param {boolean} isWhole
 */
const quoted = (text, marks, isWhole) =>
  excerpt(text, marks, { isWhole }).map(({ text, isMarked }) => isMarked ? make("mark", {}, text) : text);
