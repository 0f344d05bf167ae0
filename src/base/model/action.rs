//! Actions: what tool calls of known kinds did.

use serde::{Deserialize, Serialize};

use super::markdown::{escaped, fenced};

/// What a tool call did, where the kind of the tool is known. It is shown in place of the
/// arguments.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum Action {
    /// A command ran in a shell.
    Command {
        /// The command line.
        command: String,
        /// The exit code, where the source says it; 0 is success.
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i64>,
    },
    /// Files were changed.
    Edit {
        /// The changes, in order.
        files: Vec<FileEdit>,
    },
    /// A list of things to do was written.
    Plan {
        /// The things to do.
        steps: Vec<PlanStep>,
    },
    /// Something was searched for.
    Search {
        /// What, in the words of the search.
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        /// The pages that were found.
        results: Vec<Citation>,
    },
}

/// A change of one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileEdit {
    /// The path of the file.
    pub path: String,
    /// What happened to it.
    pub kind: EditKind,
    /// Its path afterwards, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// The lines: each starts with ` `, `+` or `-`, as in a unified diff; those that start with
    /// `@@` part what does not stand together. Empty where the source does not say.
    pub diff: String,
}

/// What happened to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// It was made, or written anew as a whole.
    Write,
    /// Parts of it were changed.
    Update,
    /// It was removed.
    Delete,
}

/// A thing to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanStep {
    /// What is to be done, as plain text.
    pub text: String,
    /// How far it is.
    pub state: StepState,
}

/// How far a thing to do is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// Nobody began it.
    Open,
    /// Somebody is at it.
    Active,
    /// It is done.
    Done,
}

/// A page or a document on which something that was said is based.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Citation {
    /// Its title; the address stands for it where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its address; none for a document that is nowhere on the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Citation {
    /// Returns the words by which it is shown.
    pub fn label(&self) -> &str {
        let words = [&self.title, &self.url].into_iter().flatten();
        words.map(|text| text.trim()).find(|text| !text.is_empty()).unwrap_or("?")
    }
}

impl FileEdit {
    /// A file that was written as a whole.
    pub fn written(path: impl Into<String>, text: &str) -> Self {
        Self {
            path: path.into(),
            kind: EditKind::Write,
            moved_to: None,
            diff: super::diff::lines("", text),
        }
    }

    /// A file in which one text was replaced by another.
    pub fn replaced(path: impl Into<String>, before: &str, after: &str) -> Self {
        Self {
            path: path.into(),
            kind: EditKind::Update,
            moved_to: None,
            diff: super::diff::lines(before, after),
        }
    }
}

impl Action {
    /// Returns the action as Markdown.
    pub fn to_markdown(&self) -> String {
        match self {
            Self::Command { command, exit_code } => {
                let code = fenced("sh", command);
                match exit_code {
                    Some(exit) => format!("{code}\n\n*Exit code: {exit}*"),
                    None => code,
                }
            }
            Self::Edit { files } => {
                let file = |file: &FileEdit| {
                    let name = file.path.replace('`', "'");
                    let to = file.moved_to.as_ref();
                    let to = to.map(|to| format!(" → `{}`", to.replace('`', "'")));
                    let head = format!("`{name}`{}", to.unwrap_or_default());
                    match file.diff.is_empty() {
                        true => head,
                        false => format!("{head}\n\n{}", fenced("diff", &file.diff)),
                    }
                };
                files.iter().map(file).collect::<Vec<_>>().join("\n\n")
            }
            Self::Plan { steps } => {
                let step = |step: &PlanStep| {
                    let mark = if step.state == StepState::Done { "x" } else { " " };
                    format!("- [{mark}] {}", escaped(&step.text))
                };
                steps.iter().map(step).collect::<Vec<_>>().join("\n")
            }
            Self::Search { query, results } => {
                let query = query.as_ref().map(|query| escaped(query));
                let list = (!results.is_empty()).then(|| citation_list(results));
                query.into_iter().chain(list).collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

/// Returns a numbered list of citations as Markdown.
pub fn citation_list(list: &[Citation]) -> String {
    let row = |(number, citation): (usize, &Citation)| {
        let label = escaped(citation.label());
        let url = citation.url.as_deref().filter(|url| !url.contains(['<', '>', '\n']));
        match url {
            Some(url) => format!("{}. [{label}](<{url}>)", number + 1),
            None => format!("{}. {label}", number + 1),
        }
    };
    list.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
}
