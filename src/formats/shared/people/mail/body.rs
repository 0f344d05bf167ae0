//! The body of a mail: its text, the folded parts below it, and the names of its attachments.

use super::armor::{Armored, unarmored};
use super::fields::{Fields, cleaned, divide};
use super::lines::{Line, lines};
use super::outlook::sender;
use super::pages;
use super::parts::{Leaf, Part, parts};
use super::prose::to_markdown;
use super::tail::{Cut, cut, quoted_name, sentence};
use crate::shared::people::channel::event_block;
use crate::shared::tally::Tally;
use crate::shared::text::attachment_kind::kind_of;
use crate::shared::text::verbatim::verbatim;
use convo_base::diag::Note;
use convo_base::model::{Attachment, AttachmentKind, Block, QUOTATION, fenced};
use convo_base::text::{base_name, plural};

/// The maximum number of lines of a quotation that is not folded.
const LONG_QUOTATION: usize = 24;
/// The maximum nesting depth of forwarded mails.
const MAX_NESTED: usize = 3;

/// The singular and plural names of mails that ask not to be published.
pub(crate) const RESTRICTED: (&str, &str) =
    ("message marked as not to be archived", "messages marked as not to be archived");

/// The event name of a signature.
const SIGNATURE: &str = "signature";

/// What is known of a mail from what contains it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    /// Whether texts are in UTF-8, whatever charset the mail says, unless they are in a transfer encoding.
    pub(crate) is_utf8: bool,
    /// Whether the senders and subjects of forwarded mails are withheld.
    pub(crate) hides_names: bool,
}

/// The contents of a mail.
#[derive(Debug, Default)]
pub(crate) struct Body {
    origin: Origin,
    pub(crate) blocks: Vec<Block>,
    /// The names of quoted people.
    pub(crate) quoted: Vec<String>,
    /// The number of parts that were not read because there are too many.
    pub(crate) lost_parts: usize,
    /// Whether a text was longer than what is shown of it.
    pub(crate) is_cut: bool,
}

/// Reads the body of a mail.
pub(crate) fn body(mail: &[u8], origin: Origin, tally: &mut Tally) -> Body {
    let mut body = Body { origin, ..Body::default() };
    body.read(mail, 0, tally);
    body
}

/// Returns whether a mail that should have several parts can be divided into them.
pub(crate) fn is_divided(mail: &[u8]) -> bool {
    matches!(parts(mail).0, Part::Several(..))
}

impl Body {
    /// Returns a note if a part of the mail, which begins at byte `at`, was not read.
    pub(crate) fn loss_note(&self, at: usize) -> Option<Note> {
        let message = match (self.is_cut, self.lost_parts) {
            (false, 0) => return None,
            (true, _) => "this message has more than 4 MB of text".to_owned(),
            (_, lost) => {
                let parts = plural(lost as u64, "part", "parts");
                format!("this message has {parts} too many or nested too deeply")
            }
        };
        Some(Note::error("too-large", at..at + 1, message).hint("only the beginning is shown"))
    }

    fn read(&mut self, mail: &[u8], nested: usize, tally: &mut Tally) {
        let (part, lost) = parts(mail);
        self.lost_parts += lost;
        self.show(&part, nested, tally);
    }

    fn show(&mut self, part: &Part<'_>, nested: usize, tally: &mut Tally) {
        match part {
            Part::Leaf(leaf) => self.leaf(leaf, nested, tally),
            Part::Several(kind, inside) => match kind.as_str() {
                "alternative" => {
                    let Some(chosen) = chosen(inside) else { return };
                    self.show(chosen, nested, tally);
                    let others = inside.iter().filter(|part| !std::ptr::eq(*part, chosen));
                    others.for_each(|part| self.files_in(part, tally));
                }
                "encrypted" => {
                    self.blocks.push(event_block("encrypted", "An encrypted message"));
                }
                // The signature comes after the part that it signs.
                "signed" => {
                    inside.iter().take(1).for_each(|part| self.show(part, nested, tally));
                }
                _ => inside.iter().for_each(|part| self.show(part, nested, tally)),
            },
            Part::TooDeep => self.lost_parts += 1,
        }
    }

    /// Adds the files inside an alternative that is not shown, by name.
    fn files_in(&mut self, form: &Part<'_>, tally: &mut Tally) {
        match form {
            Part::Leaf(leaf) => {
                let is_named = leaf.name.is_some() && !leaf.mime.starts_with("text/");
                let is_file = leaf.is_attachment || is_named;
                if is_file && !(is_mail(leaf) && is_withheld(&leaf.bytes(), tally)) {
                    self.file(leaf);
                }
            }
            Part::Several(_, inside) => {
                inside.iter().for_each(|part| self.files_in(part, tally));
            }
            Part::TooDeep => {}
        }
    }

