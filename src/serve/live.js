// Updates an open page of the preview. The preview adds it to responses; it is never part of the site.

/** @typedef {{place: string, code: string, message: string, hints: string[]}} Problem */

const STYLE = [
  ":host { position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 60vh; overflow: auto;",
  "  background: #fff4f2; color: #2b0f0b; border-top: 4px solid #c0341d; font: 15px/1.5 system-ui, sans-serif; }",
  "div { padding: 12px 20px; max-width: 60rem; margin: 0 auto; }",
  "h2 { margin: 0; font-size: 16px; }",
  "ol { margin: 8px 0 0; padding: 0; list-style: none; }",
  "li { margin: 0 0 10px; overflow-wrap: anywhere; }",
  "code { font: 13px ui-monospace, monospace; }",
  "p { margin: 0; }",
  "button { float: right; font: inherit; padding: 2px 12px; }",
  "@media (prefers-color-scheme: dark) { :host { background: #2b1210; color: #ffe9e5; } }",
].join("\n");

const build = document.currentScript?.dataset.build;
const own = /<script src="[^"]*live\.js" data-build="(\d+)"[^>]*><\/script>/;
const stylesheets = /<link rel="stylesheet" href="[^"]*">/g;
/** @type {string | null} */
let known = null;
/** @type {HTMLElement | null} */
let overlay = null;

/**
 * Updates as little as possible: nothing, the style sheets, or the whole page.
 *
 * @param {Problem[]} problems
 */
async function update(problems) {
  const response = await fetch(location.href, { cache: "no-store" });
  // If the file of the page is broken, the old page stays, below the errors, until they are fixed.
  if (response.status === 404 && problems.length > 0) return;
  if (response.redirected) {
    location.replace(response.url.split("#")[0] + location.hash);
    return;
  }
  const page = await response.text();
  const text = page.replace(own, "");
  // The first response is the page as loaded, unless another build finished meanwhile.
  if (known === null ? own.exec(page)?.[1] !== build : text !== known) {
    if (known !== null && text.replace(stylesheets, "") === known.replace(stylesheets, "")) swapStylesheets(text);
    else location.reload();
  }
  known = text;
}

/** @param {string} text */
function swapStylesheets(text) {
  /**
   * @param {Document} page
   * @returns {HTMLLinkElement[]}
   */
  const linksOf = page => Array.from(page.querySelectorAll('link[rel="stylesheet"]'));
  const wanted = linksOf(new DOMParser().parseFromString(text, "text/html"));
  linksOf(document).forEach((link, i) => {
    const address = wanted[i]?.getAttribute("href");
    if (!address || link.getAttribute("href") === address) return;
    const next = /** @type {HTMLLinkElement} */ (link.cloneNode());
    next.href = address;
    // The old style sheet stays until the new one is loaded, to prevent flicker.
    next.onload = next.onerror = () => link.remove();
    link.after(next);
  });
}

/** @param {Problem[]} problems */
function show(problems) {
  overlay?.remove();
  overlay = null;
  if (problems.length === 0) return;
  overlay = document.createElement("convo-site-problems");
  overlay.setAttribute("role", "alert");
  const inside = overlay.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  inside.adoptedStyleSheets = [sheet];
  /**
   * @param {Node} to
   * @param {string} name
   * @param {string} text
   */
  const add = (to, name, text = "") => {
    const element = to.appendChild(document.createElement(name));
    element.textContent = text;
    return element;
  };
  const box = add(inside, "div");
  add(box, "button", "Close").onclick = () => show([]);
  add(box, "h2", problems.length === 1 ? "1 error" : `${problems.length} errors`);
  const list = add(box, "ol");
  for (const { place, code, message, hints } of problems) {
    const row = add(list, "li");
    add(row, "code", `${place} ${code}`);
    add(row, "p", message);
    for (const hint of hints) add(row, "p", `→ ${hint}`);
  }
  document.body.append(overlay);
}

new EventSource("/.convo-site/events").onmessage = event => {
  /** @type {{build: unknown, problems: Problem[]}} */
  const { build: latest, problems } = JSON.parse(event.data);
  document.dispatchEvent(new CustomEvent("convo-site-build", { detail: latest }));
  show(problems);
  update(problems);
};
addEventListener("keydown", event => {
  if (event.key === "Escape") show([]);
});
