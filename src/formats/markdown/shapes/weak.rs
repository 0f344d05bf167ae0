//! Evidence against a transcript although names repeat: change logs, and parties to contracts.

use super::super::verdict::Verdict;
use super::candidates::{Candidates, Head};
use super::shape::Shape;
use super::stamp::stamp;

/// Returns the verdict on names that are followed by something other than speech, if they are.
pub(super) fn against(
    survey: &Candidates<'_>,
    heads: &[&Head<'_>],
    is_weak: bool,
) -> Option<Verdict> {
    if is_change_log(survey, heads) {
        return Some(match is_weak {
            true => Verdict::Other,
            false => Verdict::Doubtful("the text after the names reads like a change log"),
        });
    }
    are_parties(survey, heads, is_weak)
        .then_some(Verdict::Doubtful("contracts name their parties like this"))
}

/// Returns whether most lines describe a change, or many do and are below a version or a date.
fn is_change_log(survey: &Candidates<'_>, heads: &[&Head<'_>]) -> bool {
    let changes = heads.iter().filter(|head| {
        let words = survey.text_of(head, head.line.end.max(head.line.start + head.mark.text_start));
        let word = words.split_whitespace().next().unwrap_or_default();
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        CHANGES.contains(&word.to_lowercase().as_str())
    });
    let changes = changes.count();
    let least = if is_dated(survey) { 4 } else { 2 };
    changes > 1 && changes * least >= heads.len()
}

/// Returns whether a heading is a version or a date: `## 1.2.0`, `## v2.0 (2026-03-01)`.
fn is_dated(survey: &Candidates<'_>) -> bool {
    survey.headings.iter().any(|at| {
        let line = survey.text[*at..].lines().next().unwrap_or_default();
        let bare = line.trim_start_matches(|c: char| "#[ v".contains(c));
        let digits = bare.find(|c: char| !c.is_ascii_digit()).unwrap_or(bare.len());
        let rest = &bare[digits..];
        let next = rest.chars().nth(1);
        digits > 0
            && rest.starts_with(['.', '-'])
            && next.is_some_and(|c| c.is_ascii_digit())
            && stamp(bare).is_none()
    })
}

/// Returns whether all names are parties to a contract and the text after them is typical of contracts.
fn are_parties(survey: &Candidates<'_>, heads: &[&Head<'_>], is_weak: bool) -> bool {
    let bare = |head: &Head<'_>| head.key.trim_start_matches("the ").to_owned();
    let all = heads.iter().all(|head| {
        let key = bare(head);
        PRONOUNS.contains(&key.as_str()) || PARTIES.contains(&key.as_str())
    });
    if !all {
        return false;
    }
    let pronoun = heads.iter().any(|head| ["we", "us", "they"].contains(&&*head.key));
    let binding = heads.iter().enumerate().filter(|(index, head)| {
        let end = heads.get(index + 1).map_or(survey.text.len(), |next| next.line.start);
        let text = survey.text_of(head, end);
        let text = &text[..text.floor_char_boundary(400)];
        let mut words = text.split(|c: char| !c.is_alphabetic());
        words.any(|word| BINDING.contains(&word.to_lowercase().as_str()))
    });
    let stops = heads.iter().all(|head| head.mark.shape != Shape::Colon);
    pronoun && (is_weak || stops) || binding.count() * 3 >= heads.len()
}

/// The first words of change log entries.
const CHANGES: [&str; 38] = [
    "added", "add", "adds", "fixed", "fix", "fixes", "removed", "remove", "removes", "changed",
    "change", "changes", "updated", "update", "updates", "improved", "improve", "renamed",
    "rename", "deprecated", "dropped", "drop", "bumped", "bump", "refactored", "refactor",
    "reverted", "revert", "merged", "merge", "upgraded", "upgrade", "implemented", "implement",
    "moved", "released", "corrected", "replaced",
];

const PRONOUNS: [&str; 5] = ["you", "we", "us", "they", "user"];

const PARTIES: [&str; 22] = [
    "company", "customer", "client", "provider", "supplier", "licensor", "licensee", "buyer",
    "seller", "vendor", "landlord", "tenant", "lender", "borrower", "employer", "employee",
    "contractor", "owner", "party", "parties", "agent", "guarantor",
];

/// Words of contracts.
const BINDING: [&str; 14] = [
    "shall", "agree", "agrees", "agreed", "agreement", "hereby", "herein", "liable", "liability",
    "warrants", "terminate", "obligations", "terms", "indemnify",
];
