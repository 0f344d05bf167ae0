//! `convo-site convert`

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use super::args::{ConvertArgs, MessageFormat};
use super::report;
use super::{Failure, Outcome};
use crate::config::{self, Config, SourceRule};
use crate::diag::{self, Diagnostic, Location, Severity, Span};
use crate::disk::{self, Disk};
use crate::files::Memory;
use crate::formats::{self, Format, Input, Loss, Write};
use crate::model::{Conversation, Turn};
use crate::sources::{self, Source};
use crate::text::{plural, slug};

/// The INPUT that stands for standard input.
const STDIN: &str = "-";
/// The name of standard input where that of a file is needed.
const STDIN_NAME: &str = "stdin";

pub(super) fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    let target = formats::named(&args.to)
        .ok_or_else(|| Failure::Usage(format!("no format `{}`", args.to)))?;
    let mut notes = Vec::new();
    let mut found = Vec::new();
    for input in &args.inputs {
        found.extend(read(input, args.from.as_deref(), &mut notes)?);
    }
    make_names_unique(&mut found);
    let is_one = found.len() == 1;
    let (private, mut chosen): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|item| item.conversation.private);
    for item in private {
        let title = item.conversation.title.as_deref().unwrap_or("without a title");
        if args.include_private {
            report::summary(&format!("private: {title} ({})", item.source));
            chosen.push(item);
        } else {
            let message = "a private conversation was held back";
            let note = Diagnostic::new(Severity::Warning, "held-back", message);
            notes.push(
                note.in_file(item.source).hint("`--include-private` converts it as well"),
            );
        }
    }
    let mut files = Vec::new();
    for item in &chosen {
        let written = files_of(target, item);
        notes.extend(loss_notes(target, item, &written));
        files.extend(written);
    }
    diag::sort(&mut notes);
    let output = match &args.output {
        Some(output) => Some(output_target(target, output, is_one, &args.inputs)),
        None if files.len() > 1 => {
            return Err(Failure::Usage(format!(
                "this makes {} files; say where they go with `-o FOLDER`",
                files.len()
            )));
        }
        None => None,
    };
    if let Some(place) = &output {
        write(place, &files)?;
    }
    let for_people =
        matches!(args.message_format, MessageFormat::Human | MessageFormat::Short);
    if for_people || output.is_some() {
        report::notes(&notes, args.message_format);
    } else {
        // Standard output belongs to the conversation.
        report::summary(diag::emit::render(diag::emit::Format::Json, &notes).trim_end());
    }
    if output.is_some() {
        let conversations = plural(chosen.len() as u64, "conversation", "conversations");
        let files = plural(files.len() as u64, "file", "files");
        report::summary(&format!(
            "converted {conversations} to {}: {files}",
            target.name
        ));
    } else if let Some((_, text)) = files.first() {
        report::output(text);
    }
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

/// Returns the configuration by which files outside of a site are read.
fn config(format: Option<&str>) -> Config {
    let mut config = config::defaults();
    config.content.clear();
    config.source.extend(format.map(|format| SourceRule {
        files: "**".to_owned().into(),
        format: Some(format.to_owned().into()),
        speakers: Default::default(),
        time_zone: None,
        tags: Vec::new(),
        visibility: None,
        ignore: false,
        show_system: false,
        search: true,
    }));
    config
}

/// A conversation that is to be written.
struct Item {
    /// The path of its file, as it was named or found.
    source: String,
    /// The paths by which its turns know the files that they stand in.
    files: Arc<[String]>,
    /// Where it goes below the output folder, without an ending.
    name: String,
    conversation: Conversation,
}

