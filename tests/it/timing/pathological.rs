//! Markdown inputs that can make parsers slow, recurse deeply or produce huge output.
//!
//! Every input has 10 KB to 1 MB, so that a quadratic step takes seconds and a linear one
//! milliseconds. The text is meaningless; only its shape counts.

use convo_site::markup::{Links, Options, RawHtml, render};

use crate::support::html_oracle::options;
use crate::support::linear_time::timed;

#[test]
#[ignore = "measures time or memory: `sh tests/run` runs it"]
fn no_input_is_slow() {
    let cases = cases();
    assert!(cases.len() >= 51);
    let all = Options { is_archived: false, headings_below: None, ..options(RawHtml::Basic, true) };
    let mut slow = Vec::new();
    for (name, markdown) in cases {
        let file = crate::support::convo(&markdown);
        let time = || {
            timed(|| {
                render(&markdown, "x", &all, &Links::AsWritten);
                convo_site::markup::scan(&markdown, true);
                convo_site::formats::read("x.convo", file.as_bytes());
            })
        };
        // Other work on the machine can still slow it down, so slow cases are tried again.
        let took = (0..5).map(|_| time()).find(|took| took.as_millis() <= 1000);
        if took.is_none() {
            slow.push(format!("{name}: {} bytes", markdown.len()));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// All cases: a name to report, and the input.
fn cases() -> Vec<(&'static str, String)> {
    let mut cases = known_inlines();
    cases.extend(known_blocks());
    cases.extend(nesting());
    cases.extend(tables_and_references());
    cases.extend(runs());
    cases.extend(unclosed());
    cases.extend(conversation_habits());
    // A case that is too small proves nothing. One that is too large tests the size limits instead
    // of the parser.
    for (name, input) in &cases {
        assert!((10_000..=1_000_000).contains(&input.len()), "{name}: {}", input.len());
    }
    cases
}

/// Inline structures that have been slow in CommonMark parsers.
fn known_inlines() -> Vec<(&'static str, String)> {
    let strong_in_emphasis =
        ["*x **y ".repeat(32_500), "z".into(), " y** x*".repeat(32_500)].concat();
    let closers_after_pairs = ["*x ".repeat(20_000), "_x*_ ".repeat(20_000)].concat();
    let rule_of_three = ["x**y".to_owned(), "z* ".repeat(25_000)].concat();
    let balanced_brackets = ["[".repeat(25_000), "x".into(), "]".repeat(25_000)].concat();
    let balanced_stars = ["*".repeat(20_000), "x".into(), "*".repeat(20_000)].concat();
    // Each run of backticks has a new length, so no run closes an earlier one. With more lengths,
    // the text would exceed 1 MB, as its size grows quadratically.
    let backtick_lengths = build(1_400, |out, n| {
        out.push('x');
        out.push_str(&"`".repeat(n));
    });
    vec![
        ("strong-nested-in-emphasis", strong_in_emphasis),
        ("emphasis-closers-without-openers", "x_ ".repeat(32_500)),
        ("emphasis-openers-without-closers", "_x ".repeat(32_500)),
        ("link-closers-without-openers", "x]".repeat(32_500)),
        ("link-openers-without-closers", "[x".repeat(32_500)),
        ("emphasis-openers-and-other-closers", "*x_ ".repeat(25_000)),
        ("emphasis-closers-after-other-openers", closers_after_pairs),
        ("emphasis-rule-of-three", rule_of_three),
        ("link-openers-and-emphasis-closers", "[ x_".repeat(25_000)),
        ("brackets-crossing-parentheses", "[ (](".repeat(40_000)),
        ("images-around-empty-links", "![[]()".repeat(160_000)),
        // The known case is one short line, which alone would be too fast to measure.
        ("strong-across-a-link", "**p [q*r**s*](t)\n\n".repeat(2_000)),
        ("brackets-balanced", balanced_brackets),
        ("stars-balanced", balanced_stars),
        ("backtick-runs-of-all-lengths", backtick_lengths),
        ("link-destinations-unclosed-angle", "[x](<y".repeat(30_000)),
        ("link-destinations-unclosed", "[x](y".repeat(30_000)),
        // Fewer than elsewhere, to stay below 1 MB.
        ("comment-openers", ["</".to_owned(), "<!--".repeat(240_000)].concat()),
        ("nul-characters", "xyz\u{0}uv\u{0}\n".repeat(4_000)),
    ]
}

/// Block structures that have been slow in CommonMark parsers.
fn known_blocks() -> Vec<(&'static str, String)> {
    let items_then_blank_lines = ["- ".repeat(30_000), "x".into(), "\n".repeat(30_000)].concat();
    let quoted_items_then_blank_lines =
        ["> ".into(), "- ".repeat(30_000), "x\n".into(), ">\n".repeat(30_000)].concat();
    let emphasis_below_quotes = [">".repeat(100_000), "x*".repeat(100_000)].concat();
    let indented_items = build(500, |out, n| {
        out.push_str(&"  ".repeat(n - 1));
        out.push_str("* x\n");
    });
    vec![
        ("quotes-nested", ["> ".repeat(25_000), "x".into()].concat()),
        ("items-nested-by-indentation", indented_items),
        ("items-nested-then-blank-lines", items_then_blank_lines),
        ("items-nested-in-a-quote-then-blank-lines", quoted_items_then_blank_lines),
        ("emphasis-below-deep-quotes", emphasis_below_quotes),
        ("references-with-one-hash", colliding_references(25_000)),
    ]
}

/// Containers and brackets, much deeper than anyone writes.
fn nesting() -> Vec<(&'static str, String)> {
    let numbered_items = build(500, |out, n| {
        out.push_str(&"   ".repeat(n - 1));
        out.push_str("1. x\n");
    });
    let quotes_with_fences = build(600, |out, n| {
        out.push_str(&">".repeat(n));
        out.push_str("```\n");
    });
    let quotes_growing_and_shrinking = build(1_200, |out, n| {
        out.push_str(&"> ".repeat(n.min(1_200 - n)));
        out.push_str("x\n");
    });
    let lazy_lines = [">".repeat(5_000), "x\n".into(), "y\n".repeat(100_000)].concat();
    let balanced_parentheses = ["[x](".into(), "(".repeat(200_000), ")".repeat(200_001)].concat();
    vec![
        ("quotes-nested-without-spaces", [">".repeat(200_000), "x".into()].concat()),
        ("dash-items-nested", ["- ".repeat(100_000), "x".into()].concat()),
        ("star-items-nested", ["* ".repeat(100_000), "x".into()].concat()),
        ("number-items-nested", ["1. ".repeat(100_000), "x".into()].concat()),
        ("number-items-nested-by-indentation", numbered_items),
        ("quotes-and-items-in-turn", ["> - ".repeat(50_000), "x".into()].concat()),
        ("quotes-deepening-with-fences", quotes_with_fences),
        ("quotes-growing-and-shrinking", quotes_growing_and_shrinking),
        ("quotes-with-lazy-lines", lazy_lines),
        ("brackets-open", "[".repeat(500_000)),
        ("image-brackets-open", "![".repeat(250_000)),
        ("strikethrough-open", "~~x ".repeat(200_000)),
        ("strikethrough-of-two-widths", "~x ~~y ".repeat(100_000)),
        ("math-open", "$x".repeat(200_000)),
        ("math-display-open", "$$x ".repeat(200_000)),
        ("math-groups-open", ["$".to_owned(), "{".repeat(200_000)].concat()),
        ("div-lines-open", "<div>\n".repeat(100_000)),
        ("div-open", "<div>".repeat(100_000)),
        ("bold-tags-open", "<b>".repeat(200_000)),
        ("bold-tags-closed-only", "</b>".repeat(200_000)),
        ("parentheses-open", ["[x](".to_owned(), "(".repeat(500_000)].concat()),
        ("parentheses-balanced", balanced_parentheses),
    ]
}

/// Short inputs that could become a large page, and many references to resolve.
fn tables_and_references() -> Vec<(&'static str, String)> {
    let wide_head = ["|x".repeat(3_000), "|\n".into(), "|-".repeat(3_000), "|\n".into()];
    let wide_head = wide_head.concat();
    // Missing cells are filled in: a line of three bytes becomes 3,000 cells.
    let wide_short_rows = [wide_head.clone(), "|x\n".repeat(100)].concat();
    let tall = ["|x|\n|-|\n".to_owned(), "|x|\n".repeat(100_000)].concat();
    let escaped_pipes = ["|x|\n|-|\n|".to_owned(), "\\|".repeat(200_000), "|\n".into()].concat();
    let footnotes = build(50_000, |out, n| {
        out.push_str(&format!("[^{}]", label(n)));
    }) + "\n\n"
        + &build(50_000, |out, n| {
            out.push_str(&format!("[^{}]: x\n\n", label(n)));
        });
    // Every footnote mentions the next one, so following all of them must not recurse.
    let footnote_chain = build(20_000, |out, n| {
        out.push_str(&format!("[^{}]: x[^{}]\n\n", label(n), label(n + 1)));
    });
    let one_footnote = ["[^x]".repeat(200_000), "\n\n[^x]: y\n".into()].concat();
    let references = build(50_000, |out, n| {
        out.push_str(&format!("[{}]: y\n", label(n)));
    }) + "\n"
        + &build(50_000, |out, n| {
            out.push_str(&format!("[{}]", label(n)));
        });
    // A definition is short to refer to and long in the output.
    let long_destination = format!(
        "[x]: /{}\n\n{}",
        "y".repeat(20_000),
        // A number that keeps the page near a megabyte.
        "[x] ".repeat(50)
    );
    let long_label = format!("[{0}]\n\n[{0}]: y\n", "x".repeat(100_000));
    let long_label_of_spaces = format!("[x{0}y]\n\n[x y]: z\n", " ".repeat(100_000));
    vec![
        ("table-wide", wide_head),
        ("table-wide-with-short-rows", wide_short_rows),
        ("table-tall", tall),
        ("table-cell-of-escaped-pipes", escaped_pipes),
        ("table-heads-only", "|x|y|\n|-|-|\n\n".repeat(50_000)),
        ("table-rows-without-head", "|-|\n".repeat(200_000)),
        ("footnotes-many", footnotes),
        ("footnotes-in-a-chain", footnote_chain),
        ("footnote-mentioned-often", one_footnote),
        ("footnotes-undefined", "[^x]".repeat(200_000)),
        ("references-many", references),
        ("reference-definitions-repeated", "[x]: y\n".repeat(100_000)),
        ("reference-with-long-destination", long_destination),
        ("reference-label-long", long_label),
        ("reference-label-of-spaces", long_label_of_spaces),
        ("reference-titles-unclosed", "[x]: y \"z\n".repeat(80_000)),
    ]
}

/// One character or a small group, repeated.
fn runs() -> Vec<(&'static str, String)> {
    let entities = "&amp;&#38;&#x26;&bogus;&#xFFFFFFFF;&#;&;&lt&CounterClockwiseContour";
    let long_underline = ["x\n".to_owned(), "=".repeat(500_000)].concat();
    let long_break = ["* ".repeat(250_000), "x".into()].concat();
    vec![
        ("ampersands", "&".repeat(500_000)),
        ("pipes", "|".repeat(500_000)),
        ("pipe-lines", "|\n".repeat(250_000)),
        ("backslashes", "\\".repeat(500_000)),
        ("underscores", "x_".repeat(250_000)),
        ("underscore-run", "_".repeat(500_000)),
        ("colons", ":".repeat(500_000)),
        ("colon-lines", "x\n: \n".repeat(100_000)),
        ("backtick-run", "`".repeat(500_000)),
        ("backticks-apart", "` `` ".repeat(150_000)),
        ("dollar-run", "$".repeat(500_000)),
        ("tilde-run", "~".repeat(500_000)),
        ("hash-run", ["# ".to_owned(), "#".repeat(500_000)].concat()),
        ("exclamation-marks", "!".repeat(500_000)),
        ("less-than-run", "<".repeat(500_000)),
        ("greater-than-after-text", ["x".to_owned(), ">".repeat(500_000)].concat()),
        ("spaces-run", ["x".to_owned(), " ".repeat(500_000), "y".into()].concat()),
        ("tabs-before-items", "\t- x\n".repeat(100_000)),
        ("blank-lines", ["x".to_owned(), "\n".repeat(500_000), "y".into()].concat()),
        ("carriage-returns", "x\r".repeat(250_000)),
        ("entity-soup", entities.repeat(8_000)),
        ("entity-names-unfinished", "&CounterClockwise".repeat(30_000)),
        ("entity-number-long", ["&#".to_owned(), "9".repeat(500_000)].concat()),
        ("setext-underlines", "x\n===\n".repeat(100_000)),
        ("setext-underline-long", long_underline),
        ("setext-after-long-paragraph", "x\n".repeat(250_000) + "---\n"),
        ("thematic-break-that-is-none", long_break),
        ("hard-breaks-of-spaces", "x  \n".repeat(200_000)),
        ("hard-breaks-of-backslashes", "x\\\n".repeat(200_000)),
        ("emphasis-soup", "*x_y**z__~*~~_$**`".repeat(30_000)),
        ("emphasis-runs-of-three", "***x".repeat(100_000)),
    ]
}

/// Openers that are never closed: each one may start a scan to the end.
fn unclosed() -> Vec<(&'static str, String)> {
    let everything = "[x](<y \"z ![a][b `c ``d $e $$f ~~g **h __i <j k=\"l <!--m <?n ";
    // A fence is only closed by one that is at least as long, so none of these is.
    let shrinking_fences = build(1_300, |out, n| {
        out.push_str(&"`".repeat(1_303 - n));
        out.push('\n');
    });
    vec![
        ("everything-unclosed", everything.repeat(10_000)),
        ("everything-unclosed-in-lines", "> - [x](`y\n\n".repeat(50_000)),
        ("fences-in-turn", "```\n~~~\n".repeat(100_000)),
        ("fences-unclosed-in-quotes", "> ```x\n\n".repeat(80_000)),
        ("fences-ever-shorter", shrinking_fences),
        ("autolinks-unclosed", "<https://x".repeat(80_000)),
        ("attributes-unclosed", "<x y=\"z".repeat(100_000)),
        ("attributes-many", ["<x ".to_owned(), "y ".repeat(250_000)].concat()),
        ("instructions-unclosed", "x<?".repeat(200_000)),
        ("declarations-unclosed", "x<!Y".repeat(200_000)),
        ("character-data-unclosed", "x<![CDATA[".repeat(80_000)),
        ("titles-unclosed", "[x](y \"z".repeat(80_000)),
        ("titles-unclosed-in-parentheses", "[x](y (z".repeat(80_000)),
        ("footnote-labels-unclosed", "[^x".repeat(200_000)),
    ]
}

/// Structures that people and models really write, in unrealistic quantities.
fn conversation_habits() -> Vec<(&'static str, String)> {
    let urls = "https://x.example/y?z=1&w=_2_*3* ";
    let words = ["x".repeat(400_000), " ".into(), "\u{6f22}".repeat(100_000)].concat();
    let accents = ["x".to_owned(), "\u{301}".repeat(200_000)].concat();
    vec![
        // A single line, as close to 1 MB as whole URLs allow.
        ("bare-urls-in-one-line", urls.repeat(1_000_000 / urls.len())),
        ("bare-url-long", ["https://x.example/".into(), "y".repeat(500_000)].concat()),
        ("bare-url-of-parentheses", ["https://x.example/", &")".repeat(500_000)].concat()),
        ("bare-hosts-unfinished", "www.".repeat(200_000)),
        ("mail-addresses-unfinished", "x@".repeat(200_000)),
        ("prices", "$5 ".repeat(200_000)),
        ("price-ranges", "$5-$10, ".repeat(80_000)),
        ("speaker-headings-in-quotes", "> ### @x\n".repeat(80_000)),
        ("speaker-headings", "### @x\n\n".repeat(80_000)),
        ("equal-headings", "# x\n".repeat(100_000)),
        ("tasks", "- [ ] x\n- [x] y\n".repeat(50_000)),
        ("loose-items", "- x\n\n".repeat(100_000)),
        ("marker-changing-items", "- x\n+ x\n* x\n1. x\n1) x\n".repeat(30_000)),
        ("small-fences", "```rust\nx\n```\n\n".repeat(50_000)),
        ("small-code-spans", "`x` ".repeat(200_000)),
        ("small-links", "[x](y) ".repeat(100_000)),
        ("small-images", "![x](y.png) ".repeat(60_000)),
        ("thematic-breaks", "---\n".repeat(200_000)),
        ("curly-quotes-and-accents", "\u{201c}\u{e9}\u{b0}\u{201d} ".repeat(80_000)),
        ("long-words", words),
        ("combining-accents", accents),
    ]
}

/// A text of `count` parts; `part` is called with the numbers from 1.
fn build(count: usize, part: impl Fn(&mut String, usize)) -> String {
    let mut out = String::new();
    for n in 1..=count {
        part(&mut out, n);
    }
    out
}

/// A label for a number in base 36; with decimal labels, 50,000 notes would exceed 1 MB.
fn label(mut n: usize) -> String {
    let mut digits = Vec::new();
    while n > 0 {
        digits.push(b"0123456789abcdefghijklmnopqrstuvwxyz"[n % 36]);
        n /= 36;
    }
    digits.iter().rev().map(|&digit| char::from(digit)).collect()
}

/// Definitions whose labels have the same slot in a 16-slot table with sdbm hashes that cannot
/// grow, each followed by a reference to an undefined label.
fn colliding_references(count: usize) -> String {
    let in_first_slot = |key: &String| {
        let hash = key
            .bytes()
            .fold(0_u32, |hash, byte| hash.wrapping_mul(65_599).wrapping_add(u32::from(byte)));
        hash.is_multiple_of(16)
    };
    let mut keys = (0_u32..).map(|n| format!("k{n}")).filter(in_first_slot);
    let missing = keys.next().unwrap_or_default();
    let mut out = String::new();
    for key in keys.take(count - 1) {
        out.push_str(&format!("[{key}]: /u\n\n[{missing}]\n\n"));
    }
    out
}
