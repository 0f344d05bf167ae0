//! People's talk: channels, captions and chats of phones.

pub(crate) mod captions;
pub(crate) mod channel;
pub(crate) mod phone_chat;
