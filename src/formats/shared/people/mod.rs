//! People's talk: channels, captions, chats of phones and mails.

pub(crate) mod captions;
pub(crate) mod channel;
pub(crate) mod mail;
pub(crate) mod phone_chat;
