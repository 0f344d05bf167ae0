//! Decides whether a text is a transcript in one of the shapes.
//!
//! A list of speakers above it is conclusive. Otherwise, names return after others spoke and the text
//! sounds spoken; or the names are those of a person and an assistant.

use std::collections::{BTreeMap, BTreeSet};

use super::super::verdict::Verdict;
use super::super::{given, names, speech};
use super::candidates::{Candidates, Head, NameStyle, is_prose, is_sentence_like, is_written};
use super::group::Group;
use super::hints::Hints;
use super::listed::Listed;
use super::shape::Shape;
use super::speakers::{Speakers, joins};
use super::words::{self, Part};
use super::{stamp, weak};

/// The maximum length, in bytes, of an introduction that is accepted however short the rest of the text is.
const MAX_INTRODUCTION_BYTES: usize = 2000;

/// The lines of a text that open turns in one group of shapes.
pub(crate) struct Reading {
    pub(crate) group: Group,
    pub(crate) verdict: Verdict,
    pub(crate) cast: Speakers,
    /// The indexes of the heads that open turns, unless they are in code.
    pub(crate) opening: Vec<usize>,
}

impl Reading {
    pub(crate) fn of(survey: &Candidates<'_>, listed: &Listed, group: Group, hints: Hints) -> Self {
        let cast = Speakers::choose(survey, listed, group);
        let named = || survey.heads.iter().filter(|head| cast.of(head).is_some());
        let bare = |head: &&Head<'_>| head.line.start + head.mark.text_start >= head.line.end;
        let alone = named().filter(bare).count() * 2 > named().count();
        let opens = |head: &Head<'_>| {
            let pause = names::is_pause(&head.key)
                && group.has(&head.mark)
                && head.mark.text_start >= head.line.len();
            joins(group, head.mark.shape)
                && !head.in_rows
                && !(alone && head.below_name)
                && (cast.of(head).is_some() || pause && !cast.same.is_empty())
                && !(cast.blank_style && head.interrupts)
                && (!group.is_slip(&head.mark)
                    || head.opens
                    || !cast.blank_style && !head.interrupts)
        };
        let opening: Vec<usize> =
            (0..survey.heads.len()).filter(|index| opens(&survey.heads[*index])).collect();
        let verdict = verdict(survey, &cast, &opening, group, hints);
        Self { group, verdict, cast, opening }
    }

    /// Returns the display names in order.
    pub(crate) fn names(&self, survey: &Candidates<'_>) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let keys = self.opening.iter().filter_map(|index| self.cast.of(&survey.heads[*index]));
        keys.filter(|key| seen.insert(*key))
            .filter_map(|key| self.cast.shown.get(key).cloned())
            .collect()
    }
}

