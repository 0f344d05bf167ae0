//! The recording of a conversation: a file next to its file, or one that its file or `site.toml`
//! names.

mod duration;
mod kinds;
mod named;

use serde::{Deserialize, Serialize};

use self::duration::Recorded;
use self::kinds::{by_bytes, by_name, rank};
use self::named::Named;
use crate::config::LocatedText;
use crate::diag::{Diagnostic, Severity};
use crate::locale::languages;
use crate::model::{Conversation, MEDIA};
use crate::path::RelPath;
use crate::sources::find::settings::ReadSettings;
use crate::sources::find::source::Source;
use crate::sources::refs::dependency::Dependency;
use crate::sources::refs::media::{Media, MediaKind, MediaSource};
use crate::sources::refs::references::Resolver;
use crate::text::{InternedStr, interned};

/// The recording of a conversation.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Recording {
    /// Whether it is audio or video.
    pub kind: MediaKind,
    /// Its media type.
    #[serde(deserialize_with = "interned")]
    pub media_type: InternedStr,
    /// Where it is.
    pub place: RecordingPlace,
    /// The duration in milliseconds, if known.
    pub duration: Option<u64>,
    /// Whether it was named explicitly, which means that anybody may hear it.
    pub is_named: bool,
}

impl Recording {
    /// Returns its file, if it is published with the site.
    pub(crate) fn file(&self) -> Option<&RelPath> {
        let RecordingPlace::Stored(media) = &self.place else { return None };
        media.file()
    }
}

/// The place of a recording.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum RecordingPlace {
    /// It is published with the site.
    Stored(Box<Media>),
    /// It is at this URL of a host that the site allows.
    Remote(String),
}

/// Finds the recordings of conversations.
pub(crate) struct Lookup<'a, 'r> {
    pub(crate) source: &'a Source,
    pub(crate) resolver: &'a Resolver<'r>,
    pub(crate) settings: &'a ReadSettings,
    /// The setting of a `[[source]]`.
    pub(crate) by_rule: Option<&'a LocatedText>,
}

/// The hint that there is no player.
const WITHOUT: &str = "the page has no player";

impl Lookup<'_, '_> {
    /// Returns the recording of a conversation. `is_alone` means that the conversation has its file
    /// for itself, so a recording next to the file belongs to it.
    pub(crate) fn find(
        &self,
        read: &Conversation,
        is_alone: bool,
        notes: &mut Vec<Diagnostic>,
    ) -> Option<Recording> {
        let named = match (&read.media, self.by_rule) {
            (Some(own), _) => {
                let shown = read.extra.get(MEDIA).and_then(|value| value.as_str());
                Named::own(own, shown.unwrap_or_default(), self.source)
            }
            (None, Some(rule)) => Named::by_rule(rule, self.source, read.file_title.is_some()),
            (None, None) if is_alone => return self.adjacent(notes),
            (None, None) => return None,
        };
        let found = self.named(&named);
        found.map_err(|note| notes.push(named.locate(*note, self.resolver))).ok()
    }

    /// Returns the recording at a URL that a conversation refers to, if pages may load it.
    pub(crate) fn remote(address: &str, settings: &ReadSettings) -> Option<Recording> {
        let found = remote(address, settings).ok()?;
        Some(Recording { is_named: false, ..found })
    }

    fn named(&self, named: &Named) -> Result<Recording, Box<Diagnostic>> {
        let address = named.address.as_str();
        if named.is_remote() {
            let rules = self.resolver.index().rules;
            if named.reveals_name || rules.reveals_name(&named.real) {
                let why = "its URL would reveal withheld text";
                return Err(refused(address, why, "rename it on the host"));
            }
            return remote(&named.real, self.settings);
        }
        let file = named.file(self.resolver.content());
        let file = file.filter(|file| self.resolver.exists(file)).ok_or_else(|| {
            let folder = named.file(self.resolver.content());
            let is_folder = folder.is_some_and(|file| self.resolver.is_folder(&file));
            let message = match is_folder {
                true => format!("the recording `{address}` is a folder"),
                false => format!("recording `{address}` not found"),
            };
            let hint = "its path is relative to the file that names it, or in a `[[source]]` to the \
                        content folder, and must stay inside that folder";
            let note = Diagnostic::new(Severity::Warning, "missing-recording", message);
            Box::new(note.hint(hint).hint(WITHOUT))
        })?;
        let found = self.stored(&file)?;
        Ok(Recording { is_named: true, ..found })
    }

