//! What file and channel names of a workspace reveal.

/// Files of a workspace with its members and channels, which also tell what is private.
pub(super) const ABOUT: [&str; 6] =
    ["users.json", "org_users.json", "channels.json", "groups.json", "dms.json", "mpims.json"];

/// Returns whether the name of a channel or of its folder is that of a channel that not everyone
/// could read.
pub(super) fn is_closed_name(name: &str) -> bool {
    name.starts_with("mpdm-") || is_closed_id(name)
}

/// Returns whether an id is that of a direct message or a private channel: `D0123ABCD`.
pub(super) fn is_closed_id(id: &str) -> bool {
    id.len() >= 8
        && id.starts_with(['D', 'G'])
        && id.bytes().any(|byte| byte.is_ascii_digit())
        && id.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
