//! Copies the files that are attached to imported conversations.

use std::collections::{BTreeMap, HashMap};

use super::super::inputs::Input;
use crate::formats::kept::EXTENSION;
use crate::formats::{may_hold_conversations, seems_a_conversation};
use crate::gate::Gate;
use crate::hash::Hash;
use crate::model::{Attachment, Block, Content, Conversation};
use crate::path::RelPath;
use crate::sources::{PublicCheck, attached_file};
use crate::text::{base64_encode, percent_encode, slug};

/// A file that is attached to a turn.
pub(super) struct AttachedFile {
    /// The path below the content folder.
    pub(super) to: String,
    pub(super) bytes: Vec<u8>,
}

/// Finds the files that are attached to a conversation.
pub(super) struct Attacher<'a> {
    pub(super) input: &'a Input,
    /// Masks secrets in names.
    pub(super) gate: &'a Gate,
    /// The check for secrets, if the files may become public.
    pub(super) check: Option<&'a PublicCheck<'a>>,
    /// The number of files that were skipped because of secrets.
    pub(super) skipped: u64,
}

/// Returns a text as a part of a file name of at most so many bytes. Messages contain file names, so secrets are masked.
pub(super) fn name_part(gate: &Gate, text: &str, max_bytes: usize) -> String {
    slug(&gate.masked(text), max_bytes)
}

impl Attacher<'_> {
    /// Points attachments to copies in a folder beside the file of the conversation. Files that do not exist, or that
    /// contain conversations, become missing attachments.
    pub(super) fn attach(
        &mut self,
        read: &mut Conversation,
        file: &RelPath,
        path: &RelPath,
    ) -> Vec<AttachedFile> {
        let name = path.name();
        let end = name.len().saturating_sub(EXTENSION.len() + 1);
        let stem = name.get(..end).unwrap_or(name);
        let folder = format!("{stem}-files");
        let above = &path.as_str()[..path.as_str().len() - name.len()];
        let mut files: Vec<AttachedFile> = Vec::new();
        let mut names: HashMap<RelPath, Option<String>> = HashMap::new();
        let renamed = std::mem::take(&mut read.renamed_files);
        let blocks = read.all_turns_mut().flat_map(|turn| &mut turn.blocks);
        for block in blocks {
            let Block::Attachment(attachment) = block else { continue };
            self.check_inline(attachment);
            let Some(from) = found_file(file, attachment, &renamed) else { continue };
            let name = from.and_then(|from| {
                let name = names.entry(from.clone()).or_insert_with(|| {
                    let (name, bytes) = self.named(&from, attachment)?;
                    files.push(AttachedFile { to: format!("{above}{folder}/{name}"), bytes });
                    Some(name)
                });
                name.clone()
            });
            attachment.content = match name {
                Some(name) => Content::Uri(percent_encode(&format!("{folder}/{name}"))),
                None => Content::Missing,
            };
            if self.check.is_some() {
                (attachment.size, attachment.sha256) = (None, None);
            }
        }
        files
    }

    /// Returns the name of the copy, which contains a hash of the bytes, and the bytes.
    fn named(&mut self, from: &RelPath, attachment: &Attachment) -> Option<(String, Vec<u8>)> {
        let bytes = self.input.files()?.read(from).ok()?;
        if may_hold_conversations(from.name()) && seems_a_conversation(from.name(), &bytes) {
            return None;
        }
        let bytes = self.checked(from.name(), bytes)?;
        let hash = Hash::of_bytes(&bytes).short(10);
        let (stem, extension) = from.name().rsplit_once('.').unwrap_or((from.name(), ""));
        let extension = slug(extension, 10);
        let named = attachment.name.rsplit_once('.').map_or(&*attachment.name, |(stem, _)| stem);
        // The original file name is not redacted, so it is not used.
        let stem = if self.check.is_some() { "" } else { stem };
        let mut name = [named, stem].map(|name| name_part(self.gate, name, 40));
        let name = match name.iter_mut().find(|name| !name.is_empty()) {
            Some(name) => format!("{name}-{hash}"),
            None => format!("file-{hash}"),
        };
        let name = if extension.is_empty() { name } else { format!("{name}.{extension}") };
        Some((name, bytes))
    }

    /// Checks a file that is embedded in the conversation.
    fn check_inline(&mut self, attachment: &mut Attachment) {
        if self.check.is_none() {
            return;
        }
        let Some(bytes) = attachment.inline_bytes() else { return };
        let name = attachment.name.clone();
        attachment.content = match self.checked(&name, bytes) {
            Some(bytes) => Content::Base64(base64_encode(&bytes)),
            None => Content::Missing,
        };
        (attachment.size, attachment.sha256) = (None, None);
    }

    /// Returns the bytes of a file if it passes the check.
    fn checked(&mut self, name: &str, bytes: Vec<u8>) -> Option<Vec<u8>> {
        let Some(check) = self.check else { return Some(bytes) };
        let checked = check.file(name, bytes);
        self.skipped += u64::from(checked.is_none());
        checked
    }
}

/// Returns the file of an attachment by its path before names were replaced.
fn found_file(
    file: &RelPath,
    attachment: &Attachment,
    renamed: &BTreeMap<String, String>,
) -> Option<Option<RelPath>> {
    let original = match &attachment.content {
        Content::Uri(uri) => renamed.get(uri),
        Content::Base64(_) | Content::Missing => None,
    };
    match original {
        Some(uri) => {
            let content = Content::Uri(uri.clone());
            attached_file(file, &Attachment { content, ..attachment.clone() })
        }
        None => attached_file(file, attachment),
    }
}
