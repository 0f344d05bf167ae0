//! The settings of a site as options for rendering.

use std::sync::Arc;

use super::Config;
use crate::markup::{Highlights, Options, Videos};

/// The titles of alerts, as keys of a locale.
const ALERTS: [&str; 5] =
    ["alert.note", "alert.tip", "alert.important", "alert.warning", "alert.caution"];

impl Config {
    /// Returns the options for rendering the texts of conversations.
    pub fn markup_options(&self, highlights: Arc<Highlights>) -> Options {
        Options {
            html: self.html,
            math: self.math,
            autolink: self.autolink,
            image_hosts: self.image_hosts.iter().map(|host| host.0.clone()).collect(),
            videos: Videos { youtube: self.services.youtube, vimeo: self.services.vimeo },
            headings_below: Some(2),
            is_archived: true,
            keeps_lines: false,
            quotation_marks: None,
            line_numbers: self.code.line_numbers,
            alert_titles: ALERTS.map(|key| self.locale.text(key).to_owned()),
            is_own: false,
            highlights,
        }
    }
}
