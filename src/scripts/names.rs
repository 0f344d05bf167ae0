//! Shortens the names of variables.
//!
//! Names are replaced consistently and are not looked up in scopes, so this needs no parser: a name
//! at the top level gets the same short name in the whole script; another name, in the whole of its
//! function or method at the top level. Names in different blocks get the same short name if no
//! block uses both. Properties and the names of the browser keep their names.

use std::collections::{BTreeMap, BTreeSet};

use crate::lexer::{Bracket, Kind, Token, is_keyword};

/// The names of the browser that scripts use. The linter fails for others.
const GLOBALS: &str = include_str!("globals.txt");

/// The letters of short names, frequent ones first.
const LETTERS: &[u8] = b"etnisorlacduhpmfgvbywkxqjzETNISORLACDUHPMFGVBYWKXQJZ";

/// Variables in a script: the token, and whether it names a property as well.
type Variables = BTreeMap<usize, bool>;

/// Returns the new text of each token with a variable.
pub(crate) fn shorten(tokens: &[Token<'_>]) -> BTreeMap<usize, String> {
    let globals: BTreeSet<&str> = GLOBALS.lines().collect();
    let mut variables = variables(tokens);
    variables.retain(|at, _| !globals.contains(tokens[*at].text));
    let top = declared_at_top(tokens, &variables);
    let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
    for unit in units(tokens) {
        let own: Vec<usize> = variables.range(unit).map(|(at, _)| *at).collect();
        let own = own.into_iter().filter(|at| !top.contains(tokens[*at].text)).collect();
        numbers.extend(number_names(tokens, own));
    }
    let short = |number: usize| -> String {
        let count = LETTERS.len();
        let first = (number >= count).then(|| LETTERS[number / count - 1]);
        first.into_iter().chain([LETTERS[number % count]]).map(char::from).collect()
    };
    let is_free = |name: &String| !is_keyword(name) && !globals.contains(name.as_str());
    let mut names = (0..).map(short).filter(is_free);
    // Short names of both kinds differ, so that none hides another.
    let count = numbers.values().max().map_or(0, |most| most + 1);
    let of_units: Vec<String> = names.by_ref().take(count).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for at in variables.keys().filter(|at| !numbers.contains_key(at)) {
        *counts.entry(tokens[*at].text).or_default() += 1;
    }
    let mut all: Vec<&str> = counts.keys().copied().collect();
    all.sort_by_key(|name| std::cmp::Reverse(counts[name]));
    let of_top: BTreeMap<&str, String> = all.into_iter().zip(names).collect();
    let renamed = variables.into_iter().map(|(at, is_property)| {
        let name = tokens[at].text;
        let short = numbers.get(&at).map_or_else(|| &of_top[name], |number| &of_units[*number]);
        (at, if is_property { format!("{name}:{short}") } else { short.clone() })
    });
    renamed.collect()
}

/// Returns the variables of a script.
fn variables(tokens: &[Token<'_>]) -> Variables {
    let mut all = Variables::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Word || is_keyword(token.text) {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |at| tokens[at].text);
        let after = tokens.get(at + 1).map_or("", |token| token.text);
        if [".", "?."].contains(&before) {
            continue;
        }
        let bracket = token.bracket.map(|open| tokens[open].kind);
        let is_property = match bracket {
            Some(Kind::Open(Bracket::Object)) if ["{", ","].contains(&before) => {
                if [":", "("].contains(&after) {
                    continue;
                }
                true
            }
            // The name of a method.
            Some(Kind::Open(Bracket::Class | Bracket::Object))
                if after == "("
                    && (["{", "}", ";", "async", "get", "set", "static", "*"])
                        .contains(&before) =>
            {
                continue;
            }
            _ => false,
        };
        all.insert(at, is_property);
    }
    all
}

/// Returns the names that are declared at the top level.
fn declared_at_top<'a>(tokens: &[Token<'a>], variables: &Variables) -> BTreeSet<&'a str> {
    let mut names = BTreeSet::new();
    let mut is_list = false;
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.bracket.is_none()) {
        let before = at.checked_sub(1).map_or("", |at| tokens[at].text);
        match token.text {
            "const" | "let" => is_list = true,
            ";" => is_list = false,
            _ => {}
        }
        let declares = ["const", "let", "function", "class"].contains(&before)
            || before == "*" && tokens[at - 2].text == "function"
            || before == "," && is_list;
        if !declares {
            continue;
        }
        let end = if matches!(token.kind, Kind::Open(_)) { token.partner } else { at };
        names.extend(variables.range(at..=end).map(|(at, _)| tokens[*at].text));
    }
    names
}

