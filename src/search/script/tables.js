// The tables that the program and the script share. They are written from those of the program
// by `SNAPSHOTS=overwrite cargo test tables_of_the_script`: change them there.

/** The version of the index. */
export const VERSION = 3;

/** Conversations in a file of titles. */
export const DOCUMENTS_PER_FILE = 40;

/** The highest weight of a term in a turn. */
export const MAX_WEIGHT = 200;

/** The factor by which a title counts more than a turn. */
export const TITLE_WEIGHT = 2;

/** The most characters of a query that count. */
export const MAX_CHARACTERS = 1000;

/** The most clauses of a query that count. */
export const MAX_CLAUSES = 32;

/** The most characters of a term; a longer term is cut off. */
export const MAX_TERM_CHARS = 64;

/** The fewest and the most letters of words that are kept for spelling correction. */
export const WORD_LETTERS = [3, 24];

/** The filters whose values are words. */
export const FILTER_FIELDS = ["speaker", "model", "lang", "type", "tag"];

/** The fields of filters that find all of a conversation. */
export const CONVERSATION_FIELDS = ["lang", "type", "tag"];

/** Articles and pronouns that lose their vowel before an apostrophe. */
export const ELIDED = ["c", "d", "j", "l", "m", "n", "s", "t", "qu"];

/** Quotation marks that are taken for the straight one. */
export const QUOTES = "“”„«»";

/** White space, for a class of a regular expression. */
export const SPACES = "\\u0009-\\u000D\\u0020\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028-\\u2029\\u202F\\u205F\\u3000";

/** Accents and vowel points, for a class of a regular expression. */
export const ACCENTS = "\\u0300-\\u036F\\u0591-\\u05BD\\u05BF\\u05C1-\\u05C2\\u05C4-\\u05C5\\u05C7\\u0610-\\u061A\\u064B-\\u065F\\u0670\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F";

/** Characters of scripts that are indexed as bigrams, for a class of a regular expression. */
export const BIGRAM_SCRIPTS = "\\u0E00-\\u0EFF\\u1000-\\u109F\\u1100-\\u11FF\\u1780-\\u17FF\\u2E80-\\u2FDF\\u3005-\\u3007\\u3021-\\u3035\\u3041-\\u30FF\\u3105-\\u318E\\u31A0-\\u31BF\\u31F0-\\u31FF\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7FF\\uF900-\\uFAFF\\u{20000}-\\u{323AF}";

/** Letters, and the letters with which most people type them. @type {Record<string, string>} */
export const SPELLINGS = { "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "ı": "i", "ς": "σ" };

/** The endings of inflection of languages, the longest first. @type {Record<string, string>} */
export const ENDINGS = {
  de: "ern em en er es e n s",
  fr: "ait ees ent ee er es ez e s x",
  es: "iendo ando aron ada ado ida ido ar as er es ir os a e o s",
  it: "ando endo are ata ate ati ato ere ire a e i o",
  pt: "ando endo indo ada ado ida ido ar as er es ir os a e o s",
  nl: "en e s",
};
