// Replaces the page for modules that read it. Messages are their own keys.

Object.assign(globalThis, {
  document: { getElementById: () => null },
  location: { href: "https://site.example/base/search/" },
});
