// Opens the search dialog over any page except the search page. Its files are loaded when it is first opened; without
// them, the form goes to the search page.

/** @type {HTMLDialogElement | null} */
let dialog = null;

/** @param {HTMLFormElement} form */
function openSearch(form) {
  const field = /** @type {HTMLInputElement} */ (form.querySelector("[type=search]"));
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

/** @type {HTMLFormElement | null} */
const headerForm = document.querySelector("header.site form.search");
if (headerForm) for (const name of ["click", "input"]) {
  // Keys send clicks too: see `keys.js`.
  addEventListener(name, event => {
    if (!(/** @type {Element} */ (event.target).closest(".site > .search, [popovertarget=site-search]"))) return;
    event.preventDefault();
    openSearch(headerForm);
  });
}