/// Reads the conversations of a file, a folder or standard input.
fn read(
    input: &Path,
    format: Option<&str>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<Item>, Failure> {
    let name = input.to_string_lossy().replace('\\', "/");
    let name = name.trim_start_matches("./");
    if name == STDIN {
        return stdin(format, notes);
    }
    let is_folder = disk::is_folder(input);
    let before = notes.len();
    let mut found = if is_folder {
        let files = Disk::new(input);
        sources::conversations(&files, &config(format)).take(notes)
    } else {
        let mut files = Memory::default();
        files.insert(name, disk::read(input)?);
        sources::conversations(&files, &config(format)).take(notes)
    };
    if is_folder {
        let below = |path: &str| format!("{}/{path}", name.trim_end_matches('/'));
        for at in notes[before..].iter_mut().filter_map(|note| note.at.as_mut()) {
            at.file = below(&at.file);
        }
        for whole in &mut found {
            whole.files = whole.files.iter().map(|path| below(path)).collect();
        }
    }
    if found.is_empty() && (is_folder || !is_broken(&notes[before..])) {
        // What was found there says the rest.
        notes.push(nothing_note(name));
    }
    let items = found.into_iter().map(|whole| Item {
        source: match is_folder {
            true => format!("{}/{}", name.trim_end_matches('/'), whole.source.file()),
            false => name.to_owned(),
        },
        files: whole.files,
        name: name_of(&whole.source, input, is_folder),
        conversation: whole.conversation,
    });
    Ok(items.collect())
}

fn stdin(
    format: Option<&str>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<Item>, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin()
        .read_to_end(&mut bytes)
        .map_err(|cause| disk::Error::new("read", Path::new(STDIN), cause))?;
    let input = Input {
        is_continued: false,
        path: STDIN_NAME.to_owned(),
        name: STDIN_NAME.to_owned(),
        bytes,
        first_line: 1,
    };
    let format = format.and_then(formats::named);
    let (_, found, more) = formats::parse(format, vec![input]);
    if found.is_empty() && !is_broken(&more) {
        notes.push(nothing_note(STDIN_NAME));
    }
    notes.extend(more);
    let files: Arc<[String]> = [STDIN_NAME.to_owned()].into();
    let item = |conversation| Item {
        source: STDIN_NAME.to_owned(),
        files: files.clone(),
        name: STDIN_NAME.to_owned(),
        conversation,
    };
    Ok(found.into_iter().map(item).collect())
}

/// Returns whether an error says why there is no conversation.
fn is_broken(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|note| note.severity == Severity::Error)
}

fn nothing_note(name: &str) -> Diagnostic {
    let message = "holds no conversation in a format that is known";
    let note = Diagnostic::new(Severity::Error, "unknown-format", message);
    note.in_file(name)
        .hint("name its format with `--from`; `convo-site list formats` lists them")
}

/// Returns the name of a source: that of its file, or of its folder where several files are one
/// source. Below a folder that was named it keeps the folders that it stands in.
fn name_of(source: &Source, input: &Path, is_folder: bool) -> String {
    let (path, name) = (source.file().as_str(), source.file().name());
    let is_bundle = source.files.len() > 1
        || !source.folder.is_empty()
        || source.format.is_some_and(|format| formats::gathers(format, path));
    let (above, own) = if is_bundle && !formats::has_history(name) {
        let inside = path.strip_prefix(&source.folder).unwrap_or(path);
        let bundle = source.folder.trim_end_matches('/');
        if is_folder && !bundle.is_empty() {
            return bundle.to_owned();
        }
        let depth = if is_folder { 0 } else { inside.split('/').count() };
        let root = disk::resolve(input);
        let root = root.ancestors().nth(depth).and_then(Path::file_name);
        ("", root.unwrap_or_default().to_string_lossy().into_owned())
    } else {
        (&path[..path.len() - name.len()], formats::stem(name).to_owned())
    };
    let own = if own.is_empty() { "conversation".to_owned() } else { own };
    if is_folder { format!("{above}{own}") } else { own }
}

/// Gives each conversation a name that no other one has. Those of one file are told apart by
/// their titles, others by numbers.
fn make_names_unique(items: &mut [Item]) {
    let mut taken = BTreeSet::new();
    // The last number behind each name, so that thousands of one name are not counted anew.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for group in items.chunk_by_mut(|a, b| (&a.source, &a.name) == (&b.source, &b.name)) {
        let is_one = group.len() == 1;
        for (index, item) in group.iter_mut().enumerate() {
            if !is_one {
                let title = item.conversation.title.as_deref().unwrap_or_default();
                let title = slug(title, 60);
                let own = if title.is_empty() { (index + 1).to_string() } else { title };
                item.name = format!("{}-{own}", item.name);
            }
            let plain = item.name.clone();
            let number = numbers.entry(plain.to_lowercase()).or_insert(1);
            // Many file systems do not tell `A` from `a`.
            while !taken.insert(item.name.to_lowercase()) {
                *number += 1;
                item.name = format!("{plain}-{number}");
            }
        }
    }
}

/// Returns the files of a conversation, by their names below the output folder.
fn files_of(target: &Format, item: &Item) -> Vec<(String, String)> {
    let name = &item.name;
    match &target.write {
        Some(Write::File(ending, write)) => {
            vec![(format!("{name}.{ending}"), write(&item.conversation, &item.source))]
        }
        Some(Write::Folder(write)) => {
            let files = write(&item.conversation).into_iter();
            files.map(|(file, text)| (format!("{name}/{file}"), text)).collect()
        }
        // No format that is only read can be chosen.
        None => Vec::new(),
    }
}

