//! Files next to `site.toml` that are not used.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::static_files::FOLDER as STATIC_FOLDER;
use crate::config::{Config, Edits, PublishList};
use crate::diag::{Diagnostic, Severity};
use crate::files::{FileInfo, Files, Storage};
use crate::formats;
use crate::gate::baseline;
use crate::locale;
use crate::path::RelPath;
use crate::people::KEY_FILE;
use crate::sources::find::plain_page::{FOLDER as PAGES_FOLDER, is_in_folder, is_page_file};
use crate::text::to_nfc;

/// Files and folders with these names are used.
const READ: [&str; 13] = [
    "site.toml",
    PAGES_FOLDER,
    STATIC_FOLDER,
    "templates",
    "themes",
    locale::FOLDER,
    PublishList::FILE,
    PublishList::RECORD,
    baseline::FILE,
    Edits::FILE,
    KEY_FILE,
    "style.css",
    "script.js",
];

/// Names, in lower case and up to the first dot, that are usual in repositories and serve people or
/// other programs.
const EXPECTED: [&str; 43] = [
    "public", "readme", "license", "license-mit", "license-apache", "licence", "copying", "notice",
    "authors", "contributors", "contributing", "changelog", "changes", "code_of_conduct",
    "security", "support", "citation", "agents", "claude", "makefile", "justfile", "dockerfile",
    "docker-compose", "package", "package-lock", "pnpm-lock", "yarn", "bun", "node_modules",
    "build-site", "caddyfile", "nginx", "netlify", "vercel", "wrangler", "firebase", "renovate",
    "flake", "shell", "scripts", "tools", "desktop", "thumbs",
];

/// The maximum number of names to list.
const MAX_NAMES: usize = 5;

/// Returns a hint for each file that would be a page if its name did not start with a dot.
pub(crate) fn hidden_pages<'a>(
    files: &'a dyn Files,
    listed: &'a [FileInfo],
    config: &'a Config,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let of_pages = listed.iter().filter_map(|file| {
        let path = file.path.as_str();
        is_in_folder(path, &config.content).then(|| path.rsplit_once('/').map(|at| at.0))
    });
    let mut folders: BTreeSet<&str> = of_pages.flatten().collect();
    folders.insert(PAGES_FOLDER);
    let names = folders.into_iter().flat_map(|folder| {
        let names = files.names(folder).into_iter();
        names.map(move |name| format!("{folder}/{name}"))
    });
    // Editors and operating systems create hidden copies of files.
    let is_hidden = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or_default();
        name.starts_with('.') && !name.starts_with("._") && !name.starts_with(".#")
    };
    let is_page = |path: &String| is_page_file(path, &config.content);
    names.filter(is_hidden).filter(is_page).map(|path| {
        let message = "not a page: its name starts with a dot";
        let note = Diagnostic::new(Severity::Hint, "unknown-file", message);
        note.in_file(path).hint("to withhold a page, set `draft: true` in its front matter")
    })
}

/// Returns a warning for each hidden log among the conversations, whose sessions are on no page.
pub(crate) fn hidden_logs(
    files: &dyn Files,
    listed: &[FileInfo],
    config: &Config,
) -> impl Iterator<Item = Diagnostic> {
    find_hidden_logs(files, listed, config).into_iter().map(|(format, path)| {
        let folder = path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned();
        log_note(format, &path).hint(format!(
            "run `convo-site import --from {format} {folder}` to list and import its sessions"
        ))
    })
}

fn log_note(format: &str, path: &str) -> Diagnostic {
    let message = format!("this log of {format} is not read: its name starts with a dot");
    Diagnostic::new(Severity::Warning, "hidden-log", message).in_file(path)
}

/// Returns the formats and paths of the hidden logs in the folders of listed files, in the content folder
/// and in its subfolders.
fn find_hidden_logs(
    files: &dyn Files,
    listed: &[FileInfo],
    config: &Config,
) -> Vec<(&'static str, String)> {
    let root = config.content.trim_end_matches('/');
    let mut folders: BTreeSet<String> = BTreeSet::from([root.to_owned()]);
    // A log in a hidden folder or in an archive is not reported.
    for file in listed.iter().filter(|file| file.storage == Storage::Plain) {
        let path = file.path.as_str();
        folders.extend(path.match_indices('/').map(|(at, _)| path[..at].to_owned()));
    }
    folders.extend(subfolders(files, root));
    let logs = formats::ALL.iter().flat_map(|format| {
        let names = format.read.iter().flat_map(|read| read.names_in_projects);
        names.filter(|name| name.starts_with('.')).map(|name| (format.name, *name))
    });
    let logs: Vec<(&str, &str)> = logs.collect();
    let paths = folders
        .iter()
        .flat_map(|folder| logs.iter().map(move |(format, name)| (*format, inside(folder, name))));
    paths.filter(|(_, path)| files.has(&RelPath::new(path))).collect()
}

