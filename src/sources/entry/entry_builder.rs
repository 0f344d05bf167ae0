//! Builds the [`Entry`] of a conversation, part by part.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::beginning::{Beginning, EXCERPT_CHARS, own_title};
use super::minhash::MinHasher;
use super::outline::{OUTLINE_CHARS, PartOutline};
use super::quotes::{Answered, Quotes};
use super::recording::{Lookup, Recording};
use super::report_filter::ReportFilter;
use super::tools::count_withheld;
use super::work_sums::{WorkCounter, WorkSums};
use super::{Entry, Opener, Speaker};
use crate::commonmark::is_too_complex;
use crate::diag::{Diagnostic, Severity};
use crate::formats::{self, Format, section};
use crate::gate::{self, Finding, Gate, Inspection, is_suspicious};
use crate::hash::{Hash, fnv1a};
use crate::markup;
use crate::model::{
    Block, Content, Conversation, Filing, INDEX, Kind, REVIEWED, Schedule, Section, TextRole,
    ToolCall, ToolResult, Turn,
};
use crate::sources::find::plain_page::PlainPage;
use crate::sources::find::rules::{Selection, Verdict};
use crate::sources::find::settings::ReadSettings;
use crate::sources::refs::attachments::{ResolvedAttachment, attach};
use crate::sources::refs::references::Resolver;
use crate::sources::refs::text_ref::{NotePlace, TextRef, Version};
use crate::text;
use crate::time::Time;

/// The length from which the text of a turn is long enough for the outline, in any script. Bytes.
const TURN_TEXT_BYTES: usize = 4 * OUTLINE_CHARS;
/// The number of words from which an opening says what a conversation is about, unlike a greeting.
const MIN_OPENING_WORDS: u64 = 3;
/// The number of turn hashes by which conversations are compared.
pub(crate) const SAMPLE_SIZE: usize = 16;

/// An entry that grows with each page of its conversation.
pub(crate) struct EntryBuilder<'a> {
    entry: Entry,
    /// The messages that other pages quote.
    quotes: Quotes,
    /// Whether it is private.
    private: bool,
    /// When it may be published.
    schedule: Schedule,
    /// What the gate found in it.
    detected: GateResult,
    /// Decides whether the rule selects it.
    selection: Option<Selection<'a>>,
    /// Indices of the entry's speakers, by name.
    places: HashMap<String, usize>,
    title: Option<String>,
    /// The replacement for its file name.
    file_title: Option<String>,
    /// Whether some of its words differ from the source.
    is_rewritten: bool,
    beginning: Beginning,
    summary: Option<String>,
    /// The beginning of the text of the last turn.
    turn_text: String,
    minhasher: Option<MinHasher>,
    work: WorkCounter,
    /// Whether it has no content so far.
    is_empty: bool,
    /// Whether every turn of the main path so far has a time.
    is_timed: bool,
    /// Whether its format often lacks files, and reports that once for all of them.
    leaves_files_out: bool,
    /// The format of the agent whose tools are called.
    agent: &'static str,
    /// Audio and video that the main path links to, and that pages may load.
    linked: Vec<Recording>,
    /// Texts without markup in which markup may have hidden a secret from the gate.
    suspects: Vec<String>,
}

/// What the gate found in a conversation.
pub(crate) struct GateResult {
    pub(crate) findings: Vec<Finding>,
    /// The number of findings that are already cleaned for reports.
    cleaned: usize,
    /// The numbers of the baseline entries that match something.
    pub(crate) matched: BTreeSet<usize>,
    /// Whether the original file would reveal nothing that was found.
    pub(crate) is_as_read: bool,
    /// Whether some of its words are on no page: a name was replaced, or text is redacted.
    pub(crate) hides_words: bool,
}

impl Default for GateResult {
    fn default() -> Self {
        Self {
            findings: Vec::new(),
            cleaned: 0,
            matched: BTreeSet::new(),
            is_as_read: true,
            hides_words: false,
        }
    }
}

impl GateResult {
    fn add(&mut self, seen: Inspection) {
        self.hides_words |= seen.changed.is_some();
        self.is_as_read &= seen.changed.is_none() && seen.found.is_empty();
        self.matched.extend(seen.matched);
        for found in seen.found {
            found.finding.add_to(&mut self.findings);
        }
    }
}

