//! Patterns of lines, in which `…` stands for any text.

/// Returns the texts at each `…` of a pattern, if a line matches it.
pub(super) fn captures<'a>(pattern: &str, line: &'a str) -> Option<Vec<&'a str>> {
    let mut pieces = pattern.split('…');
    let mut rest = line.strip_prefix(pieces.next()?)?;
    let mut found = Vec::new();
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return rest.is_empty().then_some(found);
    }
    while let Some(piece) = pieces.next() {
        let end = match pieces.peek() {
            Some(_) => rest.find(piece)?,
            None => rest.strip_suffix(piece)?.len(),
        };
        let (text, behind) = rest.split_at(end);
        found.push(text.trim());
        rest = &behind[piece.len()..];
    }
    Some(found)
}

/// Returns whether a line matches one of some patterns.
pub(super) fn is_any(patterns: &[&str], line: &str) -> bool {
    patterns.iter().any(|pattern| captures(pattern, line).is_some())
}

#[cfg(test)]
mod tests {
    use super::captures;

    #[test]
    fn a_pattern_matches_whole_lines() {
        for (pattern, line, expected) in [
            ("## User", "## User", Some(vec![])),
            ("## User", "## Users", None),
            ("# …", "# A gate", Some(vec!["A gate"])),
            ("**Tool: …**", "**Tool: **", Some(vec![""])),
            ("## Assistant (…)", "## Assistant (a · b)", Some(vec!["a · b"])),
            ("## Assistant (…)", "## Assistant", None),
            ("# … id: …", "# 1 id: 2", Some(vec!["1", "2"])),
        ] {
            assert_eq!(captures(pattern, line), expected, "{pattern} {line}");
        }
    }
}