/// Reads again what will be written, as any other file is read, and says what is missing.
fn loss_notes(
    target: &Format,
    item: &Item,
    written: &[(String, String)],
) -> Vec<Diagnostic> {
    if target.read.is_none() {
        return Vec::new();
    }
    let mut files = Memory::default();
    for (name, text) in written {
        files.insert(name, text.as_str());
    }
    let again = sources::conversations(&files, &config(None)).value;
    let mut notes = Vec::new();
    let Some(first) = again.first() else {
        let message = format!("what is written is not recognised as {}", target.name);
        let note = Diagnostic::new(Severity::Error, "loss-all", message);
        let hint = "keep the original; a program that is told the format may read it";
        return vec![note.in_file(&item.source).hint(hint)];
    };
    let mut misread = |message: String| {
        let note = Diagnostic::new(Severity::Warning, "loss-format", message);
        let hint = format!("name its format, `{}`, wherever it is read", target.name);
        notes.push(note.in_file(&item.source).hint(hint));
    };
    match first.format {
        Some(format) if format.name != target.name => misread(format!(
            "what is written as {} is taken for {}",
            target.name, format.name
        )),
        _ if again.len() > 1 => misread(format!(
            "what is written as {} is taken for {} conversations",
            target.name,
            again.len()
        )),
        _ => {}
    }
    let losses = formats::losses(&item.conversation, &first.conversation);
    notes.extend(losses.iter().map(|loss| loss_note(loss, target, item)));
    notes
}

/// The most turns that a note names.
const MAX_NAMED_TURNS: usize = 10;

/// Makes the note on a loss, at the first turn that has it.
fn loss_note(loss: &Loss, target: &Format, item: &Item) -> Diagnostic {
    let message = format!("{}: {} × {}", target.name, loss.count, loss.what);
    let mut note =
        Diagnostic::new(Severity::Warning, loss.code, message).in_file(&item.source);
    let place = |turn: &Turn| {
        let file = item.files.get(turn.place.file).unwrap_or(&item.source);
        (file.clone(), turn.place.line)
    };
    let turns = &item.conversation.turns;
    let Some((first, line)) = loss.turns.first().and_then(|at| turns.get(*at)).map(place)
    else {
        return note;
    };
    let named = loss.turns.iter().take(MAX_NAMED_TURNS).map(|at| {
        let (file, line) = place(&turns[*at]);
        match file == first {
            true => format!("{} (line {line})", at + 1),
            false => format!("{} ({file}:{line})", at + 1),
        }
    });
    let mut named: Vec<String> = named.collect();
    if let Some(more) =
        loss.turns.len().checked_sub(MAX_NAMED_TURNS).filter(|more| *more > 0)
    {
        named.push(format!("{more} more"));
    }
    let word = if loss.turns.len() == 1 { "turn" } else { "turns" };
    note.hints.push(format!("{word} {}", named.join(", ")));
    let span = Span { line, ..Span::default() };
    note.at = Some(Location { file: first, span: Some(span) });
    note
}

/// The target of a conversion.
enum Destination<'a> {
    /// The only one, as this file.
    File(&'a Path),
    /// Below this folder.
    Folder(&'a Path),
}

/// Tells what OUT is: a file for the one conversation of a file, a folder for everything else.
fn output_target<'a>(
    target: &Format,
    output: &'a Path,
    is_one: bool,
    inputs: &[std::path::PathBuf],
) -> Destination<'a> {
    let named_as_folder = output.to_string_lossy().ends_with(['/', '\\']);
    let may_grow = inputs.len() > 1 || inputs.iter().any(|input| disk::is_folder(input));
    let is_file = matches!(target.write, Some(Write::File(..)))
        && is_one
        && !named_as_folder
        && !disk::is_folder(output)
        && (!may_grow || output.extension().is_some());
    if is_file { Destination::File(output) } else { Destination::Folder(output) }
}

fn write(place: &Destination<'_>, files: &[(String, String)]) -> Result<(), Failure> {
    match (place, files) {
        (Destination::File(file), [(_, text)]) => {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let folder = file.parent().unwrap_or_else(|| Path::new(""));
            disk::write_new(folder, &[(&name, text)])?;
        }
        (Destination::File(folder) | Destination::Folder(folder), files) => {
            let files: Vec<(&str, &str)> =
                files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            disk::write_new(folder, &files)?;
        }
    }
    Ok(())
}
