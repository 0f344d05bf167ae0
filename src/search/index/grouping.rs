//! Divides terms into the files that contain them.

/// The terms of a file: its number, and the terms in order.
pub(super) type Group<T> = (usize, Vec<(Box<str>, T)>);

/// Divides terms, in order, into files that begin at given terms. Only files that are wanted get their terms.
pub(super) struct Grouping<'s, T> {
    /// Where each file begins.
    starts: &'s [String],
    is_wanted: Vec<bool>,
    /// The number of the current file.
    number: usize,
    group: Vec<(Box<str>, T)>,
}

impl<'s, T> Grouping<'s, T> {
    pub(super) fn new(starts: &'s [String], is_wanted: Vec<bool>) -> Self {
        Self { starts, is_wanted, number: 0, group: Vec::new() }
    }

    /// Goes to the file of a term. Returns the terms of the previous file if there are any.
    pub(super) fn go_to(&mut self, term: &str) -> Option<Group<T>> {
        let later = self.starts.iter().skip(self.number + 1);
        let skipped = later.take_while(|start| ***start <= *term).count();
        let full = if skipped > 0 { self.rest() } else { None };
        self.number += skipped;
        full
    }

    /// Returns whether the current file is wanted.
    pub(super) fn is_wanted(&self) -> bool {
        self.is_wanted[self.number]
    }

    /// Adds a term to the current file.
    pub(super) fn push(&mut self, term: Box<str>, of: T) {
        self.group.push((term, of));
    }

    /// Returns the terms of the current file if there are any.
    pub(super) fn rest(&mut self) -> Option<Group<T>> {
        let group = std::mem::take(&mut self.group);
        (!group.is_empty()).then_some((self.number, group))
    }
}

/// A range of terms: where it begins, and where it ends, if that is not the end of all.
pub(super) type Span = (String, Option<String>);

/// Merges ranges of terms that touch.
pub(super) fn spans<'a>(ranges: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> Vec<Span> {
    let mut ranges: Vec<_> = ranges.filter(|(start, end)| *end != Some(start)).collect();
    ranges.sort_unstable();
    let mut spans: Vec<Span> = Vec::new();
    for (start, end) in ranges {
        let end = end.map(str::to_owned);
        match spans.last_mut().filter(|(_, last)| last.as_deref().is_none_or(|last| start <= last))
        {
            Some((_, None)) => {}
            Some((_, last)) => *last = if end.is_none() { None } else { end.max(last.take()) },
            None => spans.push((start.to_owned(), end)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn ranges_that_touch_become_one() {
        let span = |start: &str, end: Option<&str>| (start.to_owned(), end.map(str::to_owned));
        let ranges = [
            ("m", Some("n")),
            ("", Some("c")),
            ("a", Some("b")),
            ("c", Some("c")),
            ("c", Some("e")),
            ("x", None),
            ("y", Some("z")),
        ];
        let expected = [span("", Some("e")), span("m", Some("n")), span("x", None)];
        assert_eq!(spans(ranges.into_iter()), expected);
        assert_eq!(spans([("", None), ("a", Some("b"))].into_iter()), [span("", None)]);
    }
}
