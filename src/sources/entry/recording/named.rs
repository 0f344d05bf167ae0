//! Recordings that are named explicitly: in front matter, in a header, or in a `[[source]]`.

use std::io::Read as _;

use crate::config::LocatedText;
use crate::diag::{Diagnostic, Lines, Location};
use crate::markup::links;
use crate::model::MEDIA;
use crate::path::RelPath;
use crate::sources::find::source::Source;
use crate::sources::refs::references::{Resolver, local};
use crate::text::percent_encode;

/// The placeholder in a `[[source]]` for a file name without its extension.
const STEM: &str = "{stem}";
/// The number of bytes of a file that are searched for the name, to report its place.
const LOOK_BYTES: u64 = 1 << 16;

/// The URL or path of a recording, and where it is named.
pub(super) struct Named {
    /// The form shown to people.
    pub(super) address: String,
    /// The real form.
    pub(super) real: String,
    /// Whether it contains anything that must not be published.
    pub(super) reveals_name: bool,
    /// The file it is relative to; `None` for the content folder.
    file: Option<RelPath>,
    /// The file that names it.
    label: String,
    at: Option<Location>,
}

impl Named {
    /// Returns the recording named by the file of a conversation. `shown` is the rest of its URL if
    /// something in the URL is replaced.
    pub(super) fn own(real: &str, shown: &str, source: &Source) -> Self {
        Self {
            address: shown.trim().to_owned(),
            real: real.trim().to_owned(),
            reveals_name: shown != real,
            file: Some(source.file().clone()),
            label: source.label().to_owned(),
            at: None,
        }
    }

    /// Returns the recording that a `[[source]]` names for all its files. `reveals_name` means that
    /// the file names must not be published.
    pub(super) fn by_rule(rule: &LocatedText, source: &Source, reveals_name: bool) -> Self {
        let name = source.file().name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let of = |stem: &str| rule.text.trim().replace(STEM, stem);
        Self {
            address: of(stem),
            real: of(&percent_encode(stem)),
            reveals_name: reveals_name && rule.text.contains(STEM),
            file: None,
            label: source.label().to_owned(),
            at: rule.at.clone(),
        }
    }

    /// Returns whether it is a URL, not a file path.
    pub(super) fn is_remote(&self) -> bool {
        !matches!(links::classify(&self.real), Some(links::Address::Local(_)))
    }

    /// Returns the file, whether or not it exists.
    pub(super) fn file(&self, content: &str) -> Option<RelPath> {
        let found = match &self.file {
            Some(file) => local(file, &self.real),
            None => local(&RelPath::new(format!("{content}/site.toml")), &self.real),
        }?;
        let inside = found.as_str().strip_prefix(content)?;
        (content.is_empty() || inside.starts_with('/')).then_some(found)
    }

    /// Places a diagnostic at the line that names the recording.
    pub(super) fn locate(&self, note: Diagnostic, resolver: &Resolver<'_>) -> Diagnostic {
        if self.at.is_some() {
            return Diagnostic { at: self.at.clone(), ..note };
        }
        let head = || {
            let mut head = Vec::new();
            let reader = resolver.index().files.open(self.file.as_ref()?, 0).ok()?;
            reader.take(LOOK_BYTES).read_to_end(&mut head).ok()?;
            Some(String::from_utf8_lossy(&head).into_owned())
        };
        let text = head().unwrap_or_default();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let at = line
                .find(&self.address)
                .filter(|at| line[..*at].to_ascii_lowercase().contains(MEDIA));
            if let Some(at) = at {
                let (from, to) = (start + at, start + at + self.address.len());
                let span = Some(Lines::new(&text).span(from..to));
                let file = self.label.clone();
                return Diagnostic { at: Some(Location { file, span }), ..note };
            }
            start += line.len();
        }
        note.in_file(&self.label)
    }
}

/// Returns the host of a URL that pages could load a recording from.
pub(super) fn https_host(address: &str) -> Option<String> {
    links::classify(address)?;
    links::https_host(address)
}

/// Returns whether a host is the allowed one, or below it if the allowed one begins with `*.`.
pub(super) fn allows(allowed: &str, host: &str) -> bool {
    match allowed.strip_prefix("*.") {
        Some(above) => host.strip_suffix(above).is_some_and(|rest| rest.ends_with('.')),
        None => host == allowed,
    }
}
