//! `convo-site convert`: writes conversations in another format and reports what is lost.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::args::{ConvertArgs, GateArgs, MessageFormat, PAGES, PageArgs};
use super::inputs::{Found, Input, config};
use super::report;
use super::{Failure, Outcome, page};
use crate::diag::{self, Diagnostic, Location, Severity, Span};
use crate::disk;
use crate::files::Memory;
use crate::formats::{self, Format, Loss, Write};
use crate::model::{Conversation, Turn};
use crate::sources::{self, FullConversation};
use crate::text::{plural, slug};

pub(super) fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    if args.to == PAGES {
        return page::convert(PageArgs {
            inputs: args.inputs.clone(),
            output: args.output.clone(),
            from: args.from.clone(),
            include_private: args.include_private,
            message_format: args.message_format,
            gate: GateArgs::default(),
        });
    }
    let target = formats::named(&args.to)
        .ok_or_else(|| Failure::Usage(format!("unknown format `{}`", args.to)))?;
    let inputs = args.inputs.iter().map(|input| Input::open(input, args.from.as_deref()));
    let inputs = inputs.collect::<Result<Vec<Input>, Failure>>()?;
    let mut notes = Vec::new();
    let Plan { items, mut few } = plan(&inputs, args, &mut notes);
    let chosen = items.iter().filter(|item| item.is_chosen).count();
    // `-` is standard output.
    let output = args.output.as_ref().filter(|output| output.as_os_str() != "-");
    let output = match output {
        Some(output) => Some(output_target(target, output, items.len() == 1, &args.inputs)),
        None if chosen > 1 => return Err(needs_folder(chosen)),
        None => None,
    };
    if let Some(place) = &output {
        refuse_taken(place, target, &items)?;
    }
    let mut converter = Converter::new(target, output.as_ref());
    let mut rest = items.iter();
    let mut each = |mut found: Found| {
        close(&mut found, args);
        if let Some(item) = rest.next().filter(|item| item.is_chosen) {
            converter.convert(item, found);
        }
    };
    match few.take() {
        Some(few) => few.into_iter().for_each(&mut each),
        None => {
            // The first reading already reported these.
            let mut diagnostics = Vec::new();
            for input in &inputs {
                input.each(args.from.as_deref(), None, &mut diagnostics, &mut each);
            }
        }
    }
    let Converter { notes: more, files, alone, failure, .. } = converter;
    if let Some(failure) = failure {
        return Err(failure);
    }
    notes.extend(more);
    diag::sort(&mut notes);
    if output.is_none() && files > 1 {
        return Err(needs_folder(files));
    }
    let for_people = matches!(args.message_format, MessageFormat::Human | MessageFormat::Short);
    if for_people || output.is_some() {
        report::notes(&notes, args.message_format);
    } else {
        // Standard output has the conversation.
        report::notes_aside(&notes, MessageFormat::Json);
    }
    if output.is_some() {
        let conversations = plural(chosen as u64, "conversation", "conversations");
        let files = plural(files as u64, "file", "files");
        report::summary(&format!("converted {conversations} to {}: {files}", target.name));
    } else if let Some(text) = alone {
        report::output(&text);
    }
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

fn needs_folder(files: usize) -> Failure {
    Failure::Usage(format!("cannot print {files} files; choose an output folder with `-o FOLDER`"))
}

/// A conversation that may be converted, without its text.
struct Item {
    /// The path of its file, as given or found.
    source: String,
    /// Its path below the output folder, without an extension.
    name: String,
    title: Option<String>,
    is_chosen: bool,
}

/// The conversations to convert.
struct Plan {
    items: Vec<Item>,
    /// The conversations themselves, if they are few enough to keep in memory.
    few: Option<Vec<Found>>,
}

/// The maximum number of conversations to keep in memory.
const MAX_KEPT: usize = 100;

/// Makes a channel private if the target format cannot mark channels: a site that reads the result would
/// publish it.
fn close(found: &mut Found, args: &ConvertArgs) {
    let keeps_channels = args.to.as_str() == CHANNELS;
    found.conversation.private |= found.conversation.channel.is_some() && !keeps_channels;
}

/// The format that can mark channels.
const CHANNELS: &str = "cjson";

