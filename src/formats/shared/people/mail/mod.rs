//! The contents of a mail: its header fields ([`fields`]) and its text ([`mod@body`]), from its MIME parts
//! ([`parts`]).
//!
//! [`pages`] divides HTML into [`lines`], which [`tail`] divides into what is new, what is quoted and the
//! signature; [`lead`] and [`outlook`] know how programs introduce a quotation. [`prose`] writes lines as
//! Markdown, and [`armor`] finds encrypted and signed text.

pub(crate) mod body;
pub(crate) mod fields;
mod armor;
mod lead;
mod lines;
mod outlook;
mod pages;
mod parts;
mod prose;
mod tail;
