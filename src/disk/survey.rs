//! What stands in an output folder before anything is written to it.
//!
//! This only looks, at tens of thousands of files, so it goes by paths, which is several times
//! as fast as by handles. It passes no link; and what is found counts for nothing where
//! something is written or removed.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::io;
use std::path::Path;
#[cfg(unix)]
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::Error;
use super::claims::{Claims, LIST};
use super::folder::{Kind, is_staging};
use super::manifest::{Manifest, Settled, Written};
use crate::hash::Hash;
use crate::outputs::Output;

/// What is of interest about it.
#[derive(Default)]
pub(super) struct Survey {
    /// For each output whether its file is right already.
    pub(super) is_right: Vec<bool>,
    /// For each output whether a file stands there.
    pub(super) is_there: Vec<bool>,
    /// What stands where a file or folder of ours must stand, and is not ours.
    pub(super) in_the_way: Vec<(String, Kind)>,
    /// What nobody claims; a folder stands for all that is in it.
    pub(super) foreign: Vec<String>,
    /// Folders in which nothing is but what is ours, by the beginning of the paths of what is in
    /// them.
    pub(super) settled: Vec<(String, Settled)>,
}

/// A folder that changed later than this before it is looked at may change once more within one
/// tick of the file system's clock, and nobody would see that. Seconds.
#[cfg(unix)]
const TICK: i64 = 2;

/// When anything about a folder changed, and the folder's number.
type Moment = (i64, i64, u64);

/// When a folder became what it is, if that was long enough ago.
#[cfg(unix)]
fn moment(data: &Metadata) -> Option<Moment> {
    use std::os::unix::fs::MetadataExt;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    let is_over = data.ctime() + TICK < i64::try_from(now).ok()?;
    is_over.then(|| (data.ctime(), data.ctime_nsec(), data.ino()))
}

/// Nothing, so that every folder is read: the standard library tells no change time here.
#[cfg(not(unix))]
fn moment(_: &Metadata) -> Option<Moment> {
    None
}

impl Survey {
    fn add(&mut self, other: Self) {
        self.is_right.extend(other.is_right);
        self.is_there.extend(other.is_there);
        self.in_the_way.extend(other.in_the_way);
        self.foreign.extend(other.foreign);
        self.settled.extend(other.settled);
    }

    /// Returns the survey of a folder that is not there.
    fn of_nothing(outputs: &[Candidate<'_>]) -> Self {
        let count = outputs.len();
        let (is_right, is_there) = (vec![false; count], vec![false; count]);
        Self { is_right, is_there, ..Self::default() }
    }
}

/// An output, and what is known of the file at its path.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) output: &'a Output,
    /// What was written there last.
    pub(super) written: Option<Written>,
}

/// What is known of an output folder.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) claims: &'a Claims,
    pub(super) manifest: &'a Manifest,
    /// Whether what the last build wrote is believed to be there still.
    pub(super) is_believed: bool,
}

