//! The names in a program.

/// A name in a program, with its dots, and the text before and after it.
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    /// The text after the name before it.
    pub(super) before: &'a str,
    /// The rest of the program.
    pub(super) after: &'a str,
}

/// Returns the names in a program, in order.
pub(super) fn names_in(program: &str) -> Vec<Name<'_>> {
    let is_part = |c: char| c.is_alphanumeric() || "_$.".contains(c);
    let (mut names, mut end) = (Vec::new(), 0);
    while let Some(found) = program[end..].find(is_part) {
        let start = end + found;
        let rest = &program[start..];
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let (text, after) = rest.split_at(length);
        names.push(Name { text, before: &program[end..start], after });
        end = start + length;
    }
    names
}
