// What modules ask of a page, where there is none. Messages are their keys.

Object.assign(globalThis, {
  document: { getElementById: () => null },
  location: { href: "https://site.example/base/search/" },
});
