//! `convo-site search`: searches the conversations of a site in the terminal.

use anstyle::{AnsiColor, Style};

use super::args::{BaseUrlArgs, CacheArgs, GateArgs, SearchArgs, with_fallback_key};
use super::report::{self, Progress};
use super::unconfigured::Subject;
use super::{Failure, Outcome};
use crate::diag::emit::{visible, visible_json};
use crate::disk::State;
use crate::local_search::{Corpus, Hit, LocalIndex, SearchResults, Tier};
use crate::pipeline::{self, Build, Choices};
use crate::sources::Release;
use crate::text::plural;

/// Searches the conversations of a site. Exits with 1 if nothing is found.
pub(super) fn run(args: &SearchArgs) -> Result<Outcome, Failure> {
    let searchable = Searchable {
        subject: Subject::open(&args.site)?,
        cache: args.cache.clone(),
        include_private: args.include_private,
    };
    let limit = if args.count { 0 } else { args.limit };
    let (build, found) = searchable.find(&args.query, limit, Choices::default())?;
    for (from, to) in &found.corrected {
        report::summary(&format!(
            "showing results for “{}” instead of “{}”",
            visible(to),
            visible(from)
        ));
    }
    for note in &found.notes {
        report::summary(&format!("note: {}", visible(&as_message(note))));
    }
    let withheld = build.held_back.len() as u64;
    if found.turns == 0 && withheld > 0 {
        let (one, many) = ("withheld conversation was", "withheld conversations were");
        let count = plural(withheld, one, many);
        report::summary(&format!(
            "note: {count} not searched; add private ones with `--include-private`"
        ));
    }
    if let Some(note) = note_on(found.tier) {
        report::summary(&format!("note: {note}"));
    }
    if args.json {
        report::output(&visible_json(&found));
    } else if args.count {
        report::output(&format!("{}\n", found.turns));
    } else {
        let hits: String = found.hits.iter().map(format_hit).collect();
        report::styled(&hits);
        report::summary(&totals(&found));
    }
    Ok(if found.turns == 0 { Outcome::Findings } else { Outcome::Fine })
}

/// A site or other conversations, as they are when they are searched.
pub(super) struct Searchable {
    pub(super) subject: Subject,
    pub(super) cache: CacheArgs,
    pub(super) include_private: bool,
}

impl Searchable {
    /// Returns the plan of the site, which is read again.
    #[cfg(feature = "mcp")]
    pub(super) fn build(&self, choices: Choices) -> Result<Build, Failure> {
        self.read(choices, &Progress::new()).map(|(build, _)| build)
    }

    /// Returns the same and the best `limit` turns that match a query.
    pub(super) fn find(
        &self,
        query: &str,
        limit: usize,
        choices: Choices,
    ) -> Result<(Build, SearchResults), Failure> {
        let progress = Progress::new();
        let (build, state) = self.read(choices, &progress)?;
        let mut index = LocalIndex::open(&state, self.include_private)?;
        let corpus = Corpus::of(&build);
        index.update(corpus, &|done, all| progress.advance("indexing", done, all))?;
        progress.finish();
        let found = index.find(query, corpus, limit)?;
        Ok((build, found))
    }

    fn read(&self, choices: Choices, progress: &Progress) -> Result<(Build, State), Failure> {
        let files = self.subject.files(None)?;
        let state =
            State::open(&self.subject.cache(&self.cache)?, &|holder| report::waiting(holder))?;
        let release = Release { private: self.include_private, ..Release::default() };
        let memo = state.memo()?;
        let on_phase = |phase| progress.phase(phase);
        let choices = Choices { release, ..choices };
        let choices = GateArgs::default().choose(&BaseUrlArgs::default(), choices)?;
        let choices = with_fallback_key(choices)?;
        let build = pipeline::run(&files, &choices, &memo, &on_phase)?;
        if let Err(error) = state.keep(&memo) {
            let error = error.to_string();
            report::summary(&format!("note: cannot write the cache: {}", visible(&error)));
        }
        Ok((build, state))
    }
}

/// Returns the note on results in which no turn has all words.
fn note_on(tier: Tier) -> Option<&'static str> {
    match tier {
        Tier::Turn => None,
        Tier::Conversation => {
            Some("no turn has all these words; these conversations have them in several turns")
        }
        Tier::Most => Some("no conversation has all these words; these have most of them"),
    }
}

fn totals(found: &SearchResults) -> String {
    let turns = plural(found.turns as u64, "turn", "turns");
    let conversations = plural(found.conversations as u64, "conversation", "conversations");
    let shown = match found.hits.len() {
        count if count < found.turns => format!("; showing the first {count}"),
        _ => String::new(),
    };
    format!("{turns} in {conversations}{shown}")
}

const PLACE_STYLE: Style = AnsiColor::Magenta.on_default();
const NAME_STYLE: Style = AnsiColor::Green.on_default();
const MARK_STYLE: Style = AnsiColor::Red.on_default().bold();

/// Formats a sentence as a message: in lower case and without a full stop.
fn as_message(sentence: &str) -> String {
    let mut letters = sentence.strip_suffix('.').unwrap_or(sentence).chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// Formats a hit for people: place, speaker, time, title and excerpt.
fn format_hit(hit: &Hit) -> String {
    let place = visible(&format!("{}:{}", hit.file, hit.line));
    let mut about = String::new();
    if !hit.speaker.is_empty() {
        about.push_str(&format!("  {NAME_STYLE}{}{NAME_STYLE:#}", visible(&hit.speaker)));
    }
    let when = hit.time.as_deref().or(hit.day.as_deref()).unwrap_or_default();
    for part in [when, &hit.title].into_iter().filter(|part| !part.is_empty()) {
        about.push_str(&format!("  {}", visible(part)));
    }
    let mut excerpt = String::new();
    let mut at = 0;
    for mark in &hit.marks {
        excerpt.push_str(&visible(&hit.excerpt[at..mark.start]));
        excerpt.push_str(&format!(
            "{MARK_STYLE}{}{MARK_STYLE:#}",
            visible(&hit.excerpt[mark.clone()])
        ));
        at = mark.end;
    }
    excerpt.push_str(&visible(&hit.excerpt[at..]));
    format!("{PLACE_STYLE}{place}{PLACE_STYLE:#}{about}\n    {excerpt}\n\n")
}
