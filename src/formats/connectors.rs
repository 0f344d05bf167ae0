//! Tools that read what is somebody's own: mail, calendars, files of a firm, memories.

/// Words in the names of such tools, which may be about something else: the memory of a machine.
const PRIVATE: [&str; 13] = [
    "mail",
    "calendar",
    "drive",
    "contact",
    "memory",
    "memories",
    "conversation_search",
    "recent_chats",
    "project_knowledge",
    "location",
    "reminder",
    "health",
    "linear_",
];

/// The names of services that hold what is somebody's own.
const SERVICES: [&str; 14] = [
    "gmail",
    "gcal",
    "slack",
    "notion",
    "outlook",
    "sharepoint",
    "onedrive",
    "dropbox",
    "jira",
    "atlassian",
    "confluence",
    "asana",
    "hubspot",
    "salesforce",
];

/// Returns whether a name in small letters names such a service.
pub(super) fn names_a_service(name: &str) -> bool {
    SERVICES.iter().any(|word| name.contains(word))
}

/// Returns whether a name in small letters has a word of such tools in it.
pub(super) fn is_named_private(name: &str) -> bool {
    names_a_service(name) || PRIVATE.iter().any(|word| name.contains(word))
}

/// Returns whether a tool of a server, such as `mcp__claude_ai_Gmail__search_threads`, reads what is
/// somebody's own: what it is given and what it brings is not shown.
pub(super) fn is_private(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let Some(tool) = name.strip_prefix("mcp__") else { return false };
    // The name of a server alone, or with another mark between its words.
    let mut tool = tool.replace(|c: char| !c.is_alphanumeric(), "_");
    tool.push('_');
    // Connectors of an account.
    tool.starts_with("claude_ai") || is_named_private(&tool)
}

#[cfg(test)]
mod tests {
    use super::{is_named_private, is_private};

    #[test]
    fn connectors_are_known_by_their_names() {
        for name in [
            "mcp__claude_ai_Gmail__search_threads",
            "mcp__Slack__read",
            "mcp__memory__get",
            "mcp__linear-server__list_issues",
            "mcp__Linear",
            "mcp__atlassian__search",
        ] {
            assert!(is_private(name), "{name}");
        }
        assert!(is_named_private("atlassian_search") && !is_named_private("linearize"));
        for name in ["Bash", "mcp__garden__water", "mcp__fit__linearize", "memory"] {
            assert!(!is_private(name), "{name}");
        }
    }
}
