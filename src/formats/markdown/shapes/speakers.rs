//! Decides which names belong to speakers, and which names belong to the same speaker.

use std::collections::{BTreeMap, BTreeSet};

use super::super::names;
use super::candidates::{Candidates, Head, NameStyle, is_prose, is_sentence_like, is_written};
use super::group::Group;
use super::listed::{Listed, TITLES};
use super::shape::Shape;
use super::words::{self, Part};
use super::{candidates, name, stamp};
use convo_base::text::edit_distance;

/// The maximum number of pairs of names that are compared.
const MAX_COMPARED: usize = 200_000;

/// The speakers of a text.
#[derive(Default)]
pub(crate) struct Speakers {
    /// The speaker's key, by the key of each of their names.
    pub(crate) same: BTreeMap<String, String>,
    /// The display names.
    pub(crate) shown: BTreeMap<String, String>,
    /// Names that are displayed with the brackets after them, because the brackets are always the same.
    pub(crate) with_aside: BTreeSet<String>,
    /// Whether the speakers are a person and an assistant.
    pub(crate) is_chat: bool,
    /// Lines with a name that occurs once and may be a label.
    pub(crate) unsure: Vec<usize>,
    /// The lines of those that were read as turns.
    pub(crate) taken: Vec<usize>,
    /// Lines with a name that differs from another one by a letter.
    pub(crate) misspelt: Vec<usize>,
    /// Lines with a name that occurs once and is similar to another one.
    pub(crate) alike: Vec<(usize, String)>,
    /// The line of the first `A` that was read as the only named speaker who answers.
    pub(crate) answers: Option<usize>,
    /// How many of the names are listed above the transcript.
    pub(crate) listed: usize,
    /// Whether turns open paragraphs.
    pub(crate) blank_style: bool,
}

/// The use of one name.
struct Tally<'a> {
    count: usize,
    first: usize,
    look: NameStyle,
    written: BTreeMap<&'a str, usize>,
    asides: BTreeSet<Option<&'a str>>,
    part: Option<Part>,
    listed: bool,
}

impl Speakers {
    /// Returns the speaker that a line names.
    pub(crate) fn of(&self, head: &Head<'_>) -> Option<&str> {
        self.same.get(&head.key).map(String::as_str)
    }

