//! The header data of a mail that is needed to build threads.

use super::threads::Threads;
use crate::shared::people::mail::body::RESTRICTED;
use crate::shared::people::mail::fields::{Fields, cleaned};
use crate::shared::tally::Tally;
use convo_base::hash::Hash;

/// Folders whose mails are skipped, in lower case: trash, spam and drafts.
const FOLDERS: [(&[&str], Reason); 3] = [
    (
        &[
            "trash", "deleted", "deleted items", "deleted messages", "bin", "papierkorb",
            "corbeille", "papelera", "cestino", "lixeira", "prullenbak", "kosz", "корзина",
        ],
        Reason::Trash,
    ),
    (
        &[
            "spam", "junk", "junk e-mail", "junk email", "bulk mail", "unerwünscht",
            "indésirables", "correo no deseado", "спам",
        ],
        Reason::Spam,
    ),
    (
        &[
            "drafts", "draft", "templates", "unsent messages", "unsent", "outbox", "entwürfe",
            "brouillons", "borradores", "bozze", "rascunhos", "concepten", "черновики",
        ],
        Reason::Draft,
    ),
];

/// The reason for which a mail is skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    Trash,
    Spam,
    Draft,
    /// The mail asks not to be archived.
    Private,
    /// Internal data of a mail program.
    Internal,
    /// A duplicate.
    Copy,
}

impl Reason {
    /// Returns the singular and plural names of mails that are skipped for this reason.
    pub(super) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Trash => ("deleted mail", "deleted mails"),
            Self::Spam => ("spam mail", "spam mails"),
            Self::Draft => ("draft", "drafts"),
            Self::Private => RESTRICTED,
            Self::Internal => {
                ("internal record of a mail program", "internal records of a mail program")
            }
            Self::Copy => ("duplicate mail", "duplicate mails"),
        }
    }
}

/// Returns why the mails of a folder or mailbox are skipped, by its name or that of a label.
fn of_folder(name: &str) -> Option<Reason> {
    let name = name.trim_start_matches('.').trim().to_lowercase();
    // `INBOX.Trash` is a subfolder.
    let last = name.rsplit('.').next().unwrap_or_default();
    let found =
        FOLDERS.iter().find(|(names, _)| names.contains(&name.as_str()) || names.contains(&last));
    found.map(|(_, reason)| *reason)
}

/// Returns why a mail file is skipped, by its path and its Maildir flags.
pub(super) fn of_path(path: &str) -> Option<Reason> {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.strip_suffix(".mbox").unwrap_or(file);
    // `Trash.mbox/mbox` is a mailbox of Apple Mail.
    let folders = folders.split('/').map(|name| name.strip_suffix(".mbox").unwrap_or(name));
    let marks = [":2,", ";2,", "!2,"].iter().find_map(|mark| file.rsplit_once(*mark));
    let marks = marks.map_or("", |(_, marks)| marks);
    folders.chain([stem]).find_map(of_folder).or(match () {
        () if marks.contains('T') => Some(Reason::Trash),
        () if marks.contains('D') => Some(Reason::Draft),
        () => None,
    })
}

/// The identity of a mail and its place in a thread.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) id: Hash,
    /// A hash of the fields that distinguish mails with the same id.
    pub(super) print: Hash,
    /// The preceding mails, oldest first.
    pub(super) ancestors: Vec<Hash>,
    pub(super) skipped: Option<Reason>,
    /// The addresses of the list that sent it.
    pub(super) lists: Vec<String>,
}

impl Head {
    /// The header of something that is not a mail.
    pub(super) fn of_nothing(file: usize, at: u64) -> Self {
        let id = Hash::of(&("no mail", file, at));
        let (ancestors, lists) = (Vec::new(), Vec::new());
        Self { id, print: id, ancestors, skipped: None, lists }
    }

    /// Reads the header fields of a mail; `None` if there are none.
    pub(super) fn read(head: &[u8]) -> Option<Self> {
        let cleaned = cleaned(head);
        let fields = Fields::read(&cleaned)?;
        let (sender, subject) = (fields.sender(), fields.subject());
        let date = fields.date().ok().flatten();
        let date = date.map(|date| date.time.as_written().to_owned());
        if sender == Default::default() && subject.is_empty() && fields.id().is_none() {
            return None;
        }
        let print = Hash::of(&(&sender.name, &sender.address, &subject, date));
        let id = fields.id().map_or(print, |id| Hash::of(&id));
        let ancestors = fields.ancestors();
        let ancestors = ancestors.iter().map(Hash::of).filter(|other| *other != id);
        Some(Self {
            id,
            print,
            ancestors: ancestors.collect(),
            skipped: skip_reason(&fields, &subject),
            lists: fields.list().map(|(_, addresses)| addresses).unwrap_or_default(),
        })
    }
}

/// Returns why a mail is skipped, by its header fields.
fn skip_reason(fields: &Fields<'_>, subject: &str) -> Option<Reason> {
    let is = |name: &'static str, values: &[&str]| {
        let text = fields.text(name).unwrap_or_default().to_ascii_lowercase();
        values.contains(&text.as_str())
    };
    let of_label = || {
        let labels = fields.text("X-Gmail-Labels")?;
        labels.split(',').find_map(|label| of_folder(label.trim_matches(['"', ' '])))
    };
    // Mozilla flags: 8 marks a deleted mail.
    let bits = fields.text("X-Mozilla-Status");
    let bits = bits.and_then(|bits| u32::from_str_radix(bits, 16).ok()).unwrap_or_default();
    let has_mark =
        |name: &'static str, mark| fields.text(name).is_some_and(|text| text.contains(mark));
    if subject.contains("FOLDER INTERNAL DATA") {
        Some(Reason::Internal)
    } else if bits & 8 > 0 || has_mark("X-Status", 'D') || has_mark("Status", 'D') {
        Some(Reason::Trash)
    } else if has_mark("X-Status", 'T') || fields.text("X-Mozilla-Draft-Info").is_some() {
        Some(Reason::Draft)
    } else if is("X-Spam-Flag", &["yes"]) {
        Some(Reason::Spam)
    } else if fields.is_restricted() {
        Some(Reason::Private)
    } else {
        of_label()
    }
}

/// Sorts mails into threads, one by one.
#[derive(Default)]
pub(super) struct Sorter {
    threads: Threads,
    /// Counts of skipped mails.
    tally: Tally,
}

impl Sorter {
    /// Adds the next mail, or counts it as skipped. Returns whether it was added.
    pub(super) fn add(&mut self, head: &Head, of_file: Option<Reason>) -> bool {
        let reason = of_file.or(head.skipped);
        let mut is_copy = || self.threads.add(head.id, head.print, &head.ancestors);
        let reason = match reason {
            Some(reason) => Some(reason),
            None if is_copy() => Some(Reason::Copy),
            None => None,
        };
        if let Some(reason) = reason {
            let (one, many) = reason.words();
            self.tally.not_shown(one, many);
        }
        reason.is_none()
    }

    /// Returns the threads and the counts.
    pub(super) fn finish(self) -> (Vec<super::threads::Thread>, Tally) {
        (self.threads.finish(), self.tally)
    }
}
