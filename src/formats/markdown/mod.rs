//! Transcripts: texts in which each turn begins with a name. In Markdown, turns are paragraphs that open
//! with a name in bold type, as written by conv2md and published by podcasts. Other shapes, such as
//! `Ada: Hello`, `## Ada` or `Ada 00:01:02`, are in [`shapes`].
//!
//! ```text
//! ---
//! title: Conversation Title        YAML front matter, optional
//! source: input.json
//! ---
//!
//! **Ada:** \[01:05\] Hello.        one turn, at one minute and five seconds
//!
//! It goes on.                      the same turn, until the next name
//!
//! **Break:** \[12:40\]             an event: only times
//! ```
//!
//! [`mod@line`] finds the names, [`candidates`] finds where they may open turns, [`mod@named`] selects
//! those that do if the front matter lists the speakers, and [`bold_names`] decides whether they are
//! speakers. [`claim`] weighs that against [`shapes`] and against the text without the markup that [`wrap`]
//! removes. [`read`] makes a conversation from [`openings`], a [`preface`], [`turns`], [`sections`] and [`undated`]; the module
//! `write` is the inverse. [`copied`] recognises chats between people. Transcripts with all names in bold
//! type are read here, all others in [`shapes`].

mod bold_names;
mod candidates;
mod claim;
mod copied;
mod event;
mod front_hint;
mod given;
mod line;
mod named;
mod names;
mod openings;
mod preface;
mod read;
mod sections;
mod shapes;
mod speech;
mod start;
mod turns;
mod undated;
mod verdict;
mod wrap;
mod write;

use super::{About, Format, Read, Write};
use crate::shared::text::front;

pub(super) const FORMAT: Format = Format {
    name: "markdown",
    title: "Transcript (`**Speaker:** text`, `Speaker: text`, `## Speaker`)",
    source_label: "Transcript",
    between_people: false,
    has_typed_prompts: false,
    about: About {
        what: "Transcripts typed by hand: each turn begins with a name.",
        find: "A `.md` or `.txt` file with lines such as `**Ada:** Hello.`, `Ada: Hello.`, \
               `[00:05] Ada: Hello.` or `## Ada`; front matter can set title, date, tags \
               and speakers.",
        reads: "Names, texts, recording times, breaks, text before the first turn, \
               and front matter.",
        leaves_out: "Texts without recognisable speakers. To read such a text as a \
               conversation, add `speakers:` to its front matter.",
    },
    read: Some(Read::new(claim::claims, read::parse)),
    write: Some(Write::File("md", |read, _| write::write(read))),
};
