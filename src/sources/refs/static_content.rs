//! Finds reasons not to copy a file unchanged.

use std::borrow::Cow;

use super::media::{MediaKind, identify};
use crate::config::Action;
use crate::formats;
use crate::gate::{self, Finding, FindingKind};
use crate::model::TextRole;
use crate::path::RelPath;
use crate::sources::find::reason::{Reason, Release};
use crate::sources::find::rules::Rules;

/// The minimum length of a text inside a binary file. Characters.
const SHORTEST_RUN: usize = 8;

/// The reason why a file is not copied.
pub(crate) struct Refusal {
    pub(crate) why: String,
    /// What to do about it, unless the file should be removed.
    pub(crate) hint: Option<&'static str>,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self { why, hint: None }
    }
}

/// Returns why the content of a file must not be published, or cannot be checked.
pub(super) fn refusal(
    file: &RelPath,
    bytes: &[u8],
    rules: &Rules,
    release: &Release,
) -> Option<Refusal> {
    if is_archive(file.name(), bytes) {
        let why = "it is an archive, whose content is not checked".to_owned();
        let hint = "unpack it and add its files instead";
        return Some(Refusal { why, hint: Some(hint) });
    }
    let text = text_of(bytes, file.name());
    if let Some(text) = &text {
        if formats::holds_conversations(file.name(), text) {
            let why = "it contains conversations, which may be private";
            return Some(why.to_owned().into());
        }
        let (private, schedule) = formats::access_of(file.name(), text);
        if let Some(reason) = release.held_back(private, &schedule) {
            return Some(format!("it is marked as {}", marking(reason)).into());
        }
        if let Some(why) = in_text(text, rules) {
            return Some(why.into());
        }
    }
    let is_plain = !bytes.contains(&0) && std::str::from_utf8(bytes).is_ok();
    if is_plain {
        return None;
    }
    in_runs(&runs(bytes), rules).map(Refusal::from)
}

/// Returns the words for the marking of a file that is not copied for this reason.
fn marking(reason: Reason) -> String {
    match reason {
        Reason::Future(day) => format!("scheduled for {day}"),
        Reason::Expired(day) => format!("expired on {day}"),
        Reason::Draft => "a draft".to_owned(),
        _ => "private".to_owned(),
    }
}

/// Returns why the path of a file must not be published.
pub(super) fn of_path(path: &str, rules: &Rules) -> Option<String> {
    let words = path.replace(['-', '_', '.', '/', '+'], " ");
    let of_text = |text: &str| {
        let seen = rules.gate.inspect_text(None, &[], text, TextRole::Name);
        let is_own = |finding: &Finding| finding.kind == FindingKind::Own;
        let mut found = seen.found.iter().map(|found| &found.finding);
        found.find(|finding| is_own(finding) || is_stopped(finding)).map(|finding| {
            match is_own(finding) {
                true => "its name contains redacted text".to_owned(),
                false => {
                    format!("its name may contain a secret ({})", finding.name)
                }
            }
        })
    };
    let is_named = || rules.contains_name(path) || rules.contains_name(&words);
    of_text(path).or_else(|| of_text(&words)).or_else(|| {
        is_named()
            .then(|| "its name contains a person's name that is hidden on this site".to_owned())
    })
}

/// Returns a file as text, whatever its encoding; `None` for binary files.
pub(crate) fn text_of<'a>(bytes: &'a [u8], name: &str) -> Option<Cow<'a, str>> {
    let is_text =
        std::str::from_utf8(bytes).is_ok() || identify(bytes, name).kind == MediaKind::File;
    is_text.then(|| formats::text_of(bytes)).flatten()
}

/// Returns why a text must not be published.
fn in_text(text: &str, rules: &Rules) -> Option<String> {
    let seen = rules.gate.inspect_text(None, &[], text, TextRole::Name);
    let findings: Vec<_> = seen.found.iter().map(|found| found.finding.clone()).collect();
    if let Some(first) = findings.first().filter(|_| gate::holds(&findings)) {
        return Some(format!("it may contain a secret ({})", first.name));
    }
    if seen.changed.is_some() {
        return Some("it contains redacted text".to_owned());
    }
    let named = rules.contains_name(text);
    named.then(|| "it contains a person's name that is hidden on this site".to_owned())
}

/// Returns why the texts in a binary file must not be published. The author's name and e-mail
/// address often occur in such files, and are allowed.
fn in_runs(text: &str, rules: &Rules) -> Option<String> {
    let seen = rules.gate.inspect_text(None, &[], text, TextRole::Name);
    let mut found = seen.found.iter().map(|found| &found.finding);
    let stopped = found.find(|finding| finding.kind == FindingKind::Own || is_stopped(finding));
    if let Some(finding) = stopped {
        return Some(match finding.kind {
            FindingKind::Own => "it contains redacted text".to_owned(),
            _ => format!("it may contain a secret ({})", finding.name),
        });
    }
    let named = rules.contains_name(text);
    named.then(|| "it contains a person's name that is hidden on this site".to_owned())
}

/// Returns whether a finding is a secret that must not be on pages.
fn is_stopped(finding: &Finding) -> bool {
    finding.kind == FindingKind::Secret && matches!(finding.action, Action::Hold | Action::Redact)
}

/// Returns the texts in a binary file, one per line. Characters of two or four bytes contain zero
/// bytes.
fn runs(bytes: &[u8]) -> String {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r');
    let mut out = String::new();
    let mut run = String::new();
    for byte in bytes.iter().filter(|byte| **byte != 0) {
        if is_text(byte) {
            run.push(char::from(*byte));
            continue;
        }
        if run.len() >= SHORTEST_RUN {
            out.push_str(&run);
            out.push('\n');
        }
        run.clear();
    }
    if run.len() >= SHORTEST_RUN {
        out.push_str(&run);
    }
    out
}

/// Returns whether a file is an archive or packed. Office documents and e-books are ZIP files too,
/// but do not count.
fn is_archive(name: &str, bytes: &[u8]) -> bool {
    const EXTENSIONS: [&str; 18] = [
        ".zip", ".tar", ".gz", ".tgz", ".zst", ".tzst", ".7z", ".rar", ".xz", ".txz", ".bz2",
        ".tbz", ".tbz2", ".lz", ".lz4", ".lzma", ".cab", ".br",
    ];
    const STARTS: [&[u8]; 8] = [
        b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh",
        b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07",
    ];
    const DOCUMENTS: [&str; 7] = [".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub"];
    const FIRST_FILES: [&[u8]; 2] = [b"mimetype", b"[Content_Types].xml"];
    let name = name.to_lowercase();
    let ends = |extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
    let starts = |at: usize, starts: &[&[u8]]| {
        let rest = bytes.get(at..).unwrap_or_default();
        starts.iter().any(|start| rest.starts_with(start))
    };
    if ends(&DOCUMENTS) && starts(30, &FIRST_FILES) {
        return false;
    }
    ends(&EXTENSIONS) || starts(0, &STARTS) || starts(257, &[b"ustar"])
}
