//! Converts LaTeX to MathML Core, with the source beside it as an annotation.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;

use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};

/// The maximum length of a formula, in bytes; longer ones are shown as code. Together with
/// [`MAX_DEPTH`] it bounds the recursion of the converter, whose stack an untrusted formula must
/// not exhaust.
const MAX_FORMULA_BYTES: usize = 4_000;
/// The maximum number of open braces or consecutive commands; formulas with more are shown as code.
const MAX_DEPTH: usize = 40;

static CONVERTER: LazyLock<Option<LatexToMathML>> = LazyLock::new(|| {
    LatexToMathML::new(MathCoreConfig { annotation: true, ..MathCoreConfig::default() }).ok()
});

/// Converts a formula to a `<math>` element; `None` if it cannot be parsed.
pub(super) fn to_mathml(latex: &str, block: bool) -> Option<String> {
    if latex.len() > MAX_FORMULA_BYTES || depth(latex) > MAX_DEPTH {
        return None;
    }
    let display = if block { MathDisplay::Block } else { MathDisplay::Inline };
    let converter = CONVERTER.as_ref()?;
    // A panic in the converter only affects this formula, not its conversation.
    let convert = || converter.convert_with_local_state(latex, display).ok();
    let converted = catch_unwind(AssertUnwindSafe(convert)).ok()??;
    checked(&converted.mathml)
}

/// Returns a formula as one line of letters and symbols; `None` if it needs more than a line or
/// cannot be parsed.
pub(super) fn plain(latex: &str) -> Option<String> {
    const IN_A_LINE: [&str; 9] =
        ["math", "semantics", "mrow", "mi", "mn", "mo", "mtext", "mspace", "mstyle"];
    let mathml = to_mathml(latex, false)?;
    let shown = mathml.split("<annotation").next()?;
    let mut out = String::new();
    for part in shown.split('<').skip(1) {
        let (tag, text) = part.split_once('>')?;
        let name = tag.trim_matches('/').split([' ', '/']).next()?;
        if !IN_A_LINE.contains(&name) {
            return None;
        }
        out.push_str(text);
    }
    let text = out.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    (!text.trim().is_empty() && !text.contains("&#")).then_some(text)
}

/// Returns how deep a converter may have to recurse: open braces and environments, and commands
/// that take each other as arguments without braces.
fn depth(latex: &str) -> usize {
    let (mut open, mut deepest, mut row) = (0usize, 0usize, 0usize);
    let mut chars = latex.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let letter = chars.next();
                let word = letter.is_some_and(char::is_alphabetic);
                row += usize::from(word);
                let mut name: String = letter.into_iter().collect();
                while word && chars.peek().is_some_and(|c| c.is_alphabetic()) {
                    name.extend(chars.next());
                }
                match name.as_str() {
                    "left" | "begin" => open += 1,
                    "right" | "end" => open = open.saturating_sub(1),
                    _ => {}
                }
            }
            '{' | '[' | '(' => open += 1,
            '}' | ']' | ')' => open = open.saturating_sub(1),
            '^' | '_' | '\'' => row += 1,
            c if c.is_whitespace() => {}
            _ => row = 0,
        }
        deepest = deepest.max(open + row);
    }
    deepest
}

/// Elements that are allowed in a formula.
const ELEMENTS: [&str; 29] = [
    "math", "semantics", "annotation", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac",
    "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
    "mprescripts", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "merror", "mstyle",
];

/// Attributes that are allowed; none of them can contain a URL, a script or a style.
const ATTRIBUTES: [&str; 27] = [
    "display", "displaystyle", "scriptlevel", "mathvariant", "encoding", "stretchy", "symmetric",
    "largeop", "movablelimits", "fence", "separator", "form", "lspace", "rspace", "minsize",
    "maxsize", "accent", "accentunder", "linethickness", "width", "height", "depth", "voffset",
    "columnspan", "rowspan", "intent", "arg",
];

