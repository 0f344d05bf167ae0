//! The arguments of all commands. The doc comments are the text of `--help`.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Failure, help, version};
use crate::config::{BaseUrl, BuildEnvironment};
use crate::disk;
use crate::formats::Format;
use crate::gate::{EnvValues, baseline};
use crate::hash::Hash;
use crate::partial_date::PartialDate;
use crate::partition::Partition;
use crate::people;
use crate::pipeline::Choices;
use crate::sources::Release;

/// Turn exports of conversations into a website that you can search, read and publish
#[derive(Parser)]
#[command(
    name = "convo-site",
    version = version::short(),
    long_version = version::long(),
    help_template = help::overview::<Command>(),
    after_help = help::styled(help::TOP),
    arg_required_else_help = true
)]
pub(super) struct Args {
    /// When to colour the output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: ColorWhen,
    /// Show errors only
    #[arg(short, long, global = true)]
    pub(super) quiet: bool,
    /// Show every warning and hint, and how long each phase takes
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(super) verbose: bool,
    #[command(subcommand)]
    pub(super) command: Command,
}

/// When output is coloured.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum ColorWhen {
    /// Only on a terminal
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Build the site into a folder of static files
    ///
    /// SITE can also be a file, folder or archive with conversations. It is then built with default settings,
    /// which withhold chats between people; -o is required, because nothing is written next to it.
    #[command(after_help = help::styled(help::BUILD))]
    Build {
        #[command(flatten)]
        site: SiteArgs,
        /// The output folder [default: SITE/public]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Ignore the cache and write every file again
        #[arg(long)]
        no_cache: bool,
        /// Build one part of the site, such as 2/7 for the second of seven
        ///
        /// For builds on several machines: all parts together equal one build. OUT must not contain
        /// another part, unless all parts are written with --shared-output. Each problem is reported by
        /// one of the parts.
        #[arg(long, value_name = "I/N")]
        part: Option<Partition>,
        /// Write all parts into the same OUT
        #[arg(long, requires = "part")]
        shared_output: bool,
        /// Write a list of the changed files to FILE, for uploads
        ///
        /// Each line is `written` or `removed`, a tab, and the path below OUT.
        #[arg(long, value_name = "FILE")]
        changed_list: Option<PathBuf>,
    },
    /// Read a part of the conversations into the cache of `build`
    ///
    /// For builds on several machines: each machine reads a part. Merge the caches by copying their
    /// folders over each other. Problems in conversations are reported by `build`.
    #[command(after_help = help::styled(help::READ))]
    Read(ReadArgs),
    /// Search the conversations of a site in the terminal
    ///
    /// A query has words, "phrases", -not, prefix*, speaker:, model:, lang:, type:, tag:, before:,
    /// after:, has:code and has:tool, as in the search of the site.
    #[cfg(feature = "local-search")]
    #[command(after_help = help::styled(help::SEARCH))]
    Search(SearchArgs),
    /// Let an assistant search and read the conversations, over the Model Context Protocol
    ///
    /// Programs such as Claude Code, Claude Desktop and Codex start this command and write requests to its
    /// standard input. They see what a build would publish, re-read for each request.
    #[cfg(feature = "mcp")]
    #[command(after_help = help::styled(help::MCP))]
    Mcp(McpArgs),
    /// Send the turns of a site to OpenSearch, or write them as NDJSON
    ///
    /// `--to opensearch URL` updates the index at URL, such as `https://search.example.org:9200/talks`.
    /// Only changes are sent, deleted turns are removed, and the index stays searchable meanwhile. An
    /// interrupted update continues where it stopped.
    ///
    /// `--to ndjson DIR` writes `documents.ndjson` and the index settings for OpenSearch and Quickwit.
    /// `--to ndjson FILE.ndjson` writes only the documents; `--to ndjson` prints them.
    #[command(after_help = help::styled(help::SEARCH_INDEX))]
    SearchIndex(SearchIndexArgs),
    /// Preview the site in the browser while you edit it
    #[command(after_help = help::styled(help::SERVE))]
    Serve(ServeArgs),
    /// Remove the cache and the files that builds wrote
    ///
    /// Files that convo-site did not write stay.
    #[command(after_help = help::styled(help::CLEAN))]
    Clean {
        /// The folder with site.toml
        #[arg(default_value = ".", value_name = "SITE")]
        site: PathBuf,
        /// The output folder [default: SITE/public]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        cache: CacheArgs,
    },
    /// Report problems in the conversations and on the site, without building
    #[command(after_help = help::styled(help::CHECK))]
    Check(CheckArgs),
    /// Publish the built site on a host, in a folder or on a branch
    ///
    /// The site is checked first, as by `check --publish`; if the check fails, nothing is uploaded. Only
    /// changed files are uploaded, in an order in which no page links to a missing file. Only files from
    /// earlier deploys are removed. Uploads need another program: git, rsync, rclone, Wrangler
    /// (Cloudflare) or the Netlify CLI.
    #[command(after_help = help::styled(help::DEPLOY))]
    Deploy(DeployArgs),
    /// Show which conversations are public, which are not, and why
    #[command(after_help = help::styled(help::STATUS))]
    Status(StatusArgs),
    /// Decide what to do with each secret in the conversations
    ///
    /// Withhold the conversation, redact the secret, or accept it with a reason. Your decisions are
    /// written to gate.toml, without the secrets. Files in the content folder do not change.
    #[command(after_help = help::styled(help::REVIEW))]
    Review(ReviewArgs),
    /// Change the title, tags, visibility or turns of a conversation, without changing its file
    ///
    /// The changes are written to edits.toml and apply to every build, even when a newer export replaces the file.
    /// Without options, edit shows the changes so far.
    #[command(after_help = help::styled(help::EDIT))]
    Edit(EditArgs),
    /// Create a site, or add the files that a host needs
    ///
    /// A new site has a site.toml with the most important settings, and two example conversations or those of
    /// --from. On a terminal, init asks for the title and the URL unless --title or --base-url is given.
    /// --deploy also works for an existing site.
    #[command(after_help = help::styled(help::INIT))]
    Init {
        #[command(flatten)]
        init: InitArgs,
    },
    /// Convert conversations to another format, and report what is lost
    #[command(after_help = help::styled(help::CONVERT))]
    Convert(ConvertArgs),
    /// Write a conversation as a single self-contained HTML file
    ///
    /// Styles, scripts and pictures are in the file, and it requests nothing. What a new site would withhold or
    /// redact is withheld or redacted here too. Recordings are left out.
    #[command(after_help = help::styled(help::PAGE))]
    Page(PageArgs),
    /// List the conversations in an export, or import them into a site
    ///
    /// Without SITE, import lists the conversations. With SITE, each selected conversation becomes a
    /// file in the content folder, without account data. Importing a newer export updates these files,
    /// even if you renamed them. It does not touch other files, or files that you edited.
    #[command(after_help = help::styled(help::IMPORT))]
    Import(ImportArgs),
    /// Explain the code of an error, a warning or a hint
    #[command(after_help = help::styled(help::EXPLAIN))]
    Explain {
        /// The code in brackets, such as `bad-json`; or `site.toml`, for all settings with their defaults
        /// [default: list all codes]
        code: Option<String>,
    },
    /// Customise the templates of a site
    #[command(after_help = help::styled(help::THEME))]
    Theme {
        #[command(subcommand)]
        what: ThemeCommand,
    },
    /// List the formats, the themes or the page texts
    #[command(after_help = help::styled(help::LIST))]
    List {
        /// What to list
        #[arg(value_enum)]
        what: Listed,
        /// The name of a format, to show its details; the folder with site.toml, to include the themes
        /// of that site; or the language of the page texts
        #[arg(value_name = "NAME|SITE|LANGUAGE")]
        of: Option<PathBuf>,
        /// Show the details of every format
        #[arg(long, short_alias = 'l')]
        long: bool,
    },
    /// Print the completion script for a shell
    #[command(after_help = help::styled(help::COMPLETIONS))]
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print a manual page for `man`
    #[command(after_help = help::styled(help::MAN))]
    Man {
        /// The command, such as `build` or `theme eject`
        #[arg(conflicts_with = "output")]
        command: Vec<String>,
        /// Write the pages of all commands into this folder
        #[arg(short, long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

#[derive(clap::Args)]
pub(super) struct ReadArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// Read one part, such as 2/7 for the second of seven [default: everything]
    #[arg(long, value_name = "I/N")]
    pub(super) part: Option<Partition>,
    /// Read the words for the search index, once all conversations are in the cache; the machine that
    /// builds the index then does not have to read all texts
    #[arg(long)]
    pub(super) search: bool,
    /// Prepare a build with --include-private
    #[arg(long)]
    pub(super) include_private: bool,
    /// Prepare a build with --drafts
    #[arg(long)]
    pub(super) drafts: bool,
    /// Prepare a build with --future
    #[arg(long)]
    pub(super) future: bool,
    /// Prepare a build with --expired
    #[arg(long)]
    pub(super) expired: bool,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// How to show problems
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
}

