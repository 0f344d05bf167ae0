// Keeps an open page of the preview up to date. It is part of the response, never of the site.
"use strict";
{
  const script = document.currentScript;
  const own = /<script src="[^"]*live\.js" data-build="(\d+)"[^>]*><\/script>/;
  const styles = /<link rel="stylesheet" href="[^"]*">/g;
  let known = null;
  let overlay = null;

  // Only what differs is touched: nothing, the stylesheets, or all of the page.
  const update = async ({ problems }) => {
    const response = await fetch(location.href, { cache: "no-store" });
    // A page whose file is broken stays as it was, under the errors, until they are mended.
    if (response.status === 404 && problems.length > 0) return;
    if (response.redirected) {
      location.replace(response.url.split("#")[0] + location.hash);
      return;
    }
    const page = await response.text();
    const text = page.replace(own, "");
    // The first answer is this page as it was read, unless it is of another build.
    if (known === null ? own.exec(page)?.[1] !== script.dataset.build : text !== known) {
      if (known !== null && text.replace(styles, "") === known.replace(styles, "")) {
        swap(text);
      } else {
        location.reload();
      }
    }
    known = text;
  };

  const swap = (text) => {
    const links = (page) => [...page.querySelectorAll('link[rel="stylesheet"]')];
    const wanted = links(new DOMParser().parseFromString(text, "text/html"));
    links(document).forEach((link, index) => {
      const address = wanted[index]?.getAttribute("href");
      if (!address || link.getAttribute("href") === address) return;
      const next = link.cloneNode();
      next.href = address;
      // The old one stays until the new one is there, so that nothing flickers.
      next.onload = next.onerror = () => link.remove();
      link.after(next);
    });
  };

  const show = (problems) => {
    overlay?.remove();
    overlay = null;
    if (problems.length === 0) return;
    overlay = document.createElement("convo-site-problems");
    overlay.setAttribute("role", "alert");
    const inside = overlay.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      :host { position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 60vh; overflow: auto;
        background: #fff4f2; color: #2b0f0b; border-top: 4px solid #c0341d; font: 15px/1.5 system-ui, sans-serif; }
      div { padding: 12px 20px; max-width: 60rem; margin: 0 auto; }
      h2 { margin: 0; font-size: 16px; }
      ol { margin: 8px 0 0; padding: 0; list-style: none; }
      li { margin: 0 0 10px; overflow-wrap: anywhere; }
      code { font: 13px ui-monospace, monospace; }
      p { margin: 0; }
      button { float: right; font: inherit; padding: 2px 12px; }
      @media (prefers-color-scheme: dark) { :host { background: #2b1210; color: #ffe9e5; } }`);
    inside.adoptedStyleSheets = [sheet];
    const add = (to, name, text) => {
      const element = to.appendChild(document.createElement(name));
      element.textContent = text;
      return element;
    };
    const box = inside.appendChild(document.createElement("div"));
    const close = add(box, "button", "Close");
    close.onclick = () => show([]);
    add(box, "h2", problems.length === 1 ? "1 error" : `${problems.length} errors`);
    const list = box.appendChild(document.createElement("ol"));
    for (const problem of problems) {
      const row = list.appendChild(document.createElement("li"));
      add(row, "code", `${problem.place} ${problem.code}`);
      add(row, "p", problem.message);
      for (const hint of problem.hints) add(row, "p", `→ ${hint}`);
    }
    document.body.append(overlay);
  };

  const events = new EventSource("/.convo-site/events");
  events.onmessage = (event) => {
    const message = JSON.parse(event.data);
    document.dispatchEvent(new CustomEvent("convo-site-build", { detail: message.build }));
    show(message.problems);
    update(message);
  };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") show([]);
  });
}
