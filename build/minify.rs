//! Makes scripts small: no comments, no needless white space, short names of variables.

use crate::lexer::{Kind, Token, is_in_word, is_keyword, tokens};
use crate::names::shorten;

/// Returns a script that does the same in fewer bytes. Statements must end with semicolons or on
/// their line.
pub(crate) fn minify(script: &str) -> String {
    let tokens = tokens(script);
    let names = shorten(&tokens);
    let mut out = String::with_capacity(script.len() / 2);
    for (at, token) in tokens.iter().enumerate() {
        let is_idle = match token.text {
            ";" => is_idle(&tokens, at),
            "(" => is_idle_cast(&tokens, at),
            ")" => is_idle_cast(&tokens, token.partner),
            _ => false,
        };
        if is_idle {
            continue;
        }
        if let Some(before) = at.checked_sub(1).map(|at| &tokens[at]) {
            if token.indent.is_some() && can_end(before) && can_start(token) {
                out.push('\n');
            } else if joins(&out, token.text) {
                out.push(' ');
            }
        }
        out.push_str(names.get(&at).map_or(token.text, String::as_str));
    }
    out.push('\n');
    out
}

/// Returns whether a semicolon is not needed: before the end of a block, after an expression.
fn is_idle(tokens: &[Token<'_>], at: usize) -> bool {
    let is_end = tokens.get(at + 1).is_some_and(|next| next.text == "}");
    // `for (;;);` and the like have no other statement.
    is_end && at > 0 && {
        let before = &tokens[at - 1];
        let head = before.partner.checked_sub(1).map_or("", |at| tokens[at].text);
        before.text != ";" && (before.text != ")" || !["for", "while", "if"].contains(&head))
    }
}

/// Returns whether a parenthesis only casts a value that needs none, such as `a.b(c)`.
fn is_idle_cast(tokens: &[Token<'_>], at: usize) -> bool {
    let end = tokens[at].partner;
    let inside = || tokens[at + 1..end].iter().filter(|token| token.bracket == Some(at));
    let is_chain = |token: &Token<'_>| match token.kind {
        Kind::Word => !is_keyword(token.text),
        Kind::Punctuation => [".", "?."].contains(&token.text),
        Kind::Open(_) | Kind::Close => true,
        Kind::Literal => false,
    };
    // `(a?.b).c` is not `a?.b.c`.
    let is_continued = [".", "?.", "[", "("].contains(&tokens[end + 1].text);
    tokens[at].is_cast
        && tokens[at + 1].kind == Kind::Word
        && inside().all(is_chain)
        && !(is_continued && inside().any(|token| token.text == "?."))
}

/// Returns whether a statement could end after a token.
fn can_end(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word | Kind::Literal | Kind::Close => true,
        Kind::Punctuation => ["++", "--"].contains(&token.text),
        Kind::Open(_) => false,
    }
}

/// Returns whether a statement could start with a token.
fn can_start(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Word | Kind::Literal | Kind::Open(_) => true,
        Kind::Punctuation => ["++", "--", "!", "+", "-"].contains(&token.text),
        Kind::Close => false,
    }
}

/// Returns whether a token needs a space after the script so far.
fn joins(out: &str, text: &str) -> bool {
    let (Some(last), Some(first)) = (out.chars().last(), text.chars().next()) else { return false };
    is_in_word(last) && is_in_word(first)
        || last == first && ['+', '-', '/'].contains(&last)
        || last == '/' && (is_in_word(first) || first == '*')
        || last.is_ascii_digit() && first == '.'
}
