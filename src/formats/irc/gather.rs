//! Collects the log files of a channel: a single file, or one for each day.

use std::collections::BTreeMap;

use super::nicks::is_service;
use crate::shared::text::dates::{day_in_name, day_in_path};
use crate::{Bundle, Claim, Listing, Probe};

/// The number of bytes from which a log is recognised.
const HEAD: usize = 4096;
/// File extensions of logs.
const EXTENSIONS: [&str; 3] = [".weechatlog", ".log", ".txt"];
/// Characters between a name and a date.
const SEPARATORS: [char; 4] = ['.', '_', '-', ' '];

/// Returns the logs among files. The daily logs of one channel are one source.
pub(super) fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut channels: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for name in listing.names {
        let lower = name.to_ascii_lowercase();
        let Some(extension) = EXTENSIONS.iter().find(|extension| lower.ends_with(**extension))
        else {
            continue;
        };
        // Of text files, only daily logs are considered.
        let file = name.rsplit('/').next().unwrap_or(name);
        let day = day_in_path(name);
        if *extension == ".txt" && day.is_none() {
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
/// `irc.libera.#mill.weechatlog`. Programs write it at the start of a name or after a separator;
/// a `#` or `&` anywhere else does not name a channel.
pub(super) fn channel(path: &str) -> Option<String> {
    let name = named(naming_part(path));
    let found = name.match_indices(['#', '&']).find(|(at, mark)| {
        let (before, found) = name.split_at(*at);
        // XChat writes `network-#channel`.
        let is_separated = before.ends_with(['.', '_']) || *mark == "#" && before.ends_with('-');
        let bare = found.trim_start_matches(['#', '&']);
        let is_number = bare.bytes().all(|byte| byte.is_ascii_digit());
        (before.is_empty() || is_separated)
            && bare.contains(char::is_alphanumeric)
            && !found.contains([' ', ','])
            // `R_&_D` and `bob_#2` are not channels.
            && (*mark == "#" || found[1..].starts_with(char::is_alphanumeric))
            && (before.is_empty() || before.ends_with('.') || !is_number)
    });
    found.map(|(at, _)| name[at..].to_owned())
}

/// Returns the name of the person or channel from a path that names no channel with `#`.
pub(super) fn bare(path: &str) -> Option<String> {
    let part = naming_part(path);
    let name = named(part);
    // WeeChat writes the network in front of the nick.
    let lower = part.to_ascii_lowercase();
    if (lower.ends_with(".weechatlog") || lower.starts_with("irc."))
        && let Some((_, nick)) = name.rsplit_once('.')
        && !nick.is_empty()
    {
        return Some(nick.to_owned());
    }
    Some(name).filter(|name| !name.is_empty())
}

/// Returns whether a log that is not one of a channel is named after a service or a server. What
/// people write there can contain passwords.
pub(super) fn is_of_service(path: &str) -> bool {
    let name = named(naming_part(path));
    let lower = name.to_ascii_lowercase();
    // A file name can have another character in place of the `*` of `*status`.
    let is_module =
        |word: &str| ["status", "controlpanel"].iter().any(|name| word.eq_ignore_ascii_case(name));
    // A nick can be `mr-x`, and `quakenet-q` and `QuakeNet-Q` are a network and its service.
    let is_part_of_nick =
        |word: &str| word.len() <= 2 && word.contains(char::is_lowercase) && !lower.contains("net");
    let mut words = name.split(['.', '@', '!', ' ', ',']);
    let mut parts = name.split(['.', '@', '!', ' ', ',', '_', '-']);
    lower.starts_with("irc.server.")
        || words.any(is_service)
        || parts.any(|part| is_module(part) || is_service(part) && !is_part_of_nick(part))
}

/// Returns whether two names are of the same channel. File names have other characters in place of
/// some.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    let plain = |name: &str| {
        let is_kept = |c: char| c.is_alphanumeric() || c == '#' || c == '&';
        let plain: String =
            name.to_lowercase().chars().map(|c| if is_kept(c) { c } else { '_' }).collect();
        plain.trim_end_matches('_').to_owned()
    };
    plain(one) == plain(other)
}

