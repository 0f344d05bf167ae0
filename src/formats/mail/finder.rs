//! A finder of the threads of long mailboxes, which reads them line by line.

use super::head::{Head, Reason, Sorter, of_path};
use super::mbox::{Starts, Step};
use super::roster::Roster;
use crate::shared::people::mail::fields::MAX_BYTES;
use crate::shared::text::decode;
use crate::{Found, Piece};

/// Finds the mails of each thread.
#[derive(Default)]
pub(super) struct Finder {
    sorter: Sorter,
    /// The mails that are kept.
    mails: Vec<Piece>,
    /// The number of files so far.
    files: usize,
    /// The reason for which the file is skipped.
    skipped: Option<Reason>,
    starts: Starts,
    /// Whether the file is a mailbox; `None` before its first line.
    is_mailbox: Option<bool>,
    at: u64,
    line: u32,
    /// The mail that is being read.
    open: Option<Piece>,
    head: Lines,
    is_in_head: bool,
    /// A line that may be a separator, and the lines after it.
    doubtful: Option<(Piece, Lines)>,
    /// The people of the mails that are kept.
    roster: Roster,
}

/// The lines of a header, up to a limit.
#[derive(Default)]
struct Lines {
    /// The offset of the first one in the file.
    at: u64,
    bytes: Vec<u8>,
}

impl Lines {
    fn add(&mut self, line: &[u8], at: u64) {
        if self.bytes.is_empty() {
            self.at = at;
        }
        if self.bytes.len() < MAX_BYTES {
            self.bytes.extend_from_slice(line);
        }
    }
}

impl Finder {
    pub(super) fn boxed() -> Box<dyn crate::Finder> {
        Box::new(Self::default())
    }

    /// Ends the current mail at an offset of the file.
    fn end(&mut self, at: u64) {
        let Some(mut piece) = self.open.take() else { return };
        piece.len = at.saturating_sub(piece.from);
        // A mail without fields is reported when it is parsed.
        let lines = std::mem::take(&mut self.head);
        let head =
            Head::read(&lines.bytes).unwrap_or_else(|| Head::of_nothing(self.files, piece.from));
        if self.sorter.add(&head, self.skipped) {
            self.roster.add_lists(&head.lists);
            self.roster.add_fields(&lines.bytes, lines.at, &piece);
            self.mails.push(piece);
        }
    }

    /// Begins a mail at the current line.
    fn begin(&mut self) {
        self.end(self.at);
        self.open = Some(self.piece());
        self.is_in_head = true;
    }

    /// Begins the mail after the doubtful line, which turned out to be a separator.
    fn confirm(&mut self) {
        let Some((piece, head)) = self.doubtful.take() else { return };
        if self.open.as_ref().is_some_and(|open| open.from == piece.from) {
            self.is_mailbox = Some(true);
            return;
        }
        self.end(piece.from);
        self.open = Some(piece);
        self.head = head;
        self.is_in_head = true;
    }

    fn piece(&self) -> Piece {
        let file = self.files.saturating_sub(1);
        Piece { file, from: self.at, len: 0, line: self.line }
    }
}

impl crate::Finder for Finder {
    fn file(&mut self, name: &str) {
        self.end(self.at);
        self.doubtful = None;
        self.files += 1;
        self.skipped = of_path(name);
        (self.at, self.line, self.is_mailbox) = (0, 1, None);
        self.starts = Starts::default();
    }

    fn line(&mut self, whole: &[u8], is_start: bool) {
        let line = if self.at == 0 { decode::without_mark(whole) } else { whole };
        let is_blank = line.trim_ascii().is_empty();
        let step = if is_start { self.starts.next(line) } else { Step::Inside };
        let is_first = self.is_mailbox.is_none() && !is_blank;
        if is_first {
            self.begin();
            self.is_mailbox = Some(step == Step::Start);
        }
        let is_mailbox = self.is_mailbox == Some(true);
        match step {
            Step::Start if is_mailbox && !is_first => self.begin(),
            Step::Doubtful if is_mailbox || is_first => {
                self.doubtful = Some((self.piece(), Lines::default()));
            }
            Step::Confirmed => self.confirm(),
            Step::Inside if !is_blank => {}
            Step::Start | Step::Doubtful | Step::Inside => self.doubtful = None,
        }
        if matches!(step, Step::Inside | Step::Confirmed) {
            let at = self.at + (whole.len() - line.len()) as u64;
            if self.is_in_head && self.open.is_some() {
                self.is_in_head = !is_blank;
                self.head.add(line, at);
            } else if let Some((_, head)) = &mut self.doubtful {
                head.add(line, at);
            }
        }
        self.at += whole.len() as u64;
        self.line += u32::from(line.ends_with(b"\n"));
    }

    fn finish(mut self: Box<Self>) -> Found {
        self.end(self.at);
        let Self { sorter, mails, roster, .. } = *self;
        let (threads, tally) = sorter.finish();
        let mut mails: Vec<Option<Piece>> = mails.into_iter().map(Some).collect();
        let of = |thread: super::threads::Thread| {
            thread.mails.into_iter().filter_map(|mail| mails.get_mut(mail)?.take()).collect()
        };
        Found {
            conversations: threads.into_iter().map(of).collect(),
            notes: tally.notes().collect(),
            beside: Box::new(roster.finish()),
        }
    }
}
