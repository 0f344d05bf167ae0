//! `convo-site mcp`: lets assistants search and read conversations.

use super::args::McpArgs;
use super::search::Searchable;
use super::unconfigured::Subject;
use super::{Failure, Outcome};
use crate::diag::Diagnostic;
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
    searchable.subject.files(None)?;
    mcp::serve(searchable)
        .map_err(|error| Failure::Usage(format!("cannot respond to the assistant: {error}")))?;
    Ok(Outcome::Fine)
}

impl Archive for Searchable {
    fn build(&self) -> Result<Build, String> {
        self.build(choices()).map_err(explain)
    }

    fn search(&self, query: &str, limit: usize) -> Result<(Build, SearchResults), String> {
        self.find(query, limit, choices()).map_err(explain)
    }
}

fn choices() -> Choices {
    Choices { needs_markdown: true, ..Choices::default() }
}

/// Returns what the assistant may know of a failure: settings contain names and words that nobody but
/// the author may see, and so do diagnostics about them.
fn explain(failure: Failure) -> String {
    match failure {
        Failure::Site(notes) => {
            let place = |note: &Diagnostic| {
                let at = note.at.as_ref().map(|at| {
                    let line = at.span.as_ref().map(|span| format!(":{}", span.line));
                    format!(" in {}{}", at.file, line.unwrap_or_default())
                });
                format!("{}{}", note.code, at.unwrap_or_default())
            };
            let places: Vec<String> = notes.iter().map(place).collect();
            format!(
                "the conversations cannot be read ({}); run `convo-site check`",
                places.join(", ")
            )
        }
        Failure::Disk(error) => error.to_string(),
        Failure::Usage(message) => message,
    }
}
