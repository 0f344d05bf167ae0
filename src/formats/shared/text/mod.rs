//! Text: encodings, markup, dates, links and front matter.

pub(crate) mod attachment_kind;
pub(crate) mod blocks;
pub(crate) mod dates;
pub(crate) mod decode;
pub(crate) mod entities;
pub(crate) mod escapes;
pub(crate) mod footnotes;
pub(crate) mod front;
pub(crate) mod html;
pub(crate) mod keys;
pub(crate) mod plain;
pub(crate) mod rows;
pub(crate) mod verbatim;
pub(crate) mod web_links;
