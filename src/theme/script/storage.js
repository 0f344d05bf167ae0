// Stores a reader's choices in the browser, if that is allowed.

/** How much of a conversation is shown: `all`, `talk` or `prompts`. */
export const DETAIL = "convo-site:detail";
/** The colour scheme: `light`, `dark` or `system`. */
export const SCHEME = "convo-site:scheme";

/** @param {string} name */
export const stored = name => {
  try { return localStorage.getItem(name); } catch { return null; }
};

/**
 * @param {string} name
 * @param {string} value
 */
export const store = (name, value) => {
  try { localStorage.setItem(name, value); } catch { /* it holds until the page is left */ }
};
