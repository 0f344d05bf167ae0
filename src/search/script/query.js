// What a reader typed: what `query.rs` says, said again.

const FIELDS = ["speaker", "model", "lang", "type", "tag"];
// As Unicode has it, which is not quite what `\s` means.
const SPACE = "\\t-\\r \\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000";
const ITEM = new RegExp(`(-?)(?:([A-Za-z]+):(?:"([^"]*)("?)|([^${SPACE}":/][^${SPACE}"]*)|(?=[${SPACE}]|$))|"([^"]*)("?)|([^${SPACE}"]+))`, "gu");
const ITEMS = 32, LETTERS = 1000;

// See `query.rs`, which says the same in the same words.
function parse(text, languages = ["en"]) {
  const items = [], notes = [];
  let shown = Array.from(text);
  if (shown.length > LETTERS) notes.push(say("cut_letters", { n: LETTERS }));
  shown = shown.slice(0, LETTERS).join("").replace(/[“”„«»]/g, '"');
  let last = null;
  for (const match of shown.matchAll(ITEM)) {
    const [raw, minus, name, quoted, closed, bare, phrase, ended, word] = match;
    if (items.length === ITEMS) {
      notes.push(say("cut_words", { n: ITEMS }));
      break;
    }
    const not = minus === "-";
    if (closed === "" || ended === "") notes.push(say("open_quote"));
    const field = name?.toLowerCase();
    last = null;
    if (name !== undefined && isField(field)) {
      const item = filter(field, (quoted ?? bare ?? "").trim(), notes);
      if (item) items.push({ not, ...item });
      continue;
    }
    if (name !== undefined && (quoted ?? bare) !== undefined) notes.push(say("no_filter", { filter: name }));
    const words = sought(phrase ?? word ?? `${name} ${quoted ?? bare ?? ""}`, languages);
    if (!words.length) {
      notes.push(say("no_letters", { word: raw }));
      continue;
    }
    const item = { not, words, prefix: "" };
    if (word !== undefined && word.endsWith("*")) item.prefix = "always";
    else if (word !== undefined && !not && match.index + raw.length === shown.length) last = item;
    items.push(item);
  }
  if (last) last.prefix = "unknown";
  return { items, notes };
}

const isField = field => FIELDS.includes(field) || ["has", "before", "after"].includes(field);

function filter(field, value, notes) {
  if (value === "") {
    notes.push(say("no_value", { filter: field }));
    return null;
  }
  if (field === "has") {
    if (/^(?:code|tool)$/i.test(value)) return { field, terms: [`has:${value.toLowerCase()}`] };
    notes.push(say("has_takes"));
    return null;
  }
  if (field === "before" || field === "after") {
    const date = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(value);
    if (date) return { [field]: Number(date[1]) * 10000 + Number(date[2] ?? 0) * 100 + Number(date[3] ?? 0) };
    notes.push(say("takes_day", { filter: field }));
    return null;
  }
  const values = Array.from(new Set(terms(value, "").map(([term]) => `${field}:${term}`)));
  if (values.length) return { field, terms: values };
  notes.push(say("no_letters", { word: value }));
  return null;
}