impl ReadArgs {
    /// Returns the choices that these arguments select.
    pub(super) fn choices(&self) -> Result<Choices, Failure> {
        let release = Release {
            private: self.include_private,
            drafts: self.drafts,
            future: self.future,
            expired: self.expired,
            today: None,
        };
        let choices = Choices { release, ..Choices::default() };
        self.gate.choose(&BaseUrlArgs::default(), choices)
    }
}

/// The commands of `theme`.
#[derive(Subcommand)]
pub(super) enum ThemeCommand {
    /// Copy a built-in template into `templates/`, where it replaces the built-in one
    ///
    /// Without a name, eject lists the templates. A build warns you when the built-in template has
    /// changed since. To change only a part of a template, you do not need a copy: start
    /// `templates/base.html` with `{% extends "built-in/base.html" %}` and override blocks.
    #[command(after_help = help::styled(help::EJECT))]
    Eject {
        /// The name of a template, such as `base.html`
        name: Option<String>,
        /// The folder with site.toml
        #[arg(default_value = ".", value_name = "SITE")]
        site: PathBuf,
        /// Print the template instead of writing it
        #[arg(long, requires = "name")]
        print: bool,
    },
}

/// The things that `list` lists.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Listed {
    /// The formats of conversations: name, title, whether convo-site reads and writes them
    Formats,
    /// The themes that a site can use
    Themes,
    /// The page texts of a language, as a file for `locales/`
    Texts,
}

