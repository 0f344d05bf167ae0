// The anchor of an address.

/** The anchor of the page's address; what is no escape stays as it is. */
export function anchorOfAddress() {
  const anchor = location.hash.slice(1);
  try { return decodeURIComponent(anchor); } catch { return anchor; }
}
