//! The last check: of texts derived from a conversation, and of every text just before it is written.
//!
//! Anything found here was missed when the conversation was read, so a match also indicates a bug there.
//! Only the fast rules run: certain secrets with the prefix of one issuer.

use std::sync::LazyLock;

use super::policy::Policies;
use super::{Gate, Inspection};
use crate::config::Action;
use crate::model::TextRole;
use crate::secrets::{self, Match, Rule, RuleSet, Tier};

/// Inline elements, whose tags can split a word.
const INLINE: [&[u8]; 18] = [
    b"a", b"abbr", b"b", b"bdi", b"code", b"del", b"em", b"i", b"ins", b"kbd", b"mark", b"s",
    b"small", b"span", b"strong", b"sub", b"sup", b"wbr",
];

/// The hint for a secret that only the last check found.
pub const MISSED: &str = "this is a bug in convo-site; please report the kind of secret and the markup \
                          around it, but not the secret itself";

/// Returns the rules for the last check: those that every policy withholds or redacts.
pub(super) fn final_rules(policies: &[&Policies]) -> RuleSet {
    RuleSet::of(|rule| {
        rule.is_of_one_prefix()
            && policies.iter().flat_map(|policies| policies.all()).all(|policy| {
                let action = policy.action(rule, Tier::Certain);
                matches!(action, Action::Hold | Action::Redact)
            })
    })
}

/// Returns whether a text may contain a certain secret, whatever the policy is.
pub fn is_suspicious(text: &str) -> bool {
    static ALL: LazyLock<RuleSet> = LazyLock::new(|| RuleSet::of(Rule::is_of_one_prefix));
    secrets::quick(text, &ALL).is_some()
}

impl Gate {
    /// Inspects a text derived from a conversation of a `[[source]]`, such as its title without markup.
    /// Returns what the policy withholds or redacts; each match withholds the conversation.
    pub fn inspect_derived(
        &self,
        source: Option<usize>,
        names: &[&str],
        text: &str,
    ) -> Option<Inspection> {
        secrets::quick(text, &self.last)?;
        let mut seen = self.inspect_text(source, names, text, TextRole::Name);
        seen.found.retain_mut(|found| {
            let action = &mut found.finding.action;
            let is_kept = matches!(action, Action::Hold | Action::Redact);
            *action = if is_kept { Action::Hold } else { *action };
            is_kept
        });
        (!seen.found.is_empty()).then_some(seen)
    }

    /// Returns the rule of the first secret in a text that is about to be written.
    pub fn find_last(&self, text: &str) -> Option<&'static Rule> {
        self.first_kept(text).or_else(|| self.first_kept(&joined(text)))
    }

    fn first_kept(&self, text: &str) -> Option<&'static Rule> {
        let mut rest = text;
        loop {
            let Match { range, rule, .. } = secrets::quick(rest, &self.last)?;
            let hash = self.baseline.hash_of(rest.get(range.clone())?);
            if !self.baseline.accepts_anywhere(hash) {
                return Some(rule);
            }
            rest = rest.get(range.end..)?;
        }
    }
}

/// Returns values of a page that are split by tags, joined again, one per line.
fn joined(page: &str) -> String {
    let bytes = page.as_bytes();
    let mut joined = String::new();
    let mut parts: Vec<&str> = Vec::new();
    let mut text = 0;
    for tag in memchr::memchr_iter(b'<', bytes) {
        // This `<` is inside a tag, for example in an attribute value.
        if tag < text {
            continue;
        }
        let Some(end) = memchr::memchr(b'>', bytes.get(tag..).unwrap_or_default()) else {
            break;
        };
        let before = page.get(text..tag).unwrap_or_default();
        text = tag + end + 1;
        if !parts.is_empty() {
            let len = secrets::value_len(before);
            parts.push(before.get(..len).unwrap_or_default());
            if len < before.len() {
                add(&mut joined, &mut parts);
            }
        }
        let begins = parts.is_empty().then(|| secrets::value_len_back(before));
        if begins == Some(0) {
            continue;
        }
        if !is_inline(bytes.get(tag + 1..).unwrap_or_default()) {
            add(&mut joined, &mut parts);
        } else if let Some(len) = begins {
            parts.extend(before.get(before.len() - len..));
        }
    }
    if !parts.is_empty() {
        let rest = page.get(text..).unwrap_or_default();
        parts.push(rest.get(..secrets::value_len(rest)).unwrap_or_default());
        add(&mut joined, &mut parts);
    }
    joined
}

/// Adds the joined parts of a value if it is long enough to be a secret, and clears them.
fn add(joined: &mut String, parts: &mut Vec<&str>) {
    if parts.len() > 1 && parts.iter().map(|part| part.len()).sum::<usize>() >= MIN_BYTES {
        joined.extend(parts.iter().copied());
        joined.push('\n');
    }
    parts.clear();
}

/// The minimum length in bytes of a value that may be a secret.
const MIN_BYTES: usize = 20;

/// Returns whether a tag that starts with these bytes belongs to an inline element.
fn is_inline(tag: &[u8]) -> bool {
    let name = tag.strip_prefix(b"/").unwrap_or(tag);
    let len = name.iter().take(8).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    INLINE.iter().any(|known| name.get(..len) == Some(*known))
}

#[cfg(test)]
mod tests {
    use super::{is_suspicious, joined};
    use crate::secrets;

    #[test]
    fn a_secret_in_a_page_is_known_however_tags_split_it() {
        let rules = secrets::rules().filter(|rule| rule.is_of_one_prefix());
        for (rule, seed) in rules.flat_map(|rule| (0..5).map(move |seed| (rule, seed))) {
            let example = rule.example(seed);
            let secret = example.secret();
            if secret.contains([' ', '<', '&', '\n']) {
                continue;
            }
            let (a, b) = secret.split_at(secret.len() / 2);
            for page in [
                format!("<p>So {secret}.</p>"),
                format!("<p>So {a}<strong>{b}</strong>.</p>"),
                format!("<li title=\"a\"><a href=\"/\">{a}</a><wbr>{b}"),
                format!("<meta name=\"description\" content=\"{secret}\">"),
                format!("<script type=\"application/ld+json\">{{\"a\": \"{secret}\"}}</script>"),
                format!("# Lamps\n\n{secret}\n"),
            ] {
                let is_known = is_suspicious(&page) || is_suspicious(&joined(&page));
                assert!(is_known, "{} {}", rule.id, page.replace(secret, "…"));
            }
            let apart = format!("<p>So {a}</p><p>{b}</p>");
            assert!(!is_suspicious(&joined(&apart)), "{}", rule.id);
        }
    }
}
