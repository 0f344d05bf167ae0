//! What may be published: marks of private messages, tools, tags and home folders.

pub(crate) mod account_name;
pub(crate) mod hidden_tags;
pub(crate) mod home;
pub(crate) mod tool_access;
pub mod visibility;