impl<'a> EntryBuilder<'a> {
    /// Starts the entry of a conversation whose first part is `read`.
    pub(crate) fn new(
        read: &Conversation,
        format: Option<&Format>,
        selection: Option<Selection<'a>>,
        shown_label: Option<Box<str>>,
    ) -> Self {
        let first = read.turns.first();
        let beginning = first.map(|turn| (&turn.speaker, turn.text()));
        let vendor_id = vendor_id(read, format);
        let id = vendor_id
            .unwrap_or_else(|| Hash::of(&(beginning, read.time.as_ref().map(Time::as_written))));
        let title = own_title(read);
        let origin = origin(read, format);
        let entry = Entry {
            reveals_name: shown_label.is_some(),
            shown_label,
            page: None,
            parts: Vec::new(),
            outline: Vec::new(),
            id,
            own_id: read.id.clone(),
            vendor_id,
            is_imported: read.imported_from.is_some(),
            segment: read.segment.clone().map(Box::new),
            changed: read.updated.clone(),
            parent: read.parent.clone(),
            title: String::new(),
            names: Box::default(),
            kind: read.kind.clone(),
            source_label: origin.map(|format| format.source_label),
            has_typed_prompts: origin.is_some_and(|format| format.has_typed_prompts),
            time: read.time.clone(),
            updated: read.time.clone(),
            revised: None,
            opener: None,
            translation_of: read.translation_of().map(str::to_owned),
            languages: read.languages.clone(),
            tags: read.tags.clone(),
            speakers: Vec::new(),
            turns: 0,
            sample: Vec::new(),
            words: 0,
            excerpt: Arc::from(""),
            tools: BTreeMap::new(),
            work: WorkSums::default(),
            usage: BTreeMap::new(),
            channel: read.channel.as_ref().map_or_else(String::new, |it| it.name.clone()),
            quotes: None,
            filing: Some(Filing::of(read)).filter(|it| !it.is_empty()).map(Box::new),
            section: format
                .is_some_and(|format| format.name == section::FILE)
                .then(|| Box::new(Section::of(read))),
            recording: None,
            has_unpublished_recording: false,
            is_recorded: false,
            is_episode: false,
            aliases: read.aliases(),
            is_titled: title.is_some(),
            index: read.choice(INDEX),
            reviewed: read.choice(REVIEWED),
            minhash: None,
            is_searchable: !read.excluded_from_search,
            withheld: None,
            is_alone: false,
            content: Hash::of(&read.title),
            first_title: None,
            unpublished_fields: 0,
            withheld_servers: BTreeMap::new(),
            placeholders: 0,
            references: BTreeMap::new(),
            attachments: BTreeMap::new(),
        };
        Self {
            quotes: Quotes::new(read, format, entry.id),
            agent: formats::agent_of(read, format),
            entry,
            private: read.private,
            schedule: read.schedule,
            detected: GateResult::default(),
            selection,
            places: HashMap::new(),
            title,
            file_title: read.file_title.clone(),
            is_rewritten: read.rewritten,
            beginning: Beginning::default(),
            turn_text: String::new(),
            minhasher: None,
            work: WorkCounter::default(),
            summary: read.summary().map(|text| text::excerpt(text, EXCERPT_CHARS)),
            is_empty: true,
            is_timed: true,
            linked: Vec::new(),
            suspects: Vec::new(),
            leaves_files_out: format.is_some_and(|format| format.write.is_none()),
        }
    }

    /// Returns whether the conversation is private, and when it may be published.
    pub(crate) fn access(&self) -> (bool, &Schedule) {
        (self.private, &self.schedule)
    }

    /// Adds what a part says about whether it may be published.
    pub(crate) fn restrict(&mut self, read: &Conversation) {
        self.private |= read.private;
        self.schedule.add(&read.schedule);
    }

    /// Sets its recording, and whether it has one that cannot be published.
    pub(crate) fn set_recording(&mut self, found: Option<Recording>, is_refused: bool) {
        self.entry.recording = found.map(Box::new);
        self.entry.has_unpublished_recording = is_refused;
    }

    /// Sets whether it is an episode of the site's podcast.
    pub(crate) fn set_episode(&mut self, is_episode: bool) {
        self.entry.is_episode = is_episode;
    }

    /// Removes a recording that was only found next to its file.
    pub(crate) fn drop_adjacent_recording(&mut self) {
        self.entry.recording.take_if(|recording| !recording.is_named);
    }

    /// Returns whether some of its words differ from the source.
    pub(crate) fn is_rewritten(&self) -> bool {
        self.is_rewritten
    }

