//! Hides home folders, whose names occur in logs.

use std::ops::Range;

use super::account_name;
use convo_base::commonmark::{Event, Tag, cap_quotes, events};
use convo_base::model::{Conversation, TextRole, TextVisitor};
use convo_base::rendered_text::Literals;

/// Replaces home folders by `~` in everything that a page shows of a conversation.
pub(crate) fn hide(read: &mut Conversation) {
    hide_with(read, None);
}

/// Does the same for the log of a user who worked in the folder `cwd`. The user name in `cwd` is replaced
/// in every home folder, and where programs print it as an account name.
pub(crate) fn hide_with(read: &mut Conversation, cwd: Option<&str>) {
    read.visit_texts(&mut Owner(cwd.and_then(owner)));
}

/// Returns the text with home folders replaced by `~`, or `None` if there are none.
pub(crate) fn hidden_in(text: &str) -> Option<String> {
    let homes = homes(text, None);
    (!homes.is_empty()).then(|| replaced(text, &homes, |_| HOME))
}

/// The name of the user who owns the log, if known.
struct Owner(Option<String>);

impl TextVisitor for Owner {
    fn text(&mut self, role: TextRole, text: &mut String) {
        if !role.is_shown() {
            return;
        }
        let owner = self.0.as_deref();
        let homes = homes(text, owner);
        if !homes.is_empty() {
            let hidden = replaced(text, &homes, |_| HOME);
            *text = match role == TextRole::Markdown && strikes_through(&hidden, &homes) {
                true => {
                    let literals = Literals::new(text);
                    replaced(text, &homes, |home| literals.at(home, HOME))
                }
                false => hidden,
            };
        }
        if let Some(hidden) = owner.and_then(|owner| account_name::hidden_in(text, owner)) {
            *text = hidden;
        }
    }
}

/// What a home folder is replaced by.
const HOME: &str = "~";

/// Returns the text with each of these ranges replaced.
fn replaced<R: AsRef<str>>(
    text: &str,
    ranges: &[Range<usize>],
    with: impl Fn(&Range<usize>) -> R,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for range in ranges {
        out.push_str(&text[done..range.start]);
        out.push_str(with(range).as_ref());
        done = range.end;
    }
    out + &text[done..]
}

/// Returns whether Markdown in which these ranges were replaced by [`HOME`] is struck through from or to one
/// of them.
fn strikes_through(hidden: &str, homes: &[Range<usize>]) -> bool {
    if hidden.matches(HOME).count() < 2 {
        return false;
    }
    let mut removed = 0;
    let marks: Vec<usize> = homes
        .iter()
        .map(|home| {
            let mark = home.start - removed;
            removed += home.len() - HOME.len();
            mark
        })
        .collect();
    let is_mark = |at: usize| marks.binary_search(&at).is_ok();
    events(&cap_quotes(hidden, "x"), false).any(|(event, Range { start, end })| {
        matches!(event, Event::Start(Tag::Strikethrough))
            && [start, start + 1, end.saturating_sub(2), end - 1].into_iter().any(is_mark)
    })
}

/// The folders that contain home folders.
const HOMES: [&str; 4] = ["home", "Users", "Documents and Settings", MEDIA];

/// The folder that contains the disks of users, by user name. Sites may have a folder with this name too.
const MEDIA: &str = "media";

/// Names in that folder that are not user names.
const NO_OWNERS: [&str; 24] = [
    "assets", "audio", "avatars", "cdrom", "cdrom0", "covers", "css", "docs", "documents", "files",
    "floppy", "fonts", "icons", "images", "img", "js", "photos", "pictures", "static",
    "thumbnails", "uploads", "usb", "video", "videos",
];

/// The first letters of the folder names in lower case.
const HOME_STARTS: [&[u8; 4]; 4] = [b"home", b"user", b"docu", b"medi"];

/// Returns whether a text may contain a home folder: a path separator followed by one of [`HOMES`]. Quickly
/// rules out most texts.
fn may_have_home(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_home = |at: usize| {
        let here = bytes.get(at..at + 4);
        here.is_some_and(|here| HOME_STARTS.iter().any(|start| here.eq_ignore_ascii_case(*start)))
    };
    memchr::memchr3_iter(b'/', b'\\', b'-', bytes).any(|at| has_home(at + 1))
        || memchr::memchr_iter(b'%', bytes).any(|at| has_home(at + "%2F".len()))
}

