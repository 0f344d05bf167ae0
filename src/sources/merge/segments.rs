//! Finds out which logs are one conversation, and in which order.

use crate::model::{LogEnd, Segment};

/// A log of a conversation.
#[derive(Debug, PartialEq)]
pub(crate) struct Link<'a> {
    /// Its index among all versions.
    pub(crate) place: usize,
    /// The place in it where the next log continues; `None` for the last log.
    pub(crate) end: Option<&'a LogEnd>,
}

/// Finds the logs that a conversation now consists of, newest first. Content of other logs was
/// undone. `versions` are the logs of all versions, newest first. Returns `None` if there is only
/// one log, even with several copies.
pub(crate) fn chain<'a>(versions: &[Option<&'a Segment>]) -> Option<Vec<Link<'a>>> {
    let has_base = |segment: &&Segment| segment.base.is_some();
    if !versions.iter().flatten().any(has_base) {
        return None;
    }
    let id = |place: usize| versions[place].map(|segment| segment.id.as_str());
    let base = |place: usize| versions[place].and_then(|segment| segment.base.as_ref());
    let is_base = |place: usize| {
        let continues = |other: usize| {
            other != place && base(other).is_some_and(|end| Some(end.log.as_str()) == id(place))
        };
        (0..versions.len()).any(continues)
    };
    let newest = (0..versions.len()).find(|place| !is_base(*place)).unwrap_or(0);
    let mut links = vec![Link { place: newest, end: None }];
    while let Some(end) = links.last().and_then(|link| base(link.place)) {
        let is_free = |place: &usize| links.iter().all(|link| link.place != *place);
        let mut free = (0..versions.len()).filter(is_free);
        let Some(place) = free.find(|place| id(*place) == Some(end.log.as_str())) else {
            break;
        };
        links.push(Link { place, end: Some(end) });
    }
    let is_one_log = (0..versions.len()).all(|place| id(place) == id(newest));
    (links.len() > 1 || !is_one_log).then_some(links)
}

#[cfg(test)]
mod tests {
    use super::chain;
    use crate::model::{LogEnd, Segment};

    fn log(id: &str, base: Option<(&str, u64)>) -> Segment {
        let end = |(log, record): (&str, u64)| LogEnd {
            log: log.to_owned(),
            record: Some(record),
            bytes: None,
        };
        Segment { id: id.to_owned(), base: base.map(end) }
    }

    fn found(versions: &[Segment]) -> Option<Vec<(usize, Option<u64>)>> {
        let versions: Vec<Option<&Segment>> = versions.iter().map(Some).collect();
        let links = chain(&versions)?;
        let link = |link: &super::Link<'_>| (link.place, link.end.and_then(|end| end.record));
        Some(links.iter().map(link).collect())
    }

    #[test]
    fn the_newest_log_and_the_one_it_continues_are_found() {
        let (a, b) = (log("a", None), log("b", Some(("a", 5))));
        let c = |base| log("c", Some((base, 3)));
        for (versions, expected) in [
            (vec![a.clone()], None),
            (vec![a.clone(), a.clone()], None),
            (vec![b.clone()], None),
            (vec![b.clone(), b.clone()], None),
            (vec![b.clone(), a.clone()], Some(vec![(0, None), (1, Some(5))])),
            // A copy of the older log may be the newer file.
            (vec![a.clone(), b.clone()], Some(vec![(1, None), (0, Some(5))])),
            // The second log was undone as a whole.
            (vec![c("a"), b.clone(), a.clone()], Some(vec![(0, None), (2, Some(3))])),
            (vec![c("b"), b.clone(), a.clone()], Some(vec![(0, None), (1, Some(3)), (2, Some(5))])),
            (vec![c("a"), b.clone()], Some(vec![(0, None)])),
            // This also ends on logs that refer to each other.
            (
                vec![log("x", Some(("y", 1))), log("y", Some(("x", 2)))],
                Some(vec![(0, None), (1, Some(1))]),
            ),
        ] {
            assert_eq!(found(&versions), expected, "{versions:?}");
        }
    }
}