    /// Records whether a part has words that differ from the source, or hides names.
    pub(crate) fn mark_rewritten(&mut self, read: &Conversation) {
        self.is_rewritten |= read.rewritten;
        self.detected.hides_words |= read.hides_names;
    }

    /// Sets the title that a later part of the conversation gives it.
    pub(crate) fn retitle(&mut self, read: &Conversation) {
        if let Some(title) = own_title(read) {
            self.title = Some(title);
            self.entry.is_titled = true;
        }
    }

    /// Removes hidden text from the findings added since the last call.
    pub(crate) fn clean_findings(&mut self, filter: &ReportFilter<'_>) {
        let findings = &mut self.detected.findings;
        let known = std::mem::replace(&mut self.detected.cleaned, findings.len());
        filter.clean_findings(findings.get_mut(known..).unwrap_or_default());
    }

    /// Adds what the gate found in a part. `hides_more` means that the files contain more.
    pub(crate) fn add_inspection(&mut self, seen: Inspection, hides_more: bool) {
        self.detected.add(seen);
        self.detected.is_as_read &= !hides_more;
    }

    /// Adds what the gate finds in its file name, if that is its title.
    pub(crate) fn inspect_file_name(&mut self, is_only: bool, gate: &Gate) {
        let is_title = self.is_titled_by_file(is_only) && self.file_title.is_none();
        let Some(part) = self.entry.parts.first().filter(|_| is_title) else { return };
        let (source, label) = (&part.source, self.entry.label());
        let name = source.name_for_readers(part.file());
        let mut seen = gate.inspect_text(source.rule, &[label], name, TextRole::Id);
        for found in &mut seen.found {
            label.clone_into(&mut found.finding.conversation);
            label.clone_into(&mut found.finding.at.file);
        }
        self.detected.matched.extend(seen.matched);
        for found in seen.found {
            found.finding.add_to(&mut self.detected.findings);
        }
    }

    /// Inspects text derived from a conversation that the gate did not withhold. Returns a
    /// diagnostic for a secret that is only in the derived text.
    pub(crate) fn inspect_derived(&mut self, gate: &Gate) -> Option<Diagnostic> {
        if gate::holds(&self.detected.findings) {
            return None;
        }
        let source = self.entry.parts.first()?.source.clone();
        let label = source.label();
        let mut derived = std::mem::take(&mut self.suspects);
        let titles = [&self.title, &self.file_title, &self.summary].into_iter().flatten();
        let titles = titles.cloned().chain(self.beginning.names());
        derived.extend(titles.filter(|text| is_suspicious(text)));
        let mut note = None;
        for text in derived {
            let Some(seen) = gate.inspect_derived(source.rule, &[label], &text) else {
                continue;
            };
            self.detected.matched.extend(seen.matched);
            for mut found in seen.found {
                label.clone_into(&mut found.finding.conversation);
                label.clone_into(&mut found.finding.at.file);
                note.get_or_insert_with(|| {
                    let name = &found.finding.name;
                    let message = format!("a secret ({name}) is hidden by markup");
                    let note = Diagnostic::new(Severity::Error, "secret-missed", message);
                    note.in_file(label).hint(gate::MISSED)
                });
                found.finding.add_to(&mut self.detected.findings);
            }
        }
        note
    }

    /// Returns whether it has no text that could be its title.
    fn is_titled_by_file(&self, is_only: bool) -> bool {
        let is_undated = self.entry.updated.is_none();
        let by_file = is_undated && is_only && !self.is_named_by_id();
        self.title.is_none() && (self.beginning.opening.is_empty() || by_file)
    }

    /// Returns whether its file name is an id, which means nothing to people.
    fn is_named_by_id(&self) -> bool {
        let name =
            self.entry.parts.first().map_or("", |part| part.source.name_for_readers(part.file()));
        let is_part =
            |part: &str| part.len() >= 4 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        name.bytes().any(|byte| byte.is_ascii_digit())
            && name.len() >= 16
            && name.split(['-', '_']).all(is_part)
    }

    /// Takes the findings of the gate.
    pub(crate) fn gate_result(&mut self) -> GateResult {
        std::mem::take(&mut self.detected)
    }

    /// Checks whether a part of it is selected.
    pub(crate) fn select(&mut self, read: &Conversation) {
        if let Some(selection) = &mut self.selection {
            selection.add(read);
        }
    }

    /// Returns whether the parts seen so far are selected, and which queries of the rule match.
    pub(crate) fn verdict(&self) -> Verdict {
        self.selection.as_ref().map(Selection::finish).unwrap_or_default()
    }