/// Path separators: in paths, in JSON strings, in URLs, and in names that programs derive from paths. If
/// one is a prefix of another, the longer one comes first.
const PARTS: [&str; 9] = ["\\\\\\\\", "\\\\", "\\/", "\\", "/", "%2F", "%2f", "%5C", "-"];

/// Folders that may contain [`HOMES`]; `?` is a drive letter.
const ABOVE: [&[&str]; 10] = [
    &["var"],
    &["usr"],
    &["export"],
    &["System", "Volumes", "Data"],
    &["mnt", "?"],
    &["host_mnt", "?"],
    &["cygdrive", "?"],
    &["run", "host"],
    &["run"],
    &["?"],
];

/// Home folders that are not personal.
const SHARED: [&str; 4] = ["Shared", "Public", "runner", "user"];

/// Home folders without a user name, but which reveal what program somebody uses.
const WHOLE: [&str; 2] = ["/data/data/com.termux/files/home", "/data/user/0/com.termux/files/home"];

/// Returns the name of the user in whose home folder a folder is.
fn owner(cwd: &str) -> Option<String> {
    let mut at = 0;
    while let Some(found) = cwd[at..].find(['/', '\\']).map(|found| at + found) {
        if let Some((part, behind)) = home_at(cwd, found) {
            let name = cwd[behind..].split(part).next().unwrap_or_default().trim();
            let is_one =
                name.chars().count() > 1 && !SHARED.contains(&name) && !NO_OWNERS.contains(&name);
            return is_one.then(|| name.to_owned());
        }
        at = found + 1;
    }
    None
}

/// If a folder of homes starts at a byte, returns the path separator and where the user name starts.
fn home_at(text: &str, at: usize) -> Option<(&'static str, usize)> {
    let rest = &text[at..];
    let part = *PARTS.iter().find(|part| rest.starts_with(**part))?;
    let rest = &rest[part.len()..];
    let home = HOMES.iter().find(|home| {
        let found = rest.get(..home.len());
        let is_one = found.is_some_and(|found| match part.starts_with(['\\', '%']) {
            true => found.eq_ignore_ascii_case(home),
            false => found == **home,
        });
        is_one && rest[home.len()..].starts_with(part)
    })?;
    Some((part, at + part.len() + home.len() + part.len()))
}

/// Returns where the known folders above the folder of homes start.
fn above(before: &str, part: &str) -> usize {
    let found = ABOVE.iter().find_map(|folders| {
        let mut rest = before;
        for folder in folders.iter().rev() {
            rest = match *folder {
                "?" => {
                    // In `file:` URLs the drive letter is followed by a colon.
                    let colon = [":", "%3A", "%3a"].iter().filter(|_| part == "/");
                    let bare = colon.filter_map(|colon| rest.strip_suffix(*colon)).next();
                    let bare = bare.unwrap_or(rest);
                    bare.strip_suffix(|c: char| c.is_ascii_alphabetic())?
                }
                folder => rest.strip_suffix(folder)?,
            };
            rest = rest.strip_suffix(part)?;
        }
        let is_start = |c: char| !c.is_alphanumeric() && !"._-~".contains(c);
        rest.chars().next_back().is_none_or(is_start).then_some(rest.len())
    });
    found.unwrap_or(before.len())
}

/// The maximum number of bytes before a path that are searched for a URL scheme.
const MAX_ADDRESS_BYTES: usize = 300;

/// Returns `Some(true)` if the path after a text belongs to a web URL, and `Some(false)` if it belongs to a
/// URL with another scheme.
fn address(before: &str) -> Option<bool> {
    let start = before.floor_char_boundary(before.len().saturating_sub(MAX_ADDRESS_BYTES));
    let word = before[start..].rsplit(|c: char| c.is_whitespace() || "\"'`<>()".contains(c));
    let (scheme, host) = word.into_iter().next()?.rsplit_once("://")?;
    let is_web = scheme.to_ascii_lowercase().ends_with("http")
        || scheme.to_ascii_lowercase().ends_with("https");
    match is_web {
        true => Some(true),
        false => (!host.contains('/')).then_some(false),
    }
}

