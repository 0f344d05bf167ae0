// The search page.

const FIRST = 3; // conversations shown at once: a screen of them
const MORE = 5;
const AROUND = 70, EXCERPT = 300; // characters
const EASY = 16 << 10; // bytes of facets that are loaded without being asked for
const TOP = 8; // values of a facet that are shown at first
const FACETS = ["speaker", "model", "lang", "type", "tag", "year"];

// An element with its attributes and what is in it. Texts are texts: nothing of what was said
// is ever read as HTML.
function make(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) element.setAttribute(key, value);
  }
  element.append(...content);
  return element;
}

// Markdown as the words that it shows, about.
function plain(markdown) {
  return markdown
    .replace(/^\\## \[/gm, "## [")
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gm, "")
    .replace(/!?\[([^\]\n]*)\]\([^()\s]*(?: "[^"\n]*")?\)/g, "$1")
    .replace(/^ {0,3}(?:#{1,6} |> ?|[-*+] )/gm, "")
    .replace(/(\*\*|__|~~|`)(?=\S)(.*?\S)\1/g, "$2")
    .replace(/(^|[^\p{L}\p{N}*])\*(?=\S)([^*\n]*\S)\*(?![\p{L}\p{N}*])/gu, "$1$2")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

// The turns in the Markdown beside a page, with the speaker and the anchor of each.
function turnsIn(markdown) {
  const heading = /^## \[((?:\\.|[^\]\\\n])*)\]\(\.\/#([^)\s]*)\)(.*)$/gm;
  const turns = [];
  let before = null;
  for (const match of markdown.matchAll(heading)) {
    if (before) before.end = match.index;
    before = { speaker: match[1].replace(/\\(.)/g, "$1"), anchor: match[2], start: match.index + match[0].length };
    turns.push(before);
  }
  if (before) before.end = markdown.length;
  return turns.map(({ speaker, anchor, start, end }) => ({ speaker: speaker === "·" ? "" : speaker, anchor, text: plain(markdown.slice(start, end)) }));
}

// The direction of most letters of a text: its first word may be a foreign one.
function direction(text) {
  const all = text.match(/\p{L}/gu) ?? [];
  const fromRight = all.filter(letter => /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u.test(letter));
  return fromRight.length * 2 > all.length ? "rtl" : "ltr";
}

// Where terms stand in a text, as pairs of places.
function marksIn(text, isWanted, languages) {
  const marks = [];
  const mark = (start, end) => {
    const last = marks.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else marks.push([start, end]);
  };
  for (const chunk of chunks(text)) {
    if (chunk.whole !== null && isWanted(chunk.whole)) {
      mark(chunk.start, chunk.end);
      continue;
    }
    for (const part of chunk.parts) {
      if (typeof part.text === "string") {
        if (languages.some(language => isWanted(stem(part.text, language)))) mark(part.start, part.end);
        continue;
      }
      // Pairs lie over each other; where folding kept the length their places are known.
      const exact = Array.from(text.slice(part.start, part.end)).length === part.text.length;
      let at = part.start;
      part.text.forEach((c, i) => {
        const next = part.text[i + 1];
        if (isWanted(c + (next ?? ""))) {
          if (exact) mark(at, at + c.length + (next?.length ?? 0));
          else mark(part.start, part.end);
        }
        at += c.length;
      });
    }
  }
  return marks;
}

// A text with its marks; a long one is cut to where most of them stand close together.
function marked(text, marks, whole) {
  let from = 0, to = text.length;
  if (!whole && text.length > EXCERPT) {
    let best = 0, most = -1;
    marks.forEach(([start], i) => {
      let count = 0;
      for (let k = i; k < marks.length && marks[k][1] < start + EXCERPT - AROUND; k++) count++;
      if (count > most) [best, most] = [start, count];
    });
    from = Math.max(0, best - AROUND);
    if (from > 0) from = text.indexOf(" ", from) + 1 || from;
    if (from > best) from = best;
    to = Math.min(text.length, from + EXCERPT);
    if (to < text.length) to = Math.max(text.lastIndexOf(" ", to), from + EXCERPT / 2);
  }
  const parts = from > 0 ? ["… "] : [];
  let at = from;
  for (const [start, end] of marks) {
    if (start < at || end > to) continue;
    parts.push(text.slice(at, start), make("mark", {}, text.slice(start, end)));
    at = end;
  }
  parts.push(text.slice(at, to), to < text.length ? " …" : "");
  return parts;
}

class SearchPage {
  constructor(root) {
    this.url = root.dataset.index;
    this.form = root.querySelector("form");
    this.input = root.querySelector("input");
    this.status = root.querySelector("[role=status]");
    this.facets = root.querySelector(".facets");
    this.results = root.querySelector(".results");
    this.help = root.querySelector(".help");
    this.number = 0;
    this.index = null;
    this.texts = new Map();
    this.input.addEventListener("input", () => this.soon());
    this.form.addEventListener("submit", event => {
      event.preventDefault();
      this.remember("pushState");
      this.search();
    });
    this.facets.addEventListener("toggle", () => this.showFacets());
    root.addEventListener("keydown", event => this.move(event));
    addEventListener("popstate", () => this.fromAddress());
    this.fromAddress();
    if (!this.input.value) this.input.focus();
  }

  fromAddress() {
    this.input.value = (new URLSearchParams(location.search).get("q") ?? "").slice(0, LETTERS);
    this.search();
  }

  // The address says what was searched for; going back goes to what was searched before.
  remember(how) {
    const address = new URL(location.href);
    if (this.input.value) address.searchParams.set("q", this.input.value);
    else address.searchParams.delete("q");
    if (address.href !== location.href) history[how](null, "", address);
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.remember("replaceState");
      this.search();
    });
  }

  // Down and up through the results, and back to the words.
  move(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && document.activeElement !== this.input) {
      this.input.focus();
      event.preventDefault();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || this.facets.contains(document.activeElement)) return;
    const stops = [this.input, ...this.results.querySelectorAll("a, button")];
    const at = stops.indexOf(document.activeElement);
    if (at < 0 || !stops[at + step]) return;
    stops[at + step].focus();
    event.preventDefault();
  }

  say(...content) {
    this.status.replaceChildren(...content);
  }

  async search() {
    clearTimeout(this.timer);
    const number = ++this.number;
    const text = this.input.value;
    const isOld = () => number !== this.number;
    if (!text.trim()) {
      this.result = null;
      this.results.replaceChildren();
      this.facets.hidden = true;
      this.say();
      return;
    }
    try {
      const result = await this.find(text);
      if (isOld()) return;
      this.result = result;
      await this.show(result, isOld);
    } catch (error) {
      if (isOld()) return;
      this.results.replaceChildren();
      this.facets.hidden = true;
      const again = make("button", { type: "button" }, say("again"));
      again.addEventListener("click", () => {
        // What is wrong may be what the browser keeps.
        this.index = open(this.url, { cache: "reload" });
        this.search();
      });
      this.say(error instanceof Trouble ? error.message : say("failed"), " ", again);
      if (!(error instanceof Trouble)) throw error;
    }
  }

  async find(text) {
    const opening = this.index ??= open(this.url);
    let index;
    try {
      index = await opening;
      return { index, ...await index.find(text) };
    } catch (error) {
      // A newer search may have opened it again meanwhile.
      if (this.index === opening) this.index = null;
      if (!index) throw error;
      // The site may have been published anew since the index was read.
      const fresh = await open(this.url, { cache: "reload" });
      if (fresh.version === index.version) throw error;
      this.index = Promise.resolve(fresh);
      return { index: fresh, ...await fresh.find(text) };
    }
  }

  async show(result, isOld) {
    const { index, conversations, notes, mended } = result;
    const wanted = new Set(result.words.flatMap(item => item.words).flatMap(word => word.terms));
    const view = { index, result, isWanted: term => wanted.has(term), shown: 0 };
    const rows = await this.rows(view, FIRST);
    if (isOld()) return;
    this.view = view;
    this.results.replaceChildren(...rows);
    this.help.open = false;
    const lines = [];
    if (result.isAsked) {
      const found = conversations.length
        ? say("found", { turns: counted("turns", result.turns), conversations: counted("conversations", conversations.length) })
        : say("nothing");
      lines.push(found);
    }
    for (const [from, to] of mended) {
      const [before, after] = say("mended", { from }).split("{to}");
      lines.push(` ${before}`, make("mark", {}, to), after ?? "");
    }
    for (const note of notes) lines.push(make("span", { class: "note" }, note));
    if (lines.length === 0) lines.push(say("type_a_word"));
    this.say(...lines);
    this.facets.hidden = conversations.length === 0;
    this.facets.shown = null;
    if (index.facetBytes <= EASY && innerWidth >= 1100 && !this.facets.touched) this.facets.open = true;
    if (this.facets.open) await this.showFacets();
  }

  // The next conversations, and what leads to more.
  async rows(view, count) {
    const next = view.result.conversations.slice(view.shown, view.shown + count);
    view.shown += next.length;
    const rows = await Promise.all(next.map(conversation => this.row(view, conversation)));
    if (view.shown < view.result.conversations.length) {
      const more = make("button", { type: "button" }, say("more"));
      const row = make("li", { class: "more" }, more);
      more.addEventListener("click", async () => {
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
      new IntersectionObserver((entries, observer) => {
        if (!row.isConnected || !entries.some(entry => entry.isIntersecting) || scrollY === 0) return;
        observer.disconnect();
        more.click();
      }).observe(row);
      rows.push(row);
    }
    return rows;
  }

  async row(view, conversation) {
    const { index } = view;
    const about = await index.about(conversation);
    const marks = marksIn(about.title, view.isWanted, index.languages);
    const title = make("a", { href: index.part(about, 0).url, dir: "auto" }, ...marked(about.title, marks, true));
    const meta = make("p", { class: "meta" });
    if (about.day) meta.append(make("time", { datetime: about.day }, dayFor(about.day)), " ");
    meta.append(make("span", {}, counted("turns", conversation.turns.length)));
    const hits = make("ul", {});
    const row = make("li", {}, make("h2", {}, title), meta, hits);
    // The title is there already.
    const turns = conversation.turns.filter(({ turn }) => turn > 0);
    const add = async turns => hits.append(...await Promise.all(turns.map(({ turn }) => this.hit(view, about, turn))));
    await add(turns.slice(0, 2));
    if (turns.length > 2) {
      const rest = turns.slice(2);
      const more = make("button", { type: "button" }, counted("more_here", rest.length));
      more.addEventListener("click", async () => {
        const first = hits.children.length;
        await add(rest.splice(0, 20));
        hits.children[first]?.querySelector("a")?.focus();
        more.textContent = counted("more_here", rest.length);
        if (!rest.length) more.remove();
      });
      row.append(more);
    }
    return row;
  }

  async hit(view, about, turn) {
    const { url, first, markdown } = view.index.part(about, turn);
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
    const marks = marksIn(found.text, view.isWanted, view.index.languages);
    const address = `${url}#${found.anchor}`;
    const link = make("a", { href: address, dir: direction(found.text) });
    if (found.speaker) link.append(make("b", {}, make("bdi", {}, found.speaker)), " ");
    link.append(...marked(found.text, marks, false));
    const words = Array.from(new Set(marks.map(([start, end]) => found.text.slice(start, end))));
    link.addEventListener("click", () => {
      // The page marks them. Without storage it shows the turn all the same.
      try {
        localStorage.setItem("convo-site:found", JSON.stringify({ address, words: words.slice(0, 50) }));
      } catch { /* not allowed */ }
    });
    return make("li", {}, link);
  }

  async showFacets() {
    const { facets, result } = this;
    if (!facets.open) {
      facets.touched = true;
      return;
    }
    if (!result || facets.shown === result) return;
    facets.shown = result;
    const body = facets.querySelector("div");
    let counts;
    try {
      counts = await result.index.facets(result);
    } catch {
      facets.shown = null;
      body.replaceChildren(say("filters_failed"));
      return;
    }
    if (this.result !== result) return;
    const groups = FACETS.map(field => this.facet(field, say(field), counts[field]));
    body.replaceChildren(...groups.filter(Boolean));
  }

  facet(field, name, counts) {
    const values = Array.from(counts).sort((a, b) => field === "year" ? b[0].localeCompare(a[0]) : b[1] - a[1] || a[0].localeCompare(b[0]));
    if (!values.length) return null;
    const list = make("ul", {});
    const add = part => list.append(...part.map(([value, count]) => {
      const button = make("button", { type: "button" }, make("bdi", {}, value), " ", make("span", { class: "count" }, String(count)));
      button.addEventListener("click", () => {
        const year = Number(value);
        const words = field === "year" ? `after:${year} before:${year + 1}` : `${field}:"${value.replace(/"/g, " ")}"`;
        this.input.value = `${this.input.value.trim()} ${words} `;
        this.remember("pushState");
        this.search();
      });
      return make("li", {}, button);
    }));
    add(values.slice(0, TOP));
    if (values.length > TOP) {
      const rest = values.slice(TOP, 200);
      const all = make("button", { type: "button", class: "rest" }, counted("more", rest.length));
      all.addEventListener("click", () => {
        all.parentElement.remove();
        add(rest);
      });
      list.append(make("li", {}, all));
    }
    return make("section", { "aria-label": name }, make("h3", {}, name), list);
  }
}

globalThis.convoSearch = { open, parse, terms, Trouble };
const searchRoot = document.getElementById("search");
if (searchRoot) new SearchPage(searchRoot);
