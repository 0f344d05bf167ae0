//! Servers: those whose tools work on the author's machine alone or on public documents, and third
//! parties.

use super::words::{prefix, server_words};

/// A server that is open, without marks between its words, and how the names of its tools start.
type Open = (&'static str, &'static [&'static str]);

/// Servers that work on the author's machine alone, or on documents that everybody can read. Where a
/// name does not say where the server ends, its tool must be one of these.
///
/// Databases are not among them: what is in one is as often a customer's as the author's.
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

/// Parts of names, without marks between words, that are those of third parties wherever they are.
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

/// Words of names that are those of third parties where they are alone.
const WORDS: [&str; 23] = [
    "drive", "gdocs", "gsheets", "contact", "inbox", "imap", "smtp", "sms", "reminder",
    "reminders", "location", "health", "memory", "canva", "datadog", "crm", "ticket", "tickets",
    "payment", "payments", "invoice", "invoices", "kanban",
];

/// Words with which the names of such tools start, and which others have in them: `bounding_box`.
const STARTS: [&str; 7] = ["box", "teams", "linear", "monday", "zoom", "sentry", "xero"];

/// Returns whether a server is open.
pub(super) fn is_open(server: &str) -> bool {
    let server = server_words(server).concat();
    OPEN.iter().any(|(name, _)| *name == server)
}

/// Returns whether words are those of an open server and of one of its tools.
pub(super) fn is_open_run(words: &[String]) -> bool {
    OPEN.iter().any(|(name, tools)| {
        let rest = prefix(words, name).and_then(|count| words.get(count..));
        rest.is_some_and(|rest| {
            let tool = rest.concat();
            !tool.is_empty() && tools.iter().any(|start| tool.starts_with(start))
        })
    })
}

/// Returns whether words name a third party.
pub(super) fn is_third_party(words: &[String]) -> bool {
    let joined = words.concat();
    words.iter().any(|word| WORDS.contains(&word.as_str()))
        || words.first().is_some_and(|word| STARTS.contains(&word.as_str()))
        || NAMES.iter().any(|name| joined.contains(name))
}
