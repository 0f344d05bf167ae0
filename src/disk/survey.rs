//! What stands in an output folder before anything is written to it.
//!
//! This only looks, at tens of thousands of files, so it goes by paths, which is several times
//! as fast as by handles. It passes no link; and what is found counts for nothing where
//! something is written or removed.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::Error;
use super::claims::{Claims, LIST};
use super::folder::{Kind, STAGING};
use super::manifest::{Manifest, Written};
use crate::outputs::Output;

/// What is of interest about it.
#[derive(Default)]
pub(super) struct Survey {
    /// For each output its file, if that is right already.
    pub(super) fresh: Vec<Option<Written>>,
    /// What stands where a file or folder of ours must stand, and is not ours.
    pub(super) in_the_way: Vec<(String, Kind)>,
    /// What nobody claims; a folder stands for all that is in it.
    pub(super) foreign: Vec<String>,
}

impl Survey {
    fn add(&mut self, other: Self) {
        self.fresh.extend(other.fresh);
        self.in_the_way.extend(other.in_the_way);
        self.foreign.extend(other.foreign);
    }

    /// The same for a folder that is not there.
    fn of_nothing(outputs: &[&Output]) -> Self {
        Self { fresh: vec![None; outputs.len()], ..Self::default() }
    }
}

/// What is known of the files of an output folder.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) claims: &'a Claims,
    /// What they were made from, where that is believed.
    pub(super) made_from: Option<&'a Manifest>,
}

impl Known<'_> {
    /// Looks at `folder`, which is `prefix` below the output, for `outputs`: all that go to it
    /// or below it, in the order of their paths.
    pub(super) fn survey(
        self,
        folder: &Path,
        prefix: &str,
        outputs: &[&Output],
    ) -> Result<Survey, Error> {
        let mut there =
            entries(folder).map_err(|cause| Error::new("read", folder, cause))?;
        if prefix.is_empty() {
            there.retain(|name, _| name != LIST && name != STAGING && name != ".git");
        }
        // A name of this folder, and the outputs that are it or below it.
        let groups = outputs
            .chunk_by(|a, b| first(a, prefix) == first(b, prefix) && first(a, prefix).1);
        let work: Vec<(&[&Output], Option<Kind>)> = groups
            .map(|group| {
                let name: OsString = first(group[0], prefix).0.into();
                (group, there.remove(&name))
            })
            .collect();
        let parts: Vec<Result<Survey, Error>> = work
            .par_iter()
            .with_min_len(16)
            .map(|(group, kind)| self.look(folder, prefix, group, *kind))
            .collect();
        let mut survey = Survey::default();
        for part in parts {
            survey.add(part?);
        }
        let shown = |(name, kind): (OsString, Kind)| {
            let end = if kind == Kind::Folder { "/" } else { "" };
            format!("{prefix}{}{end}", name.to_string_lossy())
        };
        let mut foreign: Vec<String> = there.into_iter().map(shown).collect();
        foreign.sort();
        survey.foreign.extend(foreign);
        Ok(survey)
    }

    /// The same for one name, at which `kind` stands.
    fn look(
        self,
        folder: &Path,
        prefix: &str,
        group: &[&Output],
        kind: Option<Kind>,
    ) -> Result<Survey, Error> {
        let mut survey = Survey::of_nothing(group);
        let Some(kind) = kind else { return Ok(survey) };
        let (name, is_folder) = first(group[0], prefix);
        let path = format!("{prefix}{name}");
        if is_folder {
            if kind != Kind::Folder {
                survey.in_the_way.push((path, kind));
                return Ok(survey);
            }
            return self.survey(&folder.join(name), &format!("{path}/"), group);
        }
        if kind == Kind::Folder || !self.claims.holds(&path) {
            survey.in_the_way.push((path, kind));
        } else if let Some(known) = self.made_from.filter(|_| kind == Kind::File) {
            let right = known.made_from(&path, group[0].key);
            let len = || Some(folder.join(name).symlink_metadata().ok()?.len());
            survey.fresh[0] = right.filter(|right| len() == Some(right.len));
        }
        Ok(survey)
    }
}

/// What is in a folder.
fn entries(folder: &Path) -> io::Result<HashMap<OsString, Kind>> {
    let entry = |entry: io::Result<std::fs::DirEntry>| {
        let entry = entry?;
        Ok((entry.file_name(), Kind::from(entry.file_type()?)))
    };
    folder.read_dir()?.map(entry).collect()
}

/// The first name of an output's path after `prefix`, and whether it is one of a folder.
fn first<'a>(output: &'a Output, prefix: &str) -> (&'a str, bool) {
    let rest = &output.path.as_str()[prefix.len()..];
    rest.split_once('/').map_or((rest, false), |(name, _)| (name, true))
}
