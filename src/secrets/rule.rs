//! A rule: one kind of credential or personal data, and how to find it.

use std::fmt;
use std::ops::Range;

use super::checks::Check;
use super::found::Found;
use super::random::Random;
use super::shape::Shape;
use super::tier::Tier;

/// What a rule finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// Credentials: keys, tokens, passwords.
    Secret,
    /// Personal data, which reveals who or where someone is.
    Personal,
}

/// One kind of credential or personal data.
pub struct Rule {
    /// The id in settings and reports, in kebab case: `github-token`. It never changes.
    pub id: &'static str,
    /// The readable name, as in `[redacted: GitHub token]`.
    pub name: &'static str,
    /// The kind of data that it finds.
    pub kind: RuleKind,
    /// The highest tier of its matches.
    pub tier: Tier,
    /// The documentation that the shape is based on.
    pub source: &'static str,
    pub(super) way: Way,
    pub(super) check: Option<&'static Check>,
    pub(super) beside: Option<Beside>,
}

/// Returns another part of the credential, which is recognised only next to a match at this range.
pub(super) type Beside = fn(&str, &Range<usize>) -> Option<Range<usize>>;

/// How a rule finds its matches.
pub(super) enum Way {
    /// Shapes with a literal prefix.
    Shapes(&'static [&'static str]),
    /// A shape after one of the keywords.
    Named { words: &'static [&'static str], values: &'static [&'static str] },
    /// A function that is called at each keyword.
    Finder(&'static Finder),
    /// A sweep over the text. The function generates an example.
    Sweep(fn(&mut Random) -> (String, String)),
}

/// A matcher without a fixed shape.
pub(super) struct Finder {
    /// The keywords at which it is called, in any case.
    pub(super) words: &'static [&'static str],
    /// Returns the match at an occurrence of a keyword.
    pub(super) find: fn(&str, Range<usize>) -> Option<Found>,
    /// Generates a text and the secret in it.
    pub(super) example: fn(&mut Random) -> (String, String),
    /// A text with a keyword but no secret.
    pub(super) near_miss: &'static str,
}

impl Rule {
    /// Returns the keywords and prefixes at which the rule starts to match.
    pub fn keywords(&self) -> Vec<String> {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match &self.way {
            Way::Shapes(shapes) => {
                let shapes = shapes.iter().filter_map(|shape| Shape::read(shape));
                shapes.flat_map(|shape| shape.keywords()).collect()
            }
            Way::Named { words, .. } => owned(words),
            Way::Finder(finder) => owned(finder.words),
            Way::Sweep(_) => Vec::new(),
        }
    }

    /// Returns whether the values have a prefix that only one issuer uses.
    pub fn is_of_one_prefix(&self) -> bool {
        self.tier == Tier::Certain && matches!(self.way, Way::Shapes(_))
    }

    /// Returns whether the values have a checksum.
    pub fn has_sum(&self) -> bool {
        self.check.is_some_and(|check| check.is_sum)
    }

    const fn new(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        way: Way,
    ) -> Rule {
        Rule { id, name, kind: RuleKind::Secret, tier, source, way, check: None, beside: None }
    }

    /// Creates a rule for a credential with a prefix that only one issuer uses.
    pub(super) const fn certain(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        shapes: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Certain, source, Way::Shapes(shapes))
    }

    /// Creates a rule for a credential whose prefix is short or a common word.
    pub(super) const fn likely(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        shapes: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Likely, source, Way::Shapes(shapes))
    }

    /// Creates a rule for a credential without a prefix, after one of the keywords.
    pub(super) const fn named(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        words: &'static [&'static str],
        values: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Likely, source, Way::Named { words, values })
    }

    /// Creates a rule with a finder.
    pub(super) const fn found(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        finder: &'static Finder,
    ) -> Rule {
        Rule::new(id, name, tier, source, Way::Finder(finder))
    }

    /// Creates a rule with a sweep.
    pub(super) const fn swept(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        example: fn(&mut Random) -> (String, String),
    ) -> Rule {
        Rule::new(id, name, tier, source, Way::Sweep(example))
    }

    /// Adds a check; a match that fails it is a tier lower.
    pub(super) const fn checked(mut self, check: &'static Check) -> Rule {
        self.check = Some(check);
        self
    }

    /// Adds the part of the credential next to a match, which is handled like the match.
    pub(super) const fn beside(mut self, beside: Beside) -> Rule {
        self.beside = Some(beside);
        self
    }

    /// Turns this into a rule for personal data.
    pub(super) const fn personal(mut self) -> Rule {
        self.kind = RuleKind::Personal;
        self
    }

    pub(super) fn is_of_one_issuer(&self) -> bool {
        matches!(self.way, Way::Shapes(_) | Way::Named { .. })
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}
