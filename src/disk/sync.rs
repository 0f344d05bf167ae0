//! Uploads a built site: only what changed, in an order in which no page ever refers to a missing
//! file.

use std::collections::BTreeSet;

use super::destination::Destination;
use super::folder::{Folder, Kind, Staging};
use super::output_state::OutputState;
use super::own_files::{LIST, OwnFiles};
use super::{Error, resolve};
use crate::path::OutPath;

/// The name of the list of our files, at a destination and in an output folder.
pub const LIST_NAME: &str = LIST;

/// The files to upload, in order, and the files to remove.
pub struct TransferPlan {
    /// Everything except pages.
    pub assets: Vec<OutPath>,
    /// The pages, which refer to the assets and to each other.
    pub pages: Vec<OutPath>,
    /// Files of earlier deploys that the site no longer has, pages first.
    pub removed: Vec<OutPath>,
    before: OwnFiles,
    /// The paths of all files to upload.
    now: BTreeSet<String>,
}

/// The two versions of the list at a destination: during the upload, and after it.
pub struct FileLists {
    /// The old and the new files.
    pub during: String,
    /// The new files.
    pub after: String,
}

/// The changes in a folder, by path, in the order in which they were made.
#[derive(Default, Debug)]
pub struct Transferred {
    /// Files that did not exist.
    pub new: Vec<OutPath>,
    /// Files with new content.
    pub changed: Vec<OutPath>,
    /// Files that were removed.
    pub removed: Vec<OutPath>,
    /// The number of unchanged files.
    pub same: usize,
}

impl TransferPlan {
    /// Creates a plan for an output folder. `before` is the list at the destination, or empty. The
    /// error is the name of a file that cannot be uploaded.
    pub fn new(output_state: &OutputState, before: &str) -> Result<Self, String> {
        let path = |file: &super::OutputFile| {
            let path = OutPath::new(&*file.path).filter(|_| file.is_regular);
            path.ok_or_else(|| file.path.clone())
        };
        let files = output_state.files().iter().map(path);
        let files: Vec<OutPath> = files.collect::<Result<_, _>>()?;
        let before = OwnFiles::parse(before).unwrap_or_default();
        let now: BTreeSet<String> = files.iter().map(|path| path.to_string()).collect();
        let removed = before.paths().filter(|path| !now.contains(path.as_str()));
        let (mut gone_pages, gone_assets): (Vec<_>, Vec<_>) = removed.partition(is_page);
        gone_pages.extend(gone_assets);
        let (pages, assets) = files.into_iter().partition(is_page);
        Ok(Self { assets, pages, removed: gone_pages, before, now })
    }

    /// Returns the lists for the destination.
    pub fn lists(&self) -> FileLists {
        let after: OwnFiles = self.files().map(OutPath::as_str).collect();
        let gone = self.removed.iter().map(OutPath::as_str);
        let during: OwnFiles = self.files().map(OutPath::as_str).chain(gone).collect();
        FileLists { during: during.text(), after: after.text() }
    }

    /// Iterates over all files to upload, in order.
    pub fn files(&self) -> impl Iterator<Item = &OutPath> {
        self.assets.iter().chain(&self.pages)
    }
}

fn is_page(path: &OutPath) -> bool {
    path.as_str().ends_with(".html")
}

