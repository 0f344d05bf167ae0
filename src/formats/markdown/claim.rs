//! Decides whether a text is a transcript: by its names in bold type, by another shape, or after markup
//! around its lines is removed.

use std::collections::BTreeSet;
use std::ops::Range;

use super::super::{Claim, Probe, sniff};
use super::bold_names::{marked, verdict};
use super::verdict::Verdict;
use super::{front, names, shapes, wrap};
use convo_base::diag::Note;

pub(super) fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    let Some(plain) = has_plain_ending(name).then(|| wrap::unwrapped(name, text)).flatten() else {
        return claims_as_is(name, text);
    };
    let read = &plain.transcript;
    let first = read.starts.first().map(|(start, _)| start.line.clone());
    match claim(name, read.verdict, first, &read.names, &read.example) {
        Claim::Almost(note) => Claim::Almost(plain.restored(text, note)),
        claim => claim,
    }
}

fn claims_as_is(name: &str, text: &str) -> Claim {
    if has_plain_ending(name)
        && let Some(shaped) = unmarked(name, text)
        && (shaped.verdict == Verdict::Other || !sniff::is_other_chat(name, text))
    {
        let first = shaped.starts.first().map(|(start, _)| start.line.clone());
        return claim(name, shaped.verdict, first, &shaped.names, &shaped.example);
    }
    let starts = marked(text);
    let Some(first) = starts.first() else { return Claim::No };
    let (front, body) = front::split(text);
    let verdict = verdict(text, front, body, &starts);
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    for start in starts.iter().filter(|start| !names::is_label(&start.name)) {
        if seen.insert(start.name.as_str()) {
            names.push(start.name.clone());
        }
    }
    let example = format!("**{}:** …", first.name);
    claim(name, verdict, Some(first.line.clone()), &names, &example)
}

/// Converts a verdict to a claim.
fn claim(
    name: &str,
    verdict: Verdict,
    first: Option<Range<usize>>,
    names: &[String],
    example: &str,
) -> Claim {
    let verdict = match verdict {
        Verdict::Transcript if is_about_its_folder(name) => {
            Verdict::Doubtful("files with this name usually describe a folder")
        }
        verdict => verdict,
    };
    match (verdict, first) {
        (Verdict::Transcript, _) => Claim::Shape,
        (Verdict::Doubtful(why), Some(first)) => {
            let message = format!(
                "not published: `{example}` may be a speaker, or a label in a text that is not a \
                 conversation ({why})"
            );
            let note = Note::warning("doubtful-transcript", first, message);
            let line = shapes::speakers_line(names);
            let note =
                note.hint(format!("if this is a conversation, add to its front matter: `{line}`"));
            Claim::Almost(
                note.hint("if not, add `ignore = true` for it to a `[[source]]` in site.toml"),
            )
        }
        _ => Claim::No,
    }
}

/// Reads a text in which not all speakers' names are in bold type. Returns `None` if the names in bold type
/// are all there is.
pub(super) fn unmarked(name: &str, text: &str) -> Option<shapes::Transcript> {
    let starts = marked(text);
    let Some(first) = starts.first() else { return shapes::read(name, text) };
    let shaped = shapes::read(name, text)?;
    let (front, body) = front::split(text);
    let bold = verdict(text, front, body, &starts);
    let before =
        shaped.starts.first().is_some_and(|(start, _)| start.line.start < first.line.start);
    let known: BTreeSet<&str> = starts.iter().map(|start| start.name.as_str()).collect();
    let mixed = shaped.names.iter().any(|name| known.contains(name.as_str()));
    let more = shaped.starts.len() > starts.len() + starts.len() / 20;
    let fits = (shaped.unmarked > 0 || more)
        && match (bold, shaped.verdict) {
            (Verdict::Transcript, Verdict::Transcript) => before || mixed && more,
            (Verdict::Transcript, _) => false,
            (_, Verdict::Transcript) => true,
            (Verdict::Doubtful(_), _) => false,
            (Verdict::Other, Verdict::Doubtful(_)) => true,
            (Verdict::Other, Verdict::Other) => false,
        };
    // Exports of other programs may contain names in bold type.
    (fits && !sniff::is_other_chat(name, text)).then_some(shaped)
}

/// Returns whether a file of that name may contain names that are not in bold type.
fn has_plain_ending(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [".md", ".markdown", ".txt"].iter().any(|extension| name.ends_with(extension))
}

/// Returns whether a file of that name describes its folder.
fn is_about_its_folder(name: &str) -> bool {
    const NAMES: [&str; 14] = [
        "readme", "changelog", "changes", "history", "contributing", "license", "licence",
        "security", "code_of_conduct", "install", "todo", "authors", "agents", "claude",
    ];
    let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    NAMES.contains(&stem.as_str())
}
