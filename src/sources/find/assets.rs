//! Files of exports that conversations refer to by id instead of path.

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::formats::Assets;
use crate::hash::Hash;
use crate::model::{Block, Content, Conversation};
use crate::path::RelPath;
use crate::text::{percent_encode, plural};

/// The id tables of all exports of a folder, each with its hash, by the folder of their
/// conversations.
#[derive(Default)]
pub(crate) struct AssetTables(BTreeMap<String, (Assets, Hash)>);

impl AssetTables {
    pub(crate) fn new(all: Vec<Assets>) -> Self {
        let table = |assets: Assets| {
            let hash = Hash::of(&assets);
            (assets.folder.clone(), (assets, hash))
        };
        Self(all.into_iter().map(table).collect())
    }

    /// Returns the table for the conversations of a file.
    pub(crate) fn of(&self, file: &RelPath) -> Option<&(Assets, Hash)> {
        self.0.get(folder(file))
    }
}

/// Replaces ids with file paths, relative to `file`, in the attachments of a conversation, for
/// callers that do not build a site. Files that the export lacks are marked as missing.
pub(crate) fn resolve(read: &mut Conversation, file: &RelPath, tables: &AssetTables) {
    let table = tables.of(file).map(|(assets, _)| assets);
    for turn in read.all_turns_mut() {
        turn.blocks.retain_mut(|block| {
            let Block::Attachment(attachment) = block else { return true };
            let Content::Uri(uri) = &attachment.content else { return true };
            if !uri.starts_with(Assets::SCHEME) {
                return true;
            }
            let found = table.and_then(|table| table.find(uri));
            let is_missed = !uri.starts_with(Assets::OPTIONAL);
            let path = found.and_then(|(path, _)| path.strip_prefix(folder(file)));
            if let Some(called) = found.and_then(|(_, name)| name)
                && attachment.name.is_empty()
            {
                called.clone_into(&mut attachment.name);
            }
            attachment.content = match path {
                Some(path) => Content::Uri(percent_encode(path)),
                None => Content::Missing,
            };
            path.is_some() || is_missed
        });
    }
}

/// Returns the folder of a file, with a slash.
fn folder(file: &RelPath) -> &str {
    let path = file.as_str();
    &path[..path.len() - file.name().len()]
}

/// The hint for an attachment that an export mentions but lacks.
pub(crate) const NOT_EXPORTED: &str = "some exports lack files; the page shows a placeholder";

/// Keeps one diagnostic where an export lacks many files.
pub(crate) fn merge_missing_notes(notes: &mut Vec<Diagnostic>) {
    let lacks = |note: &Diagnostic| note.hints.iter().any(|hint| hint == NOT_EXPORTED);
    let count = notes.iter().filter(|note| lacks(note)).count() as u64;
    let mut first = true;
    notes.retain_mut(|note| {
        if !lacks(note) {
            return true;
        }
        let is_first = std::mem::replace(&mut first, false);
        if is_first && count > 1 {
            let count = plural(count, "attachment is", "attachments are");
            note.message = format!("{count} missing from the export; the first one is here");
        }
        is_first
    });
}
