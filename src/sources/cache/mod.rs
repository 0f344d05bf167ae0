//! What a build keeps of sources, and how it reads their texts again.

pub(super) mod cached_source;
pub(super) mod fresh_texts;
pub(super) mod text_store;
