//! The subject of a thread: that of its first mail, without reply prefixes.

/// Prefixes before a colon that mark a reply or a forwarded mail.
const MARKS: [&str; 30] = [
    "re", "aw", "antw", "antwort", "sv", "vs", "svar", "odp", "ynt", "rif", "r", "res", "ref",
    "回复", "回覆", "答复", "返信", "fwd", "fw", "wg", "tr", "rv", "enc", "vb", "i", "ilt", "pd",
    "转发", "轉寄", "doorst",
];

/// Returns a subject without reply prefixes and without the name of the list in brackets. `list`
/// contains the names of the list.
pub(super) fn base<'a>(subject: &'a str, list: &str) -> &'a str {
    let mut rest = subject.trim();
    loop {
        let before = rest;
        rest = without_list(without_mark(rest), list);
        if rest == before {
            return rest;
        }
    }
}

/// Removes a prefix such as `Re:`, `RE[2]:` or `Fwd:`.
fn without_mark(subject: &str) -> &str {
    let Some((mark, rest)) = subject.split_once([':', '：']) else { return subject };
    let is_count = |c: char| c.is_ascii_digit() || "[]()^*".contains(c);
    let word = mark.trim().trim_end_matches(is_count).to_lowercase();
    match MARKS.contains(&word.as_str()) {
        true => rest.trim_start(),
        false => subject,
    }
}

fn without_list<'a>(subject: &'a str, list: &str) -> &'a str {
    let Some((name, rest)) = subject.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return subject;
    };
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (name, list) = (letters(name), letters(list));
    // Matches `[mill]` of the list `mill-users`, but not `[PATCH]`.
    let is_list =
        name.len() > 1 && !list.is_empty() && (list.contains(&name) || name.contains(&list));
    if is_list { rest.trim_start() } else { subject }
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn reply_prefixes_are_removed() {
        for subject in [
            "The tide", "Re: The tide", "RE: AW: Fwd: The tide", "Re[2]: The tide",
            "[mill] Re: [Mill] The tide", "回复：The tide",
        ] {
            assert_eq!(base(subject, "mill-users"), "The tide", "{subject}");
        }
        assert_eq!(base("[PATCH 1/2] x: y", "mill"), "[PATCH 1/2] x: y");
        assert_eq!(base("[boats] x", "Owners of the quay boats"), "x");
        assert_eq!(base("Re:", ""), "");
    }
}
