//! Copies of conversations in other formats: Markdown, JSON, captions and downloads.

pub(super) mod captions;
pub(super) mod downloads;
pub(super) mod llms;
pub(super) mod markdown_copy;
pub(super) mod published_text;
pub(super) mod turns_json;