    pub(crate) fn choose(survey: &Candidates<'_>, listed: &Listed, group: Group) -> Self {
        let all: Vec<(usize, &Head<'_>)> = survey
            .heads
            .iter()
            .enumerate()
            .filter(|(_, head)| group.has(&head.mark) && !head.in_code && !head.in_rows)
            .collect();
        // If names are on lines of their own, the text below a name is its turn.
        let bare = |head: &Head<'_>| head.line.start + head.mark.text_start >= head.line.end;
        let alone = all.iter().filter(|(_, head)| bare(head)).count() * 2 > all.len();
        let all: Vec<(usize, &Head<'_>)> =
            all.into_iter().filter(|(_, head)| !alone || !head.below_name).collect();
        let tallies = tally(&all, listed);
        let has = |part| tallies.values().any(|tally| tally.part == Some(part));
        let mut cast = Self { is_chat: has(Part::Asks) && has(Part::Answers), ..Self::default() };
        let settled = listed.settled && tallies.values().any(|tally| tally.listed);
        let small =
            tallies.values().filter(|tally| tally.count > 1 && tally.look == NameStyle::Small);
        // `me` is a name although it is in lower case.
        let is_name = |tally: &&Tally<'_>| {
            let small = |name: &&str| name.starts_with(char::is_lowercase);
            tally.count > 1 && tally.look == NameStyle::Name && !tally.written.keys().all(small)
        };
        let names = tallies.values().filter(is_name);
        let small = small.count() > names.count();
        let questions = tallies.iter().filter(|(key, _)| names::is_question(key)).count() > 1;
        let mut core: BTreeSet<&str> = BTreeSet::new();
        for (key, tally) in &tallies {
            let is_core = tally.listed
                || match tally.look {
                    _ if cast.is_chat => tally.part.is_some(),
                    NameStyle::Label | NameStyle::Phrase => false,
                    _ if names::is_question(key) && questions => true,
                    // People who speak in court besides those who ask and answer.
                    NameStyle::Capitals if questions && is_in_court(key) => true,
                    _ if names::is_pause(key) => false,
                    NameStyle::Small => small && tally.count > 1,
                    NameStyle::Name | NameStyle::Capitals => {
                        tally.count > 1
                            || !settled && tally.part.is_none() && words::is_description(key)
                    }
                };
            if is_core {
                core.insert(key);
            }
        }
        cast.listed =
            core.iter().filter(|key| tallies.get(**key).is_some_and(|t| t.listed)).count();
        let mine = || all.iter().filter(|(_, head)| core.contains(head.key.as_str()));
        let (count, opening) = (mine().count(), mine().filter(|(_, head)| head.opens).count());
        cast.blank_style = opening * 5 >= count * 4;
        let capitals =
            mine().filter(|(_, head)| head.look == NameStyle::Capitals).count() * 10 >= count * 9;
        let marked = mine().filter(|(_, head)| head.mark.marked).count() * 2 > count;
        let short: BTreeSet<String> = core.iter().map(|key| key.replace(['.', ' '], "")).collect();
        // A word that opens lines in several shapes is a name.
        let again = repeated(survey);
        let mut once: Vec<usize> = Vec::new();
        if !cast.is_chat && !settled && count != 1 {
            let first = mine().next().map_or(0, |(_, head)| head.line.start);
            let candidates: Vec<(usize, &Head<'_>)> = all
                .iter()
                .copied()
                .filter(|(_, head)| {
                    let tally = tallies.get(&head.key);
                    tally.is_some_and(|tally| tally.count == 1)
                        && !core.contains(head.key.as_str())
                        && !names::is_pause(&head.key)
                        && match head.look {
                            NameStyle::Name => {
                                !capitals || count == 0 || is_full(&head.key, &core, &short)
                            }
                            NameStyle::Capitals => true,
                            NameStyle::Small => small,
                            _ => false,
                        }
                        && !(group == Group::Heading && survey.has_words(head))
                        && (head.opens || !cast.blank_style)
                        && (head.mark.marked == marked
                            || again.contains(&head.key)
                            || is_initials(&head.key, &core))
                        && !head.mark.tight
                        && !head.mark.name.contains(',')
                })
                .collect();
            let style = match (group, cast.blank_style) {
                (Group::Heading, _) => &survey.headings,
                (Group::Alone, _) => &Vec::new(),
                (_, true) => &survey.paragraphs,
                (_, false) => &survey.lines,
            };
            let timed = mine().filter(|(_, head)| is_timed(survey, head)).count() * 5 >= count * 4;
            let level = |head: &Head<'_>| {
                let line = &survey.text[head.line.clone()];
                line.len() - line.trim_start_matches('#').len()
            };
            let usual = mine().next().map_or(0, |(_, head)| level(head));
            let covered = coverage(style, first, |at| {
                let found = survey.heads.binary_search_by_key(&at, |head| head.line.start);
                found.is_ok_and(|index| {
                    let key = survey.heads[index].key.as_str();
                    core.contains(key) || tallies.get(key).is_some_and(|tally| tally.count == 1)
                })
            });
            let mentioned = if candidates.is_empty() { BTreeSet::new() } else { mentions(survey) };
            for (index, head) in candidates {
                let mut below = survey.heads[index + 1..].iter();
                let next = below.find(|next| group.has(&next.mark) && !(alone && next.below_name));
                let end = next.map_or(survey.text.len(), |next| next.line.start);
                let body = survey.text_of(head, end);
                if is_written(body) || body.trim().is_empty() {
                    continue;
                }
                let word = head.key.split(' ').next().unwrap_or_default();
                let called = word.chars().count() > 2 && mentioned.contains(word);
                let spoken = is_sentence_like(body);
                let stamped = timed && is_timed(survey, head);
                if level(head) != usual {
                    continue;
                }
                let below = head.line.start > first;
                // `BP: 120/80`
                if !body.contains(char::is_alphabetic) {
                    if below {
                        cast.unsure.push(index);
                    }
                    continue;
                }
                if spoken
                    || stamped
                    || called
                    || is_full(&head.key, &core, &short)
                    || (covered || marked) && below
                {
                    once.push(index);
                } else if below && cast.blank_style && is_prose(body) {
                    once.push(index);
                    cast.taken.push(index);
                } else if head.line.start > first {
                    cast.unsure.push(index);
                }
            }
        }
        for key in core {
            cast.same.insert(key.to_owned(), key.to_owned());
        }
        for index in &once {
            let key = &survey.heads[*index].key;
            cast.same.insert(key.clone(), key.clone());
        }
        cast.spell(survey, &tallies, &once);
        cast.join(&tallies, &all);
        cast
    }

    /// Sets the display names.
    fn spell(
        &mut self,
        survey: &Candidates<'_>,
        tallies: &BTreeMap<String, Tally<'_>>,
        once: &[usize],
    ) {
        for key in self.same.keys() {
            let Some(tally) = tallies.get(key) else { continue };
            let best = tally.written.iter().max_by_key(|(name, count)| {
                let capitals = !name.contains(char::is_lowercase);
                (**count, !capitals, !name.starts_with(char::is_lowercase))
            });
            let mut name = best.map_or(key.as_str(), |(name, _)| *name).to_owned();
            let one = tally.asides.iter().next().copied().flatten();
            if let Some(aside) = one.filter(|_| tally.asides.len() == 1 && tally.count > 1) {
                name = format!("{name} {}", name::in_brackets(aside));
                self.with_aside.insert(key.clone());
            }
            // `ChatGPT said:`, as on ChatGPT pages.
            let part_name =
                tally.part.and_then(|_| words::name_before_verb(&name).map(str::to_owned));
            let name = part_name.unwrap_or(name);
            self.shown.insert(key.clone(), name.trim_start_matches('@').to_owned());
        }
        // A typing error inside a long name that occurs often.
        let is_known = |key: &&String| tallies.get(*key).is_some_and(|tally| tally.count >= 3);
        let known: Vec<&String> = self.same.keys().filter(is_known).collect();
        // With so many names, a similar one is not a typing error.
        let once = match once.len().saturating_mul(known.len()) {
            0..=MAX_COMPARED => once,
            _ => &[],
        };
        let mut slips = Vec::new();
        for index in once {
            let key = &survey.heads[*index].key;
            let near = known.iter().find(|other| is_slip(key, other));
            if let Some(other) = near {
                slips.push((*index, key.clone(), (*other).clone()));
            }
        }
        for index in once {
            let key = &survey.heads[*index].key;
            let near = known.iter().find(|other| !is_slip(key, other) && is_alike(key, other));
            self.alike.extend(near.map(|other| (*index, (*other).clone())));
        }
        for (index, key, other) in slips {
            self.misspelt.push(index);
            self.same.insert(key, other);
        }
    }

    /// Joins short forms of names with the names: `Ada`, `AL` and `Dr. Lovelace` with
    /// `Ada Lovelace`.
    fn join(&mut self, tallies: &BTreeMap<String, Tally<'_>>, all: &[(usize, &Head<'_>)]) {
        // Adjacent turns belong to different speakers.
        let speaking: Vec<&str> = all.iter().filter_map(|(_, head)| self.of(head)).collect();
        let apart: BTreeSet<(String, String)> = speaking
            .windows(2)
            .flat_map(|pair| [(pair[0], pair[1]), (pair[1], pair[0])])
            .map(|(a, b)| (a.to_owned(), b.to_owned()))
            .collect();
        let first = |key: &str| tallies.get(key).map_or(0, |tally| tally.first);
        let mut short: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        let is_person = |key: &str| words::part(key).is_none() && !words::is_description(key);
        for key in self.same.keys().filter(|key| is_person(key)) {
            let words: Vec<&str> = key.split(' ').collect();
            let number = |word: &&str| word.chars().all(|c| c.is_ascii_digit());
            let [first, .., last] = words.as_slice() else { continue };
            if words.iter().any(number) || last.chars().count() < 2 || key.contains('&') {
                continue;
            }
            let initials = initials(&words).unwrap_or_default();
            let titled = TITLES.iter().find_map(|title| key.strip_prefix(title));
            let forms = [Some(*first).filter(|_| titled.is_none()), Some(*last), Some(&initials)];
            for form in forms.into_iter().flatten() {
                short.entry(form.to_owned()).or_default().insert(key);
            }
        }
        let mut joined = Vec::new();
        for key in self.same.keys() {
            let bare = TITLES.iter().find_map(|title| key.strip_prefix(title));
            let form = bare.unwrap_or(key).replace('.', "");
            let form = form.as_str();
            let initials = form.chars().count() <= 3;
            if form.chars().count() == 1 && !is_ambiguous(form) {
                let full = self.initial_of(form, key, first);
                joined.extend(full.filter(|pair| !apart.contains(pair)));
                continue;
            }
            let capitals =
                || tallies.get(key).is_some_and(|tally| tally.look == NameStyle::Capitals);
            if form.contains(' ') || initials && is_ambiguous(form) {
                continue;
            }
            let Some(full) = short.get(form) else { continue };
            let mut full = full.iter().filter(|full| **full != key.as_str());
            if let (Some(full), None) = (full.next(), full.next()) {
                let named = full.split(' ').any(|word| word == form);
                let pair = (key.clone(), (*full).to_owned());
                let behind = first(full) < first(key) || named && form == key.as_str();
                if (named || capitals()) && !apart.contains(&pair) && behind {
                    joined.push((key.clone(), (*full).to_owned()));
                }
            }
        }
        for (key, full) in joined {
            // `Dr. Lovelace` is short for `Ada Lovelace`, and `Lovelace` for both.
            if self.same.get(&full).is_some_and(|to| *to == full) {
                self.same.insert(key, full);
            }
        }
        self.join_asides(tallies);
        self.join_answers(tallies);
    }

    /// Finds the only speaker whose name begins with the letter that is used as a name.
    fn initial_of(
        &self,
        letter: &str,
        key: &str,
        first: impl Fn(&str) -> usize,
    ) -> Option<(String, String)> {
        let is_full = |full: &&String| {
            full.starts_with(letter)
                && full.chars().count() > 2
                && words::part(full).is_none()
                && !words::is_description(full)
                && !names::is_question(full)
        };
        let mut full = self.same.keys().filter(is_full);
        match (full.next(), full.next()) {
            (Some(full), None) if first(full) < first(key) => Some((key.to_owned(), full.clone())),
            _ => None,
        }
    }

    /// Joins roles with the name in brackets after them: `HOST (Ada)` with `Ada`.
    fn join_asides(&mut self, tallies: &BTreeMap<String, Tally<'_>>) {
        let mut joined = Vec::new();
        for key in self.same.keys() {
            let Some(tally) = tallies.get(key) else { continue };
            let mut asides = tally.asides.iter();
            let (Some(Some(aside)), None) = (asides.next(), asides.next()) else {
                continue;
            };
            let inside = candidates::key(aside.trim_matches(['(', ')', '[', ']']));
            let known = self.same.get(&inside).filter(|full| *full != key);
            joined.extend(known.map(|full| (key.clone(), full.clone())));
        }
        for (key, full) in joined {
            self.with_aside.insert(key.clone());
            self.same.insert(key, full);
        }
    }

    /// Joins the `A` of questions and answers with the only named speaker who answers.
    fn join_answers(&mut self, tallies: &BTreeMap<String, Tally<'_>>) {
        let all: BTreeSet<&String> = self.same.values().collect();
        let mut others = all.iter().filter(|key| !matches!(key.as_str(), "q" | "a"));
        let (Some(answers), None) = (others.next(), others.next()) else { return };
        let answers = (*answers).clone();
        let is_person = words::part(&answers).is_none()
            && !words::is_description(&answers)
            && !names::is_question(&answers);
        let has = |key: &str| self.same.contains_key(key);
        if is_person && has("q") && has("a") {
            self.answers = tallies.get("a").map(|tally| tally.first);
            self.same.insert("a".to_owned(), answers);
        }
    }
}

