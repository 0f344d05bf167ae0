"use strict";
// What readers with a keyboard and a clipboard expect. Everything is there without it.
{
  const KEYS = "convo-site:keys";
  const words = document.currentScript.dataset;

  const stored = name => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const store = (name, value) => {
    try { localStorage.setItem(name, value); } catch { /* it holds until the page is left */ }
  };
  let isOn = stored(KEYS) !== "off";

  // What one steps through: turns, or the entries of a list.
  const steps = () => {
    const all = Array.from(document.querySelectorAll("main :is(.turn, .event[id], .card, .results > li)"));
    return all.filter(item => item.checkVisibility());
  };

  const step = by => {
    const all = steps();
    if (!all.length) return;
    const focused = all.indexOf(document.activeElement.closest("[data-step]"));
    // Nothing is focused at first: then it is where the reader looks.
    const top = all.findIndex(item => item.getBoundingClientRect().top > 24);
    const from = focused >= 0 ? focused + by : by > 0 ? top : (top < 0 ? all.length : top) - 1;
    const item = all[Math.min(Math.max(from < 0 && by > 0 ? all.length - 1 : from, 0), all.length - 1)];
    item.dataset.step = "";
    item.tabIndex = -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "start" });
  };

  const foldTools = () => {
    const tools = Array.from(document.querySelectorAll("details.tool"));
    const isOpen = tools.some(tool => tool.open);
    for (const tool of tools) tool.open = !isOpen;
  };

  const search = () => document.querySelector("main input[type=search], header.site input[type=search]")?.focus();

  const help = document.querySelector("dialog.keys");
  const choice = help?.querySelector("input");
  if (choice) choice.checked = isOn;
  choice?.addEventListener("change", () => {
    isOn = choice.checked;
    store(KEYS, isOn ? "on" : "off");
  });
  const showHelp = () => help?.showModal();

  const actions = { j: () => step(1), k: () => step(-1), t: foldTools, "/": search };
  document.addEventListener("keydown", event => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || help?.open) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    const action = event.key === "?" ? showHelp : isOn && Object.hasOwn(actions, event.key) ? actions[event.key] : null;
    if (!action) return;
    event.preventDefault();
    action();
  });

  // Buttons beside code; some browsers have no clipboard for pages that came without encryption.
  if (navigator.clipboard) {
    for (const code of document.querySelectorAll(".body pre")) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: words.copy });
      button.lang = document.querySelector("footer").lang;
      button.setAttribute("aria-label", words.copyCode);
      button.addEventListener("click", async () => {
        let said = words.copied;
        try { await navigator.clipboard.writeText(code.textContent.replace(/\n$/, "")); } catch { said = words.notCopied; }
        button.textContent = said;
        setTimeout(() => button.textContent = words.copy, 2000);
      });
      code.before(button);
    }
  }

  // How much of a conversation is shown, here and on the next page.
  const DETAIL = "convo-site:detail";
  const choices = Array.from(document.querySelectorAll(".detail input"));
  const wanted = choices.find(choice => choice.value === stored(DETAIL));
  if (wanted) wanted.checked = true;
  for (const choice of choices) choice.addEventListener("change", () => store(DETAIL, choice.value));

  // A link to a turn that stands on another part of the conversation by now.
  const anchors = document.querySelector("[data-anchors]")?.dataset.anchors;
  const follow = async () => {
    let anchor = location.hash.slice(1);
    try { anchor = decodeURIComponent(anchor); } catch { /* no escape, so it stays as it is */ }
    if (!anchors || !anchor || document.getElementById(anchor)) return;
    const response = await fetch(anchors);
    if (!response.ok) return;
    const part = (await response.json()).findIndex(turns => turns.includes(anchor));
    if (part < 0) return;
    const first = anchors.slice(0, anchors.lastIndexOf("/") + 1);
    location.replace(`${first}${part ? `${part + 1}/` : ""}#${encodeURIComponent(anchor)}`);
  };
  addEventListener("hashchange", follow);
  follow();

  // The outline shows where the reader is.
  const questions = new Map(Array.from(document.querySelectorAll(".outline a"), link => [link.hash.slice(1), link]));
  if (questions.size) {
    let current = null;
    const mark = () => {
      // At its end the page cannot be scrolled on to what is still to come.
      const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
      const line = isEnd ? innerHeight : innerHeight / 3;
      const passed = Array.from(questions.keys()).filter(id => document.getElementById(id)?.getBoundingClientRect().top < line);
      const link = questions.get(passed.at(-1));
      if (link === current) return;
      current?.removeAttribute("aria-current");
      link?.setAttribute("aria-current", "true");
      current = link;
      const box = link?.closest("ol");
      // Only the outline is scrolled, and not the page.
      if (box) box.scrollTop = link.offsetTop - box.offsetTop - box.clientHeight / 2;
    };
    let isWaiting = false;
    const soon = () => {
      if (!isWaiting) requestAnimationFrame(() => { isWaiting = false; mark(); });
      isWaiting = true;
    };
    addEventListener("scroll", soon, { passive: true });
    soon();
  }

  // What can be done with a turn.
  const template = document.getElementById("turn-menu")?.content;
  if (template && navigator.clipboard && "popover" in HTMLElement.prototype) {
    const menu = document.importNode(template.querySelector(".menu"), true);
    document.body.append(menu);
    let from = null;
    for (const link of document.querySelectorAll(".turn > header .permalink")) {
      const button = document.importNode(template.querySelector("button"), true);
      link.before(button);
      button.addEventListener("click", () => {
        from = button;
        menu.showPopover();
        const at = button.getBoundingClientRect();
        const left = Math.min(Math.max(8, at.left), innerWidth - menu.offsetWidth - 8);
        const below = at.bottom + menu.offsetHeight < innerHeight - 8;
        menu.style.left = `${left}px`;
        menu.style.top = `${below ? at.bottom : at.top - menu.offsetHeight}px`;
        menu.querySelector("button").focus();
      });
    }

    // The Markdown of a turn, from the file beside the page.
    const markdownOf = async id => {
      const response = await fetch(document.querySelector("link[type='text/markdown']").href);
      if (!response.ok) throw new Error(response.status);
      const turns = (await response.text()).split(/^(?=## \[)/m);
      const found = turns.find(turn => turn.split("\n", 1)[0].includes(`](./#${id})`));
      return (found ?? "").split("\n").slice(1).join("\n").replace(/^\\## \[/gm, "## [").trim();
    };
    const about = turn => {
      const day = turn.querySelector("header time") ?? document.querySelector("header.page time");
      const page = document.querySelector("link[rel=canonical]")?.href ?? location.href.split("#")[0];
      return {
        speaker: turn.querySelector("h2 bdi").textContent,
        day: day?.getAttribute("datetime").slice(0, 10) ?? "",
        n: turn.querySelector(".permalink").textContent,
        title: document.querySelector("h1").textContent,
        site: document.querySelector("header.site .name").textContent,
        url: `${page}#${turn.id}`,
      };
    };
    const fill = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all).replace(/\. \. /g, ". ");
    const bibtex = ({ speaker, day, n, title, site, url }) => {
      const plain = text => text.replace(/[\\{}]/g, "").replace(/[&%$#_]/g, "\\$&");
      const rows = [["author", `{${plain(speaker)}}`], ["title", `{${plain(title)}}, ${n}`], ["howpublished", plain(site)], ["year", day.slice(0, 4)], ["url", url]];
      return `@misc{${url.split("#")[1]},\n${rows.filter(([, value]) => value).map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}\n`;
    };
    const forms = {
      link: turn => about(turn).url,
      markdown: turn => markdownOf(turn.id),
      quotation: async turn => {
        const values = about(turn);
        const lines = (await markdownOf(turn.id)).split("\n").map(line => `> ${line}`.trimEnd());
        return `${lines.join("\n")}\n>\n> — [${`${values.speaker}, ${values.title}`.replace(/[[\]\\]/g, "\\$&")}](${values.url})\n`;
      },
      reference: turn => fill(menu.dataset.reference, about(turn)),
      bibtex: turn => bibtex(about(turn)),
    };
    menu.addEventListener("click", async event => {
      const choice = event.target.closest("button");
      if (!choice || !from) return;
      const button = from;
      let said = menu.dataset.copied;
      try { await navigator.clipboard.writeText(await forms[choice.value](button.closest(".turn"))); } catch { said = menu.dataset.notCopied; }
      menu.hidePopover();
      button.focus();
      button.textContent = said;
      setTimeout(() => button.textContent = "⋯", 2000);
    });
    menu.addEventListener("keydown", event => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const all = Array.from(menu.children);
      all[(all.indexOf(document.activeElement) + step + all.length) % all.length].focus();
      event.preventDefault();
    });
  }
}
