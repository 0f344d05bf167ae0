//! Counts what happened to every file of the content folder, so that none is ignored silently.

use std::collections::HashSet;
use std::io::Read as _;

use rayon::prelude::*;

use super::entry::Entry;
use super::find::FoundSources;
use crate::config::Config;
use crate::diag::{Diagnostic, Lines, Note, Severity};
use crate::files::{FileInfo, Storage};
use crate::formats::{self, Input, sniff};
use crate::path::RelPath;
use crate::sources::cache::cached_source::CachedSource;
use crate::sources::entry::archive::Coverage;
use crate::sources::find::history::is_history;
use crate::sources::refs::attachments::ResolvedAttachment;
use crate::sources::refs::file_index::FileIndex;
use crate::sources::refs::media::Media;
use crate::sources::refs::references::Target;

/// Counts all files in `listed`, and adds a diagnostic for each file without one. `read` are the
/// files of each source with their contents.
pub(super) fn measure<'a>(
    index: FileIndex<'_>,
    listed: &[FileInfo],
    found: &'a FoundSources,
    read: impl Iterator<Item = (&'a [RelPath], &'a CachedSource)> + Clone,
    config: &'a Config,
    notes: &mut Vec<Diagnostic>,
) -> Coverage {
    let mut coverage = Coverage::default();
    let mut known: HashSet<&str> = HashSet::new();
    for (_, source) in read.clone() {
        let shown = source.entries.iter().flat_map(|entry| shown_files(entry));
        known.extend(shown.chain(&source.rest().shown).map(RelPath::as_str));
    }
    let site_files =
        [&config.look.logo, &config.look.image, &config.head.favicon, &config.podcast.image];
    known.extend(site_files.into_iter().chain(&config.og_images.fonts).map(String::as_str));
    // Files shown unchanged need not be conversations.
    notes.retain(|note| {
        let file = note.at.as_ref().map(|at| at.file.as_str());
        note.code != "unknown-format" || file.is_none_or(|file| !known.contains(file))
    });
    let mut sources: HashSet<&str> = found.members.iter().map(String::as_str).collect();
    for (files, source) in read {
        sources.extend(files.iter().map(RelPath::as_str));
        if !source.is_empty() {
            continue;
        }
        let unseen = |file: &&RelPath| !is_history(file.as_str()) && !known.contains(file.as_str());
        let names = files.iter().filter(unseen).map(RelPath::to_string);
        let is_broken = source.rest().notes.iter().any(|note| note.severity == Severity::Error);
        match is_broken {
            true => coverage.broken.extend(names),
            false => coverage.unrecognised.extend(names),
        }
    }
    known.extend(sources);
    let mut unrecognised = Vec::new();
    let opened: HashSet<&RelPath> = listed
        .iter()
        .filter_map(|file| match &file.storage {
            Storage::Inside(container) => Some(container),
            Storage::Plain | Storage::Container => None,
        })
        .collect();
    let broken: HashSet<&str> = notes
        .iter()
        .filter(|note| note.code == "bad-archive" && note.severity == Severity::Error)
        .filter_map(|note| Some(note.at.as_ref()?.file.as_str()))
        .collect();
    for file in listed.iter().filter(|file| !is_history(file.path.as_str())) {
        if file.storage == Storage::Container {
            // Either its content is counted, or finding nothing in it was reported.
            let is_lost = !opened.contains(&file.path) && broken.contains(file.path.as_str());
            coverage.files += u64::from(is_lost);
            coverage.broken.extend(is_lost.then(|| file.path.to_string()));
            continue;
        }
        coverage.files += 1;
        if found.ignored.contains(file.path.as_str()) {
            coverage.ignored += 1;
        } else if !known.contains(file.path.as_str()) {
            coverage.unrecognised.push(file.path.to_string());
            unrecognised.push(&file.path);
        }
    }
    drop(broken);
    notes.par_extend(unrecognised.into_par_iter().map(|file| unrecognised_note(index, file)));
    coverage
}

/// Returns the files shown on the pages of a conversation.
pub(super) fn shown_files(entry: &Entry) -> impl Iterator<Item = &RelPath> {
    let referred = entry.references.values().filter_map(|target| match target {
        Target::Media(media) => Some(&**media),
        Target::Conversation(_) | Target::Address(_) => None,
    });
    let attached = entry.attachments.values().filter_map(|attached| match attached {
        ResolvedAttachment::Stored { media, .. } => Some(&**media),
        ResolvedAttachment::External
        | ResolvedAttachment::Absent
        | ResolvedAttachment::Broken(_) => None,
    });
    let recorded = entry.recording.iter().filter_map(|recording| recording.file());
    referred.chain(attached).filter_map(Media::file).chain(recorded)
}

/// Returns the diagnostic for the saved output of a tool without its session.
pub(super) fn tool_output_note(file: &RelPath) -> Diagnostic {
    let message = "the saved output of a tool, without its session (not published)";
    let note = Diagnostic::new(Severity::Hint, "unknown-format", message).in_file(file.as_str());
    note.hint("copy the `.jsonl` file of the session next to the folder of the session")
        .hint("if it is a conversation, move it out of the folder `tool-results`")
}

/// Returns the diagnostic for a file that is not read at all.
fn unrecognised_note(index: FileIndex<'_>, file: &RelPath) -> Diagnostic {
    if formats::is_tool_output(file.as_str()) {
        return tool_output_note(file);
    }
    let mut head = Vec::new();
    let read = index.files.open(file, 0).map(|reader| {
        // An error further on does not matter: the bytes so far are enough.
        let _ = reader.take(sniff::SNIFF_BYTES as u64).read_to_end(&mut head);
    });
    if let Err(note) = read {
        return *note;
    }
    let text = String::from_utf8_lossy(&head);
    let note = match formats::detect(file.name(), &text).0 {
        Some(format) => {
            let message = format!(
                "{}, which is not published: files with this extension are not read",
                format.title
            );
            Note::new(Severity::Warning, "unknown-format", None, message).hint(format!(
                "give it an extension such as `{}`, or set `format = \"{}\"` for it in a `[[source]]` \
                 of site.toml",
                formats::EXTENSIONS[0],
                format.name
            ))
        }
        None => sniff::note(file.name(), &head),
    };
    let mut notes = [note.locate(file.as_str(), &Lines::new(&text))];
    // The excerpt may end inside of a secret.
    let (path, name) = (file.to_string(), file.name().to_owned());
    let input = Input { path, name, bytes: head, first_line: 1, is_continued: false };
    let gate = &index.rules.gate;
    gate.scrubber(&[], &notes, &[input]).scrub(&mut notes, gate);
    let [note] = notes;
    note
}
