//! Tools that reach into an account of the person: mail, files, calendars, trackers.

use crate::json::Value;

/// Parts of names, without marks between words, that stand for nothing else.
const NAMES: [&str; 32] = [
    "codexapps",
    "mail",
    "gcal",
    "calendar",
    "gdrive",
    "googledrive",
    "googledocs",
    "googlesheets",
    "googleworkspace",
    "outlook",
    "office365",
    "microsoft365",
    "msteams",
    "sharepoint",
    "onedrive",
    "onenote",
    "dropbox",
    "slack",
    "discord",
    "telegram",
    "whatsapp",
    "notion",
    "hubspot",
    "salesforce",
    "zendesk",
    "intercom",
    "jira",
    "confluence",
    "atlassian",
    "asana",
    "githubprivate",
    "stripe",
];

/// Words of names that are connectors only where they stand alone.
const WORDS: [&str; 20] = [
    "drive",
    "gdocs",
    "gsheets",
    "teams",
    "box",
    "linear",
    "trello",
    "clickup",
    "monday",
    "airtable",
    "contact",
    "contacts",
    "inbox",
    "imap",
    "github",
    "gitlab",
    "bitbucket",
    "reminders",
    "canva",
    "zoom",
];

/// Returns whether a tool of this name, with the server that has it, is a connector.
pub(super) fn is_one(name: &str) -> bool {
    let mut joined = String::with_capacity(name.len());
    let mut word = String::new();
    let mut is_word = false;
    let mut was_lower = false;
    for c in name.chars() {
        // `googleDrive` is two words.
        if !c.is_alphanumeric() || c.is_uppercase() && was_lower {
            is_word |= WORDS.contains(&word.as_str());
            word.clear();
        }
        was_lower = c.is_lowercase() || c.is_numeric();
        if c.is_alphanumeric() {
            let lower = c.to_lowercase();
            word.extend(lower.clone());
            joined.extend(lower);
        }
    }
    is_word
        || WORDS.contains(&word.as_str())
        || NAMES.iter().any(|name| joined.contains(name))
}

/// Returns whether a program that calls tools calls a connector.
pub(super) fn is_called_by(program: Option<&Value>) -> bool {
    let Some(Value::String(program)) = program else { return false };
    let is_part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    // The names of tools stand behind `tools.`, or in `tools["…"]`.
    program.split(|c| !is_part(c)).any(|name| {
        let is_tool = name.starts_with("tools.") || name.contains("__");
        is_tool && is_one(name)
    })
}

#[cfg(test)]
mod tests {
    use super::{is_called_by, is_one};

    #[test]
    fn a_connector_is_known_by_its_name_in_any_case() {
        for name in [
            "codex_apps.gmail.read",
            "codex-apps.search",
            "Codex_Apps__gmail",
            "mcp__gmail.search",
            "MCP__Google_Drive__fetch",
            "googleDrive.fetch",
            "mcp__calendar__list",
            "Teams.read",
            "box.search",
            "linear.list_issues",
        ] {
            assert!(is_one(name), "{name}");
        }
        for name in [
            "search",
            "shell",
            "exec_command",
            "apply_patch",
            "update_plan",
            "weather.dusk",
            "sandbox.run",
            "toolbox",
            "nonlinear.fit",
            "driver.load",
            "spawn_agent",
            "",
        ] {
            assert!(!is_one(name), "{name}");
        }
    }

    #[test]
    fn a_program_that_calls_a_connector_is_known() {
        let calls = |text: &str| is_called_by(Some(&text.into()));
        assert!(calls("await tools.mcp__gmail__read({})"));
        assert!(calls("await tools['mcp__codex_apps__search']({})"));
        assert!(!calls("await tools.exec_command({cmd: 'cat drive/box.txt'})"));
        assert!(!is_called_by(None));
    }
}
