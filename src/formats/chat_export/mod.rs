//! Conversations with assistants that programs export as Markdown or plain text, for people to keep or copy.
//!
//! ```text
//! # Tide tables                                    the title, and facts about the conversation
//!
//! **Created:** 4/29/2025 15:03
//!
//! ## Prompt:                                       opens a turn; each program has its own lines
//! When does the mill run?
//!
//! ## Response:
//! It runs when the pond is full.
//!
//! ---
//! Powered by [ChatGPT Exporter](…)                 added by the program
//! ```
//!
//! [`table`] lists the programs and what they write. [`layout`] finds the turns, [`head`] reads the facts, and
//! [`body`] finds thoughts and tool calls in a turn.

mod body;
mod calls;
mod head;
mod layout;
mod pattern;
mod read;
mod table;

use super::{About, Claim, Format, Probe, Read};
use crate::shared::text::front;

pub(super) const FORMAT: Format = Format {
    name: "chat-export",
    title: "Conversation that a program exported as Markdown or text",
    source_label: "Markdown export",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Markdown and text of OpenCode (`/export`), Zed, Cline, Roo Code, Windsurf Cascade, GitHub Copilot CLI \
               (`/share`), Copilot Chat (“Copy All”), `llm logs`, Perplexity, NextChat, Claude Conversation Extractor, \
               Nexus AI Chat Importer, Grok, and browser extensions for ChatGPT, Claude and Gemini.",
        find: "Where the program saved it. Text copied from Copilot Chat is read from a `.txt` file.",
        reads: "Questions, answers, reasoning, tool calls with their results, models, times, and the title.",
        leaves_out: "Lines that the program adds, such as rules between turns and its own name; URLs of the \
                     conversation, which only its owner can open; and input and output of third-party tools. In \
                     exports of Zed, the text between such a call and the next one may be its output, so it is withheld.",
    },
    read: Some(Read::new(claims, read::parse)),
    write: None,
};

fn claims(probe: &Probe<'_>) -> Claim {
    let (_, start) = front::split(probe.text);
    match table::exporter_of(probe.text, start) {
        Some(exporter) if layout::Layout::of(probe.text, start, exporter).is_conversation() => {
            Claim::Signature
        }
        _ => Claim::No,
    }
}
