//! Grammars, and one-letter classes for their scopes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::LazyLock;

use syntect::parsing::{Scope, ScopeStack, SyntaxSet};

/// The prefixes of scope names that have a class; the first match wins.
const SCOPES: [(&str, char); 35] = [
    ("comment", 'c'),
    ("punctuation.definition.comment", 'c'),
    ("string", 's'),
    ("punctuation.definition.string", 's'),
    ("constant.character.escape", 'l'),
    ("constant.numeric", 'n'),
    ("constant", 'l'),
    ("keyword.operator.word", 'k'),
    ("keyword.operator.logical.python", 'k'),
    ("keyword.operator.assignment", ' '),
    ("keyword.operator", ' '),
    ("keyword", 'k'),
    ("storage", 'k'),
    ("variable.language", 'k'),
    ("support.function", 'f'),
    ("entity.name.function", 'f'),
    ("variable.function", 'f'),
    ("entity.name.tag", 'g'),
    ("entity.other.attribute-name", 'a'),
    ("support.type.property-name", 'a'),
    ("entity.name.section", 'h'),
    ("entity.name.type", 't'),
    ("entity.name.class", 't'),
    ("entity.name.struct", 't'),
    ("entity.name.enum", 't'),
    ("entity.name.trait", 't'),
    ("entity.name.impl", 't'),
    ("entity.name.namespace", 't'),
    ("entity.other.inherited-class", 't'),
    ("support.class", 't'),
    ("support.type", 't'),
    ("markup.inserted", 'i'),
    ("markup.deleted", 'd'),
    ("markup.heading", 'h'),
    ("meta.diff", 'h'),
];

/// All grammars.
pub(super) static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

static PREFIXES: LazyLock<Vec<(Scope, char)>> = LazyLock::new(|| {
    let scope = |name: &str| Scope::new(name).expect("the names are short");
    SCOPES.iter().map(|(n, c)| (scope(n), *c)).collect()
});

thread_local! {
    /// Scopes that were already looked up; all grammars together have a few thousand.
    static KNOWN: RefCell<HashMap<Scope, Option<char>>> = RefCell::new(HashMap::new());
}

/// Returns the class of the innermost scope that has one.
pub(super) fn class_of(stack: &ScopeStack) -> char {
    KNOWN.with_borrow_mut(|known| {
        stack
            .scopes
            .iter()
            .rev()
            .find_map(|scope| *known.entry(*scope).or_insert_with(|| look_up(*scope)))
            .unwrap_or(' ')
    })
}

fn look_up(scope: Scope) -> Option<char> {
    PREFIXES.iter().find(|(prefix, _)| prefix.is_prefix_of(scope)).map(|(_, class)| *class)
}
