//! Lists of servers: those that work only on the author's machine or on public documents, and third
//! parties.

use super::words::{prefix, server_words};

/// The name of an open server without punctuation, and how the names of its tools start.
type Open = (&'static str, &'static [&'static str]);

/// Servers that work only on the author's machine or on public documents. If a name does not show where the
/// server name ends, the tool must be one of these.
///
/// Databases are not included, since their data often belongs to customers.
const OPEN: [Open; 17] = [
    (
        "filesystem",
        &["read", "write", "edit", "create", "list", "move", "search", "get", "directory"],
    ),
    ("git", &["git"]),
    ("fetch", &["fetch"]),
    ("time", &["getcurrenttime", "converttime"]),
    ("ide", &["getdiagnostics", "executecode"]),
    ("playwright", &["browser"]),
    ("puppeteer", &["puppeteer"]),
    ("chromedevtools", &[""]),
    ("context7", &["resolvelibraryid", "getlibrarydocs", "querydocs"]),
    ("sequentialthinking", &[""]),
    ("deepwiki", &["ask", "read"]),
    ("microsoftdocs", &["microsoft"]),
    ("microsoftlearn", &["microsoft"]),
    ("awsdocumentation", &["read", "search", "recommend"]),
    ("huggingface", &["hfdoc", "paper"]),
    ("bravesearch", &["brave"]),
    (
        "desktopcommander",
        &["read", "write", "edit", "start", "list", "create", "move", "search", "get"],
    ),
];

/// Substrings, without punctuation, that mark third parties anywhere in a name.
const NAMES: [&str; 75] = [
    "codexapps", "claudeai", "mail", "gcal", "calendar", "gdrive", "googledrive", "googledocs",
    "googlesheets", "googleworkspace", "outlook", "office365", "microsoft365", "msteams",
    "msgraph", "sharepoint", "onedrive", "onenote", "dropbox", "icloud", "slack", "discord",
    "telegram", "whatsapp", "mattermost", "zulip", "notion", "evernote", "todoist", "hubspot",
    "salesforce", "pipedrive", "zoho", "zendesk", "freshdesk", "intercom", "servicenow", "jira",
    "confluence", "atlassian", "asana", "basecamp", "clickup", "trello", "airtable", "linkedin",
    "facebook", "instagram", "messenger", "github", "gitlab", "bitbucket", "stripe", "paypal",
    "shopify", "quickbooks", "twilio", "sendgrid", "mailchimp", "docusign", "calendly",
    "pagerduty", "figma", "supabase", "snowflake", "bigquery", "postgres", "mongodb", "mysql",
    "zapier", "contacts", "memories", "conversationsearch", "recentchats", "projectknowledge",
];

/// Words that mark third parties if they are a separate word.
const WORDS: [&str; 23] = [
    "drive", "gdocs", "gsheets", "contact", "inbox", "imap", "smtp", "sms", "reminder",
    "reminders", "location", "health", "memory", "canva", "datadog", "crm", "ticket", "tickets",
    "payment", "payments", "invoice", "invoices", "kanban",
];

/// First words of third-party names that also occur within other names: `bounding_box`.
const STARTS: [&str; 7] = ["box", "teams", "linear", "monday", "zoom", "sentry", "xero"];

/// Returns whether a server is open.
pub(super) fn is_open(server: &str) -> bool {
    let server = server_words(server).concat();
    OPEN.iter().any(|(name, _)| *name == server)
}

/// Returns whether the words are those of an open server and one of its tools.
pub(super) fn is_open_run(words: &[String]) -> bool {
    OPEN.iter().any(|(name, tools)| {
        let rest = prefix(words, name).and_then(|count| words.get(count..));
        rest.is_some_and(|rest| {
            let tool = rest.concat();
            !tool.is_empty() && tools.iter().any(|start| tool.starts_with(start))
        })
    })
}

/// Verbs before the name of a third party: `get_sentry_issue`.
const VERBS: [&str; 18] = [
    "add", "ask", "call", "create", "delete", "fetch", "find", "get", "list", "load", "post",
    "query", "read", "remove", "search", "send", "update", "use",
];

/// Returns whether the words name a third party.
pub(super) fn is_third_party(words: &[String]) -> bool {
    let joined = words.concat();
    let mut nouns = words.iter().skip_while(|word| VERBS.contains(&word.as_str()));
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || nouns.next().is_some_and(|word| STARTS.contains(&word.as_str()))
        || NAMES.iter().any(|name| joined.contains(name))
}
