//! The output folder of a site.

use std::path::{Component, Path, PathBuf};

use super::folder::Folder;
use super::scan::{OUTPUT, place};
use super::state::STATE;
use super::{Error, resolve};

/// The output folder of a site, which may not exist yet.
pub struct Destination {
    site: PathBuf,
    /// The folder chosen by the user.
    named: Option<PathBuf>,
}

impl Destination {
    /// Returns the default output folder of the site in the folder `site`.
    pub fn new(site: &Path, named: Option<PathBuf>) -> Self {
        Self { site: site.to_owned(), named }
    }

    /// Returns its path, as shown to people.
    pub fn path(&self) -> PathBuf {
        self.named.clone().unwrap_or_else(|| self.site.join(OUTPUT))
    }

    /// Returns why the site cannot be written there, if so: it must not replace anything it is
    /// built from. `inputs` are the paths of these files and folders, relative to the site folder.
    pub fn refused(&self, inputs: &[&str]) -> Option<String> {
        let (site, real) = (resolve(&self.site), resolve(&self.path()));
        let shown = self.path();
        let shown = shown.display();
        if site.starts_with(&real) {
            return Some(format!(
                "cannot write the site to `{shown}`: it contains the site's source files"
            ));
        }
        for input in inputs.iter().copied() {
            let path = resolve(&place(&site, input));
            let holds = path.starts_with(&real);
            if holds || real.starts_with(&path) {
                let input = if input.is_empty() { "." } else { input };
                let what = match holds {
                    true => format!("it contains `{input}`, which the site is built from"),
                    false => format!("it is in `{input}`, which the site is built from"),
                };
                return Some(format!("cannot write the site to `{shown}`: {what}"));
            }
        }
        let inside = real.strip_prefix(&site).unwrap_or(&real);
        let is =
            |name: &str| inside.components().any(|part| part == Component::Normal(name.as_ref()));
        let taken = [".git", STATE].into_iter().find(|name| is(name))?;
        Some(format!("cannot write the site to `{shown}`: `{taken}` is reserved"))
    }

    /// Returns whether it is below the site folder.
    pub(super) fn is_inside(&self) -> bool {
        resolve(&self.path()).starts_with(resolve(&self.site))
    }

    /// Opens the folder, if it exists.
    pub(super) fn open(&self) -> Result<Option<Folder>, Error> {
        let opened = match &self.named {
            Some(path) => Folder::open(&resolve(path)),
            // The default folder is not the user's choice: a link could come with a site copied
            // from elsewhere.
            None => Folder::open(&self.site).and_then(|site| site.child(OUTPUT)),
        };
        match opened {
            Ok(folder) => Ok(Some(folder)),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(self.failed("open", cause)),
        }
    }

    /// Opens the folder, creating it if needed.
    pub(super) fn make(&self) -> Result<Folder, Error> {
        let made = match &self.named {
            Some(path) => Folder::make(&resolve(path)),
            None => Folder::open(&self.site).and_then(|site| site.make_child(OUTPUT)),
        };
        made.map_err(|cause| self.failed("create", cause))
    }

    /// Removes the folder if it is empty.
    pub(super) fn remove_if_empty(&self) {
        let path = resolve(&self.path());
        if let (Some(above), Some(name)) = (path.parent(), path.file_name())
            && let (Ok(above), Some(name)) = (Folder::open(above), name.to_str())
        {
            above.remove_empty(name);
        }
    }

    fn failed(&self, action: &'static str, cause: std::io::Error) -> Error {
        let error = Error::new(action, &self.path(), cause);
        match self.named {
            None => error.hint_or("choose another output folder with `-o`"),
            Some(_) => error,
        }
    }
}
