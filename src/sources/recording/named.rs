//! Recordings that somebody named: in front matter, in a header, or in a `[[source]]`.

use std::io::Read as _;

use crate::config::Placed;
use crate::diag::{Diagnostic, Lines, Location};
use crate::markup::links;
use crate::model::MEDIA;
use crate::path::RelPath;
use crate::sources::references::{Resolver, local};
use crate::sources::source::Source;
use crate::text::percent_encode;

/// Stands in a `[[source]]` for the name of a file without its ending.
const STEM: &str = "{stem}";
/// The bytes of a file in which the place of a name is looked for.
const LOOK_BYTES: u64 = 1 << 16;

/// The address of a recording, and where it is named.
pub(super) struct Named {
    pub(super) address: String,
    /// The file to which it is relative; `None` for the content folder.
    file: Option<RelPath>,
    /// The file in which it stands.
    label: String,
    at: Option<Location>,
}

impl Named {
    /// One that the file of a conversation names.
    pub(super) fn own(address: &str, source: &Source) -> Self {
        Self {
            address: address.trim().to_owned(),
            file: Some(source.file().clone()),
            label: source.label().to_owned(),
            at: None,
        }
    }

    /// One that a `[[source]]` names for all its files.
    pub(super) fn by_rule(rule: &Placed, source: &Source) -> Self {
        let name = source.file().name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let is_remote = rule.text.contains(':');
        let stem = if is_remote { percent_encode(stem) } else { stem.to_owned() };
        Self {
            address: rule.text.trim().replace(STEM, &stem),
            file: None,
            label: source.label().to_owned(),
            at: rule.at.clone(),
        }
    }

    /// Returns whether it is no path of a file.
    pub(super) fn is_remote(&self) -> bool {
        !matches!(links::classify(&self.address), Some(links::Address::Local(_)))
    }

    /// Returns the file that it is, be it there or not.
    pub(super) fn file(&self, content: &str) -> Option<RelPath> {
        let found = match &self.file {
            Some(file) => local(file, &self.address),
            None => local(&RelPath::new(format!("{content}/site.toml")), &self.address),
        }?;
        let inside = found.as_str().strip_prefix(content)?;
        (content.is_empty() || inside.starts_with('/')).then_some(found)
    }

    /// Places a note where it is named.
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

/// Returns the host of an address from which pages may load a recording, if they may at all.
pub(super) fn https_host(address: &str) -> Option<String> {
    links::classify(address)?;
    links::https_host(address)
}

/// Returns whether a host is the one that is allowed, or below it where that begins with `*.`.
pub(super) fn allows(allowed: &str, host: &str) -> bool {
    match allowed.strip_prefix("*.") {
        Some(above) => host.strip_suffix(above).is_some_and(|rest| rest.ends_with('.')),
        None => host == allowed,
    }
}
