//! Keys that say who may read something.

/// The meaning of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// True withholds, as in `private`, and so does any value other than false.
    Closed,
    /// Yes withholds; any other value is about something else: `archived`.
    PerhapsClosed,
    /// No withholds, as in `public`.
    Open,
    /// As `Open`, or a date of publication: `publish`.
    Publish,
    /// As `Open`, or the date on which it was published: `published`.
    Published,
    /// Only a date of publication: `embargo until`.
    From,
    /// A date of publication, or a mark that it is not published yet, or something else:
    /// `scheduled`.
    Scheduled,
    /// A date of removal: `expires`.
    Expires,
    /// A word for the readers, as in `visibility`.
    Readers,
    /// A word for the readers, of which yes may mean private: `privacy`.
    Secrecy,
    /// A word that may be about something else, as in `status`.
    State,
    /// Those who may read it, or those it was written for: `audience`.
    Audience,
    /// The time of its deletion, as in `deletedAt`.
    Removal,
    /// Labels and types.
    Label,
}

/// Returns the meaning of a normalised key. An unknown key is corrected if it looks misspelt:
/// `privat` means `private`.
fn kind(key: &str) -> Option<Kind> {
    known(key).or_else(|| known(meant(key)?))
}

/// Returns the known key that a key with one wrong letter stands for.
fn meant(key: &str) -> Option<&'static str> {
    // `draft2` is a second draft, not a misspelt key.
    let number = key.strip_prefix("draft").unwrap_or_default();
    if NOT_MISSPELT.contains(&key) || number.parse::<u8>().is_ok() {
        return None;
    }
    if key.is_ascii() {
        let key = key.as_bytes();
        let mut near =
            CORRECTABLE_KEYS.into_iter().filter(|near| near.len().abs_diff(key.len()) <= 1);
        return near.find(|near| is_one_slip_away(near.as_bytes(), key));
    }
    // A letter of another alphabet may look like the right one.
    let key: Vec<char> = key.chars().collect();
    let letters = |near: &str| near.chars().collect::<Vec<char>>();
    CORRECTABLE_KEYS.into_iter().find(|near| is_one_slip_away(&letters(near), &key))
}

/// Returns whether one letter is missing, added or replaced, or two adjacent letters are swapped.
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

/// Words with other meanings that are one letter away.
const NOT_MISSPELT: [&str; 18] = [
    "primate", "privates", "privater", "enlisted", "craft", "daft", "dragt", "drat", "drafty",
    "drift", "graft", "iscraft", "kraft", "raft", "empire", "empires", "expiation", "embargos",
];

/// Keys that are corrected. No other words are one letter away from them, except those above.
const CORRECTABLE_KEYS: [&str; 21] = [
    "draft", "isdraft", "publish", "publishat", "publishdate", "publishon", "unpublish", "expires",
    "expire", "expiry", "expiration", "expirydate", "embargo", "private", "isprivate",
    "visibility", "unlisted", "unpublished", "confidential", "nonpublic", "privacy",
];

/// Returns the meaning of a correctly spelt key, with or without a prefix for its subject.
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

/// Prefixes of a key that refer to the whole document.
const OWNERS: [&str; 14] = [
    "is", "post", "page", "conversation", "convo", "convosite", "chat", "thread", "session", "dg",
    "document", "entry", "note", "transcript",
];

/// A key that says who may read something.
pub(super) struct Key {
    pub(super) kind: Kind,
    /// The normalised key, without parent keys before a dot.
    pub(super) name: String,
    /// Whether it refers to the object that contains it: true for `meta.private`, false for
    /// `channel.private`.
    pub(super) is_own: bool,
}

impl Key {
    /// Returns the key as written, if it says who may read something.
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

    /// Whether it is clear enough to count in any nested object, such as a channel.
    pub(super) fn counts_anywhere(&self) -> bool {
        ANYWHERE.contains(&self.name.as_str())
    }

    /// Whether a key as written counts in any nested object.
    pub(super) fn is_clear(written: &str) -> bool {
        let last = written.rsplit(['.', ':', '/']).next().unwrap_or(written);
        ANYWHERE.contains(&plain(last).as_str())
    }

    /// Whether it marks a draft.
    pub(super) fn is_draft(&self) -> bool {
        let name = match known(&self.name) {
            Some(_) => self.name.as_str(),
            None => meant(&self.name).unwrap_or_default(),
        };
        let bare = OWNERS.iter().find_map(|owner| name.strip_prefix(owner));
        self.kind == Kind::Closed && (name == "draft" || bare == Some("draft"))
    }

    /// Whether it is well known that the key withholds.
    pub(super) fn is_plain(&self) -> bool {
        self.name.ends_with("private") || self.name.ends_with("draft")
    }
}

/// Objects whose keys count as those of the object that contains them.
const CONTAINERS: [&str; 33] = [
    "acl", "attributes", "attrs", "chat", "config", "conversation", "convosite", "custom",
    "customfields", "data", "ext", "extension", "extensions", "extra", "extras", "flags",
    "frontmatter", "header", "info", "meta", "metadata", "options", "page", "params",
    "permissions", "properties", "props", "publication", "publishing", "settings", "sharing",
    "taxonomies", "thread",
];

/// Keys that count in any other nested object too, such as a channel, if their value is clear.
const ANYWHERE: [&str; 6] =
    ["private", "isprivate", "confidential", "unlisted", "visibility", "privacy"];

/// Returns whether an object of this normalised name describes the object that contains it.
pub(super) fn is_container(name: &str) -> bool {
    CONTAINERS.contains(&name)
}

/// Returns whether a key may say who may read its object, or contain a key that does.
pub fn may_set_access(key: &str) -> bool {
    Key::of(key).is_some() || is_container(&plain(key))
}

/// Returns the known key that a misspelt key was read as.
pub(super) fn correction_of(key: &str) -> Option<&'static str> {
    let key = plain(key);
    meant(&key).filter(|_| known(&key).is_none())
}

/// The maximum length of a normalised word. Characters.
const LONGEST_WORD: usize = 40;

/// Normalises a key or word: only letters and digits, in lower case.
pub(super) fn plain(text: &str) -> String {
    if text.is_ascii() {
        let letters = text.bytes().filter(u8::is_ascii_alphanumeric).take(LONGEST_WORD);
        return letters.map(|byte| char::from(byte.to_ascii_lowercase())).collect();
    }
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .take(LONGEST_WORD)
        .flat_map(char::to_lowercase)
        // The lower case of `İ` is an `i` and a combining dot.
        .filter(|c| c.is_alphanumeric())
        .collect()
}