    fn leaf(&mut self, leaf: &Leaf<'_>, nested: usize, tally: &mut Tally) {
        let mime = leaf.mime.as_str();
        match mime {
            "application/pgp-signature"
            | "application/pkcs7-signature"
            | "application/x-pkcs7-signature" => {
                tally.not_shown("signature", "signatures");
            }
            "application/pkcs7-mime" | "application/x-pkcs7-mime" | "application/pgp-encrypted" => {
                self.blocks.push(event_block("encrypted", "An encrypted message"));
            }
            "application/pgp-keys" => self.blocks.push(event_block("key", "A PGP key")),
            _ if is_mail(leaf) => self.nested(leaf, nested, tally),
            _ if leaf.is_attachment => self.file(leaf),
            "text/html" => self.html(leaf),
            "text/plain" => self.plain(leaf),
            "text/markdown" if leaf.name.is_none() => {
                let text = self.text_of(leaf);
                self.push_text(text.trim_end().to_owned());
            }
            "text/x-patch" | "text/x-diff" => {
                let text = self.text_of(leaf);
                self.blocks.push(markdown(fenced("diff", text.trim_end())));
            }
            _ => self.file(leaf),
        }
    }

    /// Returns the text of a part.
    fn text_of(&mut self, leaf: &Leaf<'_>) -> String {
        let (text, is_whole) = leaf.text(self.origin.is_utf8);
        self.is_cut |= !is_whole;
        with_addresses(text)
    }

    fn plain(&mut self, leaf: &Leaf<'_>) {
        for piece in unarmored(&self.text_of(leaf)) {
            match piece {
                Armored::Text(text) => {
                    let lines = lines(&text, leaf.is_flowed, leaf.is_space_dropped);
                    self.cut(lines, &to_markdown);
                }
                Armored::Hidden(what) => self.blocks.push(event_block("encrypted", what)),
            }
        }
    }

    fn html(&mut self, leaf: &Leaf<'_>) {
        let lines = pages::lines_of(&self.text_of(leaf));
        self.cut(lines, &pages::as_it_is);
    }

    /// Adds lines, and folds the quotation or signature below them.
    fn cut(&mut self, lines: Vec<Line>, write: &dyn Fn(&[Line]) -> String) {
        let Cut { own, quoted, signature, names } = cut(lines);
        self.quoted.extend(names);
        let is_long = |lines: &[Line]| lines[0].depth > 0 && lines.len() > LONG_QUOTATION;
        let mut shown: Vec<Line> = Vec::new();
        for some in own.chunk_by(|a, b| (a.depth > 0) == (b.depth > 0)) {
            if some[0].depth == 0 {
                self.quoted.extend(attribution_above(some));
            }
            if is_long(some) {
                self.push_text(write(&std::mem::take(&mut shown)));
                self.fold(QUOTATION, "Quoted text", write(&shallower(some)));
            } else {
                shown.extend_from_slice(some);
            }
        }
        self.push_text(write(&shown));
        self.quoted.extend(sender(&own));
        self.quoted.extend(quoted_name(&quoted));
        self.fold(QUOTATION, "Quoted mail", write(&shallower(&quoted)));
        self.fold(SIGNATURE, "Signature", write(&signature));
    }

    fn push_text(&mut self, text: String) {
        if !text.trim().is_empty() {
            self.blocks.push(markdown(text));
        }
    }

    /// Adds a folded part. A signature directly after another one, such as the footer of a mailing
    /// list, is appended to it.
    fn fold(&mut self, name: &str, label: &str, text: String) {
        if text.trim().is_empty() {
            return;
        }
        if let Some(Block::Event { name: last, detail: Some(detail), .. }) = self.blocks.last_mut()
            && last == SIGNATURE
            && name == SIGNATURE
        {
            detail.push_str("\n\n");
            detail.push_str(&text);
            return;
        }
        let (name, label) = (name.to_owned(), label.to_owned());
        self.blocks.push(Block::Event { name, text: label, detail: Some(text) });
    }

    /// Adds a file by name. Its bytes are not published.
    fn file(&mut self, leaf: &Leaf<'_>) {
        let name = leaf.name.as_deref().unwrap_or_default();
        let name = base_name(name);
        let kind = kind_of(name, Some(&leaf.mime));
        let name = match (name, kind) {
            ("", AttachmentKind::File) if is_mail(leaf) => "mail",
            ("", AttachmentKind::File) => "file",
            ("", kind) => kind.word(),
            (name, _) => name,
        };
        let mut file = Attachment::new(name, kind);
        file.size = Some(leaf.size());
        file.mime = leaf.exact_mime.clone();
        self.blocks.push(Block::Attachment(Box::new(file)));
    }