/// Returns the parts of a script between which names are independent: its top-level statements, and
/// the methods of its classes.
fn units(tokens: &[Token<'_>]) -> Vec<std::ops::Range<usize>> {
    let starts = tokens.iter().enumerate().filter(|(at, token)| match token.bracket {
        None => token.indent == Some(0) && token.kind != Kind::Close,
        Some(open) => {
            tokens[open].kind == Kind::Open(Bracket::Class)
                && token.indent.is_some()
                && ["{", "}", ";"].contains(&tokens[at - 1].text)
        }
    });
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.push(tokens.len());
    starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// Numbers the names of a unit, so that those in use at the same place have different numbers.
fn number_names(tokens: &[Token<'_>], places: Vec<usize>) -> BTreeMap<usize, usize> {
    struct Name {
        places: Vec<usize>,
        scope: (usize, usize),
        number: usize,
    }
    let (Some(first), Some(last)) = (places.first(), places.last()) else {
        return BTreeMap::new();
    };
    let scopes = scopes(tokens, *first, *last);
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in places {
        by_name.entry(tokens[at].text).or_default().push(at);
    }
    let mut names: Vec<Name> = by_name
        .into_values()
        .map(|places| {
            let (first, last) = (places[0], places[places.len() - 1]);
            let around = scopes.iter().filter(|scope| scope.0 <= first && last <= scope.1);
            let scope = around.min_by_key(|scope| scope.1 - scope.0);
            Name { places, scope: scope.copied().unwrap_or((0, usize::MAX)), number: 0 }
        })
        .collect();
    names.sort_by_key(|name| (std::cmp::Reverse(name.scope.1 - name.scope.0), name.places[0]));
    for at in 0..names.len() {
        let (before, rest) = names.split_at_mut(at);
        let name = &mut rest[0];
        let (start, end) = name.scope;
        let taken: BTreeSet<usize> = before
            .iter()
            .filter(|other| {
                // A name of a scope around this one is hidden, which matters only if it is used here.
                let is_around = other.scope.0 <= start && end <= other.scope.1;
                let is_apart = other.scope.1 < start || end < other.scope.0;
                let is_used = other.places.iter().any(|place| (start..=end).contains(place));
                !is_apart && (!is_around || other.scope == name.scope || is_used)
            })
            .map(|other| other.number)
            .collect();
        name.number = (0..).find(|number| !taken.contains(number)).expect("numbers do not end");
    }
    names
        .into_iter()
        .flat_map(|name| name.places.into_iter().map(move |at| (at, name.number)))
        .collect()
}

/// Returns ranges of tokens that names in them do not leave: blocks with what is in front of them, and
/// arrow functions.
fn scopes(tokens: &[Token<'_>], first: usize, last: usize) -> Vec<(usize, usize)> {
    let mut scopes = Vec::new();
    // A list of parameters, or a single one, before a token.
    let head = |at: usize| match tokens[at - 1].kind {
        Kind::Close => tokens[at - 1].partner,
        _ => at - 1,
    };
    for at in first..=last {
        let token = &tokens[at];
        if token.kind == Kind::Open(Bracket::Block) && at > first {
            let start = match tokens[at - 1].text {
                ")" => head(at),
                "=>" => head(at - 1),
                _ => at,
            };
            scopes.push((start, token.partner));
        }
        if token.text == "=>" && tokens[at + 1].kind != Kind::Open(Bracket::Block) {
            let ends = |at: &usize| {
                let end = &tokens[*at];
                end.bracket == token.bracket && [",", ";"].contains(&end.text)
                    || token.bracket.is_some_and(|open| tokens[open].partner == *at)
            };
            let end = (at + 1..tokens.len()).find(ends).unwrap_or(tokens.len());
            scopes.push((head(at), end - 1));
        }
    }
    scopes
}
