//! Divides JavaScript into tokens, without comments and white space, and finds the brackets of each.

/// A token of a script.
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) kind: Kind,
    /// The number of spaces before it, if it is the first of its line.
    pub(crate) indent: Option<usize>,
    /// Whether it is the parenthesis of a cast: `/** @type {T} */ (value)`.
    pub(crate) is_cast: bool,
    /// The innermost bracket around it; brackets are not around themselves.
    pub(crate) bracket: Option<usize>,
    /// For a bracket, the other one of the pair.
    pub(crate) partner: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name or a keyword.
    Word,
    /// A number, a string, a regular expression, or a template literal without values.
    Literal,
    Punctuation,
    /// What a bracket opens; the parts of a template literal are brackets around its values.
    Open(Bracket),
    Close,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bracket {
    Parenthesis,
    Index,
    /// An object, or a pattern that takes it apart.
    Object,
    Block,
    Class,
    Template,
}

const KEYWORDS: [&str; 40] = [
    "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "delete",
    "do", "else", "extends", "false", "finally", "for", "function", "get", "if", "in",
    "instanceof", "let", "new", "null", "of", "return", "set", "static", "super", "switch", "this",
    "throw", "true", "try", "typeof", "undefined", "void", "while", "with", "yield",
];

/// Operators of several characters, the longest first.
const OPERATORS: [&str; 30] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=",
    "<=", ">=", "&&", "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "**", "<<", ">>",
];

pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

pub(crate) fn is_in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Divides a script into tokens.
///
/// # Panics
///
/// If brackets or literals do not end.
pub(crate) fn tokens(script: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer { all: Vec::new(), open: Vec::new(), is_class: false };
    let mut at = 0;
    let mut indent = Some(0);
    let mut is_cast = false;
    while let Some(c) = script[at..].chars().next() {
        let rest = &script[at..];
        if c.is_whitespace() {
            indent = if c == '\n' { Some(0) } else { indent.map(|spaces| spaces + 1) };
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += rest.find("*/").expect("a comment ends") + 2;
            is_cast = rest.starts_with("/** @type {");
            continue;
        }
        let first = lexer.all.len();
        let length = lexer.read(rest, indent.take());
        lexer.all[first].is_cast = std::mem::take(&mut is_cast) && rest.starts_with('(');
        at += length;
    }
    assert!(lexer.open.is_empty(), "a bracket is not closed");
    lexer.all
}

struct Lexer<'a> {
    all: Vec<Token<'a>>,
    /// The brackets that are open.
    open: Vec<usize>,
    /// Whether the next block is the body of a class.
    is_class: bool,
}

impl<'a> Lexer<'a> {
    /// Adds the next token, and returns its length.
    fn read(&mut self, rest: &'a str, indent: Option<usize>) -> usize {
        let c = rest.chars().next().unwrap_or_default();
        let (kind, length) = match c {
            '"' | '\'' => (Kind::Literal, quoted(rest, c)),
            '`' => self.template(rest),
            '}' if self.is_in_template() => {
                self.close(rest, indent);
                let (kind, length) = self.template(rest);
                let last = self.all.len() - 1;
                self.all[last].text = &rest[..length];
                if kind == Kind::Literal {
                    return length;
                }
                // A part between two values closes one and opens the other; an empty token opens.
                self.push(&rest[..0], kind, None);
                return length;
            }
            ')' | ']' | '}' => {
                self.close(&rest[..1], indent);
                return 1;
            }
            '(' => (Kind::Open(Bracket::Parenthesis), 1),
            '[' => (Kind::Open(Bracket::Index), 1),
            '{' => (Kind::Open(self.brace()), 1),
            '/' if self.can_be_pattern() => (Kind::Literal, pattern(rest)),
            c if c.is_ascii_digit() => (Kind::Literal, number(rest)),
            c if is_in_word(c) => (Kind::Word, word(rest)),
            _ => {
                let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
                // `a?.5:1` is not an optional chain.
                let operator = operator.filter(|operator| {
                    **operator != "?." || !rest[2..].starts_with(|c: char| c.is_ascii_digit())
                });
                (Kind::Punctuation, operator.map_or(c.len_utf8(), |operator| operator.len()))
            }
        };
        let text = &rest[..length];
        self.is_class |= text == "class" && rest[length..].starts_with(' ');
        self.push(text, kind, indent);
        length
    }

    fn push(&mut self, text: &'a str, kind: Kind, indent: Option<usize>) {
        let bracket = self.open.last().copied();
        if matches!(kind, Kind::Open(_)) {
            self.open.push(self.all.len());
        }
        self.all.push(Token { text, kind, indent, is_cast: false, bracket, partner: 0 });
    }

    fn close(&mut self, text: &'a str, indent: Option<usize>) {
        let partner = self.open.pop().expect("a bracket is open");
        self.all[partner].partner = self.all.len();
        let bracket = self.open.last().copied();
        self.all.push(Token { text, kind: Kind::Close, indent, is_cast: false, bracket, partner });
    }

    fn is_in_template(&self) -> bool {
        let open = self.open.last().map(|open| self.all[*open].kind);
        open == Some(Kind::Open(Bracket::Template))
    }

    /// Returns what a brace opens here.
    fn brace(&mut self) -> Bracket {
        if std::mem::take(&mut self.is_class) {
            return Bracket::Class;
        }
        let Some(last) = self.all.last() else { return Bracket::Block };
        let is_value = match last.kind {
            Kind::Word => ["const", "let", "return", "of", "in", "yield", "await", "throw"]
                .contains(&last.text),
            Kind::Punctuation => !["=>", ";"].contains(&last.text),
            Kind::Open(bracket) => !matches!(bracket, Bracket::Block | Bracket::Class),
            Kind::Close | Kind::Literal => false,
        };
        if is_value { Bracket::Object } else { Bracket::Block }
    }

    /// Returns whether a slash starts a regular expression here, and does not divide.
    fn can_be_pattern(&self) -> bool {
        self.all.last().is_none_or(|last| match last.kind {
            Kind::Word => is_keyword(last.text) && last.text != "this",
            Kind::Literal => false,
            Kind::Punctuation | Kind::Open(_) => true,
            Kind::Close => last.text == "}",
        })
    }

    /// Returns the kind and the length of the next part of a template literal, which ends with the
    /// literal or where a value starts.
    fn template(&self, rest: &str) -> (Kind, usize) {
        let mut chars = rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => _ = chars.next(),
                '`' => return (Kind::Literal, at + 1),
                '$' if rest[at + 1..].starts_with('{') => {
                    return (Kind::Open(Bracket::Template), at + 2);
                }
                _ => {}
            }
        }
        panic!("a template literal does not end: {}", self.all.len());
    }
}

/// Returns the length of the string at the start of a text.
fn quoted(rest: &str, quote: char) -> usize {
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + 1;
        }
    }
    panic!("a string does not end");
}

/// Returns the length of the regular expression at the start of a text.
fn pattern(rest: &str) -> usize {
    let mut in_class = false;
    let mut chars = rest.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            '[' => in_class = true,
            ']' => in_class = false,
            '/' if !in_class => return at + 1 + word(&rest[at + 1..]),
            '\n' => break,
            _ => {}
        }
    }
    panic!("a regular expression does not end");
}

fn word(rest: &str) -> usize {
    rest.find(|c| !is_in_word(c)).unwrap_or(rest.len())
}

fn number(rest: &str) -> usize {
    rest.find(|c| !is_in_word(c) && c != '.').unwrap_or(rest.len())
}
