//! The format of vlinder conversation repositories.
//!
//! ```text
//! conversations/
//!   2026-02-08T14-30-05Z_researcher_abc12345.json     a session, as documented
//!   .git/                                             its history: forks and commit trailers
//!
//! conversations/                                      the newer layout
//!   researcher/ses-…/001-user-invoke/{type, payload, created_at, …}
//!   timelines/main, timelines/fork-a1b2c3d            the messages, one folder per line
//!   timelines/ACTIVE                                  the name of the main timeline
//! ```
//!
//! The disk shows the history of a repository as files below `.git/`: `branches/<name>/<file>` is the version
//! of a file in another branch, and `log/<file>.jsonl` contains the commits that touched it.
//!
//! [`session`] reads a session file with its history, [`tree`] reads the newer layout, and [`path`] parses file
//! names and merges timelines. `write` writes session files.

mod path;
mod session;
mod tree;
mod write;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read, Write};

pub(super) const FORMAT: Format = Format {
    name: "vlinder",
    title: "vlinder session or conversations repository",
    source_label: "vlinder",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "Conversations of vlinder: session files, or a git repository in which \
               each message is a folder.",
        find: "The `conversations` folder of vlinder, with its `.git` folder, which \
               holds the forks.",
        reads: "Questions and answers of every timeline, where one forks from another, pending \
                questions, and times, including those of commits.",
        leaves_out: "State, agent diagnostics and messages outside all timelines are counted but \
                     not shown.",
    },
    read: Some(Read::new(claims, parse).gather(gather).history(path::is_session)),
    write: Some(Write::Folder(write::write)),
};

fn claims(probe: &Probe<'_>) -> Claim {
    let name = probe.name;
    let keys = probe.keys();
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    if has("history") && has("session") {
        Claim::Signature
    } else if has("history") && has("agent") {
        Claim::Shape
    } else if path::session_name(name).is_some() {
        Claim::Name
    } else {
        Claim::No
    }
}

fn parse(files: &[File]) -> Parsed {
    if files.first().is_some_and(|file| file.name.ends_with(".json")) {
        session::parse(files)
    } else {
        tree::parse(files)
    }
}

fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut bundles = session::gather(listing);
    bundles.extend(tree::gather(listing));
    bundles
}
