//! The command line. The doc comments are its help.

use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::config::BaseUrl;
use crate::formats::Format;
use crate::pipeline::Choices;
use crate::sources::Private;

/// A static site generator for conversation archives
#[derive(Parser)]
#[command(name = "convo-site", version, arg_required_else_help = true)]
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
    },
    /// Find turns: words, "phrases", -not, prefix*, speaker:, model:, lang:, type:, tag:,
    /// before:, after:, has:code, has:tool
    ///
    /// Exits with 1 when nothing matches.
    #[cfg(feature = "local-search")]
    Search(SearchArgs),
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
    },
    /// Find the problems that a build would find, and write nothing
    Check {
        #[command(flatten)]
        site: SiteArgs,
    },
    /// Start a site: a commented site.toml and two conversations
    Init {
        /// The folder of the new site; files that are there are never overwritten
        dir: PathBuf,
    },
    /// Write conversations in another format, and say what is lost
    Convert(ConvertArgs),
    /// Explain what the code of an error, a warning or a hint means, and what to do about it
    Explain {
        /// What stands in brackets, such as `bad-json` [default: list them all]
        code: Option<String>,
    },
    /// Show what there is to choose from
    List {
        /// What to list
        #[arg(value_enum)]
        what: Listed,
        /// The folder with site.toml, for the themes that the site has of its own
        #[arg(default_value = ".", value_name = "SITE")]
        site: PathBuf,
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
    /// Where to write: a file for one conversation, else a folder [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Convert private conversations as well, and name each one
    #[arg(long)]
    pub(super) include_private: bool,
    /// How problems are shown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(super) message_format: MessageFormat,
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
    /// Show what a build holds back: private conversations
    #[arg(long)]
    pub(super) drafts: bool,
    /// Look for changes every second, for file systems that do not tell them
    #[arg(long)]
    pub(super) poll: bool,
    #[command(flatten)]
    pub(super) address: AddressArgs,
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
    #[command(flatten)]
    pub(super) address: AddressArgs,
    /// Show errors and nothing else
    #[arg(short, long)]
    pub(super) quiet: bool,
}

impl SiteArgs {
    /// Returns the choices that these arguments make.
    pub(super) fn choices(&self) -> Choices {
        let private =
            if self.include_private { Private::Included } else { Private::HeldBack };
        Choices { private, base_url: self.address.base_url.clone() }
    }
}

#[derive(clap::Args)]
pub(super) struct AddressArgs {
    /// The address at which the site will stand [default: base_url in site.toml]
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(super) base_url: Option<BaseUrl>,
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
