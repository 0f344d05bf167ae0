//! Tests that need only Rust, in one binary. The first line of each module says what it tests. Those in
//! `tests/browser` need a browser and other tools.
#![allow(clippy::disallowed_methods, reason = "tests set up and look at real folders")]

/// The allocator of the program, so that work takes the time that it takes there.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod apps;
mod archive;
mod archives;
mod assistants;
mod author;
mod broken_files;
mod channel_access;
mod chat_export;
mod chat_names;
mod chatgpt;
mod check;
mod check_publish;
mod claude;
mod cli;
mod closure;
mod collections;
mod convert;
mod coverage;
mod customization;
#[cfg(feature = "sqlite")]
mod databases;
mod destination;
mod determinism;
mod discoverability;
mod disguised_names;
mod docs;
mod duplicates;
mod edits;
mod english;
mod example;
mod exports;
mod file_names;
mod first_steps;
mod footnotes;
mod formats;
mod front_matter;
mod gate;
mod gate_decisions;
mod gate_disguises;
mod gate_gitleaks;
mod gate_neighbours;
mod gate_planted;
mod gate_rules;
#[cfg(feature = "git")]
mod history;
mod host_options;
mod host_rules;
mod hostile_sites;
mod hosts;
mod images;
mod import;
mod incremental;
mod irc_private;
mod last_changes;
mod locale;
mod markup;
#[cfg(feature = "mcp")]
mod mcp;
mod messages;
mod messengers;
mod newer_exports;
#[cfg(feature = "pictures")]
mod og_images;
mod own_site;
mod pages;
mod pagination;
mod partitions;
mod people;
mod phone_notices;
mod plain_pages;
mod plain_transcripts;
mod planted_secrets;
mod private;
mod private_links;
mod private_marks;
mod private_objects;
mod private_places;
mod private_samples;
mod public_sources;
mod publication;
mod recordings;
mod recordings_withheld;
#[cfg(feature = "mcp")]
mod reference;
mod release;
mod removed_content;
mod replies;
mod rules;
mod schedule;
#[cfg(feature = "local-search")]
mod scripts;
mod search;
mod search_files;
mod search_index;
mod serve;
mod services;
mod sessions;
mod single_page;
mod snippets;
mod specstory;
mod spellings;
#[path = "../support/mod.rs"]
mod support;
mod themes;
mod tidy;
mod timing;
mod titles;
mod transcripts;
mod typed_transcripts;
mod typography;
mod unclear_access;
mod unclear_marks;
mod unclear_marks_in_threads;
mod undone_turns;
mod unknown_kinds;
mod unmatched_tools;
mod withheld_calls;
mod without_setup;
mod withheld_servers;
mod withheld_tools;
mod work_log;
