//! What `--to` of `deploy` names.

use std::path::PathBuf;

use super::tools::Tool;
use crate::cli::Failure;
use crate::diag::emit::visible;
use crate::text::closest;

/// Where a site goes.
pub(super) enum Target {
    /// A folder of this machine.
    Folder(PathBuf),
    /// A branch of the repository that the site is in.
    Branch(String),
    /// The place to which another program uploads it, as that program knows it; may be empty.
    Tool(Tool, String),
}

/// The scheme of a branch.
const GIT: &str = "git";
/// Every kind of target, as it is written.
const TARGETS: &str = "`git:BRANCH`, `rsync:HOST:FOLDER`, `rclone:REMOTE:FOLDER`, `wrangler`, \
                       `wrangler:PROJECT`, `netlify`, `netlify:SITE`, or the path of a folder";

impl Target {
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let tool = Tool::named(name);
        if tool.is_none() && name != GIT {
            return match is_path(text) {
                true => Ok(Self::Folder(PathBuf::from(text))),
                false => Err(unknown(text, name)),
            };
        }
        // It would be taken for an option.
        if rest.starts_with('-') || rest.contains(char::is_control) {
            let shown = visible(rest);
            return Err(Failure::Usage(format!("`{shown}` is not a target of {name}")));
        }
        let example = match tool {
            Some(tool) => tool.example(),
            None => Some("git:gh-pages"),
        };
        match (rest, example, tool) {
            ("", Some(example), _) => Err(Failure::Usage(format!(
                "`{name}` needs a target, such as `--to {example}`; a folder of that name is \
                 `./{name}`"
            ))),
            (_, _, Some(tool)) => Ok(Self::Tool(tool, rest.to_owned())),
            (_, _, None) => Ok(Self::Branch(rest.to_owned())),
        }
    }
}

/// Returns whether a text can only be the path of a folder: one word may be a mistyped target.
fn is_path(text: &str) -> bool {
    let start = text.split(':').next().unwrap_or_default();
    let is_drive = start.len() == 1 && text.contains(':');
    text.starts_with('.') || start.contains(['/', '\\']) || is_drive
}

fn unknown(text: &str, name: &str) -> Failure {
    let shown = visible(text);
    let known = Tool::ALL.iter().map(|tool| tool.name()).chain([GIT]);
    let near = closest(name, known).filter(|_| !name.is_empty());
    let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    let folder = match text.contains(':') || text.is_empty() {
        true => String::new(),
        false => format!("; write a folder of that name as `./{shown}`"),
    };
    Failure::Usage(format!("unknown target `{shown}`{near}; targets: {TARGETS}{folder}"))
}
