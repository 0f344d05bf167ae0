//! The command line. The doc comments are its help.

use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Failure, version};
use crate::config::{BaseUrl, BuildEnvironment};
use crate::disk;
use crate::formats::Format;
use crate::gate::{EnvValues, baseline};
use crate::hash::Hash;
use crate::partition::Partition;
use crate::people;
use crate::pipeline::Choices;
use crate::sources::Release;

/// A static site generator for conversation archives
#[derive(Parser)]
#[command(
    name = "convo-site",
    version = version::short(),
    long_version = version::long(),
    arg_required_else_help = true
)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Build a site
    Build {
        #[command(flatten)]
        site: SiteArgs,
        /// Where the site goes [default: SITE/public]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Ignore the cache, and make every file again
        #[arg(long)]
        no_cache: bool,
        /// Make and write one of several parts of the site, such as 2/7 for the second of seven, for
        /// builds on several machines: all parts together are what one build writes
        ///
        /// No other part may stand in OUT, unless all are written there by --shared-output. What there is
        /// to say of a file is told by one of the parts.
        #[arg(long, value_name = "I/N")]
        part: Option<Partition>,
        /// Write to an OUT to which all other parts are written too
        #[arg(long, requires = "part")]
        shared_output: bool,
        /// Write a list of the files that this build wrote and removed into FILE, for whoever uploads
        /// them: a line for each, `written` or `removed`, a tab, and the path below OUT
        #[arg(long, value_name = "FILE")]
        changed_list: Option<PathBuf>,
    },
    /// Read the conversations, or a part of them, into the cache from which `build` takes them
    ///
    /// For builds on several machines: each reads a part, and the caches are merged by copying their
    /// folders over each other. What there is to say of conversations is told by `build`.
    Read(ReadArgs),
    /// Find turns: words, "phrases", -not, prefix*, speaker:, model:, lang:, type:, tag:,
    /// before:, after:, has:code, has:tool
    ///
    /// Exits with 1 when nothing matches.
    #[cfg(feature = "local-search")]
    Search(SearchArgs),
    /// Send the turns of a site to a search engine, or write them for one
    ///
    /// `--to opensearch URL` brings the index at URL up to date, such as
    /// `https://search.example.org:9200/talks`: only what changed is sent, what is gone is removed, and
    /// whoever searches meanwhile finds all of it. Interrupted, it goes on where it stopped. `name:password`,
    /// or such as `ApiKey …`, comes from the variable CONVO_SITE_ENGINE_CREDENTIALS or from the file that
    /// CONVO_SITE_ENGINE_CREDENTIALS_FILE names; the certificates by which the server is known, where
    /// those of the web are not, from the file that CONVO_SITE_ENGINE_CA_FILE names.
    ///
    /// `--to ndjson DIR` writes `documents.ndjson`, and what an index is for OpenSearch and for Quickwit;
    /// `--to ndjson FILE.ndjson` and `--to ndjson` alone, to standard output, only the documents.
    ///
    /// Exits with 1 when something could not be read or is refused by the engine.
    SearchIndex(SearchIndexArgs),
    /// Show a site in the browser, and keep it up to date while you write
    Serve(ServeArgs),
    /// Remove the cache and all files that builds wrote; files of others stay
    Clean {
        /// The folder with site.toml
        #[arg(default_value = ".", value_name = "SITE")]
        site: PathBuf,
        /// Where the site went [default: SITE/public]
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        #[command(flatten)]
        cache: CacheArgs,
    },
    /// Find the problems that a build would find, and write nothing
    Check(CheckArgs),
    /// Bring the site that was built to where it is shown: only what changed, and in an order in
    /// which no page names what is not there yet
    ///
    /// It is checked first, as `check --publish` does, and nothing goes out unless it may. A folder
    /// is written by this program; everything else is brought by a program of others, which must be
    /// installed: rsync, rclone, Wrangler of Cloudflare, or the command of Netlify. Of what stands
    /// there, only what an earlier deploy brought is ever removed.
    ///
    /// Exits with 1 when the site may not go out.
    Deploy(DeployArgs),
    /// Show which conversations are public, which are not, and why
    Status(StatusArgs),
    /// Look at the secrets that were found, one after the other, and decide what becomes of each
    ///
    /// Held back, redacted or accepted with a reason: what is decided is written into gate.toml,
    /// without the secrets themselves. No file of the content folder is changed.
    ///
    /// Exits with 1 when secrets still hold conversations back.
    Review(ReviewArgs),
    /// Start a site: a commented site.toml and two conversations
    ///
    /// With --deploy also what a host or a server needs to show it, in a site that is there as well.
    Init {
        #[command(flatten)]
        init: InitArgs,
    },
    /// Write conversations in another format, and say what is lost
    Convert(ConvertArgs),
    /// Show what is in exports of other programs, and bring chosen conversations into a site
    ///
    /// Without a SITE it only lists them. With one, each chosen conversation becomes a file in the
    /// site's content folder, which holds all that a page can show, and nothing of accounts. A
    /// later import of a newer export brings these files up to date, whatever they are called by
    /// then, and touches no other file. What was edited by hand is not overwritten.
    ///
    /// Exits with 1 when nothing is chosen.
    Import(ImportArgs),
    /// Explain what the code of an error, a warning or a hint means, and what to do about it
    Explain {
        /// What stands in brackets, such as `bad-json` [default: list them all]
        code: Option<String>,
    },
    /// Change how pages are made
    Theme {
        #[command(subcommand)]
        what: ThemeCommand,
    },
    /// Show what there is to choose from
    List {
        /// What to list
        #[arg(value_enum)]
        what: Listed,
        /// The name of a format, to be told where to find it and what is read of it; or the folder
        /// with site.toml, for the themes that the site has of its own
        #[arg(value_name = "NAME|SITE")]
        of: Option<PathBuf>,
        /// Tell that of every format
        #[arg(short, long)]
        long: bool,
    },
    /// Print what a shell completes commands by
    ///
    /// For bash, for example: `convo-site completions bash >
    /// ~/.local/share/bash-completion/completions/convo-site`.
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page of the program or of a command, in the form that `man` reads
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
    /// Read one of several parts, such as 2/7 for the second of seven [default: everything]
    #[arg(long, value_name = "I/N")]
    pub(super) part: Option<Partition>,
    /// Read the words for the search index, when all conversations are in the cache: a step between, so
    /// that who builds the part with the index need not read all texts
    #[arg(long)]
    pub(super) search: bool,
    /// Read for a build with --include-private
    #[arg(long)]
    pub(super) include_private: bool,
    /// Read for a build with --drafts
    #[arg(long)]
    pub(super) drafts: bool,
    /// Read for a build with --future
    #[arg(long)]
    pub(super) future: bool,
    /// Read for a build with --expired
    #[arg(long)]
    pub(super) expired: bool,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// How problems are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
    /// Show errors and nothing else
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl ReadArgs {
    /// Returns the choices that these arguments make.
    pub(super) fn choices(&self) -> Result<Choices, Failure> {
        let release = Release {
            private: self.include_private,
            drafts: self.drafts,
            future: self.future,
            expired: self.expired,
            today: None,
        };
        let choices = Choices { release, ..Choices::default() };
        self.gate.choose(&AddressArgs::default(), choices)
    }
}

