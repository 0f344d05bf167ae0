//! Tests that need only Rust, in one binary. Those in `tests/browser` need a browser and other
//! tools.
#![allow(clippy::disallowed_methods, reason = "tests set up and look at real folders")]

mod archive; // what is held back, what site.toml says, long logs, attachments
mod answered; // messages that are answered on another page, and what is quoted there
mod apps; // chat applications: what no page may say, and what every page must
mod assistants; // Gemini and Copilot: what no page may say, and what every page must
mod by_hand;
mod called;
mod called_by_phones; // the words of phones for their owners, for several people, and for groups
mod chatgpt; // an export of ChatGPT: its files, and what is never published
mod archives; // ZIP, tar, gzip and Zstandard as folders and files, long exports
mod check; // what check finds of a site as a whole
mod check_publish; // whether the site on the disk may go out
mod claude; // exports of Claude: what no page may say
mod cli; // commands, exit codes, message formats
mod closure; // random archives in which words are planted: none gets out
mod collections; // folders with an `_index.md`, series, and what stays on top
mod convert; // from every format to every other one, and what is lost
mod coverage; // every file is read, shown, ignored or told
#[cfg(feature = "sqlite")]
mod databases; // databases of programs: what is read of them, and that none does harm
mod destination; // where a site may go, and what stands there already
mod determinism; // equal bytes whatever the threads, edits without leftovers
mod discoverability; // what search engines and feed readers are told
mod docs; // the documentation is clean, and the README leads into it
mod disguised_names; // names in disguise, of those who are spoken of, and words that are names
mod duplicates; // conversations that are there twice, or only begin alike
mod english; // words and shapes that our texts do not use
mod example; // the example site: links, anchors, sitemap, weight
mod exports; // exports of all vendors: versions, subagents, what turns took
mod first_steps; // what init writes, and what one does to it
mod footnotes; // footnotes that another turn defines
mod forgotten; // what was public leaves the output, whatever was lost
mod formats; // tests/formats/**: inputs and what is read from them
mod gate; // secrets and personal data: held back, redacted, told without being shown
mod gate_decisions; // what an author says of secrets: rules, values, acceptance, review
mod gate_disguises; // secrets that markup, lines and other characters hide
mod gate_judge; // the rules of the gate beside gitleaks
mod gate_neighbours; // secrets as parts of names, keys in logs, and pairs
mod gate_planted; // a thousand secrets in three archives: each is found, and none gets out
mod gate_rules; // secrets and personal data: what is found, and what is not
mod growth; // what many, deep and large things cost
#[cfg(feature = "git")]
mod history; // conversation repositories: forks and commits
mod hosts; // addresses and previews of hosts, their files, and how a site gets there
mod host_options;
mod host_rules; // what hosts do with a built site, by their documented rules
mod images; // what of an image is published
mod import;
mod in_doubt; // who may read a channel, where nobody says it plainly
mod in_doubt_marks; // marks of messages in values that nobody expects
mod in_doubt_threads; // the same in rooms, forums and sessions
mod in_doubt_tools; // what connectors brought, where calls do not meet it
mod incremental; // second builds: edits, the cache, the lock, killed builds, full disks
mod kept_names; // what names of files say is nowhere, not even in the cache
mod irc_private; // who may read IRC logs, and which of their lines no page shows
mod linear;
mod linear_shapes; // texts of one shape in every text of every format
mod locale; // what pages say, in seven languages and one's own
mod markup; // nothing is lost, nothing gets out
mod messages; // what is said where something is wrong
mod messengers; // chats and channels of people
#[cfg(feature = "pictures")]
mod og_images; // pictures of conversations
mod pages; // what a built site holds
mod plain_pages; // pages, menu, footer, head, home and files of the author
mod pagination; // long conversations on several pages
mod partitions; // parts that are read and built apart, and are one site together
mod pathological; // inputs that slow parsers down
mod plain_transcripts; // transcripts whose names are not in bold type
mod own; // what a site has of its own: a stylesheet, a script, templates
mod own_site; // a site that uses every key that there is
mod people; // one speaker of many names, and names that are nowhere on the site
mod planted; // links, pipes and lists that lead out of a site
mod planted_secrets; // archives with a thousand secrets in them
mod private; // every way to say that something is private, in files and in rules
mod private_marks; // objects around and in a text, files that do not say who could read them
mod private_places; // the same at every place of every format
mod private_samples;
mod public_sources; // repositories that everybody can read: what is put there
mod publication; // publish.toml, and what was reviewed
mod readers; // who can read a channel, in a hundred values of each field
mod reading; // quotation marks, alerts, and how code looks
#[cfg(feature = "local-search")]
mod reference; // the reference of the documentation, written from the program
mod recordings; // players, captions and the podcast
mod recordings_withheld; // recordings in which is heard what is on no page
mod release; // completions, manual pages, the version, and packages
mod revised; // when files were last changed, by git, and where they can be edited
mod robust; // broken folders, files and bytes
mod rules; // slips in what site.toml says of files
mod schedule; // drafts, and what is published from a day on or until one
#[cfg(feature = "local-search")]
mod scripts; // what pages load, and what it shares with the program
mod search; // the search of the command and the preview, and what no index holds
mod search_index;
mod serve; // the live preview: to whom it answers, and what
#[path = "../support/mod.rs"]
mod support; // a site in a temporary folder
mod services; // services of others, and the policies of pages
mod sessions; // long sessions with agents: prompts, paths and titles as they were typed
mod snippets; // what the README and the documentation show
mod specstory; // calls of SpecStory that are lines of text
mod spellings; // words and names in every form in which readers see them
mod taken_back;
mod themes; // which there are, what they take from each other, what a site changes
mod tidy; // the laws of src/lib.rs
mod titles; // what a conversation without a title is called
mod transcripts; // Markdown: speakers and labels, times, open fences
mod withheld_calls; // tools that other tools, programs and commands call
mod withheld_servers; // the same, if calls and results do not match or name their server elsewhere
mod withheld_tools; // what tools of servers were given and returned
mod unknown_kinds; // what nobody knows of talk between people: counted, and not shown
mod work_log; // the work of agents: runs of calls, diffs, files, and the strip above a session
