//! Files and folders without a `site.toml`, built and previewed as a site with default settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::CacheArgs;
use super::inputs::archive_name;
use super::{Failure, require_site, user_folders};
use crate::diag::emit::visible;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::disk::{self, Disk};
use crate::files::{FileInfo, Files, Memory, Reader, SharedFiles};
use crate::hash::Hash;
use crate::locale;
use crate::path::RelPath;
use crate::pipeline;
use crate::sources::{PAGES_FOLDER, STATIC_FOLDER};

/// What a command builds: the folder of a site, or a file or folder without settings.
pub(super) struct Subject {
    path: PathBuf,
    kind: Kind,
    /// The title of the site, if it is not the name of the file or folder.
    title: Option<String>,
}

/// The code of the warning that a site has no URL.
const NO_BASE_URL: &str = "no-base-url";

#[derive(PartialEq, Eq)]
enum Kind {
    Site,
    Folder,
    /// A file, and its name.
    File(String),
}

impl Subject {
    /// Opens a path from the command line.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let path = path.to_owned();
        let is_named = path != Path::new(".");
        if !is_named || !disk::is_there(&path) || disk::is_there(&path.join("site.toml")) {
            require_site(&path)?;
            return Ok(Self { path, kind: Kind::Site, title: None });
        }
        refuse_part_of_site(&path)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let kind = match name.filter(|_| !disk::is_folder(&path)) {
            Some(name) => Kind::File(name),
            None => Kind::Folder,
        };
        Ok(Self { path, kind, title: None })
    }

    /// Gives it a title in place of its name.
    pub(super) fn titled(self, title: String) -> Self {
        Self { title: Some(title), ..self }
    }

    pub(super) fn is_site(&self) -> bool {
        self.kind == Kind::Site
    }

    /// Returns the folder that its files are in.
    pub(super) fn folder(&self) -> &Path {
        match self.kind {
            Kind::Site | Kind::Folder => &self.path,
            Kind::File(_) => {
                let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
                parent.unwrap_or(Path::new("."))
            }
        }
    }

    /// Returns the path that an output folder must not contain, relative to the folder, if it is only one.
    pub(super) fn only_input(&self) -> Option<&str> {
        match &self.kind {
            Kind::File(name) => Some(name),
            Kind::Site | Kind::Folder => None,
        }
    }

    /// Returns the files and folders to watch for changes, if they are not those of a site.
    pub(super) fn watched(&self) -> Option<Vec<String>> {
        match &self.kind {
            Kind::Site => None,
            Kind::Folder => Some(vec![String::new()]),
            Kind::File(name) => Some(vec![name.clone()]),
        }
    }

    /// Returns its files, without those of the output folder.
    pub(super) fn files(&self, output: Option<&Path>) -> Result<SharedFiles, Failure> {
        self.files_with("", output)
    }

    /// Returns the same with settings in place of the defaults, as TOML; a site has its own.
    pub(super) fn files_with(
        &self,
        settings: &str,
        output: Option<&Path>,
    ) -> Result<SharedFiles, Failure> {
        let unconfigured =
            |files, content| Unconfigured::new(files, content, self.title(), settings);
        let disk = match output {
            Some(output) => Disk::with_output(self.folder(), output),
            None => Disk::new(self.folder()),
        };
        let Kind::File(name) = &self.kind else {
            return Ok(match self.is_site() {
                true => Arc::new(disk),
                false => Arc::new(unconfigured(Box::new(disk), String::new())),
            });
        };
        Ok(Arc::new(match archive_name(&self.path) {
            Some(archive) => unconfigured(Box::new(disk), archive),
            None => unconfigured(disk::single(&self.path, name)?, String::new()),
        }))
    }

    /// Returns the folder for its cache: that of a site is in the site, others are in the user's cache.
    pub(super) fn cache(&self, args: &CacheArgs) -> Result<PathBuf, Failure> {
        if self.is_site() {
            return Ok(args.folder(&self.path));
        }
        let path = disk::resolve(&self.path);
        let name = Hash::of_bytes(path.as_os_str().as_encoded_bytes()).hex();
        let own = user_folders::cache().map(|folder| folder.join("convo-site").join(&name));
        let own = own.unwrap_or_else(|| std::env::temp_dir().join("convo-site").join(&name));
        let folder = args.folder(&own);
        disk::make_folder(&folder)?;
        Ok(folder)
    }

    /// Returns whether a diagnostic is about something that its owner could change.
    pub(super) fn reports(&self, note: &Diagnostic) -> bool {
        self.is_site() || note.code != NO_BASE_URL
    }

    /// Returns the commands that make a site of it.
    pub(super) fn next_steps(&self) -> String {
        let shown = super::report::quoted(&self.path);
        format!("to create a site from it: `convo-site init my-talks --from {shown}`")
    }

    /// Returns the title of the site: by default, the name without an extension.
    fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let path = disk::resolve(&self.path);
        let name = match self.kind {
            Kind::File(_) => path.file_stem(),
            Kind::Site | Kind::Folder => path.file_name(),
        };
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// Fails for a path inside a site, whose settings would be ignored.
fn refuse_part_of_site(path: &Path) -> Result<(), Failure> {
    let real = disk::resolve(path);
    let Some(site) =
        real.ancestors().skip(1).find(|above| disk::is_there(&above.join("site.toml")))
    else {
        return Ok(());
    };
    let (shown, site) = (path.display().to_string(), site.display().to_string());
    let message = format!("`{}` is part of the site in `{}`", visible(&shown), visible(&site));
    let note = Diagnostic::new(Severity::Error, "no-site", message);
    let hint = "its `site.toml` controls what is published; pass the site folder to commands that \
                take one";
    let page = "to share one of its pages, build the site; to make a page without its settings, copy the file elsewhere";
    Err(Box::new(note.hint(hint).hint(page)).into())
}

