// What the browser remembers of a reader's choices, where it may.

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