/// Returns the part of a path that names the channel or the person: the file name, or the folder
/// above files and folders whose names are only a date.
fn naming_part(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    match is_date(stem(file)) {
        true => parts.find(|part| !is_date(part)).unwrap_or_default(),
        false => file,
    }
}

/// Returns whether a name consists only of a date or a part of one.
fn is_date(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || b"-_. TZ".contains(&byte))
}

/// Removes the extension and the date from the name of a file or folder. The date is at its end or
/// at its start.
fn named(part: &str) -> String {
    let stem = stem(part);
    let name = match day_in_name(stem) {
        Some((_, at)) if at.start == 0 => stem[at.end..].trim_start_matches(SEPARATORS),
        Some((_, at)) => &stem[..at.start],
        None => stem,
    };
    name.trim_end_matches(SEPARATORS).to_owned()
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
    let name = stem(name);
    let name = day_in_name(name).map_or(name, |(_, at)| &name[..at.start]);
    name.trim_end_matches(SEPARATORS).to_owned()
}

/// Removes the extension from a file name.
fn stem(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    let extension = EXTENSIONS.iter().find(|extension| lower.ends_with(**extension));
    extension.map_or(name, |extension| &name[..name.len() - extension.len()])
}

#[cfg(test)]
mod tests {
    use super::{bare, channel, id, is_of_service, is_same};

    #[test]
    fn days_do_not_distinguish_channels() {
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
            ("libera_#mill_20260301.log", Some("#mill")),
            ("libera-#mill.log", Some("#mill")),
            ("2026-03-01.#mill.log", Some("#mill")),
            ("2026/03/01/#mill.txt", Some("#mill")),
            ("#mill/2026/03/01.log", Some("#mill")),
            ("net.#2600.log", Some("#2600")),
            ("&local.log", Some("&local")),
            ("ada.log", None),
            ("R&D/bob.log", None),
            ("R&D/2026-03-01.log", None),
            ("R_&_D.log", None),
            ("#mill/bob.log", None),
            ("#mill/bob.2026-03-01.log", None),
            ("#mill/2026-03-01-bob.log", None),
            ("#1 friend bob.log", None),
            ("bob #2.log", None),
            ("bob_#2.log", None),
            ("#.log", None),
        ] {
            assert_eq!(channel(path).as_deref(), name, "{path}");
        }
    }

    #[test]
    fn people_are_named_by_files_and_folders() {
        for (path, name) in [
            ("libera/carol/2026-03-01.log", Some("carol")),
            ("irc.libera.carol.weechatlog", Some("carol")),
            ("irc.libera.carol.2026-03-01.weechatlog", Some("carol")),
            ("dm/carol.log", Some("carol")),
            ("dm/carol_20260301.log", Some("carol")),
            ("2026-03-01-carol.log", Some("carol")),
            ("2026-03-01.log", None),
        ] {
            assert_eq!(bare(path).as_deref(), name, "{path}");
        }
    }

    #[test]
    fn logs_of_services_are_recognised() {
        for (path, is_service) in [
            ("nickserv.log", true),
            ("libera/NickServ/2026-03-01.log", true),
            ("irc.libera.nickserv.weechatlog", true),
            ("irc.server.libera.weechatlog", true),
            ("libera_chanserv_20260301.log", true),
            ("libera/*status/2026-03-01.log", true),
            ("_status_20260301.log", true),
            ("QuakeNet-Q.log", true),
            ("quakenet_q.log", true),
            ("irc.undernet.x.weechatlog", true),
            ("mr-x.log", false),
            ("serena.log", false),
            ("irc.libera.carol.weechatlog", false),
        ] {
            assert_eq!(is_of_service(path), is_service, "{path}");
        }
    }

    #[test]
    fn channels_have_names_in_any_case() {
        assert!(is_same("#Mill", "#mill"));
        assert!(is_same("#mill_gate", "#mill/gate"));
        assert!(!is_same("#mill", "##mill"));
        assert!(!is_same("#mill", "#mills"));
    }
}