/// Returns the names that open several lines, in any shape.
fn repeated(survey: &Candidates<'_>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let heads = survey.heads.iter().filter(|head| !head.in_code && !head.in_rows);
    let again = heads.filter(|head| head.look == NameStyle::Name);
    again.filter(|head| !seen.insert(&*head.key)).map(|head| head.key.clone()).collect()
}

/// Returns whether a name in capitals is written as in court transcripts: `THE COURT`, `MR. WREN`.
fn is_in_court(key: &str) -> bool {
    key.starts_with("the ") || TITLES.iter().any(|title| key.starts_with(title))
}

fn is_ambiguous(form: &str) -> bool {
    names::is_question(form) || words::part(form).is_some()
}

fn tally<'a>(heads: &[(usize, &'a Head<'a>)], listed: &Listed) -> BTreeMap<String, Tally<'a>> {
    let mut tallies: BTreeMap<String, Tally<'a>> = BTreeMap::new();
    // A forgotten space is assumed only after names that also occur with a space.
    let sparse: BTreeSet<&str> = heads
        .iter()
        .filter(|(_, head)| !head.mark.tight)
        .map(|(_, head)| head.key.as_str())
        .collect();
    for (index, head) in heads {
        let listed = listed.has(&head.key);
        if head.mark.tight && !listed && !sparse.contains(head.key.as_str()) {
            continue;
        }
        let tally = tallies.entry(head.key.clone()).or_insert_with(|| Tally {
            count: 0,
            first: *index,
            look: head.look,
            written: BTreeMap::new(),
            asides: BTreeSet::new(),
            part: words::part(&head.key),
            listed,
        });
        tally.count += 1;
        if matches!(tally.look, NameStyle::Capitals | NameStyle::Small)
            && head.look == NameStyle::Name
        {
            tally.look = NameStyle::Name;
        }
        *tally.written.entry(head.mark.name).or_default() += 1;
        tally.asides.insert(head.mark.aside);
    }
    tallies
}

