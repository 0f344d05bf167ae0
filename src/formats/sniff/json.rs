//! Identifies JSON and JSON Lines exports by keys that only one program uses.

use super::{Lookalike, account, conversation, other};

/// A combination of keys that occurs in the files of one program only.
struct Row {
    what: Lookalike,
    /// All of these must occur, exactly as in the text: keys include their quotation marks.
    has: &'static [&'static str],
    /// None of these may occur.
    lacks: &'static [&'static str],
}

const fn row(what: &'static str, has: &'static [&'static str]) -> Row {
    Row { what: conversation(what), has, lacks: &[] }
}

const fn other_row(what: &'static str, has: &'static [&'static str]) -> Row {
    Row { what: other(what), has, lacks: &[] }
}

const fn account_row(what: &'static str, has: &'static [&'static str]) -> Row {
    Row { what: account(what), has, lacks: &[] }
}

const fn row_without(
    what: &'static str,
    has: &'static [&'static str],
    lacks: &'static [&'static str],
) -> Row {
    Row { what: conversation(what), has, lacks }
}

/// The data that SpecStory stores next to its Markdown files.
const SPECSTORY: Row = Row {
    what: Lookalike {
        remedy: Some("use its Markdown file in `.specstory/history` instead"),
        ..conversation("a SpecStory session as JSON")
    },
    has: &["\"exchanges\"", "\"provider\"", "\"schemaVersion\""],
    lacks: &[],
};

/// The prompt history of the Gemini CLI, for its arrow keys.
const GEMINI_PROMPTS: Row = Row {
    what: Lookalike {
        remedy: Some(
            "the conversations are in the `chats` folder next to it, in files named \
             `session-….json`",
        ),
        ..other("Gemini CLI prompts without their answers")
    },
    has: &["\"sessionId\":", "\"messageId\":", "\"message\":\"", "\"type\":\"user\""],
    lacks: &["\"content\":", "\"uuid\":"],
};

/// A Discord data package: the messages of the account owner, without those of others.
const DISCORD_PACKAGE: Row = Row {
    what: Lookalike { remedy: Some(super::ONE_SIDE), ..conversation(super::DISCORD_PACKAGE) },
    has: &["\"ID\":", "\"Timestamp\":\"", "\"Contents\":\"", "\"Attachments\":"],
    lacks: &[],
};

/// Messages of an unknown program.
pub(super) const MESSAGES: Lookalike = conversation("messages with roles, from an unknown program");

/// From the most specific to the most general; the first match wins.
const ROWS: &[Row] = &[
    row("a Skype export", &["\"MessageList\"", "\"exportDate\""]),
    row("a Skype export", &["\"MessageList\"", "\"conversationid\""]),
    // Assistants.
    row("Codex cloud tasks", &["\"task_e_", "\"turns\""]),
    SPECSTORY,
    row("a DeepSeek export", &["\"mapping\"", "\"inserted_at\""]),
    row("a DeepSeek export", &["\"mapping\"", "\"fragments\""]),
    row("a conversation saved from DeepSeek", &["\"biz_data\"", "\"chat_messages\""]),
    account_row("a ChatGPT user's account", &["\"id\"", "\"email\"", "\"chatgpt_plus_user\""]),
    account_row("a ChatGPT user's settings", &["\"user_id\"", "\"settings\"", "\"announcements\""]),
    account_row(
        "a ChatGPT user's ratings of answers",
        &["\"conversation_id\"", "\"rating\"", "\"create_time\""],
    ),
    account_row(
        "a list of conversations that a ChatGPT user shared",
        &["\"conversation_id\"", "\"is_anonymous\"", "\"title\""],
    ),
    account_row(
        "a list of a ChatGPT user's files",
        &["\"file_id\"", "\"file_name\"", "\"origination_thread_id\""],
    ),
    row("an AI Studio prompt", &["\"chunkedPrompt\"", "\"chunks\""]),
    row("Gemini activity from Google Takeout", &["\"header\"", "\"time\"", "\"safeHtmlItem\""]),
    row(
        "Gemini activity from Google Takeout",
        &["\"header\":\"Gemini", "\"time\"", "\"products\""],
    ),
    account_row("activity in a Google service", &["\"header\"", "\"time\"", "\"products\""]),
    row("a Gemini in Workspace conversation", &["\"conversation_turns\"", "\"user_turn\""]),
    row("a Grok export", &["\"conversations\"", "\"responses\"", "\"sender\""]),
    row("a Le Chat export", &["\"chatId\"", "\"contentChunks\""]),
    row("an Open WebUI export", &["\"history\"", "\"currentId\""]),
    row("a LibreChat export", &["\"conversationId\"", "\"messagesTree\""]),
    row("a LibreChat export", &["\"conversationId\"", "\"isCreatedByUser\""]),
    row("a LibreChat export", &["\"conversationId\"", "\"exportAt\""]),
    row("an LM Studio conversation", &["\"currentlySelected\"", "\"versions\""]),
    row("a SillyTavern chat", &["\"user_name\"", "\"character_name\""]),
    // Agents and editors.
    GEMINI_PROMPTS,
    row("a Gemini CLI session", &["\"sessionId\"", "\"projectHash\""]),
    row("a Gemini CLI session", &["\"sessionId\"", "\"startTime\"", "\"messages\""]),
    row("a VS Code Copilot chat", &["\"requests\"", "\"response\"", "\"message\""]),
    row("a VS Code Copilot chat", &["\"requests\"", "\"creationDate\""]),
    row("a Copilot CLI session", &["\"session.start\"", "\"data\""]),
    row("a Copilot CLI session", &["\"user.message\"", "\"data\""]),
    row("a Cline or Roo Code task", &["\"ts\"", "\"say\"", "\"type\""]),
    row("a Cline or Roo Code task", &["\"role\"", "<environment_details>"]),
    row("an OpenCode session", &["\"ses_", "\"parts\"", "\"messages\""]),
    row("an Antigravity session", &["\"cascadeId\"", "\"markdown\""]),
    row("an Antigravity session", &["\"step_index\":", "\"source\":", "\"status\":"]),
    row("a Hermes session", &["\"atof_version\"", "\"scope\""]),
    row("a Zed thread", &["\"User\"", "\"Agent\"", "\"messages\""]),
    row("a Grok Build session", &["\"prompt_index\"", "\"content\"", "\"type\""]),
    other_row(
        "extra data of a Grok Build session",
        &["\"session_summary\"", "\"num_chat_messages\""],
    ),
    other_row("extra data of a Cursor session", &["\"hasConversation\"", "\"schemaVersion\""]),
    other_row(
        "extra data of a Mistral Vibe session",
        &["\"session_id\"", "\"start_time\"", "\"git_branch\""],
    ),
    row("a Qoder session", &["\"uuid\"", "\"sessionId\"", "\"message\""]),
    other_row("extra data of a Claude Code session", &["\"agentType\""]),
    other_row("extra data of a Claude Code session", &["\"workflowName\"", "\"runId\""]),
    other_row("extra data of a Claude Code session", &["\"type\":\"started\"", "\"agentId\""]),
    row_without(
        "a Cursor session",
        &["\"role\"", "\"message\":{\"content\""],
        &["\"uuid\"", "\"sessionId\""],
    ),
    // People.
    DISCORD_PACKAGE,
    row("a Discord export", &["\"guild\"", "\"channel\""]),
    row("a Telegram export", &["\"date_unixtime\"", "\"messages\""]),
    row("a Telegram export", &["\"from_id\"", "\"type\"", "\"messages\""]),
    Row {
        what: Lookalike {
            remedy: Some("export the chat in Telegram Desktop as machine-readable JSON"),
            ..conversation("Telegram messages saved by a script, without names")
        },
        has: &["\"sender_id\"", "\"reply_to_id\"", "\"text\""],
        lacks: &[],
    },
    row("a Messenger or Instagram export", &["\"sender_name\"", "\"timestamp_ms\""]),
    row("a Google Chat export", &["\"creator\"", "\"created_date\"", "\"messages\""]),
    other_row("extra data of a Google Chat export", &["\"members\"", "\"user_type\""]),
    row("a Teams or Skype export", &["\"MessageList\"", "\"messagetype\""]),
    row("a Matrix export", &["\"room_name\"", "\"origin_server_ts\""]),
    row("a Mattermost export", &["\"type\":\"version\"", "\"team\""]),
    row("a Zulip export", &["\"zerver_message\""]),
    row("Slack messages", &["\"ts\"", "\"user\"", "\"thread_ts\""]),
    row("Slack messages", &["\"ts\"", "\"user\"", "\"type\":\"message\""]),
    row(
        "Signal messages as JSON from sigtop, without names",
        &["\"conversationId\"", "\"sent_at\"", "\"schemaVersion\""],
    ),
    row("a Signal export", &["\"sender\"", "\"body\"", "\"sticker\""]),
    row("a Hacker News discussion", &["\"created_at_i\"", "\"children\""]),
    row("a Reddit discussion", &["\"Listing\"", "\"kind\"", "\"author\""]),
    row("a Discourse topic", &["\"post_stream\"", "\"cooked\""]),
    // Recorded conversations.
    row("a vCon", &["\"parties\"", "\"dialog\""]),
    row("a vCon", &["\"vcon\"", "\"parties\""]),
    row("a podcast transcript", &["\"segments\"", "\"startTime\"", "\"body\""]),
    row("a Whisper transcript", &["\"segments\"", "\"avg_logprob\""]),
    row("a Whisper transcript", &["\"segments\"", "\"words\"", "\"start\""]),
    row("a Whisper transcript", &["\"segments\"", "\"start\"", "\"end\"", "\"text\""]),
    row("a Whisper transcript", &["\"transcription\"", "\"offsets\"", "\"timestamps\""]),
    // Common to many programs.
    Row { what: MESSAGES, has: &["\"role\"", "\"content\"", "\"assistant\""], lacks: &[] },
    Row { what: MESSAGES, has: &["\"role\"", "\"content\"", "\"user\""], lacks: &[] },
    // Not conversations.
    other_row("a Node.js package manifest", &["\"name\"", "\"version\"", "\"dependencies\""]),
    other_row("a Node.js package manifest", &["\"name\"", "\"version\"", "\"scripts\""]),
];

/// Files of exports that are identified by their names only, because their content varies over the years.
const NAMES: [(&str, &str); 18] = [
    ("group_chats.json", "a list of an account's group chats"),
    ("codex.json", "a list of Codex cloud tasks"),
    ("user.json", "a user account"),
    ("users.json", "user accounts"),
    ("user_settings.json", "account settings"),
    ("message_feedback.json", "ratings of answers"),
    ("shared_conversations.json", "a list of shared conversations"),
    ("export_manifest.json", "a list of the files in an export"),
    ("library_files.json", "a list of an account's files"),
    ("conversation_asset_file_names.json", "a list of the files in an export"),
    ("model_comparisons.json", "compared model answers"),
    ("shopping.json", "shopping searches"),
    ("sora.json", "generated videos"),
    ("memories.json", "an assistant's memories of a user"),
    ("integration_logs.json", "an account log"),
    ("login_history.json", "an account log"),
    ("canvases.json", "a list of a channel's canvases"),
    ("canvas_in_the_conversation.json", "a channel canvas"),
];

/// Guesses the type of a JSON text, of which `head` is the beginning.
pub(super) fn guess(name: &str, head: &str) -> Option<Lookalike> {
    // Some programs write a space after the colon.
    let head = head.replace("\": ", "\":");
    let fits = |row: &&Row| {
        row.has.iter().all(|key| head.contains(key))
            && !row.lacks.iter().any(|key| head.contains(key))
    };
    let file = name.rsplit('/').next().unwrap_or(name);
    let named = NAMES.iter().find(|(known, _)| *known == file);
    let by_keys = ROWS.iter().find(fits).map(|row| row.what);
    // Often it contains none: `{"chats": []}`.
    let is_group = file == "group_chats.json" && head.contains("\"messages\"");
    let by_keys = match is_group {
        true => Some(conversation("the group chats of a ChatGPT export")),
        false => by_keys,
    };
    // A conversation is recognised even if its file has one of these names.
    let by_keys = by_keys.or_else(|| named.map(|(_, what)| account(what)));
    // Signed and encrypted vCons do not have the keys of a vCon.
    by_keys.or_else(|| {
        let is_vcon = name.ends_with(".vcon") || name.ends_with(".vcon.json");
        is_vcon.then_some(conversation("a signed or encrypted vCon"))
    })
}
