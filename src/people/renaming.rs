//! Replaces names in one conversation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::names::{Names, Replaced, replace};
use super::others::languages_of_texts;
use super::similar::{Near, NearWords};
use super::{FileNames, Listed, People, TextOf, identity};
use crate::hash::Hash;
use crate::model::{Block, Content, Conversation, TextRole, TextVisitor, Turn, is_data};
use crate::text::base64_encode;

/// How to replace the names in one conversation.
pub(super) struct Renaming<'a> {
    pub(super) people: &'a People,
    pub(super) in_scope: &'a [bool],
    /// How readers see people who are not listed.
    pub(super) others: HashMap<String, Listed>,
    /// The names of these people that are replaced in texts.
    pub(super) names: Names,
    /// Decodes the bytes of a file to text.
    pub(super) text_of: TextOf,
}

impl Renaming<'_> {
    fn of_name(&self, name: &str) -> Option<&Listed> {
        let listed = self.people.listed(self.in_scope, name);
        listed.or_else(|| self.others.get(&identity(name)))
    }

    fn replace(&self, role: TextRole, text: &mut String) -> Replaced {
        replace(text, role, &[&self.people.names, &self.names], self.in_scope)
    }

    /// Renames everyone in a conversation, and returns the words that are similar to a name and were kept.
    pub(super) fn apply(&self, file: FileNames<'_>, read: &mut Conversation) -> Near {
        self.remove_identifying_details(read);
        if let Some(key) = self.people.key.filter(|_| self.makes_up_names_in(read)) {
            rename_channel(key, read);
        }
        read.rewritten |= self.rewrite_files(read);
        let before: Vec<String> = addresses(read).cloned().collect();
        let mut visitor = Visitor {
            renaming: self,
            changed: false,
            hides_names: false,
            is_in_turn: false,
            line: None,
            files: Vec::new(),
            speakers: BTreeMap::new(),
            near: NearWords::default(),
        };
        read.visit_texts(&mut visitor);
        let changed_any = visitor.changed;
        read.rewritten |= changed_any;
        read.hides_names |= visitor.hides_names;
        let changed = before.into_iter().zip(addresses(read)).filter(|(old, new)| old != *new);
        let mut files: Vec<(String, String)> =
            changed.map(|(old, new)| (new.clone(), old)).collect();
        files.extend(visitor.files);
        read.replaced_names = visitor.speakers;
        let near = visitor.near;
        read.renamed_files.extend(files);
        let mut title = read.file_title.clone().unwrap_or_else(|| file.title.to_owned());
        if self.replace(TextRole::Shown, &mut title).is_changed {
            read.file_title = Some(title);
            read.rewritten = true;
        }
        let mut label = read.file_label.clone().unwrap_or_else(|| file.label.to_owned());
        if self.replace(TextRole::Shown, &mut label).is_changed {
            read.file_label = Some(label);
        }
        if changed_any {
            read.merge_participants();
        }
        if let Some(key) = self.people.key {
            rename_turns(key, read);
        }
        near.count(|| languages_of_texts(read))
    }

    /// Returns whether a name belongs to a person who gets a pseudonym.
    fn is_hidden(&self, name: &str) -> bool {
        self.of_name(name).is_some_and(|listed| listed.is_pseudonym)
    }

    /// Removes details about people with pseudonyms, because they would reveal who they are.
    fn remove_identifying_details(&self, read: &mut Conversation) {
        for who in read.participants.iter_mut() {
            if self.is_hidden(&who.name) {
                read.rewritten |= !who.extra.is_empty();
                who.extra.clear();
            }
        }
    }

    /// Returns whether anyone in a conversation gets a pseudonym.
    fn makes_up_names_in(&self, read: &Conversation) -> bool {
        !self.others.is_empty() || read.participants.iter().any(|who| self.is_hidden(&who.name))
    }
}

impl Renaming<'_> {
    /// Replaces names in attached texts that are part of the conversation itself.
    fn rewrite_files(&self, read: &mut Conversation) -> bool {
        let mut changed = false;
        let blocks = read.all_turns_mut().flat_map(|turn| &mut turn.blocks);
        for block in blocks {
            let Block::Attachment(attachment) = block else { continue };
            let Some(bytes) = attachment.inline_bytes() else { continue };
            let Some(text) = (self.text_of)(&bytes) else { continue };
            let mut text = text.into_owned();
            if self.replace(TextRole::Shown, &mut text).is_changed {
                changed = true;
                attachment.content = Content::Base64(base64_encode(text.as_bytes()));
                (attachment.size, attachment.sha256) = (Some(text.len() as u64), None);
            }
        }
        changed
    }
}