/// Returns where the user name that starts at a byte ends.
fn name_end(text: &str, at: usize, part: &str, home: &str, owner: Option<&str>) -> usize {
    let rest = &text[at..];
    let is_name = |c: char| c.is_alphanumeric() || "._@+".contains(c) || c == '-' && part != "-";
    let ends = |length: usize| !rest[length..].starts_with(is_name);
    if let Some(owner) = owner {
        let slug: String =
            owner.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        let owner = if part == "-" { slug.as_str() } else { owner };
        let found = rest.get(..owner.len());
        if found.is_some_and(|found| found.eq_ignore_ascii_case(owner)) && ends(owner.len()) {
            return at + owner.len();
        }
    }
    let length = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let first = length(rest);
    // Some user names have two words.
    let behind = &rest[first..];
    let space = ["%20", " "].into_iter().find(|space| behind.starts_with(space));
    if let Some(space) = space.filter(|_| part != "-" && first > 0) {
        let second = &behind[space.len()..];
        let more = length(second);
        let is_big = |text: &str| text.starts_with(char::is_uppercase);
        let may_be = !["home", MEDIA].contains(&home) || is_big(rest) && is_big(second);
        if more > 0 && may_be && second[more..].starts_with(part) {
            return at + first + space.len() + more;
        }
    }
    at + first
}

/// Returns where home folders are: `/home/ada` in `/home/ada/src`. A drive letter before one belongs to it.
/// `owner` is the name of the user who owns the log.
fn homes(text: &str, owner: Option<&str>) -> Vec<Range<usize>> {
    let mut homes = Vec::new();
    if !may_have_home(text) {
        return homes;
    }
    let mut done = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find(['/', '\\', '-', '%']).map(|found| at + found) {
        at = found + 1;
        if let Some(whole) = WHOLE.iter().find(|whole| text[found..].starts_with(**whole)) {
            done = found + whole.len();
            homes.push(found..done);
            at = done;
            continue;
        }
        let Some((part, name_at)) = home_at(text, found) else { continue };
        let home = text[found + part.len()..name_at].trim_end_matches(part);
        let end = name_end(text, name_at, part, home, owner);
        let name = &text[name_at..end];
        let before = &text[done..found];
        let mut start = done + above(before, part);
        let last = text[done..start].chars().next_back();
        let is_slug = part == "-";
        let is_owner_name = owner.is_some_and(|owner| owner.eq_ignore_ascii_case(name));
        // `example.org/home/ada` is not a folder, and `x-home-made` is not a path.
        let is_path = match part {
            "-" => {
                // A drive, as in `c--Users-ada-src`.
                let is_drive = before.strip_suffix('-').is_some_and(|rest| {
                    let mut chars = rest.chars().rev();
                    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
                        && chars.next().is_none_or(|c| !c.is_alphanumeric())
                });
                let is_start = last.is_none_or(|c| "/\\\"'` \n".contains(c));
                (is_start || is_drive)
                    && (text[end..].starts_with('-')
                        || last.is_some_and(|c| "/\\".contains(c))
                            && text[end..].starts_with(['/', '\\', '"']))
            }
            "/" => {
                let is_loose =
                    last.is_none_or(|c| !c.is_alphanumeric() && !"._-~".contains(c) || c == ':');
                is_loose || address(before).map_or(is_owner_name, |is_web| !is_web)
            }
            "%2F" | "%2f" | "%5C" => {
                let before = &text[done..start];
                is_owner_name
                    || before.ends_with(part)
                    || last.is_none_or(|c| !c.is_alphanumeric() && !"._-~".contains(c))
            }
            _ => true,
        };
        let is_disk = home == MEDIA && !is_owner_name;
        // `/media/ada/disk` is a path on a user's disk, `/media/photo.jpg` is part of a site.
        let is_site = is_disk
            && (is_slug
                || NO_OWNERS.contains(&name)
                || !name.contains(char::is_alphabetic)
                || start == found && (name.contains('.') || !text[end..].starts_with(part))
                || start == found && before.ends_with("]("));
        if name.is_empty() || SHARED.contains(&name) || is_site || !is_path {
            continue;
        }
        let drive = text[done..start].strip_suffix(':').and_then(|rest| {
            let mut chars = rest.chars().rev();
            let letter = chars.next().filter(char::is_ascii_alphabetic)?;
            let is_alone = |c: char| !c.is_alphanumeric() && (part != "/" || c != '/');
            chars.next().is_none_or(is_alone).then_some(())?;
            Some(start - 1 - letter.len_utf8())
        });
        if let Some(drive) = drive.filter(|_| !is_slug) {
            start = drive;
        }
        homes.push(start..end);
        done = end;
        at = end;
    }
    homes
}

