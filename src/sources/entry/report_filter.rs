//! Removes hidden text from what is reported or cached of a source: redacted text, and names that
//! are hidden on the site.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::diag::Diagnostic;
use crate::gate::Finding;
use crate::hash::Hash;
use crate::model::Conversation;
use crate::people::NameFinder;
use crate::sources::find::rules::Rules;
use crate::sources::find::source::Source;

/// Returns the replacement for the label of the source of a conversation, if the label must not be
/// shown.
pub(crate) fn public_label(
    rules: &Rules,
    read: &Conversation,
    source: &Source,
) -> Option<Box<str>> {
    let label = source.label();
    let mut reported = read.file_label.as_deref().unwrap_or(label).to_owned();
    rules.clean(&mut reported, None);
    (reported != label).then(|| reported.into())
}

/// Removes hidden text.
pub(crate) struct ReportFilter<'a> {
    rules: &'a Rules,
    /// The names and accounts of unlisted people with pseudonyms.
    names: &'a [String],
    /// The finder of these names, created at first use; `None` if there are too many.
    finder: OnceCell<Option<NameFinder>>,
    /// The edits of the conversations, by what was found of them.
    edited: Option<&'a BTreeSet<Hash>>,
}

impl<'a> ReportFilter<'a> {
    /// Creates a filter for conversations in which these names are hidden.
    pub(crate) fn new(rules: &'a Rules, names: &'a [String]) -> Self {
        Self { rules, names, finder: OnceCell::new(), edited: None }
    }

    /// The same, which also removes the words that edits redact.
    pub(crate) fn with_edits(self, edited: &'a BTreeSet<Hash>) -> Self {
        Self { edited: Some(edited), ..self }
    }

    /// Removes hidden text from a text.
    pub(crate) fn clean(&self, text: &mut String) {
        self.rules.clean(text, self.finder());
        self.edited.iter().for_each(|edited| self.rules.edits.clean(edited, text));
    }

    /// Removes hidden text from diagnostics.
    pub(crate) fn clean_notes(&self, notes: &mut [Diagnostic]) {
        for note in notes {
            note.each_text(&mut |text| self.clean(text));
        }
    }

    /// Removes hidden text from findings.
    pub(crate) fn clean_findings(&self, findings: &mut [Finding]) {
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