/// What `theme` does.
#[derive(Subcommand)]
pub(super) enum ThemeCommand {
    /// Copy a built-in template into the site's `templates/`, where it stands for the built-in one
    ///
    /// Without a name it lists the templates. A build tells when the built-in one has changed since.
    /// To change only a part of a template, no copy is needed: a file `templates/base.html` that begins
    /// with `{% extends "built-in/base.html" %}` fills the blocks that it names.
    Eject {
        /// The name of a template, such as `base.html`
        name: Option<String>,
        /// The folder with site.toml
        #[arg(default_value = ".", value_name = "SITE")]
        site: PathBuf,
        /// Print the template, and write nothing
        #[arg(long, requires = "name")]
        print: bool,
    },
}

/// The lists of `list`.
#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Listed {
    /// The formats of conversations: name, title, whether they are read and written
    Formats,
    /// The themes that a site can have
    Themes,
}

#[derive(clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) site: SiteArgs,
    /// Exit with 0 only if the site that stands in OUT may go out as it is
    ///
    /// For CI, between `build` and the upload: no errors, and every file in OUT is what a build would
    /// write now. What is private or held back for a secret does not stand in the way, because nothing
    /// of it may be in OUT, and one pasted key should not keep all else off the web; it is a warning.
    /// Neither do other warnings, such as possible secrets and files that are not read.
    /// --deny-warnings lets all of them stand in the way.
    #[arg(long, conflicts_with_all = ["include_private", "drafts", "future", "expired"])]
    pub(super) publish: bool,
    /// Where the site went, for --publish [default: SITE/public]
    #[arg(short, long, value_name = "OUT", requires = "publish")]
    pub(super) output: Option<PathBuf>,
}

