//! Actions: the effects of tool calls of known kinds.

use serde::{Deserialize, Serialize};

use super::markdown::{escaped, fenced};

/// The effect of a tool call whose kind is known. It is shown instead of the arguments.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "action", rename_all = "lowercase")]
pub enum Action {
    /// A shell command.
    Command {
        /// The command line.
        command: String,
        /// The exit code, if the source records it; 0 is success.
        #[serde(skip_serializing_if = "Option::is_none")]
        exit_code: Option<i64>,
    },
    /// Changes to files.
    Edit {
        /// The changes, in order.
        files: Vec<FileEdit>,
    },
    /// A to-do list.
    Plan {
        /// The to-do items.
        steps: Vec<PlanStep>,
    },
    /// A search.
    Search {
        /// The query.
        #[serde(skip_serializing_if = "Option::is_none")]
        query: Option<String>,
        /// The results.
        results: Vec<Citation>,
    },
}

/// A change of one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileEdit {
    /// The path of the file.
    pub path: String,
    /// The kind of the change.
    pub kind: EditKind,
    /// The new path, if the file was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_to: Option<String>,
    /// Lines that start with ` `, `+` or `-`, as in a unified diff; lines that start with `@@`
    /// separate hunks. Empty if the source does not record them.
    pub diff: String,
}

/// The kind of a change to a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EditKind {
    /// The file was created or completely rewritten.
    Write,
    /// Parts of the file changed.
    Update,
    /// The file was deleted.
    Delete,
}

/// A to-do item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PlanStep {
    /// The task, as plain text.
    pub text: String,
    /// The progress.
    pub state: StepState,
}

/// The progress of a to-do item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    /// Not started.
    Open,
    /// In progress.
    Active,
    /// Done.
    Done,
}

/// A page or document that a statement is based on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Citation {
    /// The title; without one, the URL is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The URL; `None` for a document that is not on the web.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Citation {
    /// Returns the text that is shown for it.
    pub fn label(&self) -> &str {
        let words = [&self.title, &self.url].into_iter().flatten();
        words.map(|text| text.trim()).find(|text| !text.is_empty()).unwrap_or("?")
    }

    /// Returns the host of its URL, without `www.`, unless the label is the URL.
    fn host(&self) -> Option<&str> {
        let (_, rest) = self.url.as_deref()?.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next()?;
        let host = host.strip_prefix("www.").unwrap_or(host);
        let is_host = |c: char| c.is_alphanumeric() || "-.:".contains(c);
        let has_title = self.title.as_ref().is_some_and(|title| !title.trim().is_empty());
        Some(host).filter(|host| has_title && !host.is_empty() && host.chars().all(is_host))
    }
}

impl FileEdit {
    /// Returns the numbers of added and removed lines.
    pub fn changed_lines(&self) -> (u64, u64) {
        let count = |mark| self.diff.lines().filter(|line| line.starts_with(mark)).count() as u64;
        (count('+'), count('-'))
    }

    /// Creates an edit that writes a whole file.
    pub fn written(path: impl Into<String>, text: &str) -> Self {
        Self {
            path: path.into(),
            kind: EditKind::Write,
            moved_to: None,
            diff: super::diff::lines("", text),
        }
    }

    /// Creates an edit that replaces one text in a file by another.
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
    numbered(list, |_| String::new())
}

/// Returns the same list with the host of each page after its title.
pub fn citation_list_with_hosts(list: &[Citation]) -> String {
    numbered(list, |citation| {
        let host = citation.host().filter(|host| *host != citation.label());
        host.map(|host| format!(" · {}", escaped(host))).unwrap_or_default()
    })
}

fn numbered(list: &[Citation], after: impl Fn(&Citation) -> String) -> String {
    let row = |(number, citation): (usize, &Citation)| {
        let label = escaped(citation.label());
        let url = citation.url.as_deref().filter(|url| !url.contains(['<', '>', '\n']));
        match url {
            Some(url) => format!("{}. [{label}](<{url}>){}", number + 1, after(citation)),
            None => format!("{}. {label}", number + 1),
        }
    };
    list.iter().enumerate().map(row).collect::<Vec<_>>().join("\n")
}
