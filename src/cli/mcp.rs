//! `convo-site mcp`: lets assistants search and read conversations.

use super::args::McpArgs;
use super::report;
use super::search::Searchable;
use super::unconfigured::Subject;
use super::{Failure, Outcome};
use crate::local_search::SearchResults;
use crate::mcp::{self, Archive};
use crate::pipeline::{Build, Choices};

/// Answers the requests of an assistant until it closes standard input.
pub(super) fn run(args: &McpArgs) -> Result<Outcome, Failure> {
    let searchable = Searchable {
        subject: Subject::open(&args.site)?,
        cache: args.cache.clone(),
        include_private: args.include_private,
    };
    // Fails now if there is nothing to read.
    searchable.subject.files(None)?;
    mcp::serve(searchable)
        .map_err(|error| Failure::Usage(format!("the assistant cannot be answered: {error}")))?;
    Ok(Outcome::Fine)
}

impl Archive for Searchable {
    fn build(&self) -> Result<Build, String> {
        self.build(choices()).map_err(report::as_text)
    }

    fn search(&self, query: &str, limit: usize) -> Result<(Build, SearchResults), String> {
        self.find(query, limit, choices()).map_err(report::as_text)
    }
}

fn choices() -> Choices {
    Choices { needs_markdown: true, ..Choices::default() }
}
