// Opens the search over any page. What it needs is loaded when it is first opened; until then, and without it,
// its form leads to the search page.

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Opens the search; on its own page there is only the field to go to. */
export function openSearch() {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("header.site form.search"));
  const field = /** @type {HTMLInputElement | null} */ ((form ?? document).querySelector("[type=search]"));
  if (!form || !field) return field?.focus();
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.id = "search-dialog";
    const copy = /** @type {HTMLFormElement & {q: HTMLElement}} */ (form.cloneNode(true));
    copy.id = copy.className = "";
    copy.popover = null;
    copy.q.id = /** @type {HTMLLabelElement} */ (copy.querySelector("label")).htmlFor = "search-field";
    dialog.append(copy);
    document.body.append(dialog);
  }
  if (!dialog.dataset.index) load(form.action, dialog.dataset);
  if (!dialog.open) dialog.showModal();
  const own = /** @type {HTMLInputElement} */ (dialog.querySelector("input"));
  // What was typed goes on; what was searched for before is typed over.
  if (field.value) own.setRangeText(field.value, 0, own.value.length, "end");
  else own.select();
  field.value = "";
  own.dispatchEvent(new Event("input"));
}

/**
 * The search page says what it needs, and where the script is.
 *
 * @param {string} page
 * @param {DOMStringMap} dataset
 */
async function load(page, dataset) {
  const text = await (await fetch(page)).text();
  Object.assign(dataset, new DOMParser().parseFromString(text, "text/html").getElementById("search")?.dataset);
  document.head.append(Object.assign(document.createElement("script"), { src: dataset.script }));
}

/** Lets what the header has for searching, and Ctrl-K, open it. */
export function listenForSearch() {
  if (document.querySelector("[type=search]")) for (const name of ["click", "input", "keydown"]) {
    addEventListener(name, event => {
      const { key, ctrlKey, metaKey } = /** @type {KeyboardEvent} */ (event);
      if (key ? key !== "k" || !(ctrlKey || metaKey)
        : !(/** @type {Element} */ (event.target).closest(".site > .search, [popovertarget=site-search]"))) return;
      event.preventDefault();
      openSearch();
    });
  }
}