#[derive(clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) site: SiteArgs,
    /// Exit with 0 only if the site in OUT is up to date and has no errors
    ///
    /// For CI, between `build` and the upload. There must be no errors, and every file in OUT must be
    /// what a build would write now. Private conversations, and those withheld because of a secret, do not
    /// fail the check; it only makes sure that none of their text is in OUT. Warnings, such as possible secrets or
    /// files that cannot be read, fail it only with --deny-warnings.
    #[arg(long, conflicts_with_all = ["include_private", "drafts", "future", "expired"])]
    pub(super) publish: bool,
    /// The output folder, for --publish [default: SITE/public]
    #[arg(short, long, value_name = "OUT", requires = "publish")]
    pub(super) output: Option<PathBuf>,
}

/// The hosts and servers for which `init --deploy` writes files.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DeployHost {
    /// GitHub Pages: a `.gitignore` that keeps the sources out of the repository; with
    /// --private-repository, a workflow and a script
    Github,
    /// Netlify: netlify.toml and a script
    Netlify,
    /// Cloudflare, as the static assets of a Worker: wrangler.jsonc and a script
    Cloudflare,
    /// GitLab Pages: .gitlab-ci.yml and a script
    Gitlab,
    /// Your own server with Caddy: a Caddyfile for this site
    Caddy,
    /// Your own server with nginx: a configuration for this site
    Nginx,
}

#[derive(clap::Args)]
pub(super) struct InitArgs {
    /// The folder of the site; existing files are never overwritten
    #[arg(default_value = ".")]
    pub(super) dir: PathBuf,
    /// Import these exports, files or folders instead of adding example conversations
    #[arg(long, value_name = "EXPORT", num_args = 1.., conflicts_with = "print")]
    pub(super) from: Vec<PathBuf>,
    /// The title of a new site [default: asked for on a terminal]
    #[arg(long, value_name = "TEXT", conflicts_with = "print")]
    pub(super) title: Option<String>,
    /// Write the files that a host needs to build and publish the site, or a server to serve it
    #[arg(long, value_enum, value_name = "HOST")]
    pub(super) deploy: Option<DeployHost>,
    /// Let GitHub build the site from the sources in a private repository [default: the repository is
    /// public and gets only the output, from `deploy --to git:gh-pages`]
    #[arg(long, requires = "deploy")]
    pub(super) private_repository: bool,
    /// The SHA-256 of the archive that the host installs, from SHA256SUMS of the release
    #[arg(long, value_name = "HEX", requires = "deploy", value_parser = sha256)]
    pub(super) sha256: Option<String>,
    /// Print the files of --deploy instead of writing them
    #[arg(long, requires = "deploy")]
    pub(super) print: bool,
    /// The output folder that the server serves [default: DIR/public]
    #[arg(short, long, value_name = "OUT", requires = "deploy")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) address: BaseUrlArgs,
}

