//! Mail: mailboxes, Maildir folders and single mails, a conversation for each thread.
//!
//! ```text
//! From ada@mill.example Wed Mar  4 18:20:05 2026
//! From: Ada <ada@mill.example>
//! Subject: Re: The tide
//! References: <1@mill.example>
//!
//! It is in.
//! ```
//!
//! [`mbox`] splits a mailbox into mails, [`head`] reads the fields that are needed to build
//! threads, [`threads`] finds which mails reply to which, and [`conversation`] converts a thread. A mail itself
//! is read by [`crate::shared::people::mail`]. For mailboxes that are too long for
//! memory, [`finder`] does the first three steps line by line. Senders and recipients of any mail
//! of a mailbox are known in all its threads ([`roster`]).

mod conversation;
mod doubt;
mod finder;
mod gather;
mod head;
mod mbox;
mod roster;
mod subject;
mod threads;

use self::conversation::{Mail, Report, conversations};
use self::head::{Head, Sorter, of_path};
use self::roster::{Roster, is_of_people, people_of};
use super::{About, Claim, File, Format, Parsed, Parts, Probe, Read};
use crate::shared::people::mail::fields::divide;
use crate::shared::text::decode;
use convo_base::diag::Note;

pub(super) const FORMAT: Format = Format {
    name: "mail",
    title: "Mail",
    source_label: "E-mail",
    between_people: true,
    has_typed_prompts: false,
    about: About {
        what: "Mailboxes (mbox files of mailing lists, Thunderbird, Apple Mail, mutt and Google \
               Takeout), Maildir and MH folders and single `.eml` files.",
        find: "Mailing lists: the archive as `.mbox`, `.mbox.gz` or `.txt`. Gmail: \
               takeout.google.com, *Mail*. Thunderbird: a folder of the profile in `Mail` or \
               `ImapMail`. Other programs: *Export* or *Save as*.",
        reads: "Each thread is a conversation, built from `References` and `In-Reply-To`: \
                subjects, names, dates, and the plain text, or the HTML if a message has no \
                plain text, in any charset. Quoted messages and signatures are collapsed; inline replies \
                stay. Long mailboxes are read thread by thread.",
        leaves_out: "E-mail addresses and all other header fields; the contents of attachments \
                     and pictures, which are listed by name; spam, drafts, deleted messages and \
                     messages marked as not to be archived; encrypted text, and PGP and S/MIME \
                     signatures. Withheld until a `[[source]]` sets `visibility = \"public\"`; \
                     messages that were not sent to a list also need `direct_messages = true`.",
    },
    read: Some(
        Read::new(claims, parse)
            .gather(gather::gather)
            .parts(Parts::Pieces(finder::Finder::boxed))
            .in_bytes(is_mail),
    ),
    write: None,
};

/// The number of bytes from which a file is recognised.
const START: usize = 64 << 10;

/// Returns whether the beginning of a file is that of a mail or a mailbox.
fn is_mail(name: &str, head: &[u8]) -> bool {
    let head = decode::without_mark(&head[..head.len().min(START)]).trim_ascii_start();
    let rest = match head.iter().position(|byte| *byte == b'\n') {
        Some(end) => head.split_at(end + 1).1,
        None => &[][..],
    };
    let is_box = mbox::is_mailbox(head);
    if !is_box && !is_eml(name) && !is_mbox(name) {
        return false;
    }
    let (fields, _) = divide(if is_box { rest } else { head });
    KNOWN.iter().filter(|name| has_field(fields, name)).count() >= if is_eml(name) { 1 } else { 2 }
}

/// Fields that most mails have.
const KNOWN: [&[u8]; 5] = [b"From:", b"Date:", b"Subject:", b"Message-ID:", b"Received:"];

/// Returns whether the header of a mail has a field.
fn has_field(header: &[u8], name: &[u8]) -> bool {
    header
        .split(|byte| *byte == b'\n')
        .any(|line| line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name)))
}

fn is_eml(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".eml")
}

fn is_mbox(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".mbox")
}

fn claims(probe: &Probe<'_>) -> Claim {
    let (name, text) = (probe.name, probe.text);
    match is_mail(name, text.as_bytes()) {
        true => Claim::Signature,
        false if is_eml(name) || is_mbox(name) => Claim::Name,
        false => Claim::No,
    }
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let notes = &mut parsed.notes;
    let bytes: Vec<Vec<u8>> = files.iter().map(|file| decode::bytes_of(&file.text)).collect();
    let mut sorter = Sorter::default();
    let mut mails: Vec<Mail<'_>> = Vec::new();
    let mut roster = Roster::default();
    for (file, (bytes, of)) in bytes.iter().zip(files).enumerate() {
        if is_of_people(bytes) {
            people_of(bytes).iter().for_each(|person| _ = roster.add(person));
            continue;
        }
        let skipped = of_path(&of.name);
        let (mut at, mut before) = (0, 0);
        for stretch in mbox::mails(bytes) {
            // Bytes that are not ASCII become characters of two bytes in the text.
            at += bytes[before..stretch.at]
                .iter()
                .map(|byte| 1 + usize::from(*byte > 127))
                .sum::<usize>();
            before = stretch.at;
            let Some(head) = Head::read(divide(stretch.bytes).0) else {
                let note = Note::error(
                    "bad-mail",
                    at..at,
                    "not a mail message: it has no header \
                fields",
                );
                let note = note.hint("only this message is skipped");
                notes.push(note.in_file(file));
                continue;
            };
            if sorter.add(&head, skipped) {
                let fields = divide(stretch.bytes).0;
                people_of(fields).iter().for_each(|person| _ = roster.add(person));
                roster.add_lists(&head.lists);
                mails.push(Mail { file, at, stretch, head });
            }
        }
    }
    let (threads, mut tally) = sorter.finish();
    let mut reported = Report { notes, tally: &mut tally };
    for thread in threads {
        let mails: Vec<&Mail<'_>> =
            thread.mails.iter().filter_map(|mail| mails.get(*mail)).collect();
        parsed.conversations.extend(conversations(thread.root, &mails, &mut reported));
    }
    let roster = roster.finish();
    parsed.conversations.iter_mut().for_each(|read| roster.introduce(read));
    parsed.notes.extend(tally.notes());
    parsed
}
