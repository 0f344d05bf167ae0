//! Chooses where the pages of a long conversation begin, by the sizes of its turns alone.

use std::ops::Range;

/// How well a page can begin at a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Border {
    /// It is a prompt, or the first message of a day.
    Good,
    /// It continues an exchange or a day. Used only in those that are too large for one page.
    Passable,
    /// It is the answer to the turn before, or an option of a fork. Used only where a page would be
    /// twice as large as it should be.
    Bad,
}

impl Border {
    /// Returns the cost of a break, compared with that of a page: see [`page_cost`].
    fn cost(self) -> u64 {
        match self {
            Self::Good => 0,
            Self::Passable => 100_000,
            Self::Bad => 5_000_000,
        }
    }
}

/// How many places per page are considered for a break, so that the time is linear.
const PLACES_PER_PAGE: u64 = 128;
/// How many times larger than it should be a page may get.
const MAX_FACTOR: u64 = 2;
/// A page is too small if it is smaller than this part of the largest page of its conversation...
const MIN_PART_OF_LARGEST: u64 = 8;
/// ... and than this part of a page of the usual size.
const MIN_PART_OF_PAGE: u64 = 2;

/// A place for a break.
struct Place {
    /// The turn after it.
    turn: usize,
    /// The size of everything before it.
    before: u64,
    border: Border,
}

/// Returns the range of turns for each page. Pages are about equally large, and about as large as
/// `page` at most. `borders` are those before each turn; the first one does not matter.
pub(crate) fn choose(sizes: &[u64], borders: &[Border], page: u64) -> Vec<Range<usize>> {
    let page = page.max(1);
    // A turn that is larger than a page still leaves its page open for small neighbours.
    let clamped: Vec<u64> = sizes.iter().map(|size| (*size).min(page)).collect();
    join_small(balance(&clamped, borders, page), sizes, page)
}

/// Returns the pages with the lowest cost.
fn balance(sizes: &[u64], borders: &[Border], page: u64) -> Vec<Range<usize>> {
    let places = places(sizes, borders, page);
    let total = sizes.iter().sum::<u64>().max(1);
    let ideal = (total / total.div_ceil(page)).max(1);
    // For each place, the lowest cost of all pages before it, and where the last of them begins.
    let mut best: Vec<(u64, usize)> = vec![(0, 0)];
    for place in places.iter().skip(1) {
        let mut lowest: Option<(u64, usize)> = None;
        for (from, (start, (cost, _))) in places.iter().zip(&best).enumerate().rev() {
            let size = place.before - start.before;
            if lowest.is_some() && size > MAX_FACTOR * page {
                break;
            }
            let cost = cost.saturating_add(page_cost(size, ideal, page));
            if lowest.is_none_or(|(known, _)| cost < known) {
                lowest = Some((cost, from));
            }
        }
        let (cost, from) = lowest.unwrap_or_default();
        best.push((cost.saturating_add(place.border.cost()), from));
    }
    let mut pages = Vec::new();
    let mut at = best.len() - 1;
    while let (Some((_, from)), Some(end)) = (best.get(at), places.get(at))
        && at > 0
    {
        let start = places.get(*from).map_or(0, |start| start.turn);
        pages.push(start..end.turn);
        at = *from;
    }
    pages.reverse();
    pages
}

/// Joins each page that is too small with the smaller one of its neighbours.
fn join_small(pages: Vec<Range<usize>>, sizes: &[u64], page: u64) -> Vec<Range<usize>> {
    let size_of =
        |turns: &Range<usize>| -> u64 { sizes.get(turns.clone()).unwrap_or_default().iter().sum() };
    let largest = pages.iter().map(size_of).max().unwrap_or_default();
    let least = (largest / MIN_PART_OF_LARGEST).min(page / MIN_PART_OF_PAGE);
    let mut joined: Vec<(Range<usize>, u64)> = Vec::with_capacity(pages.len());
    let mut rest = pages.into_iter().map(|turns| (turns.clone(), size_of(&turns))).peekable();
    while let Some((mut turns, mut size)) = rest.next() {
        while size < least {
            let before = joined.last().map(|(_, size)| *size);
            let after = rest.peek().map(|(_, size)| *size);
            match (before, after) {
                (Some(before), after) if after.is_none_or(|after| before <= after) => {
                    let Some((last, sum)) = joined.pop() else { break };
                    (turns, size) = (last.start..turns.end, sum + size);
                }
                (_, Some(_)) => {
                    let Some((next, sum)) = rest.next() else { break };
                    (turns, size) = (turns.start..next.end, size + sum);
                }
                _ => break,
            }
        }
        joined.push((turns, size));
    }
    joined.into_iter().map(|(turns, _)| turns).collect()
}

