//! `convo-site page`: writes a conversation as one self-contained HTML file.

use std::path::{Path, PathBuf};

use super::args::{MessageFormat, PageArgs, with_fallback_key};
use super::report;
use super::unconfigured::Subject;
use super::{Failure, Outcome};
use crate::diag::emit::visible;
use crate::diag::{self, Diagnostic, Severity};
use crate::disk;
use crate::path::part_folder;
use crate::pipeline::{self, Choices, Memo};
use crate::single_page;
use crate::sources::Release;
use crate::text::{bytes, plural};

/// A page to write.
struct Page {
    /// Its file name.
    name: String,
    text: String,
}

pub(super) fn run(args: &PageArgs) -> Result<Outcome, Failure> {
    write(args, |path, text| disk::replace(path, text.as_bytes()))
}

/// Does the same for `convert --to html`, which writes one page to standard output if no place is named, and never
/// replaces a file.
pub(super) fn convert(mut args: PageArgs) -> Result<Outcome, Failure> {
    args.output.get_or_insert_with(|| STDOUT.into());
    write(&args, |path, text| {
        let folder = path.parent().unwrap_or(Path::new(""));
        let name = path.file_name().unwrap_or_default();
        disk::write_new(folder, &[(&name.to_string_lossy(), text)])
    })
}

/// The output that is standard output.
const STDOUT: &str = "-";

fn write(
    args: &PageArgs,
    write: impl Fn(&Path, &str) -> Result<(), disk::Error>,
) -> Result<Outcome, Failure> {
    let release = Release { private: args.include_private, ..Release::default() };
    let choices =
        args.gate.choose(&Default::default(), Choices { release, ..Choices::default() })?;
    let choices = with_fallback_key(choices)?;
    let (mut pages, mut notes) = (Vec::new(), Vec::new());
    let mut settings = single_page::SETTINGS.to_owned();
    if let Some(format) = &args.from {
        settings += &format!("[[source]]\nfiles = \"**\"\nformat = \"{format}\"\n");
    }
    for input in &args.inputs {
        add_pages(input, &settings, &choices, &mut pages, &mut notes)?;
    }
    diag::sort(&mut notes);
    let is_on_stdout = args.output.as_deref() == Some(Path::new(STDOUT));
    match args.message_format {
        MessageFormat::Human | MessageFormat::Short => report::notes(&notes, args.message_format),
        // Standard output has the page.
        _ if is_on_stdout => report::notes_aside(&notes, MessageFormat::Json),
        format => report::notes(&notes, format),
    }
    let failed = notes.iter().any(|note| note.severity == Severity::Error);
    if pages.is_empty() {
        let message = "no conversation to write; the messages above say why";
        return Err(Failure::Usage(message.to_owned()));
    }
    if is_on_stdout {
        let [page] = pages.as_slice() else { return Err(needs_folder(pages.len())) };
        report::output(&page.text);
        return Ok(if failed { Outcome::Findings } else { Outcome::Fine });
    }
    for (path, text) in places(pages, args)? {
        write(&path, &text)?;
        let shown = path.display().to_string();
        report::summary(&format!("wrote {} ({})", visible(&shown), bytes(text.len() as u64)));
    }
    Ok(if failed { Outcome::Findings } else { Outcome::Fine })
}

/// Makes the pages of the conversations in an input.
fn add_pages(
    input: &Path,
    settings: &str,
    choices: &Choices,
    pages: &mut Vec<Page>,
    notes: &mut Vec<Diagnostic>,
) -> Result<(), Failure> {
    let shown = visible(&input.display().to_string());
    if input == Path::new("-") {
        let message = "cannot make a page from standard input; save it to a file first";
        return Err(Failure::Usage(message.to_owned()));
    }
    if !disk::is_there(input) {
        return Err(Failure::Usage(format!("`{shown}` does not exist")));
    }
    let subject = Subject::open(input)?;
    if subject.is_site() {
        return Err(Failure::Usage(format!(
            "`{shown}` is a site: run `convo-site build`, or pass a file, folder or archive with \
             conversations"
        )));
    }
    let files = subject.files_with(settings, None)?;
    let mut build = pipeline::run(&files, choices, &Memo::default(), &|_| {})?;
    report::withheld(&build);
    let mut found = std::mem::take(&mut build.notes);
    for address in build.addresses.iter().take(build.conversations as usize) {
        let path = format!("{}index.html", address.folder);
        if build.outputs.get(&format!("{}index.html", part_folder(&address.folder, 1))).is_some() {
            found.push(too_long(&address.label));
            continue;
        }
        let made = single_page::self_contained(&build.outputs, &path);
        let Some(text) = made.map_err(Failure::from)? else { continue };
        let slug = address.folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        pages.push(Page { name: format!("{slug}.html"), text });
    }
    build.texts.clean(&mut found);
    build.gate.scrub(&mut found);
    notes.extend(found.into_iter().filter(|note| subject.reports(note)));
    Ok(())
}

fn too_long(label: &str) -> Diagnostic {
    let message = "the conversation is too long for one page: more than 10,000 turns or 10 MB";
    let note = Diagnostic::new(Severity::Error, "too-large", message).in_file(label);
    note.hint("build a site, which splits it: `convo-site build PATH -o OUT`")
}

/// Returns where each page is written.
fn places(pages: Vec<Page>, args: &PageArgs) -> Result<Vec<(PathBuf, String)>, Failure> {
    let is_one = pages.len() == 1;
    let folder = match &args.output {
        Some(file) if is_page(file) && is_one => {
            refuse_input(file, args)?;
            return Ok(pages.into_iter().map(|page| (file.clone(), page.text)).collect());
        }
        Some(folder) if !is_page(folder) => {
            disk::make_folder(folder)?;
            folder.clone()
        }
        None if is_one => PathBuf::new(),
        _ => return Err(needs_folder(pages.len())),
    };
    let mut places = Vec::new();
    for page in pages {
        let path = folder.join(&page.name);
        refuse_input(&path, args)?;
        places.push((path, page.text));
    }
    Ok(places)
}

fn needs_folder(pages: usize) -> Failure {
    let count = plural(pages as u64, "conversation", "conversations");
    let message = format!("found {count}; choose a folder for the pages with `-o FOLDER`");
    Failure::Usage(message)
}

/// Returns whether an output is a page, rather than a folder for pages.
fn is_page(output: &Path) -> bool {
    let ending = output.extension().and_then(std::ffi::OsStr::to_str);
    ending.is_some_and(|ending| ["html", "htm"].contains(&ending.to_ascii_lowercase().as_str()))
}

/// Fails if a page would replace one of the inputs.
fn refuse_input(path: &Path, args: &PageArgs) -> Result<(), Failure> {
    let real = disk::resolve(path);
    match args.inputs.iter().find(|input| disk::resolve(input) == real) {
        Some(input) => {
            let shown = visible(&input.display().to_string());
            Err(Failure::Usage(format!("cannot write to `{shown}`: it is an input")))
        }
        None => Ok(()),
    }
}