impl Known<'_> {
    /// Looks at the output folder for `outputs`, which are in the order of their paths.
    pub(super) fn survey(self, folder: &Path, outputs: &[Candidate<'_>]) -> Result<Survey, Error> {
        self.look_into(folder, 0, None, outputs)
    }

    /// Looks at `folder`, as it was at `moment`, for `outputs`: all that go to it or below it. The
    /// first `above` bytes of their paths name the folder.
    fn look_into(
        self,
        folder: &Path,
        above: usize,
        moment: Option<Moment>,
        outputs: &[Candidate<'_>],
    ) -> Result<Survey, Error> {
        let groups: Vec<Group> = Group::divide(outputs, above).collect();
        let prefix = outputs.first().map_or("", |first| &first.output.path.as_str()[..above]);
        let names: Vec<(&str, bool)> =
            groups.iter().map(|group| (group.name, group.is_folder)).collect();
        let settled = moment.map(|moment| Hash::of(&(moment, names)));
        let is_settled =
            settled.is_some() && self.is_believed && self.manifest.settled(prefix) == settled;
        let read = (!is_settled).then(|| entries(folder, prefix, &groups)).transpose();
        let read = read.map_err(|cause| Error::new("read", folder, cause))?;
        let (there, foreign) = read.unzip();
        let foreign = foreign.unwrap_or_default();
        let look = |(place, group): (usize, &Group)| {
            let there = match &there {
                Some(there) => there[place],
                None => Entry::at(&folder.join(group.name)),
            };
            self.look_at(folder, above, group, there)
        };
        let work = groups.par_iter().enumerate().with_min_len(16);
        let parts: Vec<Result<Survey, Error>> = work.map(look).collect();
        let mut survey = Survey::default();
        for part in parts {
            survey.add(part?);
        }
        if let Some(settled) = settled.filter(|_| foreign.is_empty()) {
            survey.settled.push((prefix.to_owned(), settled));
        }
        survey.foreign.extend(foreign);
        Ok(survey)
    }

    /// What was written for an output, if it was made from what the output is made from.
    fn written(self, of: &Candidate<'_>) -> Option<Written> {
        of.written.filter(|_| self.is_believed)?.made_from(of.output.key)
    }

    /// Looks at what stands at one name in `folder`.
    fn look_at(
        self,
        folder: &Path,
        above: usize,
        group: &Group,
        there: Option<Entry>,
    ) -> Result<Survey, Error> {
        let mut survey = Survey::of_nothing(group.outputs);
        let Some(Entry { kind, len, moment }) = there else {
            // There may be none to be.
            if let [only] = group.outputs
                && only.output.is_optional()
                && !group.is_folder
            {
                survey.is_right[0] = self.written(only).is_some_and(|known| known.len == 0);
            }
            return Ok(survey);
        };
        let end = above + group.name.len();
        let first = &group.outputs[0];
        let path = &first.output.path.as_str()[..end];
        if group.is_folder && kind == Kind::Folder {
            let folder = folder.join(group.name);
            return self.look_into(&folder, end + 1, moment, group.outputs);
        }
        if !group.is_folder && kind != Kind::Folder {
            survey.is_there[0] = true;
        }
        if group.is_folder || kind == Kind::Folder || !self.claims.holds(path) {
            survey.in_the_way.push((path.to_owned(), kind));
        } else if kind == Kind::File {
            let may_be_empty = !first.output.is_optional();
            survey.is_right[0] = self
                .written(first)
                .is_some_and(|known| (may_be_empty || known.len > 0) && Some(known.len) == len);
        }
        Ok(survey)
    }
}

/// The outputs that are one name of a folder, or below it.
struct Group<'a> {
    name: &'a str,
    is_folder: bool,
    outputs: &'a [Candidate<'a>],
}

impl<'a> Group<'a> {
    fn divide(outputs: &'a [Candidate<'a>], above: usize) -> impl Iterator<Item = Self> {
        let first = move |candidate: &Candidate<'a>| {
            let rest = &candidate.output.path.as_str()[above..];
            rest.split_once('/').map_or((rest, false), |(name, _)| (name, true))
        };
        let groups = outputs.chunk_by(move |a, b| first(a) == first(b) && first(a).1);
        groups.map(move |outputs| {
            let (name, is_folder) = first(&outputs[0]);
            Self { name, is_folder, outputs }
        })
    }
}

/// What stands at a name.
#[derive(Clone, Copy)]
struct Entry {
    kind: Kind,
    /// The length of a file. Bytes.
    len: Option<u64>,
    /// For a folder.
    moment: Option<Moment>,
}

impl Entry {
    fn at(path: &Path) -> Option<Self> {
        path.symlink_metadata().ok().map(|data| Self::of(&data))
    }

    fn of(data: &Metadata) -> Self {
        let kind = Kind::from(data.file_type());
        let len = (kind == Kind::File).then_some(data.len());
        let moment = (kind == Kind::Folder).then(|| moment(data)).flatten();
        Self { kind, len, moment }
    }
}

/// What stands in a folder at the name of each group, and the paths of all else in it.
fn entries(
    folder: &Path,
    prefix: &str,
    groups: &[Group],
) -> io::Result<(Vec<Option<Entry>>, Vec<String>)> {
    let places: FxHashMap<&OsStr, usize> =
        groups.iter().zip(0..).map(|(group, place)| (group.name.as_ref(), place)).collect();
    let mut there = vec![None; groups.len()];
    let mut foreign = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let name = entry.file_name();
        if let Some(place) = places.get(&*name) {
            there[*place] = entry.metadata().ok().map(|data| Entry::of(&data));
        } else if !prefix.is_empty() || !is_nobodys(&name) {
            let end = if entry.file_type()?.is_dir() { "/" } else { "" };
            foreign.push(format!("{prefix}{}{end}", name.to_string_lossy()));
        }
    }
    foreign.sort();
    Ok((there, foreign))
}

/// Whether something in an output folder is nobody's business.
fn is_nobodys(name: &OsStr) -> bool {
    name == LIST || name == ".git" || is_staging(name)
}