fn verdict(
    survey: &Candidates<'_>,
    cast: &Speakers,
    opening: &[usize],
    group: Group,
    hints: Hints,
) -> Verdict {
    let heads = &survey.heads;
    let heads: Vec<&Head<'_>> = opening
        .iter()
        .map(|index| &heads[*index])
        .filter(|head| !head.in_code && cast.of(head).is_some())
        .collect();
    let Some(first) = heads.first() else { return Verdict::Other };
    if cast.listed > 0 && hints.settled {
        return Verdict::Transcript;
    }
    let usage = Usage::of(survey, cast, &heads, group);
    let count = heads.len();
    let above = first.line.start - survey.body;
    let below = survey.text.len() - first.line.start;
    let far = above > MAX_INTRODUCTION_BYTES && above > below;
    // Text of wrapped sentences.
    let wrapped = heads.iter().filter(|head| head.interrupts).count();
    let small = heads.iter().filter(|head| head.look == NameStyle::Small).count();
    if wrapped * 2 >= count || small * 2 > count && count < 4 {
        return Verdict::Other;
    }
    if cast.is_chat {
        return chat(survey, cast, &heads, &usage, group, far, above);
    }
    if heads.iter().all(|head| names::is_question(&head.key)) {
        return questions(survey, &heads, hints, far);
    }
    if count == 1 {
        let part = words::part(&first.key).is_some() && above == 0 && group == Group::Lines;
        return match part {
            true => Verdict::Doubtful("it has only one turn"),
            false => Verdict::Other,
        };
    }
    if usage.labels * 2 >= count && group != Group::Dash || usage.written * 2 > count {
        return Verdict::Other;
    }
    if group != Group::Lines && usage.others * 4 > count {
        return Verdict::Other;
    }
    let returns = usage.returns;
    let (spoken, prose) = (usage.spoken, usage.prose);
    let few = usage.names * 2 <= count + 1;
    let varied = !usage.rotates;
    let timed = usage.timed * 2 >= count && usage.ascends;
    let hinted = hints.transcript || cast.listed > 1;
    let weak = group.is_weak();
    let roles = heads
        .iter()
        .all(|head| words::part(&head.key).is_some() || words::is_description(&head.key));
    // Two speakers who answer each other until the end of a list.
    let pair = hints.items && usage.names == 2 && returns + 2 == count && usage.covered;
    let listed = !hints.items
        || hinted
        || roles
        || pair && returns > 1
        || returns > 1 && usage.once * 2 <= usage.names && (varied || spoken * 2 >= count);
    let talk = usage.names > 1
        && listed
        && (!weak
            || returns > 1 && spoken * 3 >= count
            || (hinted || timed && usage.timed == count) && returns > 0)
        && (returns > 1 && few && spoken * 4 >= count
            || returns > 0 && spoken * 2 >= count
            || pair && returns > 3 && spoken > 0
            || returns > 3 && few && varied && spoken * 10 >= count && prose * 2 >= count
            || returns > 3 && few && spoken * 5 >= count
            || hinted && (returns > 0 || spoken * 2 >= count)
            || timed && (returns > 0 || usage.recorded) && spoken * 10 >= count && spoken > 0
            || timed && usage.recorded && returns > 1 && prose * 2 >= count);
    let plain = usage.headings * 3 <= count.max(3) || group == Group::Heading;
    let opens = above == 0 || opens(&survey.text[survey.body..first.line.start]);
    // Two speakers with one turn each.
    let short = usage.names > 1
        && !weak
        && listed
        && returns == 0
        && opens
        && usage.covered
        && spoken * 3 >= count * 2
        && usage.labels == 0
        && heads.iter().all(|head| head.look != NameStyle::Small);
    let alone = usage.names == 1
        && !weak
        && opens
        && (timed && usage.recorded && count > 2 && prose * 2 >= count
            || hinted && count > 1
            || count > 3 && usage.covered && spoken * 2 >= count && first.look != NameStyle::Small);
    // People with recognisable names take turns, however short the turns are.
    let people = usage.names > 1
        && !weak
        && !hints.items
        && returns > 0
        && few
        && varied
        && opens
        && (usage.covered || usage.below_names)
        && usage.labels == 0
        && usage.worded * 3 >= count * 2
        && heads.iter().all(|head| given::is_person(head.mark.name));
    if (talk || short || alone || people) && !far && plain {
        let against = weak::against(survey, &heads, weak || hints.items);
        return against.filter(|_| !hints.transcript).unwrap_or(Verdict::Transcript);
    }
    if hints.items && !listed && returns > 0 && spoken * 3 >= count && plain && !far {
        return Verdict::Doubtful("the list items may begin with labels");
    }
    if weak && usage.names > 1 && returns > 0 && spoken * 3 >= count && !far && plain {
        return Verdict::Doubtful("only one name occurs more than once");
    }
    if talk || short {
        return Verdict::Doubtful("most of the text is above the first name or below headings");
    }
    // Plays have names in capitals, which are headings in other texts.
    if usage.names > 1
        && (!weak || group == Group::Stop)
        && returns > 1
        && few
        && varied
        && prose * 2 >= count
        && plain
        && !far
    {
        return Verdict::Doubtful(
            "the names may be labels, because the text after them reads like prose",
        );
    }
    Verdict::Other
}

