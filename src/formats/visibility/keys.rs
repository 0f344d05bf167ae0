//! Keys that say who may read something.

/// What a key is about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// True holds back, as in `private`, and so does whatever is not plainly false.
    Closed,
    /// Yes holds back, and a value that is neither yes nor no is about something else: `archived`.
    PerhapsClosed,
    /// No holds back, as in `public`.
    Open,
    /// The same, or when it is to be there: `publish`.
    Publish,
    /// The same, or when somebody did that: `published`.
    Published,
    /// When it is to be there, and nothing else: `embargo until`.
    From,
    /// The same, or that it is not to be there yet, or something else: `scheduled`.
    Scheduled,
    /// When it is to be gone: `expires`.
    Expires,
    /// A word for who may read it, as in `visibility`.
    Readers,
    /// The same, where yes may mean that nobody may: `privacy`.
    Secrecy,
    /// A word that may be about something else, as in `status`.
    State,
    /// Who may read it, or for whom it was written: `audience`.
    Audience,
    /// The time at which it was taken away, as in `deletedAt`.
    Removal,
    /// Words under which it is filed, and its type.
    Label,
}

/// The kind of a key by its letters and digits, as it is written or, where it is no word, as it was
/// meant: of `privat` what `private` is.
fn kind(key: &str) -> Option<Kind> {
    known(key).or_else(|| known(meant(key)?))
}

/// The key that one with a slip of one letter was meant to be.
fn meant(key: &str) -> Option<&'static str> {
    // The second of several drafts is none of those keys.
    let number = key.strip_prefix("draft").unwrap_or_default();
    if WORDS.contains(&key) || number.parse::<u8>().is_ok() {
        return None;
    }
    if key.is_ascii() {
        let key = key.as_bytes();
        let mut near = NEARLY.into_iter().filter(|near| near.len().abs_diff(key.len()) <= 1);
        return near.find(|near| is_one_slip_away(near.as_bytes(), key));
    }
    // A letter of another alphabet may look like the right one.
    let key: Vec<char> = key.chars().collect();
    let letters = |near: &str| near.chars().collect::<Vec<char>>();
    NEARLY.into_iter().find(|near| is_one_slip_away(&letters(near), &key))
}