/// Reads all inputs and selects the conversations to convert.
fn plan(inputs: &[Input], args: &ConvertArgs, notes: &mut Vec<Diagnostic>) -> Plan {
    let mut items = Vec::new();
    let mut few = Some(Vec::new());
    let mut held_back = Vec::new();
    for input in inputs {
        input.each(args.from.as_deref(), None, notes, &mut |found| {
            let Found { source, name, conversation, .. } = &found;
            let title = conversation.title.clone();
            let is_private = conversation.private
                || conversation.schedule.draft
                || conversation.channel.is_some();
            let is_chosen = !is_private || args.include_private;
            if is_private && args.include_private {
                let title = title.as_deref().unwrap_or("untitled");
                report::summary(&format!("private: {title} ({source})"));
            } else if is_private {
                let message = "private conversation not converted";
                let note = Diagnostic::new(Severity::Warning, "held-back", message);
                let note = note.in_file(source);
                held_back.push(note.hint("convert it with `--include-private`"));
            }
            let (source, name) = (source.clone(), name.clone());
            items.push(Item { source, name, title, is_chosen });
            if items.len() > MAX_KEPT {
                few = None;
            }
            if let Some(few) = &mut few {
                few.push(found);
            }
        });
    }
    notes.append(&mut held_back);
    make_names_unique(&mut items);
    Plan { items, few }
}

/// Refuses to write anything if one of the files already exists.
fn refuse_taken(place: &Destination<'_>, target: &Format, items: &[Item]) -> Result<(), Failure> {
    let (Destination::Folder(folder), Some(Write::File(ending, _))) = (place, &target.write) else {
        return Ok(());
    };
    for item in items.iter().filter(|item| item.is_chosen) {
        let path = folder.join(format!("{}.{ending}", item.name));
        if disk::is_there(&path) {
            let there = std::io::ErrorKind::AlreadyExists;
            let cause = std::io::Error::new(there, "it already exists");
            return Err(disk::Error::new("create", &path, cause).into());
        }
    }
    Ok(())
}

/// Converts one conversation after the other.
struct Converter<'a> {
    target: &'a Format,
    output: Option<&'a Destination<'a>>,
    notes: Vec<Diagnostic>,
    /// The number of files so far.
    files: usize,
    /// The text of the first file, for standard output.
    alone: Option<String>,
    failure: Option<Failure>,
}

impl<'a> Converter<'a> {
    fn new(target: &'a Format, output: Option<&'a Destination<'a>>) -> Self {
        let (notes, files) = (Vec::new(), 0);
        Self { target, output, notes, files, alone: None, failure: None }
    }

    fn convert(&mut self, item: &Item, mut found: Found) {
        if self.failure.is_some() {
            return;
        }
        let target = self.target;
        let mut written = files_of(target, item, &found.conversation);
        if let Some(note) = drop_withheld(target, &mut found, &written) {
            self.notes.push(note);
            written = files_of(target, item, &found.conversation);
        }
        self.notes.extend(loss_notes(target, &found, &written));
        self.files += written.len();
        match self.output {
            Some(place) => self.failure = write(place, &written).err(),
            None => self.alone = written.into_iter().next().map(|(_, text)| text),
        }
    }
}

/// Removes the instructions of programs from a conversation if the target format cannot mark them, as they would
/// be published.
fn drop_withheld(
    target: &Format,
    found: &mut Found,
    written: &[(String, String)],
) -> Option<Diagnostic> {
    fn withheld(read: &Conversation) -> usize {
        read.all_turns().filter(|turn| turn.withheld).count()
    }
    let count = withheld(&found.conversation);
    if count == 0 || target.read.is_none() {
        return None;
    }
    let again = read_again(written);
    if again.first().is_some_and(|again| withheld(&again.conversation) >= count) {
        return None;
    }
    found.conversation.drop_withheld();
    let omitted =
        plural(count as u64, "program instruction omitted", "program instructions omitted");
    let message = format!("{}: {omitted}", target.name);
    let note = Diagnostic::new(Severity::Warning, "loss-withheld", message);
    Some(
        note.in_file(&found.source)
            .hint("the format cannot mark them as withheld, so they would be published"),
    )
}