fn sha256(text: &str) -> Result<String, &'static str> {
    let is_sum = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let wrong = "expected 64 hexadecimal digits";
    is_sum.then(|| text.to_ascii_lowercase()).ok_or(wrong)
}

#[derive(clap::Args)]
pub(super) struct DeployArgs {
    #[command(flatten)]
    pub(super) site: SiteArgs,
    /// The target: a folder, such as `./www`; `git:gh-pages`, a branch of the remote `origin` that
    /// contains only the output; `rsync:ada@example.org:/srv/talks`; `rclone:remote:talks`; `wrangler`
    /// (with wrangler.jsonc) or `wrangler:PROJECT` (Cloudflare Pages); `netlify` or `netlify:SITE`
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["include_private", "drafts", "future", "expired"])]
    pub(super) to: String,
    /// The output folder [default: SITE/public]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Keep the branch's earlier commits, with everything removed since then
    #[arg(long)]
    pub(super) keep_history: bool,
    /// Show what would change; change nothing
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
}

#[derive(clap::Args)]
pub(super) struct StatusArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// The output folder [default: SITE/public]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// List every file
    #[arg(short, long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Print JSON, with every file
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) address: BaseUrlArgs,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
}

#[derive(clap::Args)]
pub(super) struct ConvertArgs {
    /// Files with conversations, folders, or `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// The format to write; `html` writes pages, as `page` does
    #[arg(long, value_name = "FORMAT", value_parser = targets())]
    pub(super) to: String,
    /// The format to read [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format_names(|format| format.read.is_some()))]
    pub(super) from: Option<String>,
    /// The output: a file for one conversation, otherwise a folder; `-` for standard output
    /// [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Also convert private conversations, and list them
    #[arg(long)]
    pub(super) include_private: bool,
    /// How to show problems
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
}

#[derive(clap::Args)]
pub(super) struct PageArgs {
    /// Files, folders or archives with conversations
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// The output: a file ending in .html for one conversation, or a folder; `-` for standard output
    /// [default: a file named after its date and title]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// The format to read [default: detected]
    #[arg(long, value_name = "FORMAT", value_parser = format_names(|format| format.read.is_some()))]
    pub(super) from: Option<String>,
    /// Also write private conversations, and list them
    #[arg(long)]
    pub(super) include_private: bool,
    /// How to show problems
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
    #[command(flatten)]
    pub(super) gate: GateArgs,
}

#[derive(clap::Args, Default)]
#[command(override_usage = "convo-site import [OPTIONS] <EXPORT>... [SITE]")]
pub(super) struct ImportArgs {
    /// Exports as downloaded, files or folders; then the folder with site.toml, to import into that
    /// site
    #[arg(required = true, value_name = "EXPORT")]
    pub(super) exports: Vec<PathBuf>,
    /// Select conversations that match a search query: words, "phrases", -not, prefix*, speaker:,
    /// model:, lang:, type:, tag:, before:, after:, has:code, has:tool
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) filter: Vec<String>,
    /// Select conversations with a turn on that date or later: 2025, 2025-10 or 2025-10-23
    #[arg(long, value_name = "DATE", value_parser = partial_date)]
    pub(super) since: Option<PartialDate>,
    /// Select conversations that started on that date or before
    #[arg(long, value_name = "DATE", value_parser = partial_date)]
    pub(super) until: Option<PartialDate>,
    /// Select conversations with this text in their titles
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Select the conversations with the ids in this file, one per line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(super) ids_from: Option<PathBuf>,
    /// The format to read [default: detected]; for a format with files in project folders, such as
    /// aider, all files below a folder are found, hidden or not
    #[arg(long, alias = "as", value_name = "FORMAT", value_parser = format_names(|format| format.read.is_some()))]
    pub(super) from: Option<String>,
    /// Show what would change; change nothing
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Also import private conversations; the site still withholds them
    #[arg(long)]
    pub(super) include_private: bool,
    /// Write files that are safe in a public repository
    ///
    /// Secrets, the words of `[[redact]]` and the names of people with pseudonyms are replaced as in a
    /// build; secrets that would withhold a conversation are redacted. Private conversations are not
    /// written; chats between people only with --include-private.
    #[arg(long)]
    pub(super) redact: bool,
    /// Keep system prompts and other instructions of programs
    #[arg(long)]
    pub(super) include_system: bool,
    /// Replace files that you edited
    #[arg(long)]
    pub(super) overwrite_edited: bool,
    /// Put conversations that you removed from publish.toml back on the list
    #[arg(long)]
    pub(super) list_again: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// How to show problems
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
}

