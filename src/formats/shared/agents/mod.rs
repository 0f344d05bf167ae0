//! Sessions of assistants and agents: messages, turns and branches.

pub(crate) mod call_states;
pub(crate) mod chat;
pub(crate) mod editor;
pub(crate) mod exit_code;
pub(crate) mod gemini_parts;
pub(crate) mod placeholder_titles;
pub(crate) mod prompt;
pub(crate) mod task_messages;
pub(crate) mod thread;
pub(crate) mod tree;
pub(crate) mod turns;
