//! Tools that read what is somebody's own: mail, calendars, files of a firm, memories.

/// Words in the names of such tools.
const PRIVATE: [&str; 27] = [
    "gmail",
    "mail",
    "gcal",
    "calendar",
    "drive",
    "contact",
    "memory",
    "memories",
    "conversation_search",
    "recent_chats",
    "project_knowledge",
    "location",
    "slack",
    "notion",
    "outlook",
    "sharepoint",
    "onedrive",
    "dropbox",
    "reminder",
    "health",
    "jira",
    "atlassian",
    "confluence",
    "asana",
    "hubspot",
    "salesforce",
    "linear",
];

/// Returns whether a tool of a server, such as `mcp__claude_ai_Gmail__search_threads`, reads what is
/// somebody's own: what it is given and what it brings is not shown.
pub(super) fn is_private(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    let Some(tool) = name.strip_prefix("mcp__") else { return false };
    // Connectors of an account.
    tool.starts_with("claude_ai")
        || tool.starts_with("claude.ai")
        || PRIVATE.iter().any(|word| tool.contains(word))
}

#[cfg(test)]
mod tests {
    use super::is_private;

    #[test]
    fn connectors_are_known_by_their_names() {
        for name in [
            "mcp__claude_ai_Gmail__search_threads",
            "mcp__Slack__read",
            "mcp__memory__get",
        ] {
            assert!(is_private(name), "{name}");
        }
        for name in ["Bash", "mcp__garden__water", "memory"] {
            assert!(!is_private(name), "{name}");
        }
    }
}