fn partial_date(text: &str) -> Result<PartialDate, &'static str> {
    PartialDate::parse(text).ok_or(PartialDate::EXPECTED)
}

#[cfg(feature = "local-search")]
#[derive(clap::Args)]
pub(super) struct SearchArgs {
    /// The query, as in the search of the site
    #[arg(allow_hyphen_values = true)]
    pub(super) query: String,
    /// The folder with site.toml; or any file, folder or archive with conversations
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// The maximum number of turns to show
    #[arg(short, long, default_value_t = 20, value_name = "N")]
    pub(super) limit: usize,
    /// Print JSON
    #[arg(long, conflicts_with = "count")]
    pub(super) json: bool,
    /// Print only the number of turns
    #[arg(short, long)]
    pub(super) count: bool,
    /// Also search private conversations
    #[arg(long)]
    pub(super) include_private: bool,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
}

#[cfg(feature = "mcp")]
#[derive(clap::Args)]
pub(super) struct McpArgs {
    /// The folder with site.toml; or any file, folder or archive with conversations
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// Also let the assistant read private conversations
    #[arg(long)]
    pub(super) include_private: bool,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
}

#[derive(clap::Args)]
#[command(override_usage = "convo-site search-index [SITE] --to <ENGINE> [WHERE]")]
pub(super) struct SearchIndexArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// The engine and the target: `opensearch URL`, or `ndjson` with a folder, a file or nothing
    #[arg(long, num_args = 1..=2, value_names = ["ENGINE", "WHERE"], required = true)]
    pub(super) to: Vec<String>,
    /// Fill a new index, and switch to it when it is complete
    #[arg(long)]
    pub(super) rebuild: bool,
    /// The number of seconds to wait for a response, retries included
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(super) timeout: u64,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
}

#[derive(clap::Args)]
pub(super) struct ServeArgs {
    /// The folder with site.toml; or any file, folder or archive with conversations, which is previewed with
    /// default settings
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// Preview the conversations that a program keeps on this computer, such as `claude-code` or `codex`
    #[arg(long = "as", value_name = "PROGRAM", conflicts_with = "site")]
    pub(super) program: Option<String>,
    /// The port; if it is in use, the next free port is used
    #[arg(short, long, default_value_t = 3000)]
    pub(super) port: u16,
    /// The IP address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    pub(super) bind: IpAddr,
    /// Open the site in the browser
    #[arg(long)]
    pub(super) open: bool,
    /// Show only what a build publishes: without drafts, scheduled and expired conversations, which the
    /// preview otherwise shows with a mark
    #[arg(long, conflicts_with = "include_private")]
    pub(super) published: bool,
    /// Also show private conversations
    #[arg(long, alias = "drafts")]
    pub(super) include_private: bool,
    /// Hide the bar for editing titles, tags and turns
    #[arg(long)]
    pub(super) read_only: bool,
    /// Check for changes every second, for file systems without change notifications
    #[arg(long)]
    pub(super) poll: bool,
    #[command(flatten)]
    pub(super) address: BaseUrlArgs,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
}

#[derive(clap::Args)]
pub(super) struct SiteArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// How to show problems
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
    /// Also exit with 1 on warnings
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Include private conversations, and list them
    #[arg(long)]
    pub(super) include_private: bool,
    /// Include drafts, with a mark, and list them
    #[arg(long)]
    pub(super) drafts: bool,
    /// Include scheduled conversations, with a mark
    #[arg(long)]
    pub(super) future: bool,
    /// Include expired conversations, with a mark
    #[arg(long)]
    pub(super) expired: bool,
    #[command(flatten)]
    pub(super) address: BaseUrlArgs,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
}

