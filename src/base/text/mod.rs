//! Text functions: normal forms, slugs, excerpts, similar names, numbers, encodings.

mod encoding;
mod everyday_words;
mod folding;
mod interned;
mod numbers;
mod prose;
mod quotation;
mod similar;
mod slugs;
mod unicode;

pub use self::encoding::{
    base64_decode, base64_encode, base64_url_encode, percent_decode, percent_encode, toml_string,
};
pub use self::everyday_words::{COMMON, LanguageDetector, Languages, is_everyday_name};
pub use self::folding::{ACCENTS, SPELLINGS, folded, is_in};
pub use self::interned::{InternedStr, interned, interned_option};
pub use self::numbers::{bytes, grouped, plural};
pub use self::prose::{
    and_list, base_name, end_cell, end_row, excerpt, is_rule, readable, readable_excerpt,
    short_name, stamp_len, trim_blank_lines, words,
};
pub use self::quotation::{QuotationMarks, Quoting};
pub use self::similar::{closest, edit_distance};
pub use self::slugs::{slug, unique_slug};
pub use self::unicode::{
    ascii_form, display_width, is_direction_mark, is_mark, normalized_name, to_nfc, to_nfd,
};
