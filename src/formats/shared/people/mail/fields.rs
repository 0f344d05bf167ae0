//! The header fields of a mail or of one of its parts.

use std::borrow::Cow;
use std::sync::LazyLock;

use mail_parser::{Addr, Address, HeaderName, HeaderValue, Message, MessageParser, MimeHeaders};

use crate::shared::access::visibility::{Field, Public, is_public_in};
use crate::shared::text::dates::{self, MailDate};
use crate::shared::text::decode;
use crate::shared::text::plain::one_line;
use convo_base::json::{Map, Value};

/// The maximum number of bytes of header fields read for a mail or a part.
pub(crate) const MAX_BYTES: usize = 256 << 10;
/// The maximum number of bytes of a content type that is published.
const MAX_TYPE_BYTES: usize = 100;
/// The maximum number of ancestors that a mail may name.
const MAX_ANCESTORS: usize = 32;
/// The maximum number of recipients that are read.
const MAX_RECIPIENTS: usize = 64;

/// Header fields that restrict who may read a mail.
const READERS: [&str; 4] = ["X-No-Archive", "X-Archive", "Archive", "Sensitivity"];
const READER_FIELDS: [Field<'_>; 3] = [
    Field::optional(&["xnoarchive"], Public::Words(&["no"])),
    Field::optional(&["xarchive", "archive"], Public::Words(&["yes"])),
    Field::optional(&["sensitivity"], Public::Words(&["normal"])),
];

static PARSER: LazyLock<MessageParser> = LazyLock::new(|| {
    ["List-Id", "X-Gmail-Labels"]
        .into_iter()
        .fold(MessageParser::new(), |parser, name| {
            parser.header_text(HeaderName::parse(name).unwrap_or(HeaderName::Subject))
        })
        .with_minimal_headers()
        .header_raw(HeaderName::Date)
        .header_address(HeaderName::ListPost)
        .header_id(HeaderName::MessageId)
        .header_id(HeaderName::References)
        .header_id(HeaderName::InReplyTo)
});

/// Splits a mail or a part into its header fields and its body.
pub(crate) fn divide(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = at + line.len();
        if line.trim_ascii().is_empty() {
            return (&bytes[..at], &bytes[end..]);
        }
        at = end;
    }
    (bytes, &[])
}

/// Parsed header fields.
pub(crate) struct Fields<'a>(Message<'a>);

/// Returns header fields ready for parsing: in UTF-8, and limited in length.
pub(crate) fn cleaned(fields: &[u8]) -> Cow<'_, [u8]> {
    let fields = &fields[..fields.len().min(MAX_BYTES)];
    // A line that is not a field would end the header.
    let lines = || fields.split_inclusive(|byte| *byte == b'\n');
    let is_plain = std::str::from_utf8(fields).is_ok() && lines().all(is_of_field);
    if is_plain && fields.ends_with(b"\n") {
        return Cow::Borrowed(fields);
    }
    let kept: Vec<u8> = lines().filter(|line| is_of_field(line)).flatten().copied().collect();
    let mut text = decode::in_encoding(None, &kept);
    text.push('\n');
    Cow::Owned(text.into_bytes())
}

/// Returns whether a line is a header field or continues one.
fn is_of_field(line: &[u8]) -> bool {
    line.starts_with(b" ") || line.starts_with(b"\t") || is_field(line)
}

/// Returns whether a line begins with the name of a header field.
pub(crate) fn is_field(line: &[u8]) -> bool {
    let end = line.iter().take(80).position(|byte| *byte == b':');
    end.is_some_and(|end| {
        let name = line[..end].trim_ascii_end();
        !name.is_empty() && name.iter().all(|byte| byte.is_ascii_graphic())
    })
}

/// A person with a name, an address, or both.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) address: String,
}

impl<'a> Fields<'a> {
    /// Parses fields that were [`cleaned`]; `None` if there are none.
    pub(crate) fn read(cleaned: &'a [u8]) -> Option<Self> {
        PARSER.parse_headers(cleaned).filter(|read| !read.parts.is_empty()).map(Self)
    }

