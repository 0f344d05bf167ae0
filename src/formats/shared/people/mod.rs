//! Conversations between people: channels, captions, phone chats and mail.

pub(crate) mod captions;
pub(crate) mod channel;
pub(crate) mod mail;
pub(crate) mod phone_chat;
