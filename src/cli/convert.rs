//! `convo-site convert`

use std::collections::BTreeSet;
use std::path::Path;

use super::args::{ConvertArgs, MessageFormat};
use super::report;
use super::{Failure, Outcome};
use crate::config::{self, Config, SourceRule, Visibility};
use crate::diag::{self, Diagnostic, Severity};
use crate::disk::{self, Disk};
use crate::files::{Files, Memory};
use crate::formats::{self, Format, Write};
use crate::model::Conversation;
use crate::sources;
use crate::text::{plural, slug};
use crate::time::Time;

pub(super) fn run(args: &ConvertArgs) -> Result<Outcome, Failure> {
    let target = formats::named(&args.to)
        .ok_or_else(|| Failure::Usage(format!("no format `{}`", args.to)))?;
    let mut notes = Vec::new();
    let mut found = Vec::new();
    for input in &args.inputs {
        found.extend(read(input, args.from.as_deref(), &mut notes)?);
    }
    let (private, public): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|(_, conversation)| conversation.private);
    let mut chosen = public;
    for (file, conversation) in private {
        let title = conversation.title.as_deref().unwrap_or("without a title");
        if args.include_private {
            report::summary(&format!("private: {title} ({file})"));
            chosen.push((file, conversation));
        } else {
            let message = "a private conversation was held back";
            let note = Diagnostic::new(Severity::Warning, "held-back", message);
            notes
                .push(note.in_file(file).hint("`--include-private` converts it as well"));
        }
    }
    for (file, conversation) in &chosen {
        notes.extend(lost(target, file, conversation));
    }
    diag::sort(&mut notes);
    let conversations: Vec<Conversation> =
        chosen.into_iter().map(|(_, conversation)| conversation).collect();
    let written = write(target, &conversations, args.output.as_deref())?;
    let for_people =
        matches!(args.message_format, MessageFormat::Human | MessageFormat::Short);
    if for_people || args.output.is_some() {
        report::notes(&notes, args.message_format);
    } else {
        // Standard output belongs to the conversations.
        report::summary(diag::emit::render(diag::emit::Format::Json, &notes).trim_end());
    }
    match written {
        Written::Text(text) => report::output(&text),
        Written::Files(count) => {
            let conversations =
                plural(conversations.len() as u64, "conversation", "conversations");
            let files = plural(count as u64, "file", "files");
            report::summary(&format!(
                "converted {conversations} to {}: {files}",
                target.name
            ));
        }
    }
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

/// The configuration by which files outside of a site are read.
fn config(folder: &str, format: Option<&str>) -> Config {
    let mut config = config::defaults();
    config.content = folder.to_owned();
    config.source.extend(format.map(|format| SourceRule {
        files: "**".to_owned(),
        format: Some(format.to_owned()),
        speakers: Default::default(),
        time_zone: None,
        tags: Vec::new(),
        visibility: Visibility::Public,
        search: true,
    }));
    config
}

