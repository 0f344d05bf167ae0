//! Replaces `pictures` in builds without the feature `pictures`, which cannot draw images.

use super::customization::place_of;
use super::layers::Layer;
use super::templates::Templates;
use crate::config::Config;
use crate::diag::{Diagnostic, Severity, WithNotes};
use crate::files::Files;
use crate::hash::Hash;

/// The name of the template.
pub(super) const TEMPLATE: &str = "og.svg";

/// An empty type: there are no images.
pub enum Pictures {}

impl Pictures {
    /// Returns nothing, and an error if the site wants images.
    pub(super) fn load(
        files: &dyn Files,
        config: &Config,
        _: &[Layer],
        _: &Templates,
    ) -> WithNotes<Option<Self>> {
        if !config.og_images.per_conversation {
            return WithNotes::plain(None);
        }
        let message =
            "cannot draw preview images: convo-site was built without the feature `pictures`";
        let note = Diagnostic::new(Severity::Error, "no-pictures", message);
        let at = Some(place_of(files, &["og_images", "per_conversation"], true));
        let note = note.hint("install convo-site with this feature, or remove the line");
        WithNotes { value: None, notes: vec![Diagnostic { at, ..note }] }
    }

    /// A hash that changes when the fonts change.
    pub(super) fn fonts_hash(&self) -> Hash {
        match *self {}
    }
}