/// Where a site can be shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum DeployHost {
    /// GitHub Pages: a workflow and a script
    Github,
    /// Netlify: netlify.toml and a script
    Netlify,
    /// Cloudflare, as the static assets of a Worker: wrangler.jsonc and a script
    Cloudflare,
    /// GitLab Pages: .gitlab-ci.yml and a script
    Gitlab,
    /// A server of one's own with Caddy: a Caddyfile for this site
    Caddy,
    /// A server of one's own with nginx: a configuration for this site
    Nginx,
}

#[derive(clap::Args)]
pub(super) struct InitArgs {
    /// The folder of the site; files that are there are never overwritten
    pub(super) dir: PathBuf,
    /// Write what a host needs to build and publish the site, or a server to serve it
    #[arg(long, value_enum, value_name = "HOST")]
    pub(super) deploy: Option<DeployHost>,
    /// The repository is private: let GitHub build the site from the sources in it [default: a public
    /// repository gets the output alone, from `deploy --to git:gh-pages`]
    #[arg(long, requires = "deploy")]
    pub(super) private_repository: bool,
    /// The SHA-256 of the archive that the host installs, as SHA256SUMS of the release says
    #[arg(long, value_name = "HEX", requires = "deploy", value_parser = sha256)]
    pub(super) sha256: Option<String>,
    /// Print what --deploy would write, and write nothing
    #[arg(long, requires = "deploy")]
    pub(super) print: bool,
    /// The output folder that a server shows [default: DIR/public]
    #[arg(short, long, value_name = "OUT", requires = "deploy")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) address: AddressArgs,
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
    /// Where it goes: the path of a folder, such as `./www`; `git:gh-pages`, a branch of the remote
    /// `origin` that holds the output alone; `rsync:ada@example.org:/srv/talks`; `rclone:remote:talks`;
    /// `wrangler`, as wrangler.jsonc says, or `wrangler:PROJECT` of Cloudflare Pages; `netlify`, or
    /// `netlify:SITE`
    #[arg(long, value_name = "WHERE", conflicts_with_all = ["include_private", "drafts", "future", "expired"])]
    pub(super) to: String,
    /// Where the site was built [default: SITE/public]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Keep the earlier commits of a branch, and with them what was removed from the site since
    #[arg(long)]
    pub(super) keep_history: bool,
    /// Show what would be done, and change nothing
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
}

#[derive(clap::Args)]
pub(super) struct StatusArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// Where the site went [default: SITE/public]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Name every file
    #[arg(short, long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Print it as JSON, with every file
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) address: AddressArgs,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
}

#[derive(clap::Args)]
pub(super) struct ConvertArgs {
    /// Files with conversations, folders, or `-` for standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    /// The format to write
    #[arg(long, value_name = "FORMAT", value_parser = format_names(|format| format.write.is_some()))]
    pub(super) to: String,
    /// The format to read [default: what each file shows]
    #[arg(long, value_name = "FORMAT", value_parser = format_names(|format| format.read.is_some()))]
    pub(super) from: Option<String>,
    /// Where to write: a file for one conversation, else a folder, or `-` for standard output
    /// [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Convert private conversations as well, and name each one
    #[arg(long)]
    pub(super) include_private: bool,
    /// How problems are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
}

#[derive(clap::Args)]
#[command(override_usage = "convo-site import [OPTIONS] <EXPORT>... [SITE]")]
pub(super) struct ImportArgs {
    /// Exports, as they were downloaded: files or folders; after them, if anything is to be
    /// written, the folder of the site, which has a site.toml
    #[arg(required = true, value_name = "EXPORT")]
    pub(super) exports: Vec<PathBuf>,
    /// Choose by a query of the search, asked of a conversation as a whole: words,
    /// "phrases", -not, prefix*, speaker:, model:, lang:, type:, tag:, before:, after:, has:code,
    /// has:tool
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    pub(super) filter: Vec<String>,
    /// Choose what went on that day or later, such as 2025, 2025-10 or 2025-10-23
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    pub(super) since: Option<Day>,
    /// Choose what began that day or before
    #[arg(long, value_name = "DATE", value_parser = Day::parse)]
    pub(super) until: Option<Day>,
    /// Choose those with this in their titles
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,
    /// Choose those whose ids stand in this file, one in each line; `-` for standard input
    #[arg(long, value_name = "FILE")]
    pub(super) ids_from: Option<PathBuf>,
    /// The format to read [default: what each file shows]; of one whose files lie in the folders of
    /// projects, such as aider, all below a folder are found, hidden or not
    #[arg(long, visible_alias = "as", value_name = "FORMAT", value_parser = format_names(|format| format.read.is_some()))]
    pub(super) from: Option<String>,
    /// Show what would be written, and write nothing
    #[arg(short = 'n', long)]
    pub(super) dry_run: bool,
    /// Write private conversations as well; the site still holds them back
    #[arg(long)]
    pub(super) include_private: bool,
    /// Write files that may be in a public repository: secrets, the words of `[[redact]]` and the names
    /// of people with made-up ones are replaced as in a build, and what a build would hold back for
    /// a secret is redacted. Private conversations are not written; chats only with
    /// --include-private
    #[arg(long)]
    pub(super) redact: bool,
    /// Keep system prompts and other instructions of programs, which are left out otherwise
    #[arg(long)]
    pub(super) include_system: bool,
    /// Replace files that were edited by hand
    #[arg(long)]
    pub(super) overwrite_edited: bool,
    /// Print the list as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// How problems are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
}

