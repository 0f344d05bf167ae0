//! What the front matter reveals about the text below it.

/// The hints of the front matter about the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FrontHint {
    /// The file was written by conv2md.
    Conversion,
    /// The file is a transcript.
    Transcript,
    Silent,
}

impl FrontHint {
    pub(super) fn read(yaml: &str) -> Self {
        // A file that declares whether it is private was written for convo-site.
        const KEYS: [&str; 12] = [
            "hosts", "guests", "speakers", "speaker", "participants", "transcript",
            "transcript_by", "transcriber", "transcribed_by", "interviewer", "private",
            "isprivate",
        ];
        const TYPES: [&str; 14] = [
            "dialog", "dialogue", "conversation", "interview", "transcript", "podcast", "chat",
            "discussion", "meeting", "debate", "talk", "panel", "monologue", "session",
        ];
        let (mut title, mut source) = (false, false);
        for row in yaml.lines() {
            let Some((key, value)) = row.split_once(':') else { continue };
            let key = key.trim_matches(['"', '\'']).to_lowercase();
            let key = key.as_str();
            let value = value.trim().trim_matches(['"', '\'']).to_lowercase();
            title |= key == "title";
            source |= key == "source";
            if KEYS.contains(&key) || key == "type" && TYPES.contains(&value.as_str()) {
                return Self::Transcript;
            }
        }
        if title && source { Self::Conversion } else { Self::Silent }
    }
}
