//! Collects the log files of a channel: a single file, or one for each day.

use std::collections::BTreeMap;

use crate::dates::{day_in_name, day_in_path};
use crate::{Bundle, Claim, Listing, Probe};

/// The number of bytes from which a log is recognised.
const HEAD: usize = 4096;
/// File extensions of logs.
const ENDINGS: [&str; 3] = [".weechatlog", ".log", ".txt"];

/// Returns the logs among files. The daily logs of one channel are one source.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut channels: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in listing.names {
        let lower = name.to_ascii_lowercase();
        let Some(ending) = ENDINGS.iter().find(|ending| lower.ends_with(**ending)) else {
            continue;
        };
        // Of text files, only daily logs are considered.
        let file = name.rsplit('/').next().unwrap_or(name);
        let day = day_in_path(name);
        if *ending == ".txt" && day.is_none() {
            continue;
        }
        let is_log = |head: String| super::claims(&Probe::new(file, &head)) != Claim::No;
        if !(listing.head)(name, HEAD).is_some_and(is_log) {
            continue;
        }
        let key = match day {
            Some((_, at)) => {
                format!("{}*{}", &name[..at.start], &name[at.end..])
            }
            None => (*name).to_owned(),
        };
        channels.entry(key).or_default().push(name);
    }
    channels.into_values().map(bundle).collect()
}

fn bundle(files: Vec<&str>) -> Bundle {
    let above = |path: &str| path.rfind('/').unwrap_or_default();
    // The channel name may be that of the folder, and several folder names may form the date.
    let is_in_day = |file: &str| day_in_path(file).is_some_and(|(_, at)| at.start < above(file));
    let folder = match files.as_slice() {
        [file] if !is_in_day(file) => {
            let parent = &file[..above(file)];
            parent.rfind('/').map_or(String::new(), |at| parent[..=at].to_owned())
        }
        _ => String::new(),
    };
    let files = files.into_iter().map(str::to_owned).collect();
    Bundle { folder, files, shared: Vec::new(), aside: Vec::new(), private: None, neighbours: None }
}

/// Returns the channel name in a path: `#mill` for `libera/#mill/2026-03-01.log` and for
/// `irc.libera.#mill.weechatlog`.
pub(super) fn channel(path: &str) -> Option<String> {
    path.rsplit('/').find_map(|part| {
        let part = &part[part.find(['#', '&'])?..];
        Some(without_end(part)).filter(|name| name.len() > 1)
    })
}

/// Returns the channel name from a file name that contains no `#`.
pub(super) fn bare(path: &str) -> Option<String> {
    let file = path.rsplit('/').next().unwrap_or(path);
    Some(without_end(file)).filter(|name| !name.is_empty())
}

/// Returns an id that distinguishes a channel from those of other networks: the last two names of
/// its path, without the date.
pub(super) fn id(path: &str) -> String {
    let file = path.rfind('/').map_or(0, |at| at + 1);
    let path = match day_in_path(path) {
        Some((_, at)) if at.start < file => {
            format!("{}{}", &path[..at.start], without_end(&path[at.end..]))
        }
        _ => without_end(path),
    };
    let mut names: Vec<&str> = path.rsplit('/').filter(|name| !name.is_empty()).take(2).collect();
    names.reverse();
    names.join("/")
}

/// Removes the extension and the date from a file name.
fn without_end(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(**ending));
    let name = ending.map_or(name, |ending| &name[..name.len() - ending.len()]);
    let name = day_in_name(name).map_or(name, |(_, at)| &name[..at.start]);
    name.trim_end_matches(['.', '_', '-', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::{channel, id};

    #[test]
    fn the_day_tells_no_channel_from_another() {
        for (path, found) in [
            ("2026/03/01/#mill.txt", "#mill"),
            ("logs/2026/03/01/#mill.txt", "logs/#mill"),
            ("logs/2026-03-01/#mill.txt", "logs/#mill"),
            ("libera/#mill/2026-03-01.log", "libera/#mill"),
            ("#mill.2026-03-01.log", "#mill"),
        ] {
            assert_eq!(id(path), found, "{path}");
        }
    }

    #[test]
    fn channels_are_named_by_files_and_folders() {
        for (path, name) in [
            ("libera/#mill/2026-03-01.log", Some("#mill")),
            ("irc.libera.#mill.weechatlog", Some("#mill")),
            ("#mill_20260301.log", Some("#mill")),
            ("##mill.log", Some("##mill")),
            ("ada.log", None),
        ] {
            assert_eq!(channel(path).as_deref(), name, "{path}");
        }
    }
}