struct Visitor<'a> {
    renaming: &'a Renaming<'a>,
    changed: bool,
    /// Whether a pseudonym replaced the name of a speaker or a mention.
    hides_names: bool,
    is_in_turn: bool,
    /// The line of the turn.
    line: Option<u32>,
    near: NearWords,
    /// The changed URLs of links: the new and the old one.
    files: Vec<(String, String)>,
    /// The names of speakers in the source, by the name that replaced them.
    speakers: BTreeMap<String, BTreeSet<String>>,
}

impl TextVisitor for Visitor<'_> {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if role == TextRole::Address && (is_data(text) || text.starts_with("asset:")) {
            return;
        }
        let listed = (role == TextRole::Name).then(|| self.renaming.of_name(text)).flatten();
        let is_hidden = listed.is_none_or(|listed| listed.is_pseudonym);
        let changed = match listed {
            Some(listed) => {
                let before = std::mem::replace(text, listed.shown.clone());
                let changed = before != listed.shown;
                if changed {
                    self.speakers.entry(listed.shown.clone()).or_default().insert(before);
                }
                changed
            }
            None if text.contains(LINK) => {
                let before = text.clone();
                let changed = self.replace(role, text);
                if changed {
                    let pairs = links(text).zip(links(&before));
                    let pairs = pairs.filter(|(new, old)| new != old);
                    let owned = pairs.map(|(new, old)| (new.to_owned(), old.to_owned()));
                    self.files.extend(owned);
                }
                changed
            }
            None => self.replace(role, text),
        };
        self.changed |= changed;
        let is_recording = role == TextRole::Name || self.is_in_turn && role.is_shown();
        self.hides_names |= changed && is_hidden && is_recording;
    }

    fn enter(&mut self, turn: Option<&Turn>) {
        self.is_in_turn = turn.is_some();
        self.line = turn.map(|turn| turn.place.line);
    }
}

impl Visitor<'_> {
    fn replace(&mut self, role: TextRole, text: &mut String) -> bool {
        let Replaced { is_changed, near } = self.renaming.replace(role, text);
        if role.is_shown() {
            self.near.add(near, self.line);
        }
        is_changed
    }
}

/// The Markdown before the URL of a link; no name contains it.
const LINK: &str = "](";

/// Returns the texts in the positions of link URLs.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split(LINK).skip(1).map(|rest| {
        let inside = rest.trim_start_matches('<');
        let end = inside.find(|c: char| c.is_whitespace() || matches!(c, ')' | '>'));
        inside.get(..end.unwrap_or(inside.len())).unwrap_or_default()
    })
}

/// Returns the URLs of the attachments of a conversation.
fn addresses(read: &Conversation) -> impl Iterator<Item = &String> {
    let blocks = read.all_turns().flat_map(|turn| &turn.blocks);
    blocks.filter_map(|block| match block {
        Block::Attachment(attachment) => match &attachment.content {
            Content::Uri(uri) => Some(uri),
            Content::Base64(_) | Content::Missing => None,
        },
        _ => None,
    })
}

/// Replaces the id of a channel with a keyed hash. The id may contain names of people, and it becomes part
/// of URLs.
fn rename_channel(key: Hash, read: &mut Conversation) {
    if let Some(id) = read.id.as_mut().filter(|_| read.channel.is_some()) {
        *id = channel_id(key, id);
        read.rewritten = true;
    }
}

/// Returns the id of a channel that readers see.
pub(super) fn channel_id(key: Hash, id: &str) -> String {
    Hash::of(&(key, "channel", id)).short(12)
}

/// Replaces the ids of turns with keyed hashes. The ids are hashes of speaker and text, so anyone could
/// find a real name by trying names.
fn rename_turns(key: Hash, read: &mut Conversation) {
    let rename = |id: &mut String| {
        if is_hash(id) {
            *id = format!("t{}", Hash::of(&(key, "turn", id.as_str())).short(9));
        }
    };
    for turn in read.all_turns_mut() {
        rename(&mut turn.id);
        let info = turn.message.as_deref_mut();
        let named = info.map(|info| info.answers.iter_mut().chain(&mut info.thread));
        named.into_iter().flatten().for_each(rename);
    }
    read.branches.iter_mut().filter_map(|branch| branch.after.as_mut()).for_each(rename);
    read.withheld_ids.iter_mut().for_each(rename);
}

/// Returns whether an id was generated for a turn without one.
fn is_hash(id: &str) -> bool {
    let Some(rest) = id.strip_prefix('t') else { return false };
    let (hash, number) = rest.split_once('-').unwrap_or((rest, "0"));
    hash.len() == 9
        && hash.bytes().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
        && number.bytes().all(|c| c.is_ascii_digit())
}
