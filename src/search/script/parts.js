// Loads parts of the script that only some queries need. The build puts `loadPart` in place of `import()`.

import { LoadError } from "./files.js";
import { say } from "./messages.js";

/** @type {Map<string, Promise<unknown>>} */
const loaded = new Map();
const { src: ownUrl } = /** @type {HTMLScriptElement} */ (document.currentScript);

/**
 * Loads a part once, from beside this script.
 *
 * @param {string} file
 */
export function loadPart(file) {
  let part = loaded.get(file);
  if (!part) {
    part = new Promise((done, fail) => {
      const script = document.createElement("script");
      script.src = new URL(file, ownUrl).href;
      script.onload = () => done(/** @type {any} */ (globalThis).convoShared[file.split(".")[0]]);
      script.onerror = () => fail(new LoadError(say("part_not_loaded", { why: "" })));
      document.head.append(script);
    });
    // Failed loads are tried again the next time.
    part.catch(() => loaded.delete(file));
    loaded.set(file, part);
  }
  return part;
}