/// Returns whether a name is the long form of one of the others.
fn is_full(key: &str, core: &BTreeSet<&str>, joined: &BTreeSet<String>) -> bool {
    let words: Vec<&str> = key.split(' ').collect();
    let short = |form: &str| core.contains(form) && !is_ambiguous(form);
    words.len() > 1
        && (words.iter().any(|word| short(word))
            || initials(&words).is_some_and(|all| joined.contains(&all)))
}

/// Returns whether a name is the initials of exactly one of the others.
fn is_initials(key: &str, core: &BTreeSet<&str>) -> bool {
    let fits = |full: &&&str| {
        initials(&full.split(' ').collect::<Vec<_>>()).is_some_and(|short| short == key)
    };
    !is_ambiguous(key) && core.iter().filter(fits).count() == 1
}

/// Returns the initials of two words or more.
fn initials(words: &[&str]) -> Option<String> {
    (words.len() > 1).then(|| words.iter().filter_map(|word| word.chars().next()).collect())
}

/// Returns whether there is a time beside a name or after its colon.
fn is_timed(survey: &Candidates<'_>, head: &Head<'_>) -> bool {
    let rest = survey.text_of(head, head.line.end.max(head.line.start + head.mark.text_start));
    head.mark.stamp.is_some() || stamp::stamp(rest).is_some_and(|stamp| stamp.is_exact)
}

