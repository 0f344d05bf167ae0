// Sends changes of the author to the preview.

const token = document.currentScript?.dataset.token ?? "";

/** The maximum length of the paths in a request, in bytes. The preview reads 64 KiB. */
const MAX_BYTES = 40_000;

/**
 * Changes the conversations of pages, as one step of Undo. Returns what went wrong, or an empty text.
 *
 * @param {string[]} pages
 * @param {unknown} change `null` undoes the last change
 */
export async function send(pages, change) {
  let continues = false;
  for (const list of lists(pages)) {
    try {
      /** @type {Response} */
      const response = await fetch("/.convo-site/edit", {
        method: "POST",
        headers: { "content-type": "application/json", "x-convo-site-token": token },
        body: JSON.stringify({ pages: list, change, continues }),
      });
      const isJson = response.headers.get("content-type") === "application/json";
      /** @type {{changed?: boolean, error?: string}} */
      const { changed, error } = isJson ? await response.json() : { error: await response.text() };
      if (!response.ok) return partly(continues) + (error || "The change was not saved.");
      continues ||= changed === true;
    } catch {
      return `${partly(continues)}The change was not saved: the preview does not answer.`;
    }
  }
  return "";
}

/** @param {boolean} isPart */
const partly = isPart => isPart ? "Only some of the conversations were changed. " : "";

/**
 * Divides pages into lists that fit into a request. Without pages, there is one empty list.
 *
 * @param {string[]} pages
 */
function lists(pages) {
  const encoder = new TextEncoder();
  /** @type {string[][]} */
  const all = [[]];
  let size = 0;
  for (const page of pages) {
    // With quotation marks and a comma.
    const own = encoder.encode(page).length + 3;
    size += own;
    if (size > MAX_BYTES) {
      all.push([]);
      size = own;
    }
    all[all.length - 1].push(page);
  }
  return all;
}
