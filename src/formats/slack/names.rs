//! What the names of files and channels of a workspace say.

/// Files of a workspace that say who is who and what is private.
pub(super) const ABOUT: [&str; 6] =
    ["users.json", "org_users.json", "channels.json", "groups.json", "dms.json", "mpims.json"];

/// Returns whether the name of a channel, or of its folder, is that of one which not everybody could
/// read.
pub(super) fn is_closed_name(name: &str) -> bool {
    name.starts_with("mpdm-") || is_closed_id(name)
}

/// Returns whether an id is that of a direct message or of a private channel: `D0123ABCD`.
pub(super) fn is_closed_id(id: &str) -> bool {
    id.len() >= 8
        && id.starts_with(['D', 'G'])
        && id.bytes().any(|byte| byte.is_ascii_digit())
        && id.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
