//! All integration tests in one binary.
#![allow(clippy::disallowed_methods, reason = "tests set up and look at real folders")]

mod appearance; // marks, forced colours, directions and columns, in a browser
mod archive; // what is held back, what site.toml says, parts, attachments, forks
mod browser; // a headless Chromium over its debugging protocol
mod cli; // commands, exit codes, message formats
mod commonmark; // the 652 examples, pathological input
mod convert; // from every format to every other one, and what is lost
mod coverage; // every file is read, shown, ignored or told
mod destination; // where a site may go, and what stands there already
mod duplicates; // conversations that are there twice, or only begin alike
mod example; // the example site: links, anchors, valid HTML, feeds
mod first_steps; // what init writes, and what one does to it
mod forgotten; // what was public leaves the output, whatever was lost
mod formats;
mod found; // tests/formats/**: inputs and what is read from them
mod history; // conversation repositories: forks and commits
mod growth; // what many, deep and large things cost
mod hostile; // hostile text in every sink of a page, in a real browser
mod incremental; // second builds: edits, the cache, the lock, killed builds, full disks
mod inspect;
mod judges; // what check finds of a site as a whole
mod locale; // what pages say, in seven languages and one's own
mod markup; // nothing is lost, nothing gets out
mod messages; // what is said where something is wrong
mod pages; // what a built site holds
mod parts; // long conversations on several pages
mod pathological; // inputs that slow parsers down
mod planted; // links, pipes and lists that lead out of a site
mod preview; // a running preview, and what to ask of it
mod private; // every way to say that something is private, in files and in site.toml
mod reading; // keys, help and copying, in a browser
mod robust; // broken folders, files and bytes
mod same; // equal bytes whatever the threads, edits without leftovers
mod search; // the site's search in a browser, the command's search as its judge
mod serve; // the live preview: what it shows, to whom, and when
mod support; // a site in a temporary folder
mod themes; // which there are, what they take from each other, what a site changes
mod tidy; // the laws of src/lib.rs
mod titles; // what a conversation without a title is called
mod transcripts; // Markdown: speakers and labels, times, open fences
