//! What may be told of a source, in a report and in the cache: nothing that is redacted, and no name
//! that is not to be on the site.

use std::cell::OnceCell;

use super::rules::Rules;
use super::source::Source;
use crate::diag::Diagnostic;
use crate::gate::Finding;
use crate::model::Conversation;
use crate::people::NameFinder;

/// Returns what is told in place of the label of a source that holds a conversation, where that may not be
/// told.
pub(super) fn told_label(rules: &Rules, read: &Conversation, source: &Source) -> Option<Box<str>> {
    let label = source.label();
    let mut told = read.file_label.as_deref().unwrap_or(label).to_owned();
    rules.clean(&mut told, None);
    (told != label).then(|| told.into())
}

/// Takes out of texts what may not be told.
pub(super) struct Teller<'a> {
    rules: &'a Rules,
    /// The names and accounts of those who are not listed and have made-up names.
    names: &'a [String],
    /// What finds them, once there is something to tell; `None` where they are too many.
    finder: OnceCell<Option<NameFinder>>,
}

impl<'a> Teller<'a> {
    /// Creates one for what was read of conversations in which these names are hidden.
    pub(super) fn new(rules: &'a Rules, names: &'a [String]) -> Self {
        Self { rules, names, finder: OnceCell::new() }
    }

    /// Takes it out of a text.
    pub(super) fn clean(&self, text: &mut String) {
        self.rules.clean(text, self.finder());
    }

    /// Takes it out of notes.
    pub(super) fn clean_notes(&self, notes: &mut [Diagnostic]) {
        for note in notes {
            note.each_text(&mut |text| self.clean(text));
        }
    }

    /// Takes it out of findings.
    pub(super) fn clean_findings(&self, findings: &mut [Finding]) {
        for found in findings {
            self.clean(&mut found.conversation);
            self.clean(&mut found.at.file);
            let excerpt = found.at.span.as_mut().map(|span| &mut span.excerpt);
            excerpt.into_iter().for_each(|text| self.clean(text));
        }
    }

    fn finder(&self) -> Option<&NameFinder> {
        let found = self.finder.get_or_init(|| match self.names.is_empty() {
            true => None,
            false => self.rules.finder(self.names),
        });
        found.as_ref()
    }
}