/// Whether one letter was left out, added, taken for another one, or trades places with the next.
fn is_one_slip_away<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let same = |pair: &(&T, &T)| pair.0 == pair.1;
    let before = a.iter().zip(b).take_while(same).count();
    let (a, b) = (&a[before..], &b[before..]);
    let after = a.iter().rev().zip(b.iter().rev()).take_while(same).count();
    match (&a[..a.len() - after], &b[..b.len() - after]) {
        ([], [_]) | ([_], [] | [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

/// Words of another meaning that are a letter away.
const WORDS: [&str; 18] = [
    "primate", "privates", "privater", "enlisted", "craft", "daft", "dragt", "drat", "drafty",
    "drift", "graft", "iscraft", "kraft", "raft", "empire", "empires", "expiation", "embargos",
];

/// Keys with nothing but themselves and those words a letter away.
const NEARLY: [&str; 21] = [
    "draft", "isdraft", "publish", "publishat", "publishdate", "publishon", "unpublish", "expires",
    "expire", "expiry", "expiration", "expirydate", "embargo", "private", "isprivate",
    "visibility", "unlisted", "unpublished", "confidential", "nonpublic", "privacy",
];

/// The kind of a key without slips, also behind the name of what it is about.
fn known(key: &str) -> Option<Kind> {
    let word = |key: &str| {
        Some(match key {
            "private" | "draft" | "unlisted" | "hidden" | "invisible" | "confidential"
            | "secret" | "unpublished" | "nonpublic" | "notpublic" | "nopublish"
            | "donotpublish" | "dontpublish" | "embargo" | "embargoed" => Kind::Closed,
            "internal" | "restricted" | "sensitive" | "archived" | "deleted" | "removed"
            | "trashed" | "withdrawn" | "redacted" | "temporary" | "privatemessage"
            | "donotremember" | "incognito" | "offtherecord" | "onlyme" | "donotshare"
            | "dontshare" | "hide" | "drafts" | "headless" | "ephemeral" | "selfdestruct"
            | "timearchived" | "archivedat" | "expired" | "excluded" | "exclude" | "ignored"
            | "ignore" | "privat" | "privado" | "privada" | "privato" | "privata" | "privé"
            | "privée" | "entwurf" | "brouillon" | "borrador" | "bozza" | "rascunho" | "私密"
            | "非公開" | "下書き" | "草稿" | "черновик" => Kind::PerhapsClosed,
            "public" | "publishable" | "listed" | "visible" => Kind::Open,
            "publish" | "publishdate" | "publishat" | "publishon" => Kind::Publish,
            "publishafter" | "publishfrom" | "publishtime" | "publishdatetime" | "embargountil"
            | "embargoeduntil" | "embargodate" | "embargoenddate" | "embargoend"
            | "embargoends" | "notbefore" | "notpublishbefore" | "donotpublishbefore"
            | "privateuntil" | "hiddenuntil" | "draftuntil" | "unlisteduntil" | "publicfrom"
            | "publicon" | "visiblefrom" | "availablefrom" | "scheduledat" | "scheduledfor"
            | "scheduledon" | "scheduleddate" | "scheduledtime" | "schedulefor"
            | "scheduledate" | "datescheduled" => Kind::From,
            "scheduled" => Kind::Scheduled,
            "published" | "publishedat" | "publishedon" | "datepublished" | "publicationdate" => {
                Kind::Published
            }
            "expires" | "expiry" | "expirydate" | "expirytime" | "expiryat" | "expire"
            | "expireat" | "expireon" | "expiredate" | "expiresat" | "expireson"
            | "expiresdate" | "expiredat" | "expiredon" | "expiration" | "expirationdate"
            | "expirationtime" | "expirationat" | "dateexpires" | "unpublish" | "unpublishdate"
            | "unpublishat" | "unpublishon" | "notafter" | "validuntil" | "publishuntil"
            | "publisheduntil" | "publicuntil" | "visibleuntil" | "availableuntil" => Kind::Expires,
            "privacy" | "privacystatus" | "privacylevel" | "confidentiality" => Kind::Secrecy,
            "visibility" | "access" | "accesslevel" | "accessrights" | "publishstatus"
            | "publicationstatus" | "publicationstate" | "publishedstatus" | "poststatus" => {
                Kind::Readers
            }
            "status" | "state" | "stage" | "workflow" | "scope" | "classification"
            | "sensitivity" => Kind::State,
            "audience" | "sharing" | "publishing" | "permissions" | "acl" | "visibleto"
            | "readers" | "viewers" => Kind::Audience,
            "deletedat" | "deletedon" | "datedeleted" | "timedeleted" | "removedat"
            | "trashedat" | "unpublishedat" | "unpublishedon" => Kind::Removal,
            "tags" | "tag" | "labels" | "label" | "keywords" | "categories" | "category"
            | "type" | "layout" => Kind::Label,
            _ => return None,
        })
    };
    let bare = || OWNERS.iter().find_map(|owner| word(key.strip_prefix(owner)?));
    word(key).or_else(bare)
}

/// Words before a key that say what it is about: all of it.
const OWNERS: [&str; 14] = [
    "is", "post", "page", "conversation", "convo", "convosite", "chat", "thread", "session", "dg",
    "document", "entry", "note", "transcript",
];

/// A key that is about who may read something.
pub(super) struct Key {
    pub(super) kind: Kind,
    /// Its letters and digits in lower case, without the keys before a dot.
    pub(super) name: String,
    /// Whether it says that of what it stands in: `meta.private` does, `channel.private` does not.
    pub(super) is_own: bool,
}

impl Key {
    /// The key as it is written, if it is about that.
    pub(super) fn of(written: &str) -> Option<Self> {
        let name = plain(written);
        if let Some(kind) = kind(&name) {
            return Some(Self { kind, name, is_own: true });
        }
        let (above, last) = written.rsplit_once(['.', ':', '/'])?;
        let name = plain(last);
        let kind = kind(&name)?;
        let mut above = above.split(['.', ':', '/']).map(plain);
        let is_own = above.all(|part| is_container(&part) || OWNERS.contains(&part.as_str()));
        Some(Self { kind, name, is_own })
    }

    /// Whether it is plain enough to be heard in any object, such as a channel's.
    pub(super) fn is_heard_anywhere(&self) -> bool {
        ANYWHERE.contains(&self.name.as_str())
    }

    /// Whether it says that something is not ready yet.
    pub(super) fn is_draft(&self) -> bool {
        let name = match known(&self.name) {
            Some(_) => self.name.as_str(),
            None => meant(&self.name).unwrap_or_default(),
        };
        let bare = OWNERS.iter().find_map(|owner| name.strip_prefix(owner));
        self.kind == Kind::Closed && (name == "draft" || bare == Some("draft"))
    }

    /// Whether everybody knows that it holds back.
    pub(super) fn is_plain(&self) -> bool {
        self.name.ends_with("private") || self.name.ends_with("draft")
    }
}

/// Objects whose keys are as good as those of what they stand in.
const CONTAINERS: [&str; 33] = [
    "acl", "attributes", "attrs", "chat", "config", "conversation", "convosite", "custom",
    "customfields", "data", "ext", "extension", "extensions", "extra", "extras", "flags",
    "frontmatter", "header", "info", "meta", "metadata", "options", "page", "params",
    "permissions", "properties", "props", "publication", "publishing", "settings", "sharing",
    "taxonomies", "thread",
];

/// Keys that are heard in other objects as well, such as a channel's, where they are plain.
const ANYWHERE: [&str; 6] =
    ["private", "isprivate", "confidential", "unlisted", "visibility", "privacy"];

/// Whether an object of this name, by its letters and digits, says something of what it stands in.
pub(super) fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}

/// Whether a key may say who may read what it stands in, or hold another one that does.
pub fn may_say(key: &str) -> bool {
    Key::of(key).is_some() || is_container(&plain(key))
}

/// The key that a misspelled one was taken for.
pub(super) fn meant_by(key: &str) -> Option<&'static str> {
    let key = plain(key);
    meant(&key).filter(|_| known(&key).is_none())
}

/// The longest word that is told from others. Characters.
const LONGEST_WORD: usize = 40;

/// A key or a word by its letters and digits, in lower case.
pub(super) fn plain(text: &str) -> String {
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric).take(LONGEST_WORD);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .take(LONGEST_WORD)
        .flat_map(char::to_lowercase)
        // `İ` is an `i` and a dot in small letters.
        .filter(|c| c.is_alphanumeric())
        .collect()
}
