//! `convo-site status`: what is public, what is not, and why.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::args::StatusArgs;
use super::report;
use super::{Failure, Outcome, require_site};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, Destination, Disk, LastBuild};
use crate::files::SharedFiles;
use crate::hash::Hash;
use crate::pipeline::{self, Build, Choices};
use crate::site::addresses::{self, Address};
use crate::sources::{Exclusion, HeldBack, HeldReason};
use crate::text::{grouped, plural};

/// The most files that are named for one reason, unless all are asked for.
const MAX_NAMES: usize = 10;

pub(super) fn run(args: &StatusArgs) -> Result<Outcome, Failure> {
    require_site(&args.site)?;
    let destination = Destination::new(&args.site, args.output.clone());
    let files = Disk::with_output(&args.site, &destination.path());
    let files: SharedFiles = std::sync::Arc::new(files);
    let memo = disk::memo_of(&args.site);
    let choices = args.gate.choose(Choices::default())?;
    let build = pipeline::run(&files, &choices, &memo, &|_| {})?;
    let mut groups = groups(&build);
    if let Some(last) = LastBuild::of(&args.site, &destination.path()) {
        groups.extend(changes(&build, &last));
    }
    if args.json {
        let json: Vec<Value> = groups.iter().map(Group::json).collect();
        report::output(&format!("{}\n", crate::json::pretty(&json)));
    } else {
        let text: Vec<String> = groups.iter().map(|group| group.text(args.all)).collect();
        report::output(&text.concat());
    }
    Ok(Outcome::Fine)
}

/// Files of which the same became.
struct Group {
    /// What became of them, in a word.
    state: &'static str,
    /// The same as the beginning of a sentence about several.
    words: String,
    /// How many conversations, or files where there is none, by file.
    files: BTreeMap<String, u64>,
}

impl Group {
    /// Returns the group of some conversations by their files, one for each; `one` and `many` say
    /// what became of them.
    fn new(state: &'static str, one: &str, many: &str, labels: &[&str]) -> Option<Self> {
        let mut files = BTreeMap::new();
        for label in labels {
            *files.entry((*label).to_owned()).or_default() += 1;
        }
        let words = plural(labels.len() as u64, one, many);
        (!labels.is_empty()).then_some(Self { state, words, files })
    }

    fn text(&self, is_long: bool) -> String {
        let mut text = format!("{}\n", self.words);
        let most = if is_long { usize::MAX } else { MAX_NAMES };
        for (file, count) in self.files.iter().take(most) {
            text.push_str(&format!("  {}", visible(file)));
            if *count > 1 {
                text.push_str(&format!(" ({})", grouped(*count)));
            }
            text.push('\n');
        }
        let more = self.files.len().saturating_sub(most) as u64;
        if more > 0 {
            text.push_str(&format!("  and {} more; --all names them\n", grouped(more)));
        }
        text
    }

    fn json(&self) -> Value {
        json!({"state": self.state, "files": self.files})
    }
}

fn groups(build: &Build) -> Vec<Group> {
    let mut groups = Vec::new();
    let mut add = |state, one: &str, many: &str, labels: Vec<&str>| {
        groups.extend(Group::new(state, one, many, &labels));
    };
    let labels = build.addresses.iter().map(|address| address.label.as_str());
    add("public", "conversation is public", "conversations are public", labels.collect());
    for (reason, state, one, many) in [
        (HeldReason::Private, "private", "is private", "are private"),
        (HeldReason::Secret, "secret", "holds a secret", "hold secrets"),
    ] {
        let some = build.held_back.iter().filter(|held| held.reason == reason);
        add(state, one, many, some.map(|held| held.label.as_str()).collect());
    }
    for (reason, state, one, many) in [
        (
            Exclusion::Rule,
            "excluded",
            "is excluded by a `[[source]]`",
            "are excluded by a `[[source]]`",
        ),
        (
            Exclusion::NotListed,
            "not-listed",
            "is not in publish.toml",
            "are not in publish.toml",
        ),
        (Exclusion::NotReviewed, "not-reviewed", "is not reviewed", "are not reviewed"),
    ] {
        let some = build.excluded.iter().filter(|(why, _)| *why == reason);
        let labels = some.map(|(_, HeldBack { label, .. })| label.as_str());
        add(state, one, many, labels.collect());
    }
    let of_notes = |chosen: &dyn Fn(&Diagnostic) -> bool| -> BTreeSet<&str> {
        let notes = build.notes.iter().filter(|note| chosen(note));
        notes.filter_map(|note| Some(note.at.as_ref()?.file.as_str())).collect()
    };
    let unread = of_notes(&|note| note.code == "unknown-format");
    let (one, many) = (
        "file holds no conversation that is known",
        "files hold no conversation that is known",
    );
    add("unread", one, many, unread.iter().copied().collect());
    let known: BTreeSet<&str> = build.addresses.iter().map(|one| &*one.label).collect();
    let broken = of_notes(&|note| note.severity == Severity::Error);
    let broken = broken.difference(&known).filter(|file| !unread.contains(**file));
    let (one, many) = ("file has errors", "files have errors");
    add("broken", one, many, broken.copied().collect());
    groups
}

/// Returns what differs from the last build.
fn changes(build: &Build, last: &LastBuild) -> Vec<Group> {
    let before = addresses::of_text(&last.addresses);
    let known: BTreeSet<Hash> = before.iter().map(|address| address.id).collect();
    let now: BTreeSet<Hash> = build.addresses.iter().map(|address| address.id).collect();
    let is_as_before = |address: &&Address| {
        let page = format!("{}index.html", address.folder);
        build.outputs.get(&page).is_some_and(|page| last.has(page))
    };
    let (old, new): (Vec<&Address>, Vec<&Address>) =
        build.addresses.iter().partition(|address| known.contains(&address.id));
    let changed: Vec<&Address> =
        old.into_iter().filter(|address| !is_as_before(address)).collect();
    let gone: Vec<&Address> =
        before.iter().filter(|address| !now.contains(&address.id)).collect();
    let group = |state, one, many, all: Vec<&Address>| {
        let labels: Vec<&str> = all.into_iter().map(|one| one.label.as_str()).collect();
        Group::new(state, one, many, &labels)
    };
    let groups = [
        group("new", "is new since the last build", "are new since the last build", new),
        group(
            "changed",
            "has another page than in the last build",
            "have other pages than in the last build",
            changed,
        ),
        group(
            "gone",
            "was in the last build and is gone",
            "were in the last build and are gone",
            gone,
        ),
    ];
    groups.into_iter().flatten().collect()
}
