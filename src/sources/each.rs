//! Reads all conversations of a folder with their texts, for commands that do not build a site.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;

use super::coverage::tool_output_note;
use super::find::{FoundSources, find_sources};
use super::tally::Tally;
use crate::config::Config;
use crate::diag::{Diagnostic, WithNotes};
use crate::files::{FileInfo, Files};
use crate::formats::{self, Format, Input};
use crate::gate::{Gate, Traces};
use crate::hash::Hash;
use crate::model::{Conversation, Segment};
use crate::path::RelPath;
use crate::sources::entry::entry_builder::vendor_id;
use crate::sources::entry::tools;
use crate::sources::find::assets;
use crate::sources::find::reason::Release;
use crate::sources::find::rules::Rules;
use crate::sources::find::source::{Part, Source};
use crate::sources::merge::segments::chain;
use crate::sources::merge::union;
use crate::sources::merge::versions::{
    MAX_VERSIONS, have_turn_in_common, is_only_cut, merged_notes,
};
use crate::sources::read::parse::{Parsed, parse};
use crate::sources::read::part_builder::{LoadedPart, cut_off, read_again, read_whole};
use crate::sources::read::part_reader::PartReader;
use crate::sources::refs::redactor::Redactor;
use crate::sources::refs::text_ref::Version;

/// A conversation with its texts.
pub struct FullConversation {
    /// The files it was read from.
    pub source: Arc<Source>,
    /// The paths of its files, by the numbers in [`crate::model::Place::file`].
    pub files: Arc<[String]>,
    /// The format it was read as.
    pub format: Option<&'static Format>,
    /// The conversation.
    pub conversation: Conversation,
    /// The secrets in the bytes that it was read from, if it is redacted.
    traces: Arc<Traces>,
}

impl FullConversation {
    /// Adds the turns of another version.
    fn add(&mut self, other: Self) {
        union::add(&mut self.conversation, other.conversation);
        Arc::make_mut(&mut self.traces).join(&other.traces);
    }
}

/// Finds the secrets in a source, if conversations are redacted.
fn traces_of(rules: &Rules, inputs: &[Input]) -> Arc<Traces> {
    let traces = rules.gate.redacts_all().then(|| rules.gate.traces(inputs));
    Arc::new(traces.unwrap_or_default())
}

/// Reads the conversations of a folder for commands that need the texts but no site.
pub fn conversations(files: &dyn Files, config: &Config) -> WithNotes<Vec<FullConversation>> {
    let mut all = Vec::new();
    let notes = each_conversation(files, config, None, &mut |read| all.push(read));
    WithNotes { value: all, notes }
}

/// Reads the conversations of a folder one by one, so that a whole export is never in memory.
/// Versions of a conversation are merged, as on a site. With a redactor, which must be made from
/// the same configuration, each conversation is passed on in its public form. Returns the
/// diagnostics.
pub fn each_conversation(
    files: &dyn Files,
    config: &Config,
    redactor: Option<&Redactor>,
    take: &mut dyn FnMut(FullConversation),
) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let open = match Rules::new(config, Gate::open()) {
        Ok(rules) => rules.take(&mut notes),
        Err(notes) => return notes,
    };
    let rules = redactor.map_or(&open, |redactor| &redactor.rules);
    let listed = files.list_unpacked(&config.content).take(&mut notes);
    let names: BTreeMap<&str, &FileInfo> =
        listed.iter().map(|file| (file.path.as_str(), file)).collect();
    let len = |file: &RelPath| names.get(file.as_str()).map_or(0, |info: &&FileInfo| info.len);
    let FoundSources { sources, assets, tool_outputs, .. } =
        find_sources(files, &listed, config, rules, &Release::default());
    notes.extend(tool_outputs.iter().map(tool_output_note));
    let reader = Reader { files, len: &len, rules };
    let mut groups = reader.groups(&sources);
    let mut merged: BTreeMap<(String, String), u64> = BTreeMap::new();
    let mut withheld = tools::Calls::new();
    let mut take = |full: FullConversation| {
        let agent = formats::agent_of(&full.conversation, full.format);
        let is_secret = |name: &str| matches!(rules.gate.masked(name), Cow::Owned(_));
        for turn in full.conversation.all_turns() {
            tools::count_withheld(agent, turn, is_secret, &mut withheld);
        }
        take(full);
    };
    for found in sources {
        let mut tally = Tally::default();
        reader.each_part(&found, &mut tally, &mut |source, (part, inputs), tally| {
            let paths: Arc<[String]> = inputs.iter().map(|input| input.path.clone()).collect();
            let as_read = inputs.clone();
            let traces = traces_of(rules, &as_read);
            let Parsed { format, conversations: read, notes: mut more, .. } =
                parse(source, inputs, rules);
            // Names are hidden only in diagnostics; converted conversations keep them.
            let scrubber = rules.gate.scrubber(&[], &more, &as_read);
            scrubber.scrub(&mut more, &rules.gate);
            tally.extend(more);
            for (index, conversation) in read.into_iter().enumerate() {
                let id = vendor_id(&conversation, format);
                let group = id.and_then(|id| groups.get_mut(&id));
                let mut full = FullConversation {
                    source: source.clone(),
                    files: paths.clone(),
                    format,
                    conversation,
                    traces: traces.clone(),
                };
                if let Some(group) = group {
                    let place = (source.file().clone(), part.clone(), index);
                    if group.done.contains(&place) {
                        continue;
                    }
                    if !std::mem::replace(&mut group.is_merged, true) {
                        let newest = reader.merge(group, &mut merged);
                        let is_here = group.done.contains(&place);
                        newest.into_iter().for_each(|full| give(full, rules, &assets, &mut take));
                        if is_here {
                            continue;
                        }
                    }
                    full.conversation.private |= group.private;
                }
                give(full, rules, &assets, &mut take);
            }
        });
        notes.extend(tally.finish());
    }
    notes.extend(merged_notes(merged));
    notes.extend(tools::withheld_note([&withheld]));
    notes
}

