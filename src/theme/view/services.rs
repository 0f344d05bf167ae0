//! The view of services of others.

use serde::Serialize;

/// What a page loads from other hosts.
#[derive(Serialize, Clone, Default)]
pub struct ServicesView {
    /// Scripts, in their order.
    pub scripts: Vec<ScriptView>,
    /// Comments below a conversation.
    pub comments: Option<CommentsView>,
    /// Whether there are videos on it that become players.
    pub has_videos: bool,
}

/// A script with its attributes.
#[derive(Serialize, Clone)]
pub struct ScriptView {
    /// Its address.
    pub src: String,
    /// Names and values; those without a value are switches.
    pub attributes: Vec<(&'static str, String)>,
}

/// Comments below a conversation.
#[derive(Serialize, Clone)]
pub struct CommentsView {
    /// What shows them.
    pub script: ScriptView,
    /// The address at which they are for readers without JavaScript.
    pub url: String,
}
