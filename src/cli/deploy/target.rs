//! The target of `deploy --to`.

use std::path::PathBuf;

use super::tools::Tool;
use crate::cli::Failure;
use crate::diag::emit::visible;
use crate::text::closest;

/// Where a site goes.
pub(super) enum Target {
    /// A local folder.
    Folder(PathBuf),
    /// A branch in the repository of the site.
    Branch(String),
    /// Another program, and the target in its own notation; may be empty.
    Tool(Tool, String),
}

/// The scheme of a branch.
const GIT: &str = "git";
/// All kinds of targets, for messages.
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
        // The other program would read it as an option.
        if rest.starts_with('-') || rest.contains(char::is_control) {
            let shown = visible(rest);
            return Err(Failure::Usage(format!("`{shown}` is not a valid {name} target")));
        }
        let is_host = !rest.is_empty() && !rest.contains(':') && !rest.starts_with(['/', '.']);
        if tool == Some(Tool::Rsync) && is_host {
            let host = visible(rest.split('/').next().unwrap_or(rest));
            return Err(Failure::Usage(format!(
                "an rsync target needs a colon after the host: `rsync:{host}:FOLDER`; for a local \
                 folder, write its path from `/` or `./`"
            )));
        }
        let example = match tool {
            Some(tool) => tool.example(),
            None => Some("git:gh-pages"),
        };
        match (rest, example, tool) {
            ("", Some(example), _) => Err(Failure::Usage(format!(
                "`{name}` needs a target, such as `--to {example}`; for a folder of that name, use \
                 `./{name}`"
            ))),
            (_, _, Some(tool)) => Ok(Self::Tool(tool, rest.to_owned())),
            (_, _, None) => Ok(Self::Branch(rest.to_owned())),
        }
    }
}

/// Returns whether a text is clearly the path of a folder; a single word may be a mistyped target.
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
        false => format!("; for a folder of that name, use `./{shown}`"),
    };
    Failure::Usage(format!("unknown target `{shown}`{near}; known targets: {TARGETS}{folder}"))
}
