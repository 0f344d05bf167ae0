//! Message subtypes that are events rather than text.

/// The kind of a message.
pub(super) enum Kind {
    /// A person or an app says something.
    Said,
    /// An event, by name.
    Event(&'static str),
    /// An edit: contains the new version of a message.
    Changed,
    /// A deletion.
    Deleted,
    /// Only relevant to programs.
    Bookkeeping,
    /// An unknown subtype.
    Unknown,
}

/// Returns the kind of a message from its subtype.
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
