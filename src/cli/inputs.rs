//! Reads conversations from files, folders, archives and standard input outside of a site.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Failure;
use crate::config::{self, Config, SourceRule, Visibility};
use crate::diag::{Diagnostic, Severity};
use crate::disk::{self, Disk};
use crate::files::Files;
use crate::formats::{self, Format, OpenServers};
use crate::sources::{self, Redactor, Source};

/// The argument for standard input.
const STDIN: &str = "-";
/// The file name used for standard input.
const STDIN_NAME: &str = "stdin";

/// An input from the command line.
pub(super) struct Input {
    /// Its name in messages.
    pub(super) name: String,
    path: PathBuf,
    contents: Contents,
    /// The tool servers whose input and output are read.
    pub(super) open_servers: Vec<String>,
}

enum Contents {
    Folder(Disk),
    /// The folder of an archive, and the name of the archive.
    Archive(Disk, String),
    File(Box<dyn Files>),
    Stdin(Vec<u8>),
}

/// A conversation that was found in an input.
pub(super) struct Found {
    /// The path of its file, as given or found.
    pub(super) source: String,
    /// The paths of the files that its turns refer to.
    pub(super) files: Arc<[String]>,
    /// The first of these, relative to the input.
    pub(super) file: String,
    /// Its name: its file name without an extension, or the name of its folder.
    pub(super) name: String,
    /// The format that it was read as.
    pub(super) format: Option<&'static Format>,
    pub(super) conversation: crate::model::Conversation,
}

/// Returns the configuration for files outside of a site: everything is read. Channels count as public, so that the
/// rules of the site that imports them apply.
pub(super) fn config(format: Option<&str>) -> Config {
    let mut config = config::defaults();
    config.content.clear();
    config.source.push(SourceRule {
        files: "**".to_owned().into(),
        format: format.map(|format| format.to_owned().into()),
        speakers: Default::default(),
        time_zone: None,
        languages: Vec::new(),
        tags: Vec::new(),
        visibility: Some(Visibility::Public),
        direct_messages: true,
        open_servers: Vec::new(),
        split: None,
        media: None,
        podcast: false,
        draft: None,
        publish: None,
        expires: None,
        updated: None,
        ignore: false,
        show_system: true,
        include: Vec::new(),
        exclude: Vec::new(),
        gate: Default::default(),
        search: true,
    });
    config
}

impl Input {
    /// Opens an input, in a given format if there is one.
    pub(super) fn open(path: &Path, format: Option<&str>) -> Result<Self, Failure> {
        let name = path.to_string_lossy().replace('\\', "/");
        let name = name.trim_start_matches("./").to_owned();
        let contents = if name == STDIN {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .map_err(|cause| disk::Error::new("read", Path::new(STDIN), cause))?;
            Contents::Stdin(bytes)
        } else if disk::is_folder(path) {
            Contents::Folder(
                match format
                    .and_then(formats::named)
                    .and_then(|format| Some(format.read.as_ref()?.names_in_projects))
                {
                    None | Some([]) => Disk::new(path),
                    Some(names) => Disk::only(path, names),
                },
            )
        } else if let Some(archive) = archive_name(path) {
            disk::check_readable(path)?;
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            Contents::Archive(Disk::new(folder.unwrap_or(Path::new("."))), archive)
        } else {
            Contents::File(disk::single(path, &name)?)
        };
        let open_servers = Vec::new();
        Ok(Self { name, path: path.to_owned(), contents, open_servers })
    }

    /// Returns whether it is standard input.
    pub(super) fn is_stdin(&self) -> bool {
        matches!(self.contents, Contents::Stdin(_))
    }

    /// Returns its files; none for standard input.
    pub(super) fn files(&self) -> Option<&dyn Files> {
        match &self.contents {
            Contents::Folder(disk) | Contents::Archive(disk, _) => Some(disk),
            Contents::File(file) => Some(file.as_ref()),
            Contents::Stdin(_) => None,
        }
    }

