//! The command line. The doc comments are its help.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

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
    /// Print conversations in another format
    Convert {
        /// Files with conversations
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// The format to print
        #[arg(long, value_name = "FORMAT", value_parser = format_names())]
        to: String,
        /// How problems are shown
        #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
        message_format: MessageFormat,
    },
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

fn format_names() -> clap::builder::PossibleValuesParser {
    crate::formats::ALL.iter().map(|format| format.name).collect::<Vec<_>>().into()
}