/// Returns whether nearly all places from `first` on are those of turns.
fn coverage(places: &[usize], first: usize, opens: impl Fn(usize) -> bool) -> bool {
    let from = places.partition_point(|at| *at < first);
    let below = &places[from..];
    let opening = below.iter().filter(|at| opens(**at)).count();
    below.len() > 2 && opening * 10 >= below.len() * 9
}

/// Returns the words of a text that are not part of a name at the start of a line.
fn mentions(survey: &Candidates<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut heads = survey.heads.iter().peekable();
    let mut start = survey.body;
    for line in survey.text[survey.body..].split_inclusive('\n') {
        while heads.peek().is_some_and(|head| head.line.start < start) {
            heads.next();
        }
        let named = heads.peek().filter(|head| head.line.start == start);
        let from = named.map_or(0, |head| head.mark.text_start.min(line.len()));
        for word in line[from..].split(|c: char| !c.is_alphanumeric()) {
            if word.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase()) {
                found.insert(word.to_lowercase());
            }
        }
        start += line.len();
    }
    found
}

/// Returns whether the names differ by one letter inside. The first and the last letter distinguish names:
/// Maria and Marie, Hanna and Anna.
fn is_slip(a: &str, b: &str) -> bool {
    let (long, close) = (a.chars().count() >= 5 && b.chars().count() >= 5, a != b);
    let ends = a.chars().next() == b.chars().next() && a.chars().last() == b.chars().last();
    let digits = |text: &str| text.contains(|c: char| c.is_ascii_digit());
    long && close && ends && !digits(a) && !digits(b) && edit_distance(a, b) == 1
}

/// Returns whether two names are so similar that one may be a misspelling of the other.
fn is_alike(a: &str, b: &str) -> bool {
    let long = |name: &str| name.chars().count() >= 4;
    let plain = |name: &str| !name.contains(|c: char| c == ' ' || c.is_ascii_digit());
    let fits = |name: &str| long(name) && plain(name) && words::part(name).is_none();
    let start = |name: &str| name.chars().take(2).collect::<String>();
    a != b && fits(a) && fits(b) && start(a) == start(b) && edit_distance(a, b) <= 2
}

/// Returns whether a line of this shape may open a turn among those of a group.
pub(crate) fn joins(group: Group, shape: Shape) -> bool {
    match group {
        Group::Lines => !matches!(shape, Shape::Heading | Shape::Bracket),
        Group::Heading => shape == Shape::Heading,
        Group::Alone => matches!(shape, Shape::Alone | Shape::Timed),
        Group::Dash => matches!(shape, Shape::Dash | Shape::Colon),
        Group::Bracket => shape == Shape::Bracket,
        Group::Stop => shape == Shape::Stop,
        Group::Capitals => shape == Shape::Capitals,
        Group::Bold => shape == Shape::Bold,
    }
}
