// Reads the anchor in the URL.

/** Returns the anchor of the page's URL; invalid escapes stay as they are. */
export function anchorOfAddress() {
  const anchor = location.hash.slice(1);
  try { return decodeURIComponent(anchor); } catch { return anchor; }
}
