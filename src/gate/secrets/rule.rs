//! A rule: one kind of credential or of personal data, and how it is found.

use std::fmt;

use super::checks::Check;
use super::found::Found;
use super::random::Random;
use super::shape::Shape;
use super::tier::Tier;

/// What a rule finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// What opens something: keys, tokens, passwords.
    Secret,
    /// What tells who or where somebody is.
    Personal,
}

/// One kind of credential or of personal data.
pub struct Rule {
    /// Its name in settings and reports, in kebab case, which never changes: `github-token`.
    pub id: &'static str,
    /// Its name for readers, as in `[redacted: GitHub token]`.
    pub name: &'static str,
    /// What it finds.
    pub kind: RuleKind,
    /// How sure it is at best.
    pub tier: Tier,
    /// Whose description of the shape was followed.
    pub source: &'static str,
    pub(super) way: Way,
    pub(super) check: Option<&'static Check>,
}

/// How a rule finds.
pub(super) enum Way {
    /// By shapes with a literal prefix.
    Shapes(&'static [&'static str]),
    /// By a shape behind one of the words.
    Named { words: &'static [&'static str], values: &'static [&'static str] },
    /// By a function that is called where one of the words stands.
    Finder(&'static Finder),
    /// By a sweep over the text; an example is made by the function.
    Sweep(fn(&mut Random) -> (String, String)),
}

/// A matcher without a fixed shape.
pub(super) struct Finder {
    /// Where it is called, whatever the case of the letters.
    pub(super) words: &'static [&'static str],
    /// Looks at the place of a word.
    pub(super) find: fn(&str, std::ops::Range<usize>) -> Option<Found>,
    /// Makes a text and the secret in it.
    pub(super) example: fn(&mut Random) -> (String, String),
    /// A text that has one of the words and no secret.
    pub(super) near_miss: &'static str,
}

impl Rule {
    /// Returns the words and prefixes at which the rule begins to look.
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

    /// Returns whether its values have a prefix that one issuer alone uses.
    pub(in crate::gate) fn is_of_one_prefix(&self) -> bool {
        self.tier == Tier::Certain && matches!(self.way, Way::Shapes(_))
    }

    /// Returns whether its values have a check sum.
    pub(in crate::gate) fn has_sum(&self) -> bool {
        self.check.is_some_and(|check| check.is_sum)
    }

    const fn new(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        way: Way,
    ) -> Rule {
        Rule { id, name, kind: RuleKind::Secret, tier, source, way, check: None }
    }

    /// A credential whose prefix one issuer alone uses.
    pub(super) const fn certain(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        shapes: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Certain, source, Way::Shapes(shapes))
    }

    /// A credential whose prefix is short or a common word.
    pub(super) const fn likely(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        shapes: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Likely, source, Way::Shapes(shapes))
    }

    /// A credential without a prefix, behind one of the words.
    pub(super) const fn named(
        id: &'static str,
        name: &'static str,
        source: &'static str,
        words: &'static [&'static str],
        values: &'static [&'static str],
    ) -> Rule {
        Rule::new(id, name, Tier::Likely, source, Way::Named { words, values })
    }

    /// What a function finds.
    pub(super) const fn found(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        finder: &'static Finder,
    ) -> Rule {
        Rule::new(id, name, tier, source, Way::Finder(finder))
    }

    /// What a sweep finds.
    pub(super) const fn swept(
        id: &'static str,
        name: &'static str,
        tier: Tier,
        source: &'static str,
        example: fn(&mut Random) -> (String, String),
    ) -> Rule {
        Rule::new(id, name, tier, source, Way::Sweep(example))
    }

    /// The same rule with a check: where it does not hold, the match is a tier lower.
    pub(super) const fn checked(mut self, check: &'static Check) -> Rule {
        self.check = Some(check);
        self
    }

    /// The same rule for what tells who or where somebody is.
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