/// Files as the content of a site with default settings.
struct Unconfigured {
    files: Box<dyn Files>,
    /// The content folder: empty, or the name of an archive.
    content: String,
    /// The files beside its content: `site.toml`.
    beside: Memory,
}

/// The files beside `site.toml` that belong to a site.
const OF_SITE: [&str; 6] =
    ["site.toml", "publish-imported.txt", "people.key", "style.css", "script.js", "favicon.ico"];

/// The folders beside `site.toml` that belong to a site, besides its content.
const FOLDERS_OF_SITE: [&str; 5] =
    ["templates", "themes", locale::FOLDER, PAGES_FOLDER, STATIC_FOLDER];

impl Unconfigured {
    fn new(files: Box<dyn Files>, content: String, title: String, settings: &str) -> Self {
        // JSON strings are also valid in TOML.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let folder = if content.is_empty() { "." } else { &content };
        let (title, folder) = (quoted(&title), quoted(folder));
        let config = format!("title = {title}\ncontent = {folder}\n{settings}");
        let mut beside = Memory::default();
        beside.insert("site.toml", config);
        Self { files, content, beside }
    }

    /// Returns the files to which a path belongs.
    fn of(&self, path: &RelPath) -> &dyn Files {
        match is_of_site(path) {
            true => &self.beside,
            false => self.files.as_ref(),
        }
    }
}

fn is_of_site(path: &RelPath) -> bool {
    OF_SITE.contains(&path.as_str()) || pipeline::DECISIONS.contains(&path.as_str())
}

fn without_settings(mut listed: WithNotes<Vec<FileInfo>>) -> WithNotes<Vec<FileInfo>> {
    listed.value.retain(|file| !is_of_site(&file.path));
    listed
}

impl Files for Unconfigured {
    fn list(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        match folder == self.content {
            true => without_settings(self.files.list(folder)),
            false => WithNotes::plain(Vec::new()),
        }
    }

    fn list_unpacked(&self, folder: &str) -> WithNotes<Vec<FileInfo>> {
        match folder == self.content {
            true => without_settings(self.files.list_unpacked(folder)),
            false => WithNotes::plain(Vec::new()),
        }
    }

    fn names(&self, folder: &str) -> Vec<String> {
        match folder.is_empty() || FOLDERS_OF_SITE.contains(&folder) {
            true => Vec::new(),
            false => self.files.names(folder),
        }
    }

    fn require(&self, _: &str) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }

    fn has(&self, path: &RelPath) -> bool {
        self.of(path).has(path)
    }

    fn read(&self, path: &RelPath) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.of(path).read(path)
    }

    fn open(&self, path: &RelPath, from: u64) -> Result<Reader, Box<Diagnostic>> {
        self.of(path).open(path, from)
    }
}
