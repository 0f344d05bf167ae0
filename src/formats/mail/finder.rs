//! Finds the threads of long mailboxes, in the lines that it is shown.

use super::fields::MAX_BYTES;
use super::head::{Head, Reason, Sorter, of_path};
use super::mbox::Starts;
use crate::diag::Note;
use crate::formats::{self, Piece, decode};

/// Finds the mails of threads.
#[derive(Default)]
pub(super) struct Finder {
    sorter: Sorter,
    /// The mails that are not left out.
    mails: Vec<Piece>,
    /// The files so far.
    files: usize,
    /// Why the file is left out.
    left_out: Option<Reason>,
    starts: Starts,
    /// Whether the file is a mailbox; `None` before its first line.
    is_mailbox: Option<bool>,
    at: u64,
    line: u32,
    /// The mail that is being read.
    open: Option<Piece>,
    head: Vec<u8>,
    is_in_head: bool,
}

impl Finder {
    pub(super) fn boxed() -> Box<dyn formats::Finder> {
        Box::new(Self::default())
    }

    /// Ends a mail.
    fn end(&mut self) {
        let Some(mut piece) = self.open.take() else { return };
        piece.len = self.at - piece.from;
        // What has no fields is told where it is read.
        let head = Head::read(&self.head)
            .unwrap_or_else(|| Head::of_nothing(self.files, piece.from));
        if self.sorter.add(&head, self.left_out) {
            self.mails.push(piece);
        }
        self.head.clear();
    }
}

impl formats::Finder for Finder {
    fn file(&mut self, name: &str) {
        self.end();
        self.files += 1;
        self.left_out = of_path(name);
        (self.at, self.line, self.is_mailbox) = (0, 1, None);
        self.starts = Starts::default();
    }

    fn line(&mut self, whole: &[u8], is_start: bool) {
        let line = if self.at == 0 { decode::without_mark(whole) } else { whole };
        let is_blank = line.trim_ascii().is_empty();
        let is_from = is_start && self.starts.next(line);
        let is_first = self.is_mailbox.is_none() && !is_blank;
        if is_first {
            self.is_mailbox = Some(is_from);
        }
        let begins = is_first || is_from && self.is_mailbox == Some(true);
        if begins {
            self.end();
            let file = self.files.saturating_sub(1);
            self.open = Some(Piece { file, from: self.at, len: 0, line: self.line });
            self.is_in_head = true;
        }
        if self.is_in_head && self.open.is_some() && !(begins && is_from) {
            self.is_in_head = !is_blank;
            if self.head.len() < MAX_BYTES {
                self.head.extend_from_slice(line);
            }
        }
        self.at += whole.len() as u64;
        self.line += u32::from(line.ends_with(b"\n"));
    }

    fn finish(mut self: Box<Self>) -> (Vec<Vec<Piece>>, Vec<Note>) {
        self.end();
        let Self { sorter, mails, .. } = *self;
        let (threads, tally) = sorter.finish();
        let mut mails: Vec<Option<Piece>> = mails.into_iter().map(Some).collect();
        let of = |thread: super::threads::Thread| {
            thread
                .mails
                .into_iter()
                .filter_map(|mail| mails.get_mut(mail)?.take())
                .collect()
        };
        (threads.into_iter().map(of).collect(), tally.notes())
    }
}