/// Passes a conversation on, if it is selected.
fn give(
    mut full: FullConversation,
    rules: &Rules,
    tables: &assets::AssetTables,
    take: &mut dyn FnMut(FullConversation),
) {
    let read = &mut full.conversation;
    if read.page.is_some() {
        return;
    }
    let is_empty = read.preface.is_empty() && read.all_turns().next().is_none();
    // It only affects other versions.
    let is_aside = is_empty && (read.private || is_only_cut(read.segment.as_ref(), 0));
    if !is_aside && rules.chooses(&full.source, read) {
        assets::resolve(read, full.source.file(), tables);
        if rules.gate.redacts_all() {
            rules.gate.inspect(None, full.source.label(), read, &full.traces);
        }
        take(full);
    }
}

/// The place of a version: its file, its part, and its number in the part.
type Place = (RelPath, Part, usize);

/// The versions of one conversation.
#[derive(Default)]
struct Group {
    versions: Vec<Known>,
    /// Whether one of them is private.
    private: bool,
    is_merged: bool,
    /// Versions that were already passed on as part of another one.
    done: HashSet<Place>,
}

/// A version of a conversation.
struct Known {
    version: Version,
    newness: (Option<Timestamp>, Option<Timestamp>, usize, Reverse<Place>),
    segment: Option<Segment>,
    /// Whether `import` wrote it.
    is_imported: bool,
}

impl Known {
    fn place(&self) -> Place {
        let Version { source, part, index } = &self.version;
        (source.file().clone(), part.clone(), *index)
    }
}

/// Reads sources.
struct Reader<'a> {
    files: &'a dyn Files,
    len: &'a dyn Fn(&RelPath) -> u64,
    rules: &'a Rules,
}

