"use strict";
// What readers with a keyboard and a clipboard expect. Everything is there without it.
{
  const KEYS = "convo-site:keys";
  const HELP = [["j", "next"], ["k", "previous"], ["t", "open or fold all tool calls"], ["/", "search"], ["?", "this help"]];

  const stored = name => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const store = (name, value) => {
    try { localStorage.setItem(name, value); } catch { /* it holds until the page is left */ }
  };
  let isOn = stored(KEYS) !== "off";

  const element = (name, fields, ...children) => {
    const made = Object.assign(document.createElement(name), fields);
    made.append(...children);
    return made;
  };

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

  let help = null;
  const showHelp = () => {
    if (!help) {
      const rows = HELP.map(([key, what]) => element("div", {}, element("dt", {}, element("kbd", { textContent: key })), element("dd", { textContent: what })));
      const choice = element("input", { type: "checkbox", checked: isOn });
      choice.addEventListener("change", () => {
        isOn = choice.checked;
        store(KEYS, isOn ? "on" : "off");
      });
      const close = element("button", { type: "button", textContent: "Close" });
      help = element("dialog", { className: "keys", lang: "en", dir: "ltr" },
        element("h2", { id: "keys-title", textContent: "Keys" }), element("dl", {}, ...rows),
        element("p", {}, element("label", {}, choice, " These keys work; ? always does")), close);
      help.setAttribute("aria-labelledby", "keys-title");
      close.addEventListener("click", () => help.close());
      document.body.append(help);
    }
    if (!help.open) help.showModal();
  };

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
      const button = element("button", { type: "button", className: "copy", textContent: "Copy", lang: "en" });
      button.setAttribute("aria-label", "Copy code");
      button.addEventListener("click", async () => {
        let said = "Copied";
        try { await navigator.clipboard.writeText(code.textContent.replace(/\n$/, "")); } catch { said = "Not copied"; }
        button.textContent = said;
        setTimeout(() => button.textContent = "Copy", 2000);
      });
      code.before(button);
    }
  }
}