/// A day, a month or a year.
#[derive(Clone, Copy)]
pub(super) struct Day {
    /// The digits that were named, as a number: 2025, 202510 or 20251023.
    number: u32,
    /// By what a whole day, such as 20251023, is divided to be compared with it.
    unit: u32,
}

impl Day {
    fn parse(text: &str) -> Result<Self, &'static str> {
        let wrong = "expected a date such as 2025-10-23, 2025-10 or 2025";
        let parts: Vec<&str> = text.split('-').collect();
        let fits = |(part, digits): (&&str, usize)| {
            part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if parts.len() > 3 || !parts.iter().zip([4, 2, 2]).all(fits) {
            return Err(wrong);
        }
        let number = parts.concat().parse().map_err(|_| wrong)?;
        Ok(Self { number, unit: [10_000, 100, 1][parts.len() - 1] })
    }

    /// Returns where a day, such as 20251023, is.
    pub(super) fn compared_to(self, day: u32) -> std::cmp::Ordering {
        (day / self.unit).cmp(&self.number)
    }
}

#[cfg(feature = "local-search")]
#[derive(clap::Args)]
pub(super) struct SearchArgs {
    /// What to look for, in the language of the site's own search
    #[arg(allow_hyphen_values = true)]
    pub(super) query: String,
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// How many turns are shown
    #[arg(short, long, default_value_t = 20, value_name = "N")]
    pub(super) limit: usize,
    /// Print what was found as JSON
    #[arg(long, conflicts_with = "count")]
    pub(super) json: bool,
    /// Print how many turns there are and nothing else
    #[arg(short, long)]
    pub(super) count: bool,
    /// Search private conversations as well
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
    /// For what, and where: `opensearch URL`, or `ndjson` with a folder, a file or nothing
    #[arg(long, num_args = 1..=2, value_names = ["ENGINE", "WHERE"], required = true)]
    pub(super) to: Vec<String>,
    /// Fill a new index beside the one that is there, and let readers ask it when it is whole
    #[arg(long)]
    pub(super) rebuild: bool,
    /// How long to wait for the answer to a request, in seconds, however often it is made again
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(super) timeout: u64,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Show errors and nothing else
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(clap::Args)]
pub(super) struct ServeArgs {
    /// The folder with site.toml
    #[arg(default_value = ".", value_name = "SITE")]
    pub(super) site: PathBuf,
    /// The port; if it is in use, the next one that is free
    #[arg(short, long, default_value_t = 3000)]
    pub(super) port: u16,
    /// The address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    pub(super) bind: IpAddr,
    /// Open the site in the browser
    #[arg(long)]
    pub(super) open: bool,
    /// Show what a build publishes: no drafts, and nothing that is to be published later or has
    /// expired, which the preview shows with a mark otherwise
    #[arg(long, conflicts_with = "include_private")]
    pub(super) published: bool,
    /// Show private conversations as well
    #[arg(long, alias = "drafts")]
    pub(super) include_private: bool,
    /// Look for changes every second, for file systems that do not tell them
    #[arg(long)]
    pub(super) poll: bool,
    #[command(flatten)]
    pub(super) address: AddressArgs,
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
    /// How problems are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
    /// Exit with 1 on warnings as well
    #[arg(long)]
    pub(super) deny_warnings: bool,
    /// Publish private conversations as well, and name each one
    #[arg(long)]
    pub(super) include_private: bool,
    /// Publish drafts as well, with a mark, and name each one
    #[arg(long)]
    pub(super) drafts: bool,
    /// Publish what is to be published later as well, with a mark
    #[arg(long)]
    pub(super) future: bool,
    /// Publish what has expired as well, with a mark
    #[arg(long)]
    pub(super) expired: bool,
    #[command(flatten)]
    pub(super) address: AddressArgs,
    #[command(flatten)]
    pub(super) cache: CacheArgs,
    #[command(flatten)]
    pub(super) gate: GateArgs,
    /// Show errors and nothing else
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl SiteArgs {
    /// Returns the choices that these arguments make.
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
    /// Look for the values of a file of KEY=VALUE lines, such as .env, which are secrets wherever they
    /// stand; they are never written anywhere
    #[arg(long, value_name = "FILE")]
    pub(super) env: Vec<PathBuf>,
    /// The day of the build, by which conversations are published or expire and accepted findings
    /// end [default: SOURCE_DATE_EPOCH, or today in
    /// UTC]
    #[arg(long, value_name = "DATE", value_parser = day)]
    pub(super) today: Option<baseline::Day>,
}

/// Returns the secret from which names are made up, where the environment has it.
#[expect(
    clippy::disallowed_methods,
    reason = "a server that builds has secrets in its environment"
)]
fn people_key() -> Result<Option<Hash>, Failure> {
    let given = std::env::var(people::KEY_VARIABLE).unwrap_or_default();
    // A server sets it to nothing where the secret may not be had.
    let given = given.trim();
    match (given.is_empty(), Hash::from_hex(given)) {
        (true, _) => Ok(None),
        (false, Some(key)) => Ok(Some(key)),
        (false, None) => Err(Failure::Usage(format!(
            "`{}` is no key of 32 hexadecimal digits, such as `{}` has",
            people::KEY_VARIABLE,
            people::KEY_FILE
        ))),
    }
}

