//! Media types by file extension.

/// The media type of a page.
pub const HTML: &str = "text/html; charset=utf-8";

/// Extensions, and the media type of files with one of them.
pub const MEDIA_TYPES: [(&[&str], &str); 22] = [
    (&["html"], HTML),
    (&["css"], "text/css; charset=utf-8"),
    (&["js"], "text/javascript; charset=utf-8"),
    (&["json"], "application/json"),
    (&["xml"], "application/xml"),
    (&["svg"], "image/svg+xml"),
    (
        &["txt", "md", "csv", "tsv", "log", "srt", "yaml", "yml", "toml", "jsonl"],
        "text/plain; charset=utf-8",
    ),
    (&["vtt"], "text/vtt; charset=utf-8"),
    (&["png"], "image/png"),
    (&["jpg"], "image/jpeg"),
    (&["gif"], "image/gif"),
    (&["webp"], "image/webp"),
    (&["avif"], "image/avif"),
    (&["wav"], "audio/wav"),
    (&["mp3"], "audio/mpeg"),
    (&["m4a"], "audio/mp4"),
    (&["flac"], "audio/flac"),
    (&["ogg"], "audio/ogg"),
    (&["mp4"], "video/mp4"),
    (&["webm"], "video/webm"),
    (&["pdf"], "application/pdf"),
    (&["woff2"], "font/woff2"),
];

/// Returns the media type of a file.
pub fn media_type(path: &str) -> &'static str {
    let extension = path.rsplit('.').next().unwrap_or_default();
    let found = MEDIA_TYPES.iter().find(|(extensions, _)| extensions.contains(&extension));
    found.map_or("application/octet-stream", |(_, name)| name)
}

/// Returns whether a file is text.
pub(super) fn is_text(path: &str) -> bool {
    let name = media_type(path);
    let others = ["application/json", "application/xml", "image/svg+xml"];
    name.starts_with("text/") || others.contains(&name)
}