/// The conversations of a file or a folder.
fn read(
    input: &Path,
    format: Option<&str>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<(String, Conversation)>, Failure> {
    let name = input.to_string_lossy().replace('\\', "/");
    let read = if disk::is_folder(input) {
        let files = Disk::new(input, &input.join("public"));
        let read = sources::conversations(&files, &config("", format)).take(notes);
        if read.is_empty() {
            // What was found in it says the rest.
            notes.push(nothing(&name));
        }
        read
    } else {
        let mut files = Memory::default();
        files.insert(name.trim_start_matches("./"), disk::read(input)?);
        let before = notes.len();
        let read = sources::conversations(&files, &config("", format)).take(notes);
        if read.is_empty() && notes.len() == before {
            notes.push(nothing(&name));
        }
        read
    };
    Ok(read.into_iter().map(|(file, read)| (file.to_string(), read)).collect())
}

fn nothing(name: &str) -> Diagnostic {
    let message = "holds no conversation in a format that is known";
    let note = Diagnostic::new(Severity::Error, "unknown-format", message);
    note.in_file(name)
        .hint("name its format with `--from`; `convo-site list formats` lists them")
}

/// Reads again what will be written, and says what is missing.
fn lost(target: &Format, file: &str, conversation: &Conversation) -> Vec<Diagnostic> {
    if target.read.is_none() {
        return Vec::new();
    }
    let mut files = Memory::default();
    let single = std::slice::from_ref(conversation);
    for (name, text) in files_of(target, single) {
        files.insert(name, text);
    }
    let again =
        sources::conversations(&files as &dyn Files, &config("", Some(target.name)))
            .value;
    let Some((_, again)) = again.into_iter().next() else {
        let message = format!("what was written cannot be read again as {}", target.name);
        let note = Diagnostic::new(Severity::Error, "loss-all", message);
        return vec![note.in_file(file)];
    };
    let note = |loss: formats::Loss| {
        let message = format!("{}: {} × {}", target.name, loss.count, loss.what);
        Diagnostic::new(Severity::Warning, loss.code, message).in_file(file)
    };
    formats::losses(conversation, &again).into_iter().map(note).collect()
}

enum Written {
    Text(String),
    Files(usize),
}

/// The files of the conversations, by their names below the output folder.
fn files_of(target: &Format, conversations: &[Conversation]) -> Vec<(String, String)> {
    let mut taken = BTreeSet::new();
    let mut name_of = |conversation: &Conversation| {
        let day = conversation.time.as_ref().map(Time::day);
        let words = conversation.title.clone().unwrap_or_else(|| {
            conversation.turns.first().map(|turn| turn.text()).unwrap_or_default()
        });
        let parts: Vec<String> = day
            .into_iter()
            .chain([slug(&words, 60)])
            .filter(|part| !part.is_empty())
            .collect();
        let plain =
            if parts.is_empty() { "conversation".to_owned() } else { parts.join("-") };
        let mut name = plain.clone();
        let mut number = 1;
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{plain}-{number}");
        }
        name
    };
    match &target.write {
        Write::Together(ending, write) => {
            vec![(format!("conversations.{ending}"), write(conversations))]
        }
        Write::Each(ending, write) => conversations
            .iter()
            .map(|one| (format!("{}.{ending}", name_of(one)), write(one)))
            .collect(),
        Write::Folder(write) => {
            let mut files: Vec<(String, String)> = Vec::new();
            for one in conversations {
                for (name, text) in write(one, &name_of(one)) {
                    // Names that a format prescribes may meet.
                    let free = (1..).map(|number| match number {
                        1 => name.clone(),
                        number => format!("{number}/{name}"),
                    });
                    let name = free
                        .into_iter()
                        .find(|name| files.iter().all(|(known, _)| known != name));
                    files.extend(name.map(|name| (name, text)));
                }
            }
            files
        }
    }
}

fn write(
    target: &Format,
    conversations: &[Conversation],
    output: Option<&Path>,
) -> Result<Written, Failure> {
    let files = files_of(target, conversations);
    let Some(output) = output else {
        return match <[(String, String); 1]>::try_from(files) {
            Ok([(_, text)]) => Ok(Written::Text(text)),
            Err(files) if files.is_empty() => Ok(Written::Text(String::new())),
            Err(files) => Err(Failure::Usage(format!(
                "this makes {} files; say where they go with `-o FOLDER`",
                files.len()
            ))),
        };
    };
    let prescribed = matches!(target.write, Write::Folder(_));
    if let ([(_, text)], false, false) =
        (files.as_slice(), prescribed, disk::is_folder(output))
    {
        let name = output.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let parent = output.parent().unwrap_or_else(|| Path::new(""));
        disk::write_new(parent, &[(&name, text)])?;
        return Ok(Written::Files(1));
    }
    let named: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    disk::write_new(output, &named)?;
    Ok(Written::Files(named.len()))
}