#[cfg(test)]
mod tests {
    use super::{HOME, homes, owner, replaced};

    fn hidden(text: &str, owner: Option<&str>) -> String {
        replaced(text, &homes(text, owner), |_| HOME)
    }

    #[test]
    fn homes_have_no_names() {
        for (text, expected) in [
            ("cd /home/ada/src", "cd ~/src"),
            ("file:///Users/ada.l/x and /home/bob", "file://~/x and ~"),
            (r"C:\Users\Ada\x", r"~\x"),
            (r#"{"cwd":"C:\\Users\\Ada\\x"}"#, r#"{"cwd":"~\\x"}"#),
            (".claude/projects/-home-ada-src/x", ".claude/projects/~-src/x"),
            ("https://example.org/home/ada", "https://example.org/home/ada"),
            ("a home-made /home/ page", "a home-made /home/ page"),
            ("/home/runner/work", "/home/runner/work"),
            ("cat /mnt/c/Users/ada/x", "cat ~/x"),
            ("/var/home/ada/x:/usr/home/ada:/export/home/ada/y", "~/x:~:~/y"),
            ("/System/Volumes/Data/Users/ada/x", "~/x"),
            (r"\\wsl$\Ubuntu\home\ada\x", r"\\wsl$\Ubuntu~\x"),
            (r"C:\Documents and Settings\ada\x", r"~\x"),
            ("projects/c--Users-ada-proj/x", "projects/c-~-proj/x"),
            ("vscode-remote://wsl+u/home/ada/x", "vscode-remote://wsl+u~/x"),
            ("path=%2Fhome%2Fada%2Fx", "path=~%2Fx"),
            ("file%3A%2F%2F%2Fhome%2Fada", "file%3A%2F%2F~"),
            ("/data/data/com.termux/files/home/x", "~/x"),
            ("ls '/Users/Ann Bob/x'", "ls '~/x'"),
            ("file:///Users/Ann%20Bob/x", "file://~/x"),
            ("cp /home/ada src/x", "cp ~ src/x"),
            ("https://example.org,/home/ada", "https://example.org,~"),
            ("C:/Users/ada/x", "~/x"),
            ("file:///c%3A/Users/ada/x", "file://~/x"),
            ("file:///C:/Users/ada/x", "file://~/x"),
            ("https://example.org/c%3A/Users/ada/x", "https://example.org/c%3A/Users/ada/x"),
            ("/mnt/c/Users/ada", "~"),
            ("cd /media/ada/disk/x", "cd ~/disk/x"),
            (r#""cwd":"/run/media/ada/disk""#, r#""cwd":"~/disk""#),
            ("ls /run/media/ada", "ls ~"),
            ("![](/media/ada/photo.png)", "![](/media/ada/photo.png)"),
            (
                "/media/photo.jpg /media/2024/x.jpg /media/ a social-media-post",
                "/media/photo.jpg /media/2024/x.jpg /media/ a social-media-post",
            ),
            (
                "/media/uploads/a/b.jpg https://example.org/media/ada/x",
                "/media/uploads/a/b.jpg https://example.org/media/ada/x",
            ),
        ] {
            assert_eq!(hidden(text, None), expected);
        }
    }

    #[test]
    fn the_user_name_is_hidden_in_more_places() {
        assert_eq!(owner(r"C:\Users\Ann Lee\x").as_deref(), Some("Ann Lee"));
        assert_eq!(owner("/srv/x"), None);
        for (text, expected) in [
            ("backup/home/ada-l/x", "backup~/x"),
            ("projects/-home-ada-l-src", "projects/~-src"),
            ("https://example.org/home/ada-l", "https://example.org/home/ada-l"),
            ("ada-l", "ada-l"),
        ] {
            assert_eq!(hidden(text, Some("ada-l")), expected);
        }
    }
}