/// Returns the verdict on a text that seems to be between a person and an assistant.
fn chat(
    survey: &Candidates<'_>,
    cast: &Speakers,
    heads: &[&Head<'_>],
    usage: &Usage,
    group: Group,
    far: bool,
    above: usize,
) -> Verdict {
    let part = |head: &&Head<'_>| cast.of(head).and_then(words::part);
    let both = [Part::Asks, Part::Answers]
        .iter()
        .all(|wanted| heads.iter().any(|head| part(head) == Some(*wanted)));
    if !both || usage.written * 2 > heads.len() && usage.returns == 0 {
        return Verdict::Other;
    }
    // A page about the roles in a conversation has a section for each.
    let once = usage.returns == 0;
    let intro = survey.text[survey.body..survey.body + above].trim();
    let bare = intro.len() < 400;
    if once && group != Group::Lines && (usage.others > 0 && !bare || heads.len() > 2) {
        return Verdict::Doubtful("each heading occurs only once");
    }
    if once && (above > MAX_INTRODUCTION_BYTES || usage.labels > heads.len() * 2) {
        return Verdict::Other;
    }
    if far {
        return Verdict::Doubtful("most of the text is above the first name");
    }
    Verdict::Transcript
}

/// Returns the verdict on a text of questions and answers.
fn questions(survey: &Candidates<'_>, heads: &[&Head<'_>], hints: Hints, far: bool) -> Verdict {
    if has_numbered_questions(survey, heads) {
        return Verdict::Doubtful("other questions are numbered and have no answers");
    }
    if hints.transcript || hints.interview {
        return Verdict::Transcript;
    }
    let (mut asked, mut to_you, mut answered, mut by_me) = (0, 0, 0, 0);
    for (index, head) in heads.iter().enumerate() {
        let end = heads.get(index + 1).map_or(survey.text.len(), |next| next.line.start);
        let words = survey.text_of(head, end);
        let asks = words.contains(['?', '？', '؟', ';']);
        if matches!(head.key.as_str(), "a" | "answer" | "answers" | "antwort") || !asks {
            answered += 1;
            by_me += usize::from(speech::has_first_person(words));
        } else {
            asked += 1;
            to_you += usize::from(speech::has_second_person(words));
        }
    }
    if asked == 0 || answered == 0 || heads.len() < 2 {
        return Verdict::Other;
    }
    if !far && asked > 1 && to_you * 3 >= asked && by_me * 2 >= answered && !hints.manual {
        return Verdict::Transcript;
    }
    let above = heads.first().map_or(0, |head| head.line.start - survey.body);
    match above < MAX_INTRODUCTION_BYTES && !hints.manual && !far {
        true => Verdict::Doubtful("manuals contain questions and answers as well"),
        false => Verdict::Other,
    }
}

/// Returns whether there are lines such as `**Q3: And then?**` between turns that do not open turns.
fn has_numbered_questions(survey: &Candidates<'_>, heads: &[&Head<'_>]) -> bool {
    let is_one = |line: &str| {
        let bare = line.trim_start_matches(['*', '_', ' ']);
        let rest = bare.strip_prefix(['Q', 'q']).unwrap_or_default();
        let digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        digits.len() < rest.len() && digits.starts_with([':', '.', ')'])
    };
    survey.lines.iter().any(|at| {
        let line = survey.text[*at..].lines().next().unwrap_or_default();
        is_one(line) && heads.binary_search_by_key(at, |head| head.line.start).is_err()
    })
}

/// Returns whether `before` is short, or contains only headings, comments and rules.
fn opens(before: &str) -> bool {
    let lines = before.lines().map(str::trim).filter(|line| !line.is_empty());
    let prose = lines.filter(|line| !line.starts_with(['#', '<', '-', '=', '!', '[']));
    prose.map(str::len).sum::<usize>() < 400
}