    /// Returns the recording next to the file. It has the same name with another extension, and may
    /// lack the file's language tag.
    fn adjacent(&self, notes: &mut Vec<Diagnostic>) -> Option<Recording> {
        let [file] = self.source.files.as_slice() else { return None };
        let (stem, ending) = file.as_str().rsplit_once('.')?;
        if ending.contains('/') {
            return None;
        }
        let shorter = stem.rsplit_once('.').filter(|(_, tag)| languages::is_known(tag));
        let whole = by_name(stem).map(|_| RelPath::new(stem));
        let whole = whole.filter(|file| self.resolver.exists(file)).into_iter();
        let shorter = shorter.into_iter().flat_map(|(stem, _)| self.with_stem(stem));
        let found: Vec<RelPath> = whole.chain(self.with_stem(stem)).chain(shorter).collect();
        // If one of these recordings is withheld, the others may contain the same words.
        let held = found.iter().find(|file| self.resolver.is_reserved_by_name(file));
        let mut tried = held.map_or(&found[..], std::slice::from_ref).iter();
        let (first, recording) = tried.find_map(|file| {
            let stored = self.stored(file);
            let stored = stored.map_err(|note| notes.push(note.in_file(file.as_str())));
            Some((file, stored.ok()?))
        })?;
        if let Some(other) = tried.next() {
            let message = format!(
                "`{}` and `{}` are both next to this file; the first one is its recording",
                first.name(),
                other.name()
            );
            let note = Diagnostic::new(Severity::Hint, "two-recordings", message);
            let hint =
                "to choose the other, set `media = \"…\"` in the front matter or in a `[[source]]`";
            notes.push(note.in_file(file.as_str()).hint(hint));
        }
        Some(recording)
    }

    /// Returns the recordings with this name and any extension.
    fn with_stem(&self, stem: &str) -> impl Iterator<Item = RelPath> {
        let beside = self.resolver.files_with_prefix(stem).into_iter();
        let ranked = beside.filter_map(|path| Some((rank(&path[stem.len() + 1..])?, path)));
        let mut found: Vec<(usize, &str)> = ranked.collect();
        found.sort_unstable();
        found.into_iter().map(|(_, path)| RelPath::new(path))
    }

    /// Returns a recording in the content folder.
    fn stored(&self, file: &RelPath) -> Result<Recording, Box<Diagnostic>> {
        let refused = |message: String| {
            Diagnostic::new(Severity::Warning, "refused-recording", message).hint(WITHOUT)
        };
        if self.resolver.is_reserved_by_name(file) {
            let note = refused(format!("`{file}` is withheld, or contains conversations"));
            return Err(Box::new(note));
        }
        let index = self.resolver.index();
        let hash = index.hash(file);
        let known = hash.as_ref().ok().map(|(hash, _)| *hash);
        let id = index.id(file);
        self.resolver.depend(Dependency::Bytes(id, index.stamp(file), known));
        let (hash, size) = hash?;
        let recorded = Recorded { files: index.files, file, len: size };
        let head = recorded.read(0, crate::sources::refs::media::SNIFF_BYTES as u64);
        let Some((extension, kind, media_type)) = by_bytes(&head, file.name()) else {
            let note = refused(format!("`{file}` is not audio or video that browsers can play"));
            let hint = "save it as MP3, M4A, Opus, FLAC, WAV, MP4 or WebM";
            return Err(Box::new(note.hint(hint)));
        };
        let media = Media {
            source: MediaSource::File(file.clone()),
            // The file name itself may contain a person's name.
            name: "recording".to_owned(),
            hash,
            extension,
            size,
            dimensions: None,
            is_stripped: false,
        };
        Ok(Recording {
            kind,
            media_type,
            place: RecordingPlace::Stored(Box::new(media)),
            duration: recorded.duration(extension),
            is_named: false,
        })
    }
}

fn refused(address: &str, why: &str, hint: &str) -> Box<Diagnostic> {
    let message = format!("the recording `{address}` is not played: {why}");
    let note = Diagnostic::new(Severity::Warning, "refused-recording", message);
    Box::new(note.hint(hint.to_owned()).hint(WITHOUT))
}

/// Returns the recording at a URL of a host that the site allows.
fn remote(address: &str, settings: &ReadSettings) -> Result<Recording, Box<Diagnostic>> {
    let refused = |why: &str, hint: &str| refused(address, why, hint);
    let https = "use a file in the content folder, or a URL that starts with `https://`";
    let host = named::https_host(address)
        .ok_or_else(|| refused("pages cannot load anything from such a URL", https))?;
    if !settings.media_hosts.iter().any(|allowed| named::allows(allowed, &host)) {
        let hint = format!(
            "move it into the content folder, or add its host to `allow` of `[services]` in \
             site.toml: `{{ host = \"{host}\", for = [\"media\"] }}`"
        );
        return Err(refused("its host is not allowed", &hint));
    }
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let (kind, media_type) = by_name(path).ok_or_else(|| {
        refused(
            "its URL has no known file extension",
            "use a URL that ends in `.mp3`, `.mp4` or similar",
        )
    })?;
    Ok(Recording {
        kind,
        media_type,
        place: RecordingPlace::Remote(address.to_owned()),
        duration: None,
        is_named: true,
    })
}

/// Returns the diagnostic for a recording that contains words which the page does not show.
pub(crate) fn withheld_note(label: &str) -> Diagnostic {
    let message = "the recording is not published: it contains words that the page does not show";
    let note = Diagnostic::new(Severity::Warning, "refused-recording", message);
    note.in_file(label).hint(
        "names were replaced, or text is redacted, omitted or withheld, here or in another \
         transcript of it; to publish the recording anyway, set `media = \"…\"`",
    )
}