    /// Reads its conversations, one after the other, and redacts them with `redactor`, except those from standard
    /// input.
    pub(super) fn each(
        &self,
        format: Option<&str>,
        redactor: Option<&Redactor>,
        notes: &mut Vec<Diagnostic>,
        each: &mut dyn FnMut(Found),
    ) {
        let Some(files) = self.files() else {
            return self.each_of_stdin(format, notes, each);
        };
        // An archive is read as a folder inside its parent folder.
        let archive = match &self.contents {
            Contents::Archive(_, archive) => Some(archive.as_str()),
            _ => None,
        };
        let is_folder = matches!(self.contents, Contents::Folder(_) | Contents::Archive(..));
        let above = match archive {
            Some(archive) => self.name.strip_suffix(archive).unwrap_or_default().to_owned(),
            None => format!("{}/", self.name.trim_end_matches('/')),
        };
        let below = |path: &str| match is_folder {
            true => format!("{above}{path}"),
            false => path.to_owned(),
        };
        let name_of = |source: &Source| {
            let name = name_of(source, &self.path, is_folder);
            let inside = archive.and_then(|archive| name.strip_prefix(archive));
            let inside = inside.and_then(|name| name.strip_prefix('/'));
            inside.map_or(name.clone(), str::to_owned)
        };
        let mut config = config(format);
        config.open_servers.clone_from(&self.open_servers);
        config.content.push_str(archive.unwrap_or_default());
        let mut is_empty = true;
        let mut more = sources::each_conversation(files, &config, redactor, &mut |whole| {
            is_empty = false;
            each(Found {
                source: match is_folder {
                    true => below(whole.source.file().as_str()),
                    false => self.name.clone(),
                },
                files: whole.files.iter().map(|path| below(path)).collect(),
                file: whole.files.first().cloned().unwrap_or_default(),
                name: name_of(&whole.source),
                format: whole.format,
                conversation: whole.conversation,
            });
        });
        let hidden = match self.contents {
            Contents::Folder(_) if format.is_none() => {
                sources::hidden_in_input(files, &config, &below)
            }
            _ => Vec::new(),
        };
        let has_hidden = !hidden.is_empty();
        more.extend(hidden);
        for at in more.iter_mut().filter_map(|note| note.at.as_mut()) {
            at.file = below(&at.file);
        }
        if is_empty && (is_folder || !is_broken(&more)) {
            // The other diagnostics say more.
            let mut note = nothing_note(&self.name);
            if has_hidden {
                note.hints = vec!["hidden files and folders are read only if you name them".into()];
            }
            more.push(note);
        }
        notes.append(&mut more);
    }

    fn each_of_stdin(
        &self,
        format: Option<&str>,
        notes: &mut Vec<Diagnostic>,
        each: &mut dyn FnMut(Found),
    ) {
        let Contents::Stdin(bytes) = &self.contents else { return };
        let input = formats::Input {
            is_continued: false,
            path: STDIN_NAME.to_owned(),
            name: STDIN_NAME.to_owned(),
            bytes: bytes.clone(),
            first_line: 1,
        };
        let format = format.and_then(formats::named);
        let open = OpenServers::new(self.open_servers.iter().map(String::as_str));
        let (format, found, more) = formats::parse(format, vec![input], &open);
        if found.is_empty() && !is_broken(&more) {
            notes.push(nothing_note(STDIN_NAME));
        }
        notes.extend(more);
        let files: Arc<[String]> = [STDIN_NAME.to_owned()].into();
        for conversation in found {
            each(Found {
                source: STDIN_NAME.to_owned(),
                files: files.clone(),
                file: STDIN_NAME.to_owned(),
                name: STDIN_NAME.to_owned(),
                format,
                conversation,
            });
        }
    }
}

/// Returns the file name of an archive, if the path is one.
pub(super) fn archive_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    disk::is_archive(name).then(|| name.to_owned())
}

/// Returns whether an error already explains why there is no conversation.
fn is_broken(notes: &[Diagnostic]) -> bool {
    notes.iter().any(|note| note.severity == Severity::Error)
}

fn nothing_note(name: &str) -> Diagnostic {
    let message = "no conversations in a known format";
    let note = Diagnostic::new(Severity::Error, "unknown-format", message);
    note.in_file(name)
        .hint("name the format with `--from`; run `convo-site list formats` for a list")
}

/// Returns the name of a source: the name of its file, or of its folder if several files form one source. For sources
/// in a given folder, the name includes the subfolders.
fn name_of(source: &Source, input: &Path, is_folder: bool) -> String {
    let (path, name) = (source.file().as_str(), source.file().name());
    let is_bundle = source.files.len() > 1
        || !source.folder_name().is_empty()
        || source.format.is_some_and(|format| formats::gathers(format, path));
    let (above, own) = if is_bundle && !formats::has_history(name) {
        let bundle = source.folder_name();
        let inside = path.strip_prefix(bundle).unwrap_or(path).trim_start_matches('/');
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
