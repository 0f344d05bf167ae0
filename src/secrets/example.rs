//! Generates example secrets for tests from the rules, so that no file contains one.

use std::ops::Range;

use super::placeholders;
use super::random::Random;
use super::rule::{Rule, Way};
use super::shape::{Part, Shape};

/// A text with a generated secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The secret and the context that it needs to be recognised.
    pub text: String,
    /// The range of the secret in the text.
    pub range: Range<usize>,
}

impl Example {
    /// Returns the secret.
    pub fn secret(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or_default()
    }
}

impl Rule {
    /// Generates a value that the rule finds. The same seed gives the same value, and it gives access to
    /// nothing.
    pub fn example(&self, seed: u64) -> Example {
        let mut random = Random::new(seed ^ convo_base::hash::fnv1a(self.id.bytes()));
        let (text, secret) = match self.way {
            Way::Shapes(shapes) => {
                let at = random.below(shapes.len());
                let secret = self.made(shapes.get(at), &mut random, 0);
                (secret.clone(), secret)
            }
            Way::Named { words, values } => {
                let at = random.below(values.len());
                let secret = self.made(values.get(at), &mut random, 0);
                let word = words.first().copied().unwrap_or_default();
                (format!("{word}_api_key = \"{secret}\""), secret)
            }
            Way::Finder(finder) => (finder.example)(&mut random),
            Way::Sweep(example) => example(&mut random),
        };
        let start = text.find(&secret).unwrap_or_default();
        Example { range: start..start + secret.len(), text }
    }

    /// Generates a text that resembles an example of the rule but is not a match.
    pub fn near_miss(&self, seed: u64) -> String {
        let mut random = Random::new(seed ^ convo_base::hash::fnv1a(self.id.bytes()));
        match self.way {
            Way::Shapes(shapes) => self.made(shapes.first(), &mut random, 1),
            Way::Named { values, .. } => {
                // The value without its keyword.
                format!("the build of {}", self.made(values.first(), &mut random, 0))
            }
            Way::Finder(finder) => finder.near_miss.to_owned(),
            Way::Sweep(example) => {
                let (text, secret) = example(&mut random);
                let cut = secret.char_indices().nth(4).map_or(0, |(at, _)| at);
                text.replace(&secret, secret.get(..cut).unwrap_or_default())
            }
        }
    }

    /// Generates a value of a shape whose longest run is `short` characters too short. It never looks like
    /// a placeholder by chance.
    fn made(&self, pattern: Option<&&str>, random: &mut Random, short: usize) -> String {
        let mut made = String::new();
        for _ in 0..8 {
            made = self.made_once(pattern, random, short);
            let fixed = pattern.and_then(|pattern| Shape::read(pattern)?.prefix());
            let body = made.get(fixed.unwrap_or(0)..).unwrap_or_default();
            if !placeholders::is_placeholder(body) {
                break;
            }
        }
        made
    }

    fn made_once(&self, pattern: Option<&&str>, random: &mut Random, short: usize) -> String {
        let Some(shape) = pattern.and_then(|pattern| Shape::read(pattern)) else {
            return String::new();
        };
        let longest = shape.parts.iter().map(least).max().unwrap_or_default();
        let mut cut = short;
        let mut made = String::new();
        for part in &shape.parts {
            match part {
                Part::Literal(literals) => {
                    let at = random.below(literals.len());
                    made.extend(literals.get(at).map(String::as_str));
                }
                Part::Run { class, least, most } => {
                    let mut count = *least + random.below(*most - *least + 1).min(24);
                    if *least == longest {
                        count = if cut > 0 { least.saturating_sub(cut) } else { count };
                        cut = 0;
                    }
                    made.push_str(&random.characters(&class.bytes(), count));
                }
            }
        }
        match self.check {
            Some(check) if short == 0 => (check.complete)(&made),
            _ => made,
        }
    }
}

fn least(part: &Part) -> usize {
    match part {
        Part::Literal(_) => 0,
        Part::Run { least, .. } => *least,
    }
}