/// Returns the visible folders in a folder.
fn subfolders(files: &dyn Files, root: &str) -> Vec<String> {
    let names = files.names(root);
    let names = names.iter().filter_map(|name| name.strip_suffix('/'));
    names.filter(|name| !name.starts_with('.')).map(|name| inside(root, name)).collect()
}

/// Returns the path of a name in a folder.
fn inside(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// Hidden folders in which programs keep conversations.
const HIDDEN_FOLDERS: [(&str, &str); 7] = [
    (".claude", "Claude Code"),
    (".codex", "Codex"),
    (".gemini", "Gemini CLI"),
    (".cursor", "Cursor"),
    (".copilot", "Copilot CLI"),
    (".continue", "Continue"),
    (".specstory", "SpecStory"),
];

/// Returns a warning for each hidden folder of a program in the content folder or in a folder of
/// it.
pub(crate) fn hidden_folders(files: &dyn Files, config: &Config) -> Vec<Diagnostic> {
    let found = find_hidden_folders(files, config).into_iter();
    let notes = found.map(|(program, path)| {
        folder_note(program, &path).hint(format!(
            "run `convo-site import {path} .` to import them; or rename the folder and check \
             with `convo-site status` what becomes public"
        ))
    });
    notes.collect()
}

fn folder_note(program: &str, path: &str) -> Diagnostic {
    let message =
        format!("conversations of {program} are not read here: the folder name starts with a dot");
    Diagnostic::new(Severity::Warning, "hidden-log", message).in_file(path)
}

/// Returns the programs and paths of the hidden folders in the content folder and in its subfolders.
fn find_hidden_folders(files: &dyn Files, config: &Config) -> Vec<(&'static str, String)> {
    let root = config.content.trim_end_matches('/');
    let mut folders = subfolders(files, root);
    folders.insert(0, root.to_owned());
    let found = folders.iter().flat_map(|folder| {
        let names = files.names(folder).into_iter();
        names.filter_map(|name| {
            let name = name.strip_suffix('/')?;
            let known = HIDDEN_FOLDERS.iter().find(|(hidden, _)| *hidden == name)?;
            Some((known.1, inside(folder, name)))
        })
    });
    found.collect()
}

/// Returns a warning for each hidden log and folder of a program in an input from the command line. `shown`
/// returns the path of a file as it would be given there.
pub(crate) fn hidden_in_input(
    files: &dyn Files,
    config: &Config,
    shown: &dyn Fn(&str) -> String,
) -> Vec<Diagnostic> {
    let logs = find_hidden_logs(files, &[], config).into_iter().map(|(format, path)| {
        let hint = format!("add `--from {format}` to read it, or name this file");
        log_note(format, &path).hint(hint)
    });
    let folders = find_hidden_folders(files, config).into_iter().map(|(program, path)| {
        let hint = format!("to read them, name this folder: `{}`", shown(&path));
        folder_note(program, &path).hint(hint)
    });
    logs.chain(folders).collect()
}

/// Returns a hint about unused files and folders in the site folder, if there are any.
pub(crate) fn note(files: &dyn Files, config: &Config) -> Option<Diagnostic> {
    let people = config.people.listed.iter().map(|person| &person.avatar);
    let named = [&config.content, &config.look.logo, &config.look.image];
    let named =
        named.into_iter().chain([&config.head.favicon, &config.podcast.image]).chain(people);
    let named: Vec<Cow<str>> = named
        .chain(&config.og_images.fonts)
        .filter_map(|path| path.trim_start_matches("./").split('/').next())
        .map(to_nfc)
        .collect();
    // If all of the site folder is content, nothing is next to it.
    if config.content.is_empty() {
        return None;
    }
    let is_unknown = |name: &String| {
        let bare = name.trim_end_matches('/');
        let lower = bare.to_lowercase();
        let stem = lower.split('.').next().unwrap_or_default();
        !bare.starts_with('.')
            && !bare.ends_with('~')
            && !READ.contains(&bare)
            && !named.contains(&to_nfc(bare))
            && !EXPECTED.contains(&stem)
    };
    let unknown: Vec<String> = files.names("").into_iter().filter(is_unknown).collect();
    let first = unknown.first()?;
    let shown: Vec<&str> = unknown.iter().take(MAX_NAMES).map(String::as_str).collect();
    let more = match unknown.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let verb = if unknown.len() == 1 { "is" } else { "are" };
    let message = format!("`{}`{more} {verb} next to site.toml, but not used", shown.join("`, `"));
    let note = Diagnostic::new(Severity::Hint, "unknown-file", message);
    let note = note.in_file(first.trim_end_matches('/'));
    Some(note.hint(format!(
        "conversations are read from `{}/`, pages from `{PAGES_FOLDER}/`; files in \
         `{STATIC_FOLDER}/` are copied unchanged",
        config.content
    )))
}
