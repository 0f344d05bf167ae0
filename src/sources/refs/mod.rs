//! What conversations refer to: files, pictures, recordings and other conversations.

pub(super) mod attachments;
pub(super) mod dependency;
pub(super) mod file_index;
pub(super) mod media;
pub(super) mod redactor;
pub(super) mod references;
pub(super) mod static_content;
pub(super) mod static_files;
pub(super) mod text_ref;
pub(super) mod unknown_files;
