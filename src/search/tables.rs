//! The tables that the program shares with the script of the search page.
//!
//! They are defined in the modules that use them. A test writes `script/tables.js` from them.

pub use super::index::{
    DOCUMENTS_PER_FILE, MAX_WEIGHT, TITLE_WEIGHT, VERSION, VERSION_DIGITS, WORD_LETTERS,
};
pub use crate::query::filters::CONVERSATION_FIELDS;
pub use crate::query::stem::{STEMMERS, Stemmer};
pub use crate::query::tokenizer::{BIGRAM_SCRIPTS, ELIDED, MAX_TERM_CHARS};
pub use crate::query::{FILTER_FIELDS, MAX_CHARACTERS, MAX_CLAUSES, QUOTES};
pub use crate::text::{ACCENTS, SPELLINGS};
