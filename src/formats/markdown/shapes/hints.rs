//! What the name of a file, its title and its front matter reveal about the text.

use super::mark;
use super::shape::Shape;

/// What is known of a text besides its lines.
#[derive(Clone, Copy, Default)]
pub(super) struct Hints {
    /// Whether the front matter says that it is a transcript.
    pub(super) transcript: bool,
    /// Whether the front matter lists speakers.
    pub(super) settled: bool,
    /// Whether its name or title says that it is an interview.
    pub(super) interview: bool,
    /// Whether its name or title says that it answers questions of readers.
    pub(super) manual: bool,
    /// Whether each turn was a list item.
    pub(super) items: bool,
}

/// Returns the hints of a file's name and of the top of its text.
pub(super) fn named(name: &str, body: &str) -> Hints {
    let top = body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let top = &top[..top.floor_char_boundary(200)];
    let title =
        if mark::mark(top).is_some_and(|mark| mark.shape == Shape::Colon) { "" } else { top };
    let words = format!("{name} {title}").to_lowercase();
    let has = |list: &[&str]| list.iter().any(|word| words.contains(word));
    Hints {
        interview: has(&[
            "interview",
            "transcript",
            "deposition",
            "testimony",
            "conversation with",
            "talk with",
            "entretien",
            "gespräch",
            "entrevista",
            "intervista",
            "интервью",
            "采访",
            "访谈",
            "訪談",
            "インタビュー",
            "인터뷰",
            "مقابلة",
            "ראיון",
            "συνέντευξη",
            "साक्षात्कार",
        ]),
        manual: has(&["faq", "frequently asked", "troubleshoot", "quiz", "exam", "flashcard"]),
        ..Hints::default()
    }
}
