//! Files of an export that do not contain conversations.

use super::super::File;
use crate::shared::json::records::records;
use convo_base::diag::{Note, Severity};
use convo_base::json::Value;
use convo_base::text::plural;

/// The kind of a file beside the conversations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AccountFile {
    /// Account data: name, e-mail address, telephone number.
    Users,
    /// Memories about the user.
    Memories,
    /// Instructions and documents of projects.
    Projects,
}

/// Returns the kind of a file whose first object has these keys, if it does not contain conversations.
pub(super) fn account_file(keys: &[(&str, &str)]) -> Option<AccountFile> {
    let has = |key: &str| keys.iter().any(|(known, _)| *known == key);
    if has("chat_messages") {
        None
    } else if has("email_address") && (has("full_name") || has("uuid")) {
        Some(AccountFile::Users)
    } else if has("account_uuid") && (has("conversations_memory") || has("project_memories")) {
        Some(AccountFile::Memories)
    } else if has("prompt_template") && has("uuid") && (has("docs") || has("name")) {
        Some(AccountFile::Projects)
    } else {
        None
    }
}

/// Returns the note that the file is not published.
pub(super) fn note(what: AccountFile, file: &File) -> Note {
    let hint = |code: &'static str, message: String| Note::new(Severity::Hint, code, None, message);
    match what {
        AccountFile::Users => hint(
            "account-data",
            "this file is the account data of a Claude export; it is not published".to_owned(),
        ),
        AccountFile::Memories => hint(
            "account-data",
            "this file contains the memories of a Claude account; it is not published".to_owned(),
        ),
        AccountFile::Projects => {
            let (projects, documents) = count(file);
            let projects = plural(projects, "project", "projects");
            let documents = plural(documents, "document", "documents");
            let note =
                hint("not-shown", format!("not shown: {projects} of Claude with {documents}"));
            note.hint("instructions and documents of projects are not published; their conversations are in `conversations.json`")
        }
    }
}

fn count(file: &File) -> (u64, u64) {
    let mut found = (0, 0);
    for record in records(file, 0, &[], &mut Vec::new()) {
        let docs = record.value.get("docs").and_then(Value::as_array);
        found = (found.0 + 1, found.1 + docs.map_or(0, |docs| docs.len() as u64));
    }
    found
}