impl SiteArgs {
    /// Returns the choices that these arguments select.
    pub(super) fn choices(&self) -> Result<Choices, Failure> {
        let release = Release {
            private: self.include_private,
            drafts: self.drafts,
            future: self.future,
            expired: self.expired,
            today: None,
        };
        self.gate.choose(&self.address, Choices { release, ..Choices::default() })
    }
}

#[derive(clap::Args, Default)]
pub(super) struct GateArgs {
    /// Treat the values in a file of KEY=VALUE lines, such as .env, as secrets; they are not stored
    /// anywhere
    #[arg(long, value_name = "FILE")]
    pub(super) env: Vec<PathBuf>,
    /// Build as if it were this day, which decides what is scheduled, expired or no longer accepted
    /// [default: SOURCE_DATE_EPOCH, or today in UTC]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(super) today: Option<baseline::Day>,
}

/// Returns the secret from which pseudonyms are derived, if it is set in the environment.
#[expect(clippy::disallowed_methods, reason = "build servers keep secrets in the environment")]
fn people_key() -> Result<Option<Hash>, Failure> {
    let given = std::env::var(people::KEY_VARIABLE).unwrap_or_default();
    // CI leaves it empty where secrets are not available, such as in pull requests of forks.
    let given = given.trim();
    match (given.is_empty(), Hash::from_hex(given)) {
        (true, _) => Ok(None),
        (false, Some(key)) => Ok(Some(key)),
        (false, None) => Err(Failure::Usage(format!(
            "`{}` is not a key of 32 hexadecimal digits; copy the content of `{}`",
            people::KEY_VARIABLE,
            people::KEY_FILE
        ))),
    }
}

fn day(text: &str) -> Result<baseline::Day, &'static str> {
    text.parse().map_err(|_| "expected a date such as 2025-10-23")
}

/// Completes the choices of a command that publishes nothing: if the site has no secret for pseudonyms yet, a
/// temporary one is used.
pub(super) fn with_fallback_key(choices: Choices) -> Result<Choices, Failure> {
    let fallback_people_key = Some(Hash::of_bytes(&disk::random_key::<32>()?));
    Ok(Choices { fallback_people_key, ..choices })
}

impl GateArgs {
    /// Completes choices with these arguments and the environment.
    #[expect(
        clippy::disallowed_methods,
        reason = "build servers are detected by variables; SOURCE_DATE_EPOCH makes builds reproducible"
    )]
    pub(super) fn choose(
        &self,
        address: &BaseUrlArgs,
        choices: Choices,
    ) -> Result<Choices, Failure> {
        let mut text = String::new();
        for path in &self.env {
            text.push_str(&String::from_utf8_lossy(&disk::read(path)?));
            text.push('\n');
        }
        let env = EnvValues::parse(&text)
            .map_err(|why| Failure::Usage(format!("cannot use the values of `--env`: {why}")))?;
        let epoch = std::env::var("SOURCE_DATE_EPOCH").ok();
        let epoch = epoch.and_then(|seconds| seconds.trim().parse().ok());
        let now = epoch.and_then(|seconds| Timestamp::from_second(seconds).ok());
        let now = now.unwrap_or_else(Timestamp::now);
        let people_key = people_key()?;
        let variable = |name: &str| std::env::var(name).ok();
        let environment = BuildEnvironment::read(address.base_url.clone(), &variable);
        let environment = environment.map_err(Failure::Usage)?;
        let today = self.today.or(Some(now.to_zoned(TimeZone::UTC).date()));
        Ok(Choices { env, today, people_key, environment, ..choices })
    }
}

