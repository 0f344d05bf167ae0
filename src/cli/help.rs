//! What `--help` shows besides options: the groups of commands, examples, exit codes and environment variables.

use anstyle::Style;

const HEADING: Style = Style::new().bold().underline();
const NAME: Style = Style::new().bold();

/// The commands in the order of a site's life, under their headings.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Start", &["init", "import", "serve"]),
    ("Write and convert", &["convert", "page", "theme", "list"]),
    ("Publish", &["review", "edit", "check", "build", "deploy", "clean"]),
    ("Inspect", &["status", "search", "mcp", "explain"]),
    ("Large sites and other programs", &["read", "search-index", "completions", "man"]),
];

/// Columns of the longest name of a command.
const NAME_COLUMNS: usize = 12;

/// Returns the template of the help of the program, with its commands in groups.
pub(super) fn overview<C: clap::Subcommand>() -> String {
    let all = C::augment_subcommands(clap::Command::new("convo-site"));
    let mut groups = String::new();
    for (heading, names) in GROUPS {
        groups.push_str(&format!("\n{HEADING}{heading}:{HEADING:#}\n"));
        // A feature that was not built in has no command.
        for command in names.iter().filter_map(|name| all.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            let name = command.get_name();
            groups.push_str(&format!("  {NAME}{name:NAME_COLUMNS$}{NAME:#}  {about}\n"));
        }
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{groups}\n\
         {HEADING}Options:{HEADING:#}\n{{options}}{{after-help}}"
    )
}

/// Returns the end of a help text, with its headings in the style of the others.
pub(super) fn styled(text: &str) -> String {
    let line = |line: &str| match line.ends_with(':') && !line.starts_with(' ') {
        true => format!("{HEADING}{line}{HEADING:#}"),
        false => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

pub(super) const TOP: &str = "\
Examples:
  convo-site init my-talks                create a site in the folder my-talks
  convo-site import export.zip my-talks   add the conversations of an export
  convo-site serve my-talks               preview the site and edit it

Exit codes:
  0  success
  1  there are errors in your files; everything else was done
  2  the command could not run

`convo-site help COMMAND` shows the options of a command.";

pub(super) const INIT: &str = "\
Examples:
  # Create a site in the folder my-talks
  convo-site init my-talks
  # Create one with the conversations of an export
  convo-site init my-talks --from export.zip
  # Add what Netlify needs to build and publish the site
  convo-site init my-talks --deploy netlify
  # Print an nginx configuration for the site
  convo-site init my-talks --deploy nginx --print

Environment variables:
  CONVO_SITE_BASE_URL  the URL of the site; --base-url overrides it";

pub(super) const IMPORT: &str = "\
Examples:
  # List the conversations in an export; nothing is written
  convo-site import export.zip
  # Import all conversations into the site my-talks
  convo-site import export.zip my-talks
  # Import conversations from 2025 that mention Rust
  convo-site import export.zip my-talks --since 2025 --until 2025 --filter rust

Exit codes:
  0  at least one conversation matched
  1  no conversation matched, or an export has errors
  2  the import could not run";

pub(super) const SERVE: &str = "\
Examples:
  # Preview the site in this folder and open it in the browser
  convo-site serve --open
  # Preview an export without a site; nothing is written beside it
  convo-site serve export.zip
  # Preview the sessions that Claude Code keeps on this computer
  convo-site serve --as claude-code
  # Preview exactly what a build would publish
  convo-site serve my-talks --published
  # Let other devices on the network read the preview
  convo-site serve my-talks --bind 0.0.0.0 --published

Environment variables:
  CONVO_SITE_BASE_URL    the URL of the site; --base-url overrides it
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file";

pub(super) const PAGE: &str = "\
Examples:
  # Write a session of Claude Code as one file
  convo-site page session.jsonl -o session.html
  # Write every conversation of an export into a folder
  convo-site page export.zip -o pages

Exit codes:
  0  written
  1  written, but some files have errors
  2  nothing was written";

pub(super) const CONVERT: &str = "\
Examples:
  # Print a conversation as JSON
  convo-site convert talk.md --to json
  # Convert all conversations of an export into a folder
  convo-site convert export.zip --to convo -o talks
  # Write a page for each of them
  convo-site convert export.zip --to html -o pages
  # Read standard input, and name its format
  convo-site convert - --from whatsapp --to json < chat.txt

Exit codes:
  0  converted
  1  an input has errors
  2  the conversion could not run";

pub(super) const THEME: &str = "\
Examples:
  # List the templates
  convo-site theme eject
  # Copy one into templates/ of the site in this folder
  convo-site theme eject base.html";

pub(super) const EJECT: &str = "\
Examples:
  # List the templates
  convo-site theme eject
  # Copy one into templates/ of the site in this folder
  convo-site theme eject base.html
  # Print one
  convo-site theme eject base.html --print";

pub(super) const LIST: &str = "\
Examples:
  # List all formats
  convo-site list formats
  # Show where to find a ChatGPT export, and what is read from it
  convo-site list formats chatgpt
  # List the themes, including those of the site my-talks
  convo-site list themes my-talks
  # Print the German page texts, to change some of them in locales/de.toml
  convo-site list texts de";

pub(super) const REVIEW: &str = "\
Examples:
  # Review each secret in the site in this folder
  convo-site review
  # Print the secrets as JSON, without asking
  convo-site review my-talks --json
  # Also search for the values in a file of environment variables
  convo-site review --env .env

Exit codes:
  0  no conversation is withheld because of a secret
  1  secrets still withhold conversations
  2  the review could not run";

pub(super) const EDIT: &str = "\
Examples:
  # Set the title and the tags of a conversation
  convo-site edit c/2025-10-23-chat-7f3kxm --title \"The tide mill\" --tag mills --tag tides
  # Hide the turn whose link ends in #t3k9m2x1q, and redact a name
  convo-site edit mill.md --hide-turn t3k9m2x1q --redact \"Halvorsen & Pike\"
  # Withhold a conversation of the site in my-talks
  convo-site edit 68f9c3a1 my-talks --private
  # Show the changes so far
  convo-site edit mill.md";

pub(super) const CHECK: &str = "\
Examples:
  # Check the site in this folder
  convo-site check
  # In CI, between build and upload: check that the output may be published
  convo-site check --publish
  # Annotate a pull request on GitHub
  convo-site check --message-format github

Exit codes:
  0  no errors
  1  errors, or warnings with --deny-warnings
  2  the check could not run

Environment variables:
  CONVO_SITE_BASE_URL    the URL of the site; --base-url overrides it
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file
  SOURCE_DATE_EPOCH      the day of the build; --today overrides it";

pub(super) const BUILD: &str = "\
Examples:
  # Build the site in this folder into public/
  convo-site build
  # Build for a preview at another URL, drafts included
  convo-site build --base-url https://preview.example.org/ --drafts
  # Build an export without a site, with default settings
  convo-site build export.zip -o talks
  # Build the second of seven parts
  convo-site build --part 2/7

Exit codes:
  0  built
  1  built, but some files have errors; or warnings with --deny-warnings
  2  the build could not run

Environment variables:
  CONVO_SITE_BASE_URL    the URL of the site; --base-url overrides it
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file
  SOURCE_DATE_EPOCH      the day of the build; --today overrides it";

pub(super) const DEPLOY: &str = "\
Examples:
  # Push the site in this folder to a branch for GitHub Pages
  convo-site deploy --to git:gh-pages
  # Upload the site my-talks to your server; first show what would change
  convo-site deploy my-talks --to rsync:ada@example.org:/srv/talks -n
  convo-site deploy my-talks --to rsync:ada@example.org:/srv/talks

Exit codes:
  0  deployed
  1  the site did not pass the check; nothing was deployed
  2  the deploy could not run

Environment variables:
  CONVO_SITE_BASE_URL    the URL of the site; --base-url overrides it
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file
  SOURCE_DATE_EPOCH      the day of the build; --today overrides it";

pub(super) const CLEAN: &str = "\
Examples:
  # Remove what builds wrote for the site in this folder
  convo-site clean
  # Clean a site whose output is in another folder
  convo-site clean my-talks -o www";

pub(super) const STATUS: &str = "\
Examples:
  # Count the conversations that are public, withheld or unreadable
  convo-site status
  # List every file
  convo-site status my-talks --all
  # Print the same as JSON, for other programs
  convo-site status --json

Environment variables:
  CONVO_SITE_BASE_URL    the URL of the site; --base-url overrides it
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file
  SOURCE_DATE_EPOCH      the day of the build; --today overrides it";

#[cfg(feature = "local-search")]
pub(super) const SEARCH: &str = "\
Examples:
  # Find turns with both words
  convo-site search 'red boat'
  # Find a phrase that Ada wrote, in turns with code
  convo-site search '\"red boat\" speaker:ada has:code' my-talks
  # Count the turns of conversations that started in 2025 or later
  convo-site search 'boat after:2025' --count

Exit codes:
  0  found
  1  nothing found
  2  the search could not run";

#[cfg(feature = "mcp")]
pub(super) const MCP: &str = "\
Examples:
  # Let Claude Code search the site in my-talks
  claude mcp add my-talks -- convo-site mcp /home/ada/my-talks
  # The same for Codex
  codex mcp add my-talks -- convo-site mcp /home/ada/my-talks

Tools:
  search         find turns, with the site's query syntax
  fetch          read a conversation as Markdown, from a given turn
  list_recent    list conversations, the newest first
  list_speakers  list speakers

Environment variables:
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file

Exit codes:
  0  the assistant closed the connection
  2  SITE does not exist, or is a folder without a site";

pub(super) const EXPLAIN: &str = "\
Examples:
  # Explain `warning[bad-json]`
  convo-site explain bad-json
  # List all codes
  convo-site explain
  # Print all settings, with their defaults
  convo-site explain site.toml";

pub(super) const READ: &str = "\
Examples:
  # Read the first of four parts
  convo-site read my-talks --part 1/4
  # After merging the caches, read the words for the search index
  convo-site read my-talks --part 1/4 --search

Environment variables:
  CONVO_SITE_CACHE_DIR   the folder for the cache; --cache-dir overrides it
  CONVO_SITE_PEOPLE_KEY  the content of people.key, instead of the file
  SOURCE_DATE_EPOCH      the day of the build; --today overrides it";

pub(super) const SEARCH_INDEX: &str = "\
Examples:
  # Update an OpenSearch index
  convo-site search-index --to opensearch https://search.example.org:9200/talks
  # Write the documents and the index settings into a folder
  convo-site search-index my-talks --to ndjson index
  # Print the documents
  convo-site search-index my-talks --to ndjson

Exit codes:
  0  all documents were written or sent
  1  something could not be read, or the engine refused it
  2  the command could not run

Environment variables:
  CONVO_SITE_ENGINE_CREDENTIALS       `name:password`, or another Authorization
                                      header such as `ApiKey …`
  CONVO_SITE_ENGINE_CREDENTIALS_FILE  a file that contains the same
  CONVO_SITE_ENGINE_CA_FILE           a PEM file with your own CA certificates
  CONVO_SITE_CACHE_DIR                the folder for the cache";

pub(super) const COMPLETIONS: &str = "\
Examples:
  # bash
  convo-site completions bash > \\
    ~/.local/share/bash-completion/completions/convo-site
  # fish
  convo-site completions fish > ~/.config/fish/completions/convo-site.fish";

pub(super) const MAN: &str = "\
Examples:
  # Read the manual page of a command
  convo-site man build > build.1 && man ./build.1
  # Write all pages into a folder
  convo-site man -o man";
