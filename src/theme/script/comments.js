// Gives comments of an external service the colour scheme that the reader chose, not only that of the system.

const { dataset } = document.documentElement;
const tag = /** @type {HTMLScriptElement | null} */ (document.querySelector(".comments script"));
const origin = tag ? new URL(tag.src).origin : "";
const system = matchMedia("(prefers-color-scheme: dark)");

const dress = () => {
  const chosen = dataset.scheme ?? "";
  const name = ["light", "dark"].includes(chosen) ? chosen : system.matches ? "dark" : "light";
  // Scripts that load later read the tag; a frame that is already there needs a message.
  if (tag) tag.dataset.theme = origin.includes("giscus") ? name : `github-${name}`;
  /** @type {HTMLIFrameElement | null} */
  const frame = document.querySelector(".comments iframe");
  frame?.contentWindow?.postMessage(
    origin.includes("giscus") ? { giscus: { setConfig: { theme: name } } } : { type: "set-theme", theme: `github-${name}` }, origin);
};

// The frame can receive messages soon after it sent its first ones.
let left = 4;
addEventListener("message", event => {
  if (event.origin === origin && left-- > 0) dress();
});
new MutationObserver(dress).observe(document.documentElement, { attributeFilter: ["data-scheme"] });
system.addEventListener("change", dress);
dress();
