// Buttons that copy text.

const MESSAGE_TIME = 2000; // milliseconds

/**
 * Copies a text, and shows on a button for a while whether that worked.
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
 * Adds copy buttons to code blocks.
 *
 * @param {DOMStringMap} messages
 */
export function addCopyButtons({ copy: label = "", copyCode = "", copied = "", notCopied = "" }) {
  // Some browsers have no clipboard for pages without HTTPS.
  if (!navigator.clipboard) return;
  for (const code of document.querySelectorAll(".body pre:not(.gutter)")) {
    const lang = document.querySelector("footer")?.lang ?? "";
    const button = Object.assign(document.createElement("button"), { type: "button", className: "copy", textContent: label, ariaLabel: copyCode, lang });
    button.addEventListener("click", () => copy(button, (code.textContent ?? "").replace(/\n$/, ""), { label, copied, notCopied }));
    // Code blocks with a language have a bar for the button.
    const box = code.closest(".lines") ?? code;
    const bar = box.previousElementSibling;
    if (bar?.matches("figcaption")) bar.append(button);
    else box.before(button);
  }
}