#[derive(clap::Args)]
pub(super) struct ReviewArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Print JSON without asking
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(clap::Args)]
pub(super) struct EditArgs {
    /// The conversation: the URL of its page, its id, its file or its title
    #[arg(value_name = "CONVERSATION")]
    pub(super) conversation: String,
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// Set the title
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Set the slug of the URL [default: from the title]
    #[arg(long, value_name = "TEXT")]
    pub(super) slug: Option<String>,
    /// Set the summary
    #[arg(long, value_name = "TEXT")]
    pub(super) description: Option<String>,
    /// Set the date: 2025-10-23 or 2025-10-23T09:15:00Z
    #[arg(long, value_name = "DATE")]
    pub(super) date: Option<String>,
    /// Replace all tags with this one; repeat for several
    #[arg(long, value_name = "TAG")]
    pub(super) tag: Vec<String>,
    /// Add it to a collection
    #[arg(long, value_name = "NAME")]
    pub(super) collection: Option<String>,
    /// Do not publish it
    #[arg(long, conflicts_with = "public")]
    pub(super) private: bool,
    /// Publish it, if it is a chat between people
    #[arg(long)]
    pub(super) public: bool,
    /// Keep it at the top of lists
    #[arg(long)]
    pub(super) pin: bool,
    /// Show it on the home page
    #[arg(long)]
    pub(super) feature: bool,
    /// Rename a speaker
    #[arg(long, value_name = "NAME=NEW", value_parser = renamed)]
    pub(super) speaker: Vec<(String, String)>,
    /// Do not publish a turn: ID is its link (“Copy link” in the menu of the turn), or the part after `#`
    #[arg(long, value_name = "ID")]
    pub(super) hide_turn: Vec<String>,
    /// Redact a word or phrase
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(super) redact: Vec<String>,
    /// Undo a change
    #[arg(long, value_name = "KEY")]
    pub(super) unset: Vec<EditKey>,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
}

/// The keys of an entry in edits.toml.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum EditKey {
    Title,
    Slug,
    Description,
    Date,
    Tags,
    Collection,
    Visibility,
    Pinned,
    Featured,
    Speakers,
    Hide,
    Redact,
}

impl std::fmt::Display for EditKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.to_possible_value().expect("no key is skipped");
        f.write_str(value.get_name())
    }
}

fn renamed(text: &str) -> Result<(String, String), &'static str> {
    let (name, new) = text.split_once('=').ok_or("expected NAME=NEW")?;
    match name.is_empty() || new.trim().is_empty() {
        true => Err("expected NAME=NEW"),
        false => Ok((name.to_owned(), new.trim().to_owned())),
    }
}

#[derive(clap::Args, Default)]
pub(super) struct BaseUrlArgs {
    /// The URL of the site [default: CONVO_SITE_BASE_URL, the preview URL of the host, base_url in
    /// site.toml, or the URL of the host, whichever is set first]
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(super) base_url: Option<BaseUrl>,
}

/// The environment variable for the folder of the cache.
const CACHE_VARIABLE: &str = "CONVO_SITE_CACHE_DIR";

#[derive(clap::Args, Clone, Default)]
pub(super) struct CacheArgs {
    /// The folder in which the cache folder `.convo-site` is kept; each site needs its own
    /// [default: CONVO_SITE_CACHE_DIR, or SITE]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns the folder that holds the cache of the site in the folder `site`.
    #[expect(
        clippy::disallowed_methods,
        reason = "hosts set the folder that they keep between builds"
    )]
    pub(super) fn folder(&self, site: &Path) -> PathBuf {
        let variable = || std::env::var(CACHE_VARIABLE).ok().filter(|dir| !dir.is_empty());
        let chosen = self.cache_dir.clone().or_else(|| variable().map(PathBuf::from));
        chosen.unwrap_or_else(|| site.to_owned())
    }
}

fn base_url(url: &str) -> Result<BaseUrl, &'static str> {
    BaseUrl::try_from(url.to_owned())
}

/// The formats of reported problems.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum MessageFormat {
    /// For people, with an excerpt of the file, on standard error
    #[default]
    Human,
    /// One line each, on standard error
    Short,
    /// A JSON array, on standard output
    Json,
    /// Workflow commands of GitHub Actions, on standard output
    Github,
    /// SARIF 2.1.0, on standard output
    Sarif,
}

fn format_names(wanted: fn(&Format) -> bool) -> clap::builder::PossibleValuesParser {
    names(wanted).collect::<Vec<_>>().into()
}

fn names(wanted: fn(&Format) -> bool) -> impl Iterator<Item = &'static str> {
    crate::formats::ALL.iter().filter(move |format| wanted(format)).map(|format| format.name)
}

/// The value of `convert --to` that writes pages.
pub(super) const PAGES: &str = "html";

fn targets() -> clap::builder::PossibleValuesParser {
    names(|format| format.write.is_some()).chain([PAGES]).collect::<Vec<_>>().into()
}