    /// Returns whether it is empty, including branches.
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// Returns the reference to the page that is added next: these turns of the conversation
    /// `text`, with those versions of it.
    pub(crate) fn next_page(
        &self,
        text: &Version,
        turns: &Range<usize>,
        versions: &[Version],
    ) -> TextRef {
        TextRef {
            source: text.source.clone(),
            part: text.part.clone(),
            index: text.index,
            from: turns.start,
            to: turns.end,
            part_number: self.entry.parts.len(),
            turns_before: self.entry.turns,
            versions: versions.to_vec(),
        }
    }

    /// Adds a page.
    pub(crate) fn add_page(
        &mut self,
        text_ref: TextRef,
        read: &Conversation,
        settings: &ReadSettings,
        resolver: &Resolver<'_>,
        notes: &mut Vec<Diagnostic>,
    ) {
        self.entry.unpublished_fields += read.unpublished.len() as u64;
        self.is_empty &= read.preface.is_empty() && read.all_turns().next().is_none();
        for who in &read.participants {
            let speakers = &mut self.entry.speakers;
            match self.places.get(&who.name) {
                Some(place) => {
                    let speaker = &mut speakers[*place];
                    speaker.kind = speaker.kind.max(who.kind);
                    speaker.model = speaker.model.take().or_else(|| who.model.clone());
                }
                None => {
                    self.places.insert(who.name.clone(), speakers.len());
                    let (name, model) = (who.name.clone(), who.model.clone());
                    let (turns, words) = (0, 0);
                    speakers.push(Speaker { name, kind: who.kind, model, turns, words });
                }
            }
        }
        if read.page.is_some() {
            let file = text_ref.file();
            self.entry.id = Hash::of(&("page", file));
            self.entry.page = Some(Box::new(PlainPage::new(read, file, resolver.content())));
        }
        if !read.preface.is_empty() {
            self.entry.content = Hash::of(&(self.entry.content, &read.preface));
            let scan = markup::scan(&read.preface, settings.math);
            let at = read.page.unwrap_or_default();
            let place = NotePlace { text_ref: &text_ref, at };
            notes.extend(plain_text_note(&read.preface).map(|note| place.on_line(note)));
            self.entry.words += text::words(&read.preface);
            if let Some(page) = &mut self.entry.page {
                let own = scan.references.iter();
                page.places = resolver.places(place.at, &read.preface, own);
                // The introduction of a folder is shown above the folder's list.
                if self.entry.section.is_none() {
                    self.beginning.add_page(&scan.text);
                }
            }
            let place = NotePlace { text_ref: &text_ref, at };
            let targets = &mut self.entry.references;
            resolver.resolve(place, &read.preface, &scan.references, settings, targets, notes);
        }
        let mut outline = PartOutline::default();
        for turn in &read.turns {
            self.turn_text.clear();
            self.add_turn(turn, true, &text_ref, settings, resolver, notes);
            let who = self.places.get(&turn.speaker).map(|at| &self.entry.speakers[*at]);
            let is_person = who.is_some_and(|who| who.kind == Kind::Person);
            outline.add(&turn.id, &self.turn_text, is_person);
        }
        self.entry.outline.push(outline);
        for turn in read.branches.iter().flat_map(|branch| &branch.turns) {
            self.add_turn(turn, false, &text_ref, settings, resolver, notes);
        }
        self.entry.turns += read.turns.len() as u64;
        self.entry.parts.push(Arc::new(text_ref));
    }

    /// Records which messages of the last added page are quoted by other pages, and which messages
    /// it quotes.
    pub(crate) fn add_quotes(&mut self, read: &Conversation, answered: &Answered<'_>) {
        let page = self.entry.parts.len().saturating_sub(1);
        self.quotes.add(page, read, answered);
    }