fn day(text: &str) -> Result<baseline::Day, &'static str> {
    text.parse().map_err(|_| "expected a date such as 2025-10-23")
}

/// Completes the choices of a command that publishes nothing: where the site has no secret yet from which names
/// are made up, it takes another.
pub(super) fn with_fallback_key(choices: Choices) -> Result<Choices, Failure> {
    let fallback_people_key = Some(Hash::of_bytes(&disk::random_key::<32>()?));
    Ok(Choices { fallback_people_key, ..choices })
}

impl GateArgs {
    /// Completes choices by what these arguments say.
    #[expect(
        clippy::disallowed_methods,
        reason = "servers that build say so, and who builds again sets SOURCE_DATE_EPOCH"
    )]
    pub(super) fn choose(
        &self,
        address: &AddressArgs,
        choices: Choices,
    ) -> Result<Choices, Failure> {
        let mut text = String::new();
        for path in &self.env {
            text.push_str(&String::from_utf8_lossy(&disk::read(path)?));
            text.push('\n');
        }
        let env = EnvValues::parse(&text).map_err(|why| {
            Failure::Usage(format!("the values of `--env` cannot be looked for: {why}"))
        })?;
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
    /// Print what was found as JSON, and ask nothing
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(clap::Args, Default)]
pub(super) struct AddressArgs {
    /// The address at which the site will stand [default: CONVO_SITE_BASE_URL, or base_url in
    /// site.toml; on the machines of Netlify, Cloudflare Pages and GitLab, what they say where
    /// site.toml has none, and for previews]
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(super) base_url: Option<BaseUrl>,
}

/// The variable that names the folder for what builds find out.
const CACHE_VARIABLE: &str = "CONVO_SITE_CACHE_DIR";

#[derive(clap::Args, Default)]
pub(super) struct CacheArgs {
    /// The folder in which a folder `.convo-site` keeps what builds find out; one for each site
    /// [default: CONVO_SITE_CACHE_DIR, or SITE]
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns the folder that holds the cache of the site in the folder `site`.
    #[expect(clippy::disallowed_methods, reason = "hosts keep some folders between builds")]
    pub(super) fn folder(&self, site: &Path) -> PathBuf {
        let variable = || std::env::var(CACHE_VARIABLE).ok().filter(|dir| !dir.is_empty());
        let chosen = self.cache_dir.clone().or_else(|| variable().map(PathBuf::from));
        chosen.unwrap_or_else(|| site.to_owned())
    }
}

fn base_url(url: &str) -> Result<BaseUrl, &'static str> {
    BaseUrl::try_from(url.to_owned())
}

/// How problems are shown.
#[derive(Clone, Copy, Default, ValueEnum)]
pub(super) enum MessageFormat {
    /// With the line in question, on standard error
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
    let formats = crate::formats::ALL.iter().filter(|format| wanted(format));
    formats.map(|format| format.name).collect::<Vec<_>>().into()
}
