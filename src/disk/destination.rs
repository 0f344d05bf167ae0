//! Where a site goes.

use std::path::{Component, Path, PathBuf};

use super::folder::Folder;
use super::scan::{OUTPUT, place};
use super::state::STATE;
use super::{Error, resolve};

/// The output folder of a site.
pub struct Destination {
    site: PathBuf,
    /// Where the user wants it to be.
    named: Option<PathBuf>,
}

impl Destination {
    /// That of the site in the folder `site`.
    pub fn new(site: &Path, named: Option<PathBuf>) -> Self {
        Self { site: site.to_owned(), named }
    }

    /// Its path, as people know it.
    pub fn path(&self) -> PathBuf {
        self.named.clone().unwrap_or_else(|| self.site.join(OUTPUT))
    }

    /// Why the site cannot go there, if so: a site must not take the place of anything that it
    /// is read from. `inputs` are what that is, as paths in the site's folder.
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

    /// Whether it is below the site's folder.
    pub(super) fn is_inside(&self) -> bool {
        resolve(&self.path()).starts_with(resolve(&self.site))
    }

    /// The folder, if it is there.
    pub(super) fn open(&self) -> Result<Option<Folder>, Error> {
        let opened = match &self.named {
            Some(path) => Folder::open(&resolve(path)),
            // Nobody chose it: a link could be part of a site that was copied from elsewhere.
            None => Folder::open(&self.site).and_then(|site| site.child(OUTPUT)),
        };
        match opened {
            Ok(folder) => Ok(Some(folder)),
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(self.failed("open", cause)),
        }
    }

    /// The folder, made where it is not there.
    pub(super) fn make(&self) -> Result<Folder, Error> {
        let made = match &self.named {
            Some(path) => Folder::make(&resolve(path)),
            None => Folder::open(&self.site).and_then(|site| site.make_child(OUTPUT)),
        };
        made.map_err(|cause| self.failed("create", cause))
    }

    /// Removes the folder if nothing is in it.
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
