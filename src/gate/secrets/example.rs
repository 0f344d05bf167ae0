//! Made-up secrets for tests: from the rows of the table, so that none stands in a file.

use std::ops::Range;

use super::placeholders;
use super::shape::{Part, Shape};
use super::table::{Rule, Way};

/// A text with a made-up secret in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The secret and what must stand around it to be one.
    pub text: String,
    /// Where the secret stands in it.
    pub range: Range<usize>,
}

impl Example {
    /// The secret.
    pub fn secret(&self) -> &str {
        self.text.get(self.range.clone()).unwrap_or_default()
    }
}

impl Rule {
    /// Makes a value that the rule finds. The same seed makes the same value; it opens nothing.
    pub fn example(&self, seed: u64) -> Example {
        let mut random = Random(seed ^ crate::hash::fnv1a(self.id.bytes()));
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

    /// Makes a text that looks like an example of the rule and is none.
    pub fn near_miss(&self, seed: u64) -> String {
        let mut random = Random(seed ^ crate::hash::fnv1a(self.id.bytes()));
        match self.way {
            Way::Shapes(shapes) => self.made(shapes.first(), &mut random, 1),
            Way::Named { values, .. } => {
                // The value without the word.
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

    /// Makes a value of a shape whose longest run is `short` characters too short. It is never one
    /// that looks like an example by chance.
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

    fn made_once(
        &self,
        pattern: Option<&&str>,
        random: &mut Random,
        short: usize,
    ) -> String {
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

/// Numbers that look like chance and are the same for the same seed (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(1).max(1);
        usize::try_from(self.next() % end).unwrap_or_default()
    }

    /// One of some.
    pub(super) fn of<'a>(&mut self, some: &[&'a str]) -> &'a str {
        some.get(self.below(some.len())).copied().unwrap_or_default()
    }

    /// One of some characters, a letter or digit where a word begins or ends.
    fn character(&mut self, bytes: &[u8], ends: bool) -> char {
        loop {
            let at = self.below(bytes.len());
            let byte = bytes.get(at).copied().unwrap_or(b'0');
            if !ends || byte.is_ascii_alphanumeric() {
                return char::from(byte);
            }
        }
    }

    /// `count` characters of a class as patterns write it, without its brackets.
    pub(super) fn text(&mut self, class: &str, count: usize) -> String {
        let bytes = match Shape::read(&format!("[{class}]{{1}}")).map(|shape| shape.parts)
        {
            Some(parts) => match parts.first() {
                Some(Part::Run { class, .. }) => class.bytes(),
                _ => Vec::new(),
            },
            None => Vec::new(),
        };
        self.characters(&bytes, count)
    }

    /// Some characters, with a digit and a letter among them where there can be.
    fn characters(&mut self, bytes: &[u8], count: usize) -> String {
        let digits: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_digit).collect();
        let letters: Vec<u8> =
            bytes.iter().copied().filter(u8::is_ascii_alphabetic).collect();
        let mut made = String::with_capacity(count);
        for place in 0..count {
            let from = match place {
                3 if count >= 10 && !digits.is_empty() => &digits,
                4 if count >= 10 && !letters.is_empty() => &letters,
                _ => bytes,
            };
            made.push(self.character(from, place == 0 || place + 1 == count));
        }
        made
    }
}
