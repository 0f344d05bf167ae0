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

#[cfg(test)]
mod tests {
    use super::minify;

    /// Checks what becomes of scripts. Names at the top level get the letters after those inside of
    /// functions.
    #[test]
    fn scripts_do_the_same_in_fewer_bytes() {
        for (script, expected) in [
            ("// Nothing.\n", "\n"),
            ("let count = 1;\ncount += 2;\n", "let e=1;e+=2;\n"),
            // Properties keep their names, also where a variable of the same name is short for one.
            (
                "const size = 1;\nconst box = { size, top: size };\nbox.size = size;\n",
                "const e=1;const t={size:e,top:e};t.size=e;\n",
            ),
            (
                "function area({ width, height: tall }) {\n  return width * tall;\n}\n",
                "function n({width:e,height:t}){return e*t}\n",
            ),
            // Names of the browser.
            (
                "document.title = String(location.hash);\n",
                "document.title=String(location.hash);\n",
            ),
            // A parameter hides a name with the same text.
            (
                "const list = [1];\nconst twice = item => list.map(list => list + item);\n",
                "const t=[1];const n=e=>t.map(t=>t+e);\n",
            ),
            // What looks like a comment, a division or a name.
            (
                "const url = \"https://a/*b*/\";\nconst word = /[/\"]x/g.test(url) / 2;\n",
                "const e=\"https://a/*b*/\";const t=/[/\"]x/g.test(e)/ 2;\n",
            ),
            ("const text = `${url} of ${`${count}`}`;\n", "const n=`${e} of ${`${t}`}`;\n"),
            // Operators that would become others.
            (
                "let a = 1, b = 2;\nconst c = a + +b - -a;\nif (a) {\n  b++;\n}\n++a;\n",
                "let e=1,t=2;const n=e+ +t- -e;if(e){t++}\n++e;\n",
            ),
            (
                "class Box {\n  get size() {\n    return this.#size;\n  }\n  #size = 1;\n}\n",
                "class t{get size(){return this.#e}#e=1}\n",
            ),
        ] {
            assert_eq!(minify(script), expected, "{script}");
        }
    }
}
