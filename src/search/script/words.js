// Text as terms: what `tokenizer.rs` and `stem.rs` say, said again.

const WORD = "[\\p{Alphabetic}\\p{N}\\p{M}]";
const CHUNK = new RegExp(`${WORD}+(?:(?:_+|[.'’])${WORD}+)*(?:\\+\\+|#)?`, "gu");
const NO_WORD = /[^\p{Alphabetic}\p{N}\p{M}]/gu;
const ACCENT = /[\u0300-\u036F\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/g;
const SPELLED = { "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "ς": "σ" };
const PAIRED = "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1100-\\u11FF\\u1780-\\u17FF\\u2E80-\\u2FDF\\u3005-\\u3007\\u3021-\\u3035\\u3041-\\u30FF\\u3105-\\u318E\\u31A0-\\u31BF\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7FF\\uF900-\\uFAFF\\u{20000}-\\u{323AF}";
const RUNS = new RegExp(`[${PAIRED}]+|[^${PAIRED}]+`, "gu");
const IS_PAIRED = new RegExp(`^[${PAIRED}]`, "u");
const LONGEST = 64;

function folded(word) {
  if (/^[\x00-\x7F]*$/.test(word)) return word.toLowerCase();
  return word.normalize("NFKC").toLowerCase().normalize("NFD").replace(ACCENT, "").normalize("NFC")
    .replace(/[ßæœþøđðłıς]/g, c => SPELLED[c]).replace(NO_WORD, "");
}

const shortened = word => word.length > LONGEST ? Array.from(word).slice(0, LONGEST).join("") : word;

// A chunk of text: `parts` are words, or arrays of characters that are searched for in pairs,
// each with its place; `whole` is a term beside them.
function* chunks(text) {
  for (const match of text.matchAll(CHUNK)) {
    const raw = match[0];
    const tail = /(?:\+\+|#)$/.exec(raw)?.[0] ?? "";
    const pieces = raw.slice(0, raw.length - tail.length).split(/(_+|[.'’])/);
    const parts = [];
    let whole = "", isWhole = tail !== "", word = "", at = match.index, start = at;
    for (let i = 0; i < pieces.length; i += 2) {
      const piece = folded(pieces[i]), joint = pieces[i + 1] ?? "";
      if (word === "") start = at;
      at += pieces[i].length;
      const end = at;
      at += joint.length;
      const joins = joint === "'" || joint === "’";
      if (joins && word === "" && /^(?:qu|[cdjlmnst])$/.test(piece)) continue;
      word += piece;
      whole += piece;
      if (joins) continue;
      whole += joint;
      isWhole ||= joint !== "";
      for (const run of word.match(RUNS) ?? []) {
        const isPaired = IS_PAIRED.test(run);
        parts.push({ text: isPaired ? Array.from(run) : shortened(run), start, end });
      }
      word = "";
    }
    if (parts.length) {
      yield { whole: isWhole ? shortened(whole + tail) : null, parts, start: match.index, end: match.index + raw.length };
    }
  }
}

const ES = "ando aron ada ado ida ido ar as er es ir os a e o s";
const ENDINGS = {
  de: "ern em en er es e n s",
  fr: "ait ees ent ee er es ez e s x",
  es: "iendo " + ES,
  it: "ando endo are ata ate ati ato ere ire a e i o",
  pt: "ando endo indo ada ado ida ido ar as er es ir os a e o s",
  nl: "en e s",
};

function stem(word, language) {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  if (language === "en") return english(word);
  const endings = ENDINGS[language]?.split(" ") ?? [];
  for (let round = 0; round < 2; round++) {
    const ending = endings.find(e => word.length >= e.length + 4 && word.endsWith(e));
    if (ending === undefined) break;
    word = word.slice(0, -ending.length);
  }
  return word;
}

function english(word) {
  const without = count => word.slice(0, word.length - count);
  if (word.endsWith("ies") && word.length > 4 || word.endsWith("sses")) word = without(2);
  else if (word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) word = without(1);
  if (word.endsWith("ied") && word.length > 4) word = without(2);
  else if (!word.endsWith("eed")) {
    const stem = /^(.*?)(?:ed|ing)$/.exec(word)?.[1];
    if (stem !== undefined && stem.length > 1 && /[aeiouy]/.test(stem)) {
      word = stem;
      if (word.length > 3 && /([^aeioulsz])\1$/.test(word)) word = without(1);
    }
  }
  if (word.length > 2) {
    if (/[^e]e$/.test(word)) return without(1);
    if (/[^aeiou]y$/.test(word)) return without(1) + "i";
  }
  return word;
}

// The terms of a text in a language, as [term, position].
function terms(text, language) {
  const all = [];
  let position = 0;
  for (const chunk of chunks(text)) {
    if (chunk.whole !== null) all.push([chunk.whole, null]);
    for (const { text } of chunk.parts) {
      if (typeof text === "string") all.push([stem(text, language), position++]);
      else text.forEach((c, i) => all.push([c + (text[i + 1] ?? ""), position++]));
    }
  }
  return all;
}

// What a reader typed as terms that stand one after the other, each in all its forms.
function sought(text, languages) {
  const all = Array.from(chunks(text)), exactly = term => ({ surface: term, forms: [term], open: false });
  if (all.length === 1 && all[0].whole !== null) return [exactly(all[0].whole)];
  return all.flatMap(chunk => chunk.parts).flatMap(({ text }) => {
    if (typeof text === "string") {
      const forms = languages.map(language => stem(text, language));
      return [{ surface: text, forms: Array.from(new Set(forms)), open: false }];
    }
    if (text.length === 1) return [{ ...exactly(text[0]), open: true }];
    return text.slice(1).map((c, i) => exactly(text[i] + c));
  });
}