    fn add_turn(
        &mut self,
        turn: &Turn,
        main: bool,
        text_ref: &TextRef,
        settings: &ReadSettings,
        resolver: &Resolver<'_>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let aside = turn.unpublished.len() as u64;
        self.entry.unpublished_fields += aside;
        // The gate has already redacted the names of tools.
        count_withheld(self.agent, turn, |_| false, &mut self.entry.withheld_servers);
        self.update_time(turn);
        let content = (&turn.id, &turn.speaker, turn.text(), main);
        self.entry.content = Hash::of(&(self.entry.content, content));
        if let Some(usage) = &turn.usage {
            let time = turn.time.as_ref().or(self.entry.time.as_ref());
            let key = (usage.model.clone(), time.map(Time::year_month));
            self.entry.usage.entry(key).or_default().count(usage);
        }
        self.entry.is_recorded |= main && turn.moment().is_some();
        if main {
            self.add_to_sample(turn);
        }
        if main && let Some(at) = self.places.get(&turn.speaker) {
            let speaker = &mut self.entry.speakers[*at];
            speaker.turns += 1;
            self.is_timed &= turn.time.is_some();
            if settings.finds_openers
                && speaker.kind.talks()
                && turn.has_text()
                && self.entry.opener.is_none()
            {
                let text = markup::scan(&turn.prose(), settings.math).text;
                self.entry.opener = Some(Box::new(Opener {
                    speaker: *at,
                    turn: turn.id.clone(),
                    text: text::readable_excerpt(&text, EXCERPT_CHARS),
                }));
            }
        }
        for (index, block) in turn.blocks.iter().enumerate() {
            match block {
                Block::Markdown { text } | Block::Thinking { text } => {
                    let prose = matches!(block, Block::Markdown { .. });
                    self.add_text(text, prose && main, turn, text_ref, settings, resolver, notes);
                }
                Block::Event { detail: Some(text), .. } => {
                    self.add_text(text, false, turn, text_ref, settings, resolver, notes);
                    if main && block.expanded().is_some() {
                        let plain = markup::scan(text, settings.math).text;
                        self.add_to_beginning(turn, text, &plain, settings.math);
                    }
                }
                Block::Attachment(attachment) => {
                    let (attached, note, seen) =
                        attach(attachment, turn, index, text_ref, resolver);
                    self.detected.add(seen);
                    let is_expected =
                        self.leaves_files_out && attachment.content == Content::Missing;
                    notes.extend(note.filter(|_| !is_expected));
                    let broken = matches!(attached, ResolvedAttachment::Broken(_));
                    self.entry.placeholders += u64::from(broken);
                    let is_linked = attached == ResolvedAttachment::External && main;
                    if let Content::Uri(uri) = &attachment.content
                        && is_linked
                    {
                        self.linked.extend(Lookup::remote(uri, settings));
                    }
                    let key = (text_ref.part_number, turn.id.clone(), index);
                    self.entry.attachments.insert(key, attached);
                }
                Block::Unknown { .. } => self.entry.placeholders += 1,
                Block::Tool(call) if is_withheld(call) => self.entry.placeholders += 1,
                Block::Tool(call) if main && !call.name.is_empty() => {
                    *self.entry.tools.entry(call.name.clone()).or_default() += 1;
                    self.work.add(call);
                }
                Block::Tool(_) | Block::Event { .. } | Block::Citations { .. } => {}
            }
        }
    }

    fn add_to_sample(&mut self, turn: &Turn) {
        let text = turn.text();
        let hash = fnv1a(turn.speaker.bytes().chain([0]).chain(text.bytes()));
        let hash = (hash ^ hash >> 32) as u32;
        let sample = &mut self.entry.sample;
        if let Err(at) = sample.binary_search(&hash)
            && at < SAMPLE_SIZE
        {
            sample.insert(at, hash);
            sample.truncate(SAMPLE_SIZE);
        }
    }

    fn update_time(&mut self, turn: &Turn) {
        let Some(time) = &turn.time else { return };
        let known = self.entry.updated.as_ref().map(Time::instant);
        if known.is_none_or(|known| known < time.instant()) {
            self.entry.updated = Some(time.clone());
        }
    }

    #[expect(clippy::too_many_arguments, reason = "one caller, which passes on its own arguments")]
    fn add_text(
        &mut self,
        source: &str,
        counts: bool,
        turn: &Turn,
        text_ref: &TextRef,
        settings: &ReadSettings,
        resolver: &Resolver<'_>,
        notes: &mut Vec<Diagnostic>,
    ) {
        let scan = markup::scan(source, settings.math);
        notes.extend(
            plain_text_note(source).map(|note| NotePlace::of(text_ref, turn).on_line(note)),
        );
        if !scan.references.is_empty() {
            let place = NotePlace::of(text_ref, turn);
            let targets = &mut self.entry.references;
            resolver.resolve(place, source, &scan.references, settings, targets, notes);
        }
        if is_suspicious(&scan.text) {
            self.suspects.push(scan.text.clone());
        }
        if !counts {
            return;
        }
        if self.turn_text.len() < TURN_TEXT_BYTES {
            self.turn_text.push_str(&scan.text);
            self.turn_text.push(' ');
        }
        let count = text::words(&scan.text);
        if settings.makes_minhashes {
            self.minhasher.get_or_insert_default().add(&scan.text);
        }
        self.entry.words += count;
        if let Some(at) = self.places.get(&turn.speaker) {
            self.entry.speakers[*at].words += count;
        }
        self.add_to_beginning(turn, source, &scan.text, settings.math);
    }

