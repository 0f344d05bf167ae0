// Opens the search dialog over any page. Its files are loaded when it is first opened; without them, the form goes to
// the search page.

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** Opens the search; on the search page, only focuses the field. */
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
  // Continue typed text; replace the previous query.
  if (field.value) own.setRangeText(field.value, 0, own.value.length, "end");
  else own.select();
  field.value = "";
  own.dispatchEvent(new Event("input"));
}

/**
 * Reads from the search page where the script and its data are.
 *
 * @param {string} page
 * @param {DOMStringMap} dataset
 */
async function load(page, dataset) {
  const text = await (await fetch(page)).text();
  Object.assign(dataset, new DOMParser().parseFromString(text, "text/html").getElementById("search")?.dataset);
  document.head.append(Object.assign(document.createElement("script"), { src: dataset.script }));
}

/** Opens the search on Ctrl-K and from the search elements in the header. */
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