impl Reader<'_> {
    /// Reads the parts of a source: the whole of it, or one record at a time.
    fn each_part(
        &self,
        found: &Source,
        tally: &mut Tally,
        give: &mut dyn FnMut(&Arc<Source>, LoadedPart, &mut Tally),
    ) {
        let mut source = found.clone();
        match PartReader::new(self.files, self.len, &mut source) {
            Ok(mut parts) if parts.has_records() => {
                let source = Arc::new(parts.source().clone());
                while let Some(part) = parts.next() {
                    match part {
                        Ok(part) => give(&source, part, tally),
                        Err(note) => tally.extend([*note]),
                    }
                    tally.extend(parts.take_notes());
                }
                tally.extend(parts.take_notes());
            }
            // A source that is one conversation is needed as a whole.
            _ => match read_whole(self.files, found) {
                Ok(part) => give(&Arc::new(found.clone()), part, tally),
                Err(note) => tally.extend([*note]),
            },
        }
    }

    /// Finds the conversations that have several versions.
    fn groups(&self, sources: &[Source]) -> HashMap<Hash, Group> {
        let mut groups: HashMap<Hash, Group> = HashMap::new();
        // Each format's reader limits what it reads at once.
        if let [source] = sources {
            let mut source = source.clone();
            let parts = PartReader::new(self.files, self.len, &mut source);
            if !parts.is_ok_and(|parts| parts.has_records()) {
                return groups;
            }
        }
        for found in sources {
            let mut discarded = Tally::default();
            self.each_part(found, &mut discarded, &mut |source, (part, inputs), _| {
                let Parsed { format, conversations: read, .. } = parse(source, inputs, self.rules);
                for (index, read) in read.into_iter().enumerate() {
                    let Some(id) = vendor_id(&read, format) else { continue };
                    let group = groups.entry(id).or_default();
                    group.private |= read.private;
                    let (source, part) = (source.clone(), part.clone());
                    let version = Version { source, part, index };
                    let place = (version.source.file().clone(), version.part.clone(), index);
                    let last = read.turns.iter().filter_map(|turn| turn.time.as_ref());
                    let newness = (
                        read.updated.as_ref().map(|time| time.instant()),
                        last.map(|time| time.instant()).max(),
                        read.turns.len(),
                        Reverse(place),
                    );
                    group.versions.push(Known {
                        version,
                        newness,
                        segment: read.segment,
                        is_imported: read.imported_from.is_some(),
                    });
                }
            });
        }
        groups.retain(|_, group| group.versions.len() > 1);
        groups.values_mut().for_each(|group| {
            let order = |known: &Known| (known.is_imported, known.newness.clone());
            group.versions.sort_by_cached_key(|known| Reverse(order(known)));
        });
        groups
    }

    /// Merges the versions of a conversation, if they can be merged.
    fn merge(
        &self,
        group: &mut Group,
        merged: &mut BTreeMap<(String, String), u64>,
    ) -> Option<FullConversation> {
        let segments: Vec<_> = group.versions.iter().map(|known| known.segment.as_ref()).collect();
        let chain = chain(&segments);
        let newest = chain.as_ref().and_then(|chain| chain.first()).map_or(0, |link| link.place);
        let mut full = self.read(&group.versions[newest].version)?;
        let mut done: Vec<usize> = vec![newest];
        match chain {
            // An imported file takes precedence and is passed on unchanged.
            _ if group.versions[newest].is_imported => {
                let others = group.versions.iter().enumerate();
                done.extend(others.filter(|(_, other)| !other.is_imported).map(|(at, _)| at));
            }
            Some(chain) => {
                for link in chain.iter().skip(1) {
                    let mut version = group.versions[link.place].version.clone();
                    let source = version.source.clone();
                    let is_read = link.end.is_none_or(|end| {
                        cut_off(self.files, &source, &mut version.part, end).is_ok()
                    });
                    let older = is_read.then(|| self.read(&version)).flatten();
                    if let Some(older) = older {
                        full.add(older);
                    }
                }
                done = (0..group.versions.len()).collect();
            }
            None => {
                for (at, known) in group.versions.iter().enumerate().take(MAX_VERSIONS).skip(1) {
                    let Some(older) = self.read(&known.version) else { continue };
                    if have_turn_in_common(&full.conversation, &older.conversation) {
                        full.add(older);
                        done.push(at);
                    }
                }
            }
        }
        full.conversation.private |= group.private;
        for at in done {
            let known = &group.versions[at];
            if at != newest {
                let old = known.version.source.label().to_owned();
                *merged.entry((old, full.source.label().to_owned())).or_default() += 1;
            }
            group.done.insert(known.place());
        }
        Some(full)
    }

    fn read(&self, version: &Version) -> Option<FullConversation> {
        let Version { source, part, index } = version;
        let inputs = read_again(self.files, source, part).ok()??;
        let files = inputs.iter().map(|input| input.path.clone()).collect();
        let traces = traces_of(self.rules, &inputs);
        let Parsed { format, conversations: mut all, .. } = parse(source, inputs, self.rules);
        let conversation = (*index < all.len()).then(|| all.swap_remove(*index))?;
        Some(FullConversation { source: source.clone(), files, format, conversation, traces })
    }
}
