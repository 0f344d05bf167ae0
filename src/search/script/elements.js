// Elements of the page.

/**
 * An element with its attributes and what is in it. Texts are texts: nothing of what was said is ever
 * read as HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} content
 */
export function make(name, attributes, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

/**
 * A button that does something.
 *
 * @param {string} label
 * @param {(button: HTMLButtonElement) => void} act
 */
export function button(label, act) {
  const element = make("button", { type: "button" }, label);
  element.addEventListener("click", () => act(element));
  return element;
}