    /// Reads what a text says about the name of the conversation. `plain` is the text without markup.
    fn add_to_beginning(&mut self, turn: &Turn, source: &str, plain: &str, math: bool) {
        let speaker = self.places.get(&turn.speaker).map(|at| &self.entry.speakers[*at]);
        let kind = speaker.map_or(Kind::Person, |who| who.kind);
        if self.title.is_none() {
            self.beginning.add_name(&turn.speaker, kind, source, math);
        }
        self.beginning.add_turn(&turn.speaker, kind, plain);
    }

    /// Returns the entry. `is_only` means that its source has no other conversation, so the
    /// source's name applies to it.
    pub(crate) fn finish(mut self, is_only: bool, gate: &Gate) -> Entry {
        let is_titled_by_file = self.is_titled_by_file(is_only);
        let first = self.entry.parts.first();
        let name = first.map(|part| {
            let name = part.source.name_for_readers(part.file());
            gate.clean(part.source.rule, name.to_owned())
        });
        self.entry.title = match self.title {
            Some(title) => title,
            None if is_titled_by_file => self.file_title.or(name).unwrap_or_default(),
            None => {
                let names = self.beginning.names();
                self.entry.names = names.iter().map(|name| name.as_str().into()).collect();
                names.into_iter().next().unwrap_or_default()
            }
        };
        let Beginning { opening, answer, .. } = self.beginning;
        let excerpt = match self.summary {
            Some(summary) => summary,
            // A file name does not repeat the question, as other titles do.
            None if is_titled_by_file && text::words(&opening) >= MIN_OPENING_WORDS => opening,
            None if answer.is_empty() => opening,
            None => answer,
        };
        self.entry.excerpt = excerpt.into();
        self.entry.opener.take_if(|_| !self.is_timed);
        // With a single recording, times in the conversation are times in that recording.
        if self.entry.recording.is_none() && self.entry.is_recorded && self.linked.len() == 1 {
            self.entry.recording = self.linked.pop().map(Box::new);
        }
        self.entry.work = self.work.finish();
        self.entry.quotes = self.quotes.finish();
        self.entry.minhash = self.minhasher.map(MinHasher::finish);
        if self.entry.parts.len() < 2 {
            self.entry.outline = Vec::new();
        } else if !self.entry.has_prompts() {
            self.entry.outline.iter_mut().for_each(PartOutline::clear_prompts);
        }
        // There is one entry per conversation, and they no longer grow, so spare capacity is freed.
        self.entry.parts.shrink_to_fit();
        self.entry.speakers.shrink_to_fit();
        self.entry
    }
}

/// Returns the [`Entry::vendor_id`] of a conversation. Only ids made by vendors' programs are
/// unique.
pub(crate) fn vendor_id(read: &Conversation, format: Option<&Format>) -> Option<Hash> {
    let vendor = origin(read, format).or(format).filter(|format| format.write.is_none())?;
    let id = read.id.as_deref().filter(|id| !id.is_empty())?;
    Some(Hash::of(&(vendor.name, id)))
}

/// Returns the format that a conversation comes from: for a file of `import`, the one that it was converted
/// from, if that is known.
fn origin<'f>(read: &Conversation, format: Option<&'f Format>) -> Option<&'f Format> {
    match &read.imported_from {
        Some(from) => formats::named(from),
        None => format,
    }
}

/// Returns whether a call is only a placeholder for a result that is hidden because its call is
/// missing.
fn is_withheld(call: &ToolCall) -> bool {
    let is_hidden = |result: &ToolResult| result.output.is_none() && !result.unpublished.is_empty();
    call.name.is_empty() && call.results.iter().any(is_hidden)
}

/// Returns the diagnostic for a text that is too complex to be shown as Markdown.
fn plain_text_note(text: &str) -> Option<Diagnostic> {
    if !is_too_complex(text) {
        return None;
    }
    let message = "this turn is too complex to render as Markdown";
    let note = Diagnostic::new(Severity::Warning, "plain-text", message);
    let note = note.hint("it is shown as plain text; split it into several turns");
    Some(note)
}
