//! The view of services on other hosts.

use serde::Serialize;

/// What a page loads from other hosts.
#[derive(Serialize, Clone, Default)]
pub struct ServicesView {
    /// Scripts, in order.
    pub scripts: Vec<ScriptView>,
    /// Comments below a conversation.
    pub comments: Option<CommentsView>,
    /// Whether there are videos that become players.
    pub has_videos: bool,
}

/// A script with its attributes.
#[derive(Serialize, Clone)]
pub struct ScriptView {
    /// Its URL.
    pub src: String,
    /// Attribute names and values; an attribute without a value is a boolean one.
    pub attributes: Vec<(&'static str, String)>,
}

/// Comments below a conversation.
#[derive(Serialize, Clone)]
pub struct CommentsView {
    /// The script that shows them.
    pub script: ScriptView,
    /// The URL of the comments, for readers without JavaScript.
    pub url: String,
}