/// Returns the cost of a page: the square of how much it differs from the ideal size, and more if
/// it is too large.
fn page_cost(size: u64, ideal: u64, page: u64) -> u64 {
    let difference = size.abs_diff(ideal).min(ideal) * 1000 / ideal;
    let excess = (size.saturating_sub(page).saturating_mul(1000) / page).min(1_000_000);
    difference * difference + 4 * excess * excess
}

/// Returns the places for breaks: the start, the end, and between them the best ones.
fn places(sizes: &[u64], borders: &[Border], page: u64) -> Vec<Place> {
    let step = (page / PLACES_PER_PAGE).max(1);
    let fits = fits(sizes, borders, page);
    let mut places = vec![Place { turn: 0, before: 0, border: Border::Good }];
    let mut before = 0;
    for (turn, ((size, border), fits)) in sizes.iter().zip(borders).zip(fits).enumerate() {
        if turn > 0 && (*border == Border::Good || !fits) {
            let place = Place { turn, before, border: *border };
            match places.last_mut() {
                Some(last) if last.turn > 0 && last.before / step == before / step => {
                    if place.border < last.border {
                        *last = place;
                    }
                }
                _ => places.push(place),
            }
        }
        before += size;
    }
    places.push(Place { turn: sizes.len(), before, border: Border::Good });
    places
}

/// Returns for each turn whether its exchange or day fits on one page.
fn fits(sizes: &[u64], borders: &[Border], page: u64) -> Vec<bool> {
    let mut all = Vec::with_capacity(sizes.len());
    let (mut count, mut sum) = (0, 0);
    for (size, border) in sizes.iter().zip(borders) {
        if *border == Border::Good {
            all.resize(count, sum <= page);
            sum = 0;
        }
        count += 1;
        sum += size;
    }
    all.resize(count, sum <= page);
    all
}

#[cfg(test)]
mod tests {
    use super::Border::{self, Bad, Good, Passable};
    use super::choose;

    /// Returns the sizes of the pages.
    fn pages(turns: &[(u64, Border)]) -> Vec<u64> {
        let (sizes, borders): (Vec<u64>, Vec<Border>) = turns.iter().copied().unzip();
        let pages = choose(&sizes, &borders, 100);
        pages.into_iter().map(|turns| sizes[turns].iter().sum()).collect()
    }

    #[test]
    fn pages_begin_at_good_places_and_are_about_equal() {
        let exchange = |answer: u64| [(5, Good), (answer, Bad)];
        let exchanges = |answers: &[u64]| answers.iter().copied().flat_map(exchange).collect();
        type Turns = Vec<(u64, Border)>;
        let cases: [(Turns, &[u64]); 12] = [
            (exchanges(&[45, 40]), &[95]),
            (exchanges(&[55, 55, 55]), &[60, 60, 60]),
            // What is small joins its neighbour.
            (exchanges(&[85, 5, 85]), &[100, 90]),
            (exchanges(&[90, 1]), &[101]),
            (exchanges(&[1, 95, 1, 95, 1]), &[112, 106]),
            // A long exchange is broken inside, but not after its prompt.
            (vec![(5, Good), (60, Bad), (60, Passable), (60, Passable)], &[65, 120]),
            (vec![(5, Good), (90, Bad), (4, Good), (90, Bad), (90, Passable)], &[95, 94, 90]),
            (vec![(5, Good), (130, Bad)], &[135]),
            // A page has twice its size at most if it can be broken.
            (vec![(90, Good), (90, Bad), (90, Bad)], &[180, 90]),
            (vec![(20, Passable); 11], &[80, 80, 60]),
            // Turns that are larger than a page include their neighbours.
            (vec![(500, Good), (10, Good), (10, Good)], &[520]),
            (vec![(7, Good), (440, Bad), (440, Passable), (10, Passable)], &[447, 450]),
        ];
        for (turns, expected) in cases {
            assert_eq!(pages(&turns), expected, "{turns:?}");
        }
    }
}
