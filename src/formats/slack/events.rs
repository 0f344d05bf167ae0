//! Kinds of messages in which nobody says anything.

/// What a kind of message is.
pub(super) enum Kind {
    /// Somebody or a program says something.
    Said,
    /// Something happened: the name of that.
    Event(&'static str),
    /// It says what a message is now.
    Changed,
    /// It says that a message is gone.
    Deleted,
    /// It is for programs only.
    Bookkeeping,
    /// Nobody knows.
    Unknown,
}

/// Returns what a kind of message is, by the word that Slack calls its subtype.
pub(super) fn kind(subtype: &str) -> Kind {
    match subtype {
        ""
        | "bot_message"
        | "file_share"
        | "thread_broadcast"
        | "reply_broadcast"
        | "me_message"
        | "slackbot_response"
        | "file_comment"
        | "assistant_app_thread" => Kind::Said,
        "tombstone" => Kind::Event("deleted"),
        "huddle_thread" | "sh_room_created" | "sh_room_shared" | "call" => Kind::Event("call"),
        "message_changed" => Kind::Changed,
        "message_deleted" => Kind::Deleted,
        "message_replied" | "ekm_access_denied" | "file_mention" | "group_open" | "group_close" => {
            Kind::Bookkeeping
        }
        subtype => {
            const NOTICES: [&str; 8] = [
                "channel_", "group_", "bot_", "pinned_item", "unpinned_item", "reminder_",
                "bookmark_", "tabbed_canvas",
            ];
            match NOTICES.iter().any(|start| subtype.starts_with(start)) {
                true => Kind::Event("notice"),
                false => Kind::Unknown,
            }
        }
    }
}
