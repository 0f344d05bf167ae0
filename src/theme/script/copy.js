// Buttons that copy.

const MESSAGE_TIME = 2000; // milliseconds

/**
 * Copies a text, and says on a button for a while what came of it.
 *
 * @param {HTMLButtonElement} button
 * @param {Promise<string> | string} text
 * @param {{label: string, copied: string, notCopied: string}} messages
 */
export async function copy(button, text, { label, copied, notCopied }) {
  let said = copied;
  try { await navigator.clipboard.writeText(await text); } catch { said = notCopied; }
  button.textContent = said;
  setTimeout(() => button.textContent = label, MESSAGE_TIME);
}

/**
 * Adds buttons beside code.
 *
 * @param {DOMStringMap} messages
 */
export function addCopyButtons({ copy: label = "", copyCode = "", copied = "", notCopied = "" }) {
  // Some browsers have no clipboard for pages that came without encryption.
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll(".body pre")) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: label });
    button.lang = document.querySelector("footer")?.lang ?? "";
    button.setAttribute("aria-label", copyCode);
    button.addEventListener("click", () => copy(button, (code.textContent ?? "").replace(/\n$/, ""), { label, copied, notCopied }));
    // Code with a language has a bar for it.
    const bar = code.parentElement?.querySelector(":scope > figcaption");
    if (bar) bar.append(button);
    else code.before(button);
  }
}