/// Copies a site to a local folder; with `is_dry`, only returns what would be done. First come new
/// files, assets before pages, then changed files in the same order, then removals. At any time
/// each file is either old or new, and never incomplete. If something is in the way that no deploy
/// wrote, nothing is written.
pub fn sync(
    output_state: &OutputState,
    to: &Destination,
    is_dry: bool,
) -> Result<Transferred, Error> {
    let there = if is_dry { to.open()? } else { Some(to.make()?) };
    let before = there.as_ref().and_then(|folder| folder.read(LIST).ok());
    let before = String::from_utf8(before.unwrap_or_default()).unwrap_or_default();
    let failed = |name: &str, what: &'static str| {
        Error::new("transfer", &to.path().join(name), std::io::Error::other(what))
    };
    let plan = TransferPlan::new(output_state, &before)
        .map_err(|name| failed(&name, "it is not a file, or its name is not allowed on hosts"))?;
    let mut done = Transferred::default();
    // If a file replaces a folder or the other way round, the old one must go first.
    let (early, late): (Vec<&OutPath>, Vec<&OutPath>) =
        plan.removed.iter().partition(|gone| plan.needs_place_of(gone));
    for path in plan.files() {
        match there.as_ref().map_or(Ok(None), |folder| kind_at(folder, path)) {
            Ok(None) => done.new.push(path.clone()),
            Ok(Some(Kind::File)) if is_same(output_state, there.as_ref(), path) => {
                done.same += 1;
            }
            Ok(Some(Kind::File)) if plan.before.holds(path.as_str()) => {
                done.changed.push(path.clone());
            }
            _ if early.iter().any(|gone| overlap(gone, path)) => {
                done.new.push(path.clone());
            }
            _ => {
                let what = "it is in the way and was not uploaded by convo-site";
                return Err(failed(path.as_str(), what)
                    .hint_or("nothing was written; use an empty folder, or move the file away"));
            }
        }
    }
    done.removed = early.iter().chain(&late).map(|path| (*path).clone()).collect();
    let Some(folder) = there.filter(|_| !is_dry) else { return Ok(done) };
    if done.new.is_empty() && done.changed.is_empty() && done.removed.is_empty() {
        return Ok(done);
    }
    let staging = Staging::new(&folder)?;
    let lists = plan.lists();
    staging.put(&folder, LIST, lists.during.as_bytes())?;
    for path in early {
        folder.remove_below(path)?;
    }
    for path in done.new.iter().chain(&done.changed) {
        let mut from = output_state
            .open(path)
            .map_err(|cause| Error::new("read", &output_state.path().join(path.as_str()), cause))?;
        let (holder, name) = folder.make_parent(path)?;
        staging.write(&holder, name, |file| std::io::copy(&mut from, file).map(|_| ()))?;
    }
    for path in late {
        folder.remove_below(path)?;
    }
    staging.put(&folder, LIST, lists.after.as_bytes())?;
    Ok(done)
}

impl TransferPlan {
    /// Returns whether a file to remove is in the way of a new file's folder, or in a folder that a
    /// new file replaces.
    fn needs_place_of(&self, gone: &OutPath) -> bool {
        let below = format!("{}/", gone.as_str());
        let next = self.now.range(below.clone()..).next();
        let above = gone.as_str().match_indices('/').map(|(at, _)| &gone.as_str()[..at]);
        next.is_some_and(|path| path.starts_with(&below))
            || above.into_iter().any(|folder| self.now.contains(folder))
    }
}

/// Returns whether one path is a folder of the other.
fn overlap(a: &OutPath, b: &OutPath) -> bool {
    let (a, b) = (a.as_str(), b.as_str());
    let is_in = |inner: &str, outer: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    is_in(a, b) || is_in(b, a)
}

/// Returns the kind of the entry at a path, without following links.
fn kind_at(folder: &Folder, path: &OutPath) -> std::io::Result<Option<Kind>> {
    let mut folder = folder.again()?;
    let mut rest = path.as_str();
    while let Some((name, after)) = rest.split_once('/') {
        match folder.kind(name)? {
            None => return Ok(None),
            Some(Kind::Folder) => folder = folder.child(name)?,
            other => return Ok(other),
        }
        rest = after;
    }
    folder.kind(rest)
}

fn is_same(output_state: &OutputState, there: Option<&Folder>, path: &OutPath) -> bool {
    let bytes = there.and_then(|folder| folder.read_below(path).ok());
    bytes.is_some_and(|bytes| output_state.holds(path, &bytes))
}

impl Destination {
    /// Returns whether two folders are the same, or one contains the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (resolve(&self.path()), resolve(&other.path()));
        one.starts_with(&two) || two.starts_with(&one)
    }
}