    /// Returns the value of a text field.
    pub(crate) fn text(&self, name: &'static str) -> Option<&str> {
        let name = HeaderName::parse(name)?;
        let text = self.0.header(name)?.as_text()?.trim();
        (!text.is_empty()).then_some(text)
    }

    /// Returns the values of those of these fields that are present, in lower case, by name.
    fn values(&self, names: &[&'static str]) -> Map {
        let value = |name: &&'static str| {
            let all = self.0.header_values(HeaderName::parse(*name)?);
            let all: Vec<&str> =
                all.map(|value| value.as_text().unwrap_or_default().trim()).collect();
            let text = all.join(",").to_ascii_lowercase();
            (!all.is_empty()).then(|| ((*name).to_owned(), Value::from(text)))
        };
        names.iter().filter_map(value).collect()
    }

    /// Returns whether the fields ask not to publish the mail.
    pub(crate) fn is_restricted(&self) -> bool {
        !is_public_in(&self.values(&READERS), &READER_FIELDS)
    }

    /// Returns the subject as a single line.
    pub(crate) fn subject(&self) -> String {
        one_line(self.0.subject().unwrap_or_default())
    }

    /// Returns the sender.
    pub(crate) fn sender(&self) -> Person {
        let of = |address: Option<&Address<'_>>| address.and_then(first_of);
        let found = of(self.0.from()).or_else(|| of(self.0.sender()));
        let found = found.unwrap_or_default();
        // List archives write `ada at mill.example (Ada)`.
        let all = format!("{} {}", found.address, found.name);
        match obfuscated(all.trim()) {
            Some(person) => person,
            None if found.name.is_empty() && !found.address.contains('@') => {
                Person { name: found.address, address: String::new() }
            }
            None => found,
        }
    }

    /// Returns the recipients.
    pub(crate) fn recipients(&self) -> Vec<Person> {
        let all = [self.0.to(), self.0.cc()];
        let all = all.into_iter().flatten().flat_map(Address::iter);
        all.take(MAX_RECIPIENTS).map(person).collect()
    }

    /// Returns the date, or an error if there is one that cannot be parsed.
    pub(crate) fn date(&self) -> Result<Option<MailDate>, ()> {
        let Some(value) = self.0.header(HeaderName::Date) else { return Ok(None) };
        value.as_text().and_then(dates::letter).map(Some).ok_or(())
    }

    /// Returns the id of the mail.
    pub(crate) fn id(&self) -> Option<String> {
        self.ids(HeaderName::MessageId, 1).pop()
    }

    /// Returns the ids of the preceding mails, oldest first; the last one is the mail it replies
    /// to.
    pub(crate) fn ancestors(&self) -> Vec<String> {
        let mut found = self.ids(HeaderName::References, MAX_ANCESTORS);
        if found.is_empty() {
            found = self.ids(HeaderName::InReplyTo, 1);
        }
        found
    }

    /// Returns the ids in a field. If there are more than `most`, returns the first one and the
    /// last ones.
    fn ids(&self, name: HeaderName<'static>, most: usize) -> Vec<String> {
        let is_id =
            |id: &&str| !id.is_empty() && !id.contains(char::is_whitespace) && id.len() < 1000;
        let found: Vec<&str> = match self.0.header(name) {
            Some(HeaderValue::Text(id)) => vec![id],
            Some(HeaderValue::TextList(ids)) => ids.iter().map(AsRef::as_ref).collect(),
            _ => Vec::new(),
        };
        let mut found: Vec<String> =
            found.into_iter().map(str::trim).filter(is_id).map(str::to_owned).collect();
        if found.len() > most {
            let cut = found.len() - most + 1;
            found.drain(1.min(most - 1)..cut);
            found.truncate(most);
        }
        found
    }