    /// Folds a forwarded mail. One that is attached is listed by name, and one that is marked as
    /// private is withheld.
    fn nested(&mut self, leaf: &Leaf<'_>, nested: usize, tally: &mut Tally) {
        let bytes = leaf.bytes();
        if is_withheld(&bytes, tally) {
            return;
        }
        if leaf.is_attachment {
            return self.file(leaf);
        }
        let cleaned = cleaned(divide(&bytes).0);
        let fields = Fields::read(&cleaned).filter(|_| !self.origin.hides_names);
        let sender = fields.as_ref().map(Fields::sender).unwrap_or_default().name;
        let subject = fields.as_ref().map(Fields::subject).unwrap_or_default();
        let label = match subject.is_empty() {
            true => "Forwarded mail".to_owned(),
            false => format!("Forwarded message: {subject}"),
        };
        if nested == MAX_NESTED {
            self.blocks.push(event_block("forwarded", label));
            return;
        }
        let mut inside = Self { origin: self.origin, ..Self::default() };
        inside.read(&bytes, nested + 1, tally);
        let mut text = Vec::new();
        if !sender.is_empty() && !sender.contains('@') {
            text.push(format!("{}:", verbatim(&sender)));
            self.quoted.push(sender);
        }
        text.extend(inside.blocks.iter().map(Block::to_markdown));
        self.quoted.append(&mut inside.quoted);
        self.lost_parts += inside.lost_parts;
        self.is_cut |= inside.is_cut;
        self.fold("forwarded", &label, text.join("\n\n"));
    }
}

/// Returns whether a part is a mail.
fn is_mail(leaf: &Leaf<'_>) -> bool {
    matches!(leaf.mime.as_str(), "message/rfc822" | "message/global")
}

/// Returns whether a mail asks not to be published, and counts it if so.
pub(crate) fn is_withheld(mail: &[u8], tally: &mut Tally) -> bool {
    let cleaned = cleaned(divide(mail).0);
    let is_one = Fields::read(&cleaned).is_some_and(|fields| fields.is_restricted());
    if is_one {
        tally.not_shown(RESTRICTED.0, RESTRICTED.1);
    }
    is_one
}

fn markdown(text: String) -> Block {
    Block::Markdown { text }
}

/// Returns which of several alternatives is shown: plain text if there is any, otherwise HTML.
fn chosen<'p, 'a>(forms: &'p [Part<'a>]) -> Option<&'p Part<'a>> {
    let says = |part: &&Part<'a>| has_plain_text(part);
    let has_html = |part: &&Part<'a>| has(part, "text/html");
    let of_plain = |part: &&Part<'a>| has(part, "text/plain");
    let some = forms.iter();
    some.clone()
        .find(says)
        .or_else(|| some.clone().find(has_html))
        .or_else(|| some.clone().find(of_plain))
        .or_else(|| some.last())
}

fn has(part: &Part<'_>, mime: &str) -> bool {
    match part {
        Part::Leaf(leaf) => leaf.mime == mime && !leaf.is_attachment,
        Part::Several(_, inside) => inside.iter().any(|part| has(part, mime)),
        Part::TooDeep => false,
    }
}

/// Returns whether a plain text alternative has content.
fn has_plain_text(part: &Part<'_>) -> bool {
    match part {
        Part::Leaf(leaf) => {
            leaf.mime == "text/plain" && !leaf.is_attachment && !leaf.body.trim_ascii().is_empty()
        }
        Part::Several(_, inside) => inside.iter().any(has_plain_text),
        Part::TooDeep => false,
    }
}

/// Returns the name of the person quoted below these lines, if the last lines name one.
fn attribution_above(lines: &[Line]) -> Option<String> {
    quoted_name(&lines[sentence(lines, 0)?..])
}

/// Removes one quotation mark from each line. Text above a quotation becomes a paragraph of its
/// own.
fn shallower(lines: &[Line]) -> Vec<Line> {
    let mut all: Vec<Line> = Vec::with_capacity(lines.len() + 1);
    let mut was_quoted = true;
    for line in lines {
        if line.depth > 0 && !was_quoted {
            all.push(Line { depth: 0, text: String::new() });
        }
        was_quoted = line.depth > 0;
        all.push(Line { depth: line.depth.saturating_sub(1), text: line.text.clone() });
    }
    all
}

/// Restores addresses that list archives obfuscate, such as `<ada at mill.example>`, so that they
/// are recognised.
fn with_addresses(text: String) -> String {
    if !text.contains(" at ") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(" at ") {
        let (before, behind) = (&rest[..at], &rest[at + 4..]);
        let host =
            behind.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '-').next();
        let is_host = host.is_some_and(|host| {
            host.trim_end_matches('.').contains('.') && host.trim_end_matches('.').len() > 3
        });
        let is_marked = before.rsplit(char::is_whitespace).next().is_some_and(|word| {
            word.starts_with(['<', '(']) && word.len() > 1
                || behind[host.map_or(0, str::len)..].starts_with(" (")
        });
        out.push_str(before);
        out.push_str(if is_host && is_marked { "@" } else { " at " });
        rest = behind;
    }
    out.push_str(rest);
    out
}