/// Gives each conversation a unique name, with its title if a file has several conversations, otherwise with a
/// number.
fn make_names_unique(items: &mut [Item]) {
    let mut taken = BTreeSet::new();
    // The last number used for each name, so that thousands of equal names do not take quadratic time.
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for group in items.chunk_by_mut(|a, b| (&a.source, &a.name) == (&b.source, &b.name)) {
        let is_one = group.len() == 1;
        for (index, item) in group.iter_mut().enumerate() {
            if !is_one {
                let title = item.title.as_deref().unwrap_or_default();
                let title = slug(title, 60);
                let own = if title.is_empty() { (index + 1).to_string() } else { title };
                item.name = format!("{}-{own}", item.name);
            }
            let plain = item.name.clone();
            let number = numbers.entry(plain.to_lowercase()).or_insert(1);
            // Many file systems ignore case.
            while !taken.insert(item.name.to_lowercase()) {
                *number += 1;
                item.name = format!("{plain}-{number}");
            }
        }
    }
}

/// Returns the files of a conversation: paths below the output folder, and texts.
fn files_of(target: &Format, item: &Item, conversation: &Conversation) -> Vec<(String, String)> {
    let name = &item.name;
    match &target.write {
        Some(Write::File(ending, write)) => {
            vec![(format!("{name}.{ending}"), write(conversation, &item.source))]
        }
        Some(Write::Folder(write)) => {
            let files = write(conversation).into_iter();
            files.map(|(file, text)| (format!("{name}/{file}"), text)).collect()
        }
        // Formats without a writer cannot be selected.
        None => Vec::new(),
    }
}

/// Reads the output back, as a site would.
fn read_again(written: &[(String, String)]) -> Vec<FullConversation> {
    let mut files = Memory::default();
    for (name, text) in written {
        files.insert(name, text.as_str());
    }
    sources::conversations(&files, &config(None)).value
}

/// Compares a conversation with its output and reports what is missing.
fn loss_notes(target: &Format, item: &Found, written: &[(String, String)]) -> Vec<Diagnostic> {
    if target.read.is_none() {
        return Vec::new();
    }
    let again = read_again(written);
    let mut notes = Vec::new();
    let Some(first) = again.first() else {
        let message = format!("convo-site would not recognise this output as {}", target.name);
        let note = Diagnostic::new(Severity::Error, "loss-all", message);
        let hint = "keep the original; set the format explicitly where you read the output";
        return vec![note.in_file(&item.source).hint(hint)];
    };
    let mut misread = |message: String| {
        let note = Diagnostic::new(Severity::Warning, "loss-format", message);
        let hint = format!("set the format to `{}` where you read it", target.name);
        notes.push(note.in_file(&item.source).hint(hint));
    };
    match first.format {
        Some(format) if format.name != target.name => {
            misread(format!("output in {} would be read as {}", target.name, format.name));
        }
        _ if again.len() > 1 => misread(format!(
            "output in {} would be read as {} conversations",
            target.name,
            again.len()
        )),
        _ => {}
    }
    let losses = formats::losses(&item.conversation, &first.conversation);
    notes.extend(losses.iter().map(|loss| loss_note(loss, target, item)));
    notes
}

/// The maximum number of turns to name in a diagnostic.
const MAX_NAMED_TURNS: usize = 10;

/// Returns the warning about a loss, located at the first affected turn.
fn loss_note(loss: &Loss, target: &Format, item: &Found) -> Diagnostic {
    let message = format!("{}: {}", target.name, loss.text());
    let mut note = Diagnostic::new(Severity::Warning, loss.code, message).in_file(&item.source);
    let place = |turn: &Turn| {
        let file = item.files.get(turn.place.file).unwrap_or(&item.source);
        (file.clone(), turn.place.line)
    };
    let turns = &item.conversation.turns;
    let Some((first, line)) = loss.turns.first().and_then(|at| turns.get(*at)).map(place) else {
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
    if let Some(more) = loss.turns.len().checked_sub(MAX_NAMED_TURNS).filter(|more| *more > 0) {
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
    /// A single file.
    File(&'a Path),
    /// A folder.
    Folder(&'a Path),
}

/// Decides whether OUT is a file, for the only conversation of a file, or a folder, for everything else.
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
