//! Tasks of Cline and Roo Code, agents inside VS Code.
//!
//! ```text
//! tasks/1772359200000/ui_messages.json               messages on screen (preferred)
//! [{"ts": 1772359200000, "type": "say", "say": "text", "text": "Fix the bug"},
//!  {"ts": 1772359203000, "type": "ask", "ask": "tool", "text": "{\"tool\":\"readFile\", … }"}, …]
//! tasks/1772359200000/api_conversation_history.json  requests to the model
//! [{"role": "user", "content": [{"type": "text", "text": "<task>\nFix the bug\n</task>"}, … ]}, …]
//! ```
//!
//! [`screen`] reads the first file; [`requests`] reads the second if the first is missing. [`task`] reads
//! the metadata of the task.

mod requests;
mod screen;
mod task;

use std::collections::BTreeMap;

use super::{About, Bundle, Claim, File, Format, Listing, Parsed, Probe, Read};
use convo_base::json;

pub(super) const FORMAT: Format = Format {
    name: "cline",
    title: "Cline or Roo Code task",
    source_label: "Cline",
    between_people: false,
    has_typed_prompts: true,
    about: About {
        what: "Tasks of Cline, Roo Code and their forks: coding agents inside VS Code and other editors.",
        find: "The folder `tasks` of the extension has one folder per task, named after its number or id. It is in \
               `User/globalStorage/saoudrizwan.claude-dev` or `rooveterinaryinc.roo-cline` of the editor's settings, \
               or in `~/.cline/data`. `convo-site import --from cline FOLDER` finds all tasks in a folder.",
        reads: "`ui_messages.json`: messages, reasoning, tool calls and commands with their results, edits, \
                questions, plans, pictures, errors, tokens and costs. The models and the folder come from \
                `history_item.json` and `task_metadata.json`. Without `ui_messages.json`, `api_conversation_history.json` is read.",
        leaves_out: "The state of the editor that is sent to the model (`environment_details`), raw requests, \
                     checkpoints, hook output, and input and output of third-party tools.",
    },
    read: Some(Read::new(claims, parse).gather(gather).names_in_projects(&NAMES)),
    write: None,
};

/// The messages on screen; the second name was used by older versions.
const SCREENS: [&str; 2] = ["ui_messages.json", "claude_messages.json"];
/// The requests to the model.
const REQUESTS: &str = "api_conversation_history.json";
/// The metadata of a task.
const TASK: [&str; 2] = ["history_item.json", "task_metadata.json"];
/// Other files in the folder.
const ASIDE: [&str; 4] =
    [REQUESTS, "context_history.json", "focus_chain_taskid.md", "settings.json"];

/// The file names by which tasks are found in a folder.
const NAMES: [&str; 5] = [SCREENS[0], SCREENS[1], REQUESTS, TASK[0], TASK[1]];

fn claims(probe: &Probe<'_>) -> Claim {
    let text = probe.text;
    let text = text.trim_start();
    if !text.starts_with('[') {
        return Claim::No;
    }
    let keys = probe.keys();
    let value = |name: &str| {
        let found = keys.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| value.trim_matches('"'))
    };
    let kind = value("type").filter(|kind| ["ask", "say"].contains(kind));
    if value("ts").is_some() && kind.is_some_and(|kind| value(kind).is_some()) {
        return Claim::Signature;
    }
    let is_message = value("role").is_some() && value("content").is_some();
    let has_tag = |tag: &str| text.contains(tag);
    match is_message && has_tag("<environment_details>") {
        true => Claim::Signature,
        false => Claim::No,
    }
}

/// Returns each task that consists of several files.
fn gather(listing: &Listing<'_>) -> Vec<Bundle> {
    let mut folders: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in listing.names {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        if SCREENS.contains(&file) || file == REQUESTS {
            folders.entry(folder).or_default().push(file);
        }
    }
    let mut bundles = Vec::new();
    for (folder, files) in folders {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let path = |file: &str| format!("{prefix}{file}");
        let is_there = |file: &&str| listing.names.binary_search(&path(file).as_str()).is_ok();
        let main = SCREENS.iter().chain([&REQUESTS]).find(|file| files.contains(file));
        let Some(main) = main else { continue };
        let beside: Vec<String> = TASK.iter().copied().filter(is_there).map(path).collect();
        let aside = SCREENS.iter().chain(&ASIDE).copied().filter(|file| file != main);
        let aside: Vec<String> = aside.filter(is_there).map(path).collect();
        if beside.is_empty() && aside.is_empty() {
            continue;
        }
        let files = [path(main)].into_iter().chain(beside).collect();
        bundles.push(Bundle {
            folder: prefix,
            files,
            aside,
            shared: Vec::new(),
            private: None,
            neighbours: None,
        });
    }
    bundles
}

fn parse(files: &[File]) -> Parsed {
    let mut parsed = Parsed::default();
    let about = task::About::of(files, &mut parsed.notes);
    for (index, file) in files.iter().enumerate() {
        let name = file.name.rsplit('/').next().unwrap_or_default();
        if TASK.contains(&name) && files.len() > 1 {
            continue;
        }
        let is_screen = json::keys(&file.text).iter().any(|(key, _)| *key == "ts")
            && !json::keys(&file.text).iter().any(|(key, _)| *key == "role");
        let found = match is_screen {
            true => screen::read(file, index, &about, &mut parsed.notes),
            false => requests::read(file, index, &about, &mut parsed.notes),
        };
        parsed.conversations.extend(found);
    }
    parsed
}
