// Stores a reader's choices in the browser, if that is allowed.
//
// | name | choice |
// |---|---|
// | `detail` | how much of a conversation is shown: `all`, `talk` or `prompts` |
// | `follow` | whether a page follows its recording: `on` or `off` |
// | `keys` | whether shortcuts work: `on` or `off` |
// | `rows` | how conversations are listed: `short` or `full`; without a choice, the list decides |
// | `scheme` | the colours: `light`, `dark` or `system` |

const PREFIX = "convo-site:";

/** @param {string} name */
export const stored = name => {
  try { return localStorage.getItem(PREFIX + name); } catch { return null; }
};

/**
 * @param {string} name
 * @param {string} value
 */
export const store = (name, value) => {
  try { localStorage.setItem(PREFIX + name, value); } catch { /* it holds until the page is left */ }
};