/// Returns the converter's output if it contains only known MathML. Its `style` attributes are
/// removed, as the pages' policy forbids them: alignment becomes a class.
fn checked(mathml: &str) -> Option<String> {
    let mut out = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let close = open + tag_end(&rest[open..])?;
        tag(&mut out, &rest[open + 1..close])?;
        rest = &rest[close + 1..];
    }
    out.push_str(rest);
    Some(out)
}

/// Returns the index of the `>` that ends the tag, outside quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quoted = false;
    tag.bytes().position(|byte| {
        quoted ^= byte == b'"';
        byte == b'>' && !quoted
    })
}

fn tag(out: &mut String, tag: &str) -> Option<()> {
    let (tag, empty) = match tag.strip_suffix('/') {
        Some(tag) => (tag, true),
        None => (tag, false),
    };
    if let Some(name) = tag.strip_prefix('/') {
        ELEMENTS.contains(&name).then_some(())?;
        out.push_str("</");
        out.push_str(name);
        out.push('>');
        return Some(());
    }
    let (element, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    ELEMENTS.contains(&element).then_some(())?;
    out.push('<');
    out.push_str(element);
    let mut class = None;
    while !rest.trim_start().is_empty() {
        let (name, value) = rest.trim_start().split_once("=\"")?;
        let (value, after) = value.split_once('"')?;
        rest = after;
        if name == "style" {
            class = class.or(alignment(value));
        } else if element == "mtable" && name == "scriptlevel" {
            // It is always 0 there, and HTML checkers do not know it.
        } else if ATTRIBUTES.contains(&name) {
            out.push_str(&format!(" {name}=\"{value}\""));
        } else if name != "class" {
            return None;
        }
    }
    if let Some(class) = class {
        out.push_str(&format!(" class=\"{class}\""));
    }
    // HTML allows `/>` only on foreign elements, which these are.
    out.push_str(if empty { "/>" } else { ">" });
    Some(())
}

fn alignment(style: &str) -> Option<&'static str> {
    if style.contains("text-align: right") {
        Some("right")
    } else if style.contains("text-align: left") {
        Some("left")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::to_mathml;

    #[test]
    fn a_formula_keeps_its_source() {
        let html = to_mathml(r"\frac{a}{b} < 1", false).unwrap();
        assert!(html.starts_with("<math><semantics>"), "{html}");
        assert!(html.contains("<mfrac><mi>a</mi><mi>b</mi></mfrac>"), "{html}");
        assert!(html.contains(r"\frac{a}{b} &lt; 1</annotation>"), "{html}");
    }

    #[test]
    fn hostile_formulas_are_not_converted_or_harmless() {
        for latex in [
            r"\href{javascript:alert(1)}{x}",
            r"\text{<img src=x onerror=alert(1)>}",
            r#"\class{x" onclick="alert(1)}{y}"#,
            r"\color{red;background:url(//x.example)}x",
            r"</annotation></semantics></math><script>alert(1)</script>",
        ] {
            if let Some(html) = to_mathml(latex, true) {
                for bad in ["<img", "<script", "href=", "style=", "onclick=\""] {
                    assert!(!html.contains(bad), "{latex}: {html}");
                }
            }
        }
    }

    #[test]
    fn a_script_without_a_base_does_not_panic() {
        for mark in ["^", "_", "x^", "x_ ", "'^", "^^"] {
            for latex in [format!("{mark} & b"), format!(r"a & {mark} \\ b")] {
                let latex = format!(r"\begin{{matrix}} {latex} \end{{matrix}}");
                assert_eq!(to_mathml(&latex, true), None, "{latex}");
            }
        }
    }

    #[test]
    fn no_formula_exhausts_the_stack() {
        for part in
            ["{", r"\sqrt", r"\frac", "^", "_", r"\left(", "\\begin{matrix}", "(", "\\text{"]
        {
            for times in [30, 300, 100_000] {
                let _ = to_mathml(&part.repeat(times), false);
            }
        }
    }
}