    /// Returns the name of the list that sent the mail, which may be empty, and the addresses of
    /// that list.
    pub(crate) fn list(&self) -> Option<(String, Vec<String>)> {
        let id = self.text("List-Id");
        let post = self.0.list_post().as_address().and_then(Address::first);
        let post = post.and_then(|one| one.address.as_deref());
        let post = post.map(|post| post.trim_start_matches("mailto:").to_ascii_lowercase());
        if id.is_none() && post.is_none() {
            return None;
        }
        let (words, rest) =
            id.unwrap_or_default().split_once('<').unwrap_or(("", id.unwrap_or_default()));
        let host = rest.trim_end_matches('>').trim().to_ascii_lowercase();
        let (local, domain) = host.split_once('.').unwrap_or((&host, ""));
        let mut addresses = vec![format!("{local}@{domain}")];
        // The address of `mill.lists.example.org` is usually `mill@lists.example.org`, sometimes
        // without `lists`.
        if let Some((_, domain)) = domain.split_once('.') {
            addresses.push(format!("{local}@{domain}"));
        }
        addresses.extend(post.clone());
        let words = one_line(words.trim().trim_matches('"'));
        let post = post.unwrap_or_default();
        let bare = || match local.is_empty() {
            true => post.split('@').next().unwrap_or_default().to_owned(),
            false => local.to_owned(),
        };
        let is_name = !words.is_empty() && !words.contains('@');
        Some((if is_name { words } else { bare() }, addresses))
    }

    /// Returns whether a part has a content type.
    pub(crate) fn has_kind(&self) -> bool {
        self.0.content_type().is_some()
    }

    /// Returns the content type of a part, `text/plain` by default.
    pub(crate) fn mime(&self) -> String {
        let Some(kind) = self.0.content_type() else { return "text/plain".to_owned() };
        let sub = kind.subtype().unwrap_or(if kind.ctype() == "text" { "plain" } else { "" });
        format!("{}/{sub}", kind.ctype()).to_ascii_lowercase()
    }

    /// Returns the content type of a part if the part contains it as it is. The parser skips what is
    /// no part of a type, and the remainder could be a part of a secret.
    pub(crate) fn exact_mime(&self) -> Option<String> {
        let mime = self.mime();
        if mime.len() > MAX_TYPE_BYTES {
            return None;
        }
        let mut all = self.0.raw_message.windows(mime.len());
        all.any(|part| part.eq_ignore_ascii_case(mime.as_bytes())).then_some(mime)
    }

    /// Returns a parameter of the content type of a part, such as its `charset`.
    pub(crate) fn of_kind(&self, key: &str) -> Option<&str> {
        self.0.content_type()?.attribute(key)
    }

    /// Returns whether a part is an attachment rather than shown inline.
    pub(crate) fn is_attachment(&self) -> bool {
        self.0.content_disposition().is_some_and(|kind| kind.is_attachment())
    }

    /// Returns the file name of a part.
    pub(crate) fn file_name(&self) -> Option<String> {
        let name = one_line(self.0.attachment_name()?);
        (!name.is_empty()).then_some(name)
    }

    /// Returns the transfer encoding of a part.
    pub(crate) fn encoding(&self) -> &str {
        self.0.content_transfer_encoding().unwrap_or_default().trim()
    }
}

/// Reads `ada at mill.example (Ada)`.
fn obfuscated(text: &str) -> Option<Person> {
    let (local, rest) = text.split_once(" at ")?;
    let (host, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_address = !local.contains(' ') && host.contains('.') && !host.contains('@');
    let name = name.trim().trim_start_matches('(').trim_end_matches(')').to_owned();
    is_address.then(|| Person { name, address: format!("{local}@{host}") })
}

fn first_of(address: &Address<'_>) -> Option<Person> {
    address.first().map(person)
}

fn person(one: &Addr<'_>) -> Person {
    let text = |text: &Option<Cow<'_, str>>| one_line(text.as_deref().unwrap_or_default());
    Person { name: text(&one.name), address: text(&one.address) }
}