/// The use of names in a text.
struct Usage {
    names: usize,
    /// The number of names that occur once.
    once: usize,
    /// How often a name returns after another one.
    returns: usize,
    /// Whether all names return in the same order again and again, as in forms.
    rotates: bool,
    spoken: usize,
    prose: usize,
    written: usize,
    /// The number of names that are followed by text.
    worded: usize,
    /// The number of other lines of the same shapes that begin with labels.
    labels: usize,
    /// The number of other lines of the same shapes.
    others: usize,
    timed: usize,
    recorded: bool,
    /// Whether times never decrease, with few exceptions.
    ascends: bool,
    /// The number of headings below the first name that do not name speakers.
    headings: usize,
    /// Whether nearly all paragraphs start with a name.
    covered: bool,
    /// Whether names are on lines of their own, above a paragraph or two.
    below_names: bool,
}

impl Usage {
    fn of(survey: &Candidates<'_>, cast: &Speakers, heads: &[&Head<'_>], group: Group) -> Self {
        let keys: Vec<&str> = heads.iter().filter_map(|head| cast.of(head)).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let (mut returns, mut before) = (0, "");
        for key in &keys {
            let count = counts.entry(key).or_default();
            *count += 1;
            returns += usize::from(*count > 1 && before != *key);
            before = key;
        }
        let names = counts.len();
        let rotates = names > 2
            && keys.len() > names
            && keys.windows(names + 1).all(|some| some[0] == some[names]);
        let first = heads.first().map_or(0, |head| head.line.start);
        let from = survey.heads.partition_point(|head| head.line.start < first);
        let others = survey.heads[from..].iter().filter(|head| {
            let weak = head.mark.shape == Shape::Dash && head.mark.tight;
            let worded = group == Group::Heading && survey.has_words(head);
            let counts = !head.in_code && !weak && !worded;
            group.has(&head.mark) && counts && cast.of(head).is_none()
        });
        let (mut spoken, mut prose, mut written, mut worded) = (0, 0, 0, 0);
        for (index, head) in heads.iter().enumerate() {
            let end = heads.get(index + 1).map_or(survey.text.len(), |next| next.line.start);
            let words = without_time(survey.text_of(head, end));
            spoken += usize::from(is_sentence_like(words));
            prose += usize::from(is_prose(words));
            worded += usize::from(words.starts_with(char::is_alphabetic));
            written += usize::from(is_written(words) || words.is_empty());
        }
        let stamps: Vec<f64> = heads
            .iter()
            .filter_map(|head| head.mark.stamp)
            .filter_map(|stamp| seconds(stamp.from))
            .collect();
        let back = stamps.windows(2).filter(|pair| pair[1] < pair[0]).count();
        let at = survey.headings.partition_point(|at| *at < first);
        let from = survey.paragraphs.partition_point(|at| *at < first);
        let below = &survey.paragraphs[from..];
        let named = below
            .iter()
            .filter(|at| heads.binary_search_by_key(*at, |head| head.line.start).is_ok());
        Self {
            names,
            once: counts.values().filter(|count| **count == 1).count(),
            returns,
            rotates,
            spoken,
            prose,
            written,
            worded,
            labels: others.clone().filter(|head| head.look == NameStyle::Label).count(),
            others: others.count(),
            timed: stamps.len(),
            recorded: heads
                .iter()
                .filter_map(|head| head.mark.stamp)
                .any(|stamp| stamp.is_recorded),
            ascends: back * 10 <= stamps.len(),
            headings: (survey.headings.len() - at).saturating_sub(match group {
                Group::Heading => heads.len(),
                _ => 0,
            }),
            covered: named.count() * 10 >= below.len() * 9,
            below_names: heads.iter().all(|head| !survey.has_words(head))
                && below.len() <= heads.len() * 3,
        }
    }
}

fn without_time(text: &str) -> &str {
    let text = text.trim_start();
    match stamp::stamp(text) {
        Some(stamp) if stamp.is_exact || stamp.rest.starts_with('\n') => stamp.rest.trim(),
        _ => text.trim(),
    }
}

fn seconds(time: &str) -> Option<f64> {
    let mut sum = 0.0;
    for part in time.split(':') {
        sum = sum * 60.0 + part.trim_end_matches('\\').parse::<f64>().ok()?;
    }
    Some(sum)
}
