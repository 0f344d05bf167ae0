// Creates elements of the page.

/**
 * Creates an element with attributes and content. Strings become text nodes, so archived text is never parsed as
 * HTML.
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
 * Creates a button with an action.
 *
 * @param {string} label
 * @param {(button: HTMLButtonElement) => void} act
 */
export function button(label, act) {
  const element = make("button", { type: "button" }, label);
  element.addEventListener("click", () => act(element));
  return element;
}
