//! Markdown of unknown origin: no text is lost, and no markup escapes.

use convo_site::markup::{self, Links, RawHtml, ResolvedLink, render};
use proptest::prelude::*;

use crate::support::html_oracle::{assert_no_markup_escapes, assert_no_text_is_lost, options};

fn markdown() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "# ", "- ", "1. ", "> ", "\n", "\n\n", "    ", "```", "~~~", "```rust x\n", "`", "``", "*",
        "**", "_", "~~", "[", "]", "(", ")", "](", "![", "<", ">", "</", "<b>", "</b>", "<!--",
        "-->", "<script>", "</script>", "<style>", "<kbd>", "</kbd>", "<details>", "</details>",
        "<summary>", "</summary>", "<br>", "&lt;", "&amp;", "&#0;", "\\", "|", "|---|", "\n|-|\n",
        "[^1]", "[^1]: ", "$", "$$", "\\frac", "{", "}", "^", "https://a.example/",
        "javascript:alert(1)", "data:", "//host", "https://images.example/a.png", "\"", "'",
        " onclick=", "word", "w\u{301}", "🎉", "\u{202e}", "مرحبا", "- [ ] ", "- [x] ", "---",
        "===", "\t", "a", "1", "5", " ",
    ]);
    let piece = prop_oneof![6 => pieces.prop_map(str::to_owned), 1 => "\\PC{0,8}"];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn no_text_is_lost(markdown in markdown()) {
        assert_no_text_is_lost(&markdown);
    }

    #[test]
    fn no_markup_escapes(markdown in markdown()) {
        assert_no_markup_escapes(&markdown, &options(RawHtml::Escape, true));
        assert_no_markup_escapes(&markdown, &options(RawHtml::Basic, true));
    }
}

#[test]
fn no_payload_is_lost_or_escapes() {
    for payload in crate::support::payloads::payloads() {
        assert_no_text_is_lost(&payload);
        assert_no_markup_escapes(&payload, &options(RawHtml::Escape, true));
        assert_no_markup_escapes(&payload, &options(RawHtml::Basic, true));
    }
}

#[track_caller]
fn check(html: RawHtml, markdown: &str, expected: &str) {
    let image = ResolvedLink { url: "/media/a.png".to_owned(), dimensions: None };
    let known = [("a.png".to_owned(), image)].into();
    let ours = render(markdown, "t1", &options(html, true), &Links::Known(known));
    assert_eq!(ours.as_str().trim_end(), expected);
}

#[test]
fn text_in_angle_brackets_is_text() {
    check(
        RawHtml::Escape,
        "A Vec<String> and a <style> block",
        "<p>A Vec&lt;String&gt; and a &lt;style&gt; block</p>",
    );
    check(RawHtml::Escape, "<div>\nx", "<p class=\"raw\">&lt;div&gt;\nx</p>");
}

#[test]
fn a_few_elements_are_allowed_on_request() {
    check(
        RawHtml::Basic,
        "<kbd>A</kbd> <KBD >B</kbd> <kbd id=x>C</kbd> <sub>open <br>",
        "<p><kbd>A</kbd> <kbd>B</kbd> &lt;kbd id=x&gt;C&lt;/kbd&gt; &lt;sub&gt;open <br></p>",
    );
    check(
        RawHtml::Basic,
        "<details>\n<summary>More</summary>\n\n*text*\n\n</details>",
        "<details>\n<summary>More</summary>\n<p><em>text</em></p>\n</details>",
    );
    check(
        RawHtml::Basic,
        "<details>\n\n> </details>",
        "<p class=\"raw\">&lt;details&gt;</p>\n<blockquote>\n<p class=\"raw\">&lt;/details&gt;</p>\n</blockquote>",
    );
}

#[test]
fn rejected_urls_are_shown_as_text() {
    check(
        RawHtml::Escape,
        "[x](javascript:alert(1)) [y](b.md)",
        "<p>x <code class=\"address\">javascript:alert(1)</code> y <code class=\"address\">b.md</code></p>",
    );
}

#[test]
fn images_are_local_or_allowed_or_links() {
    check(
        RawHtml::Escape,
        "![A](a.png) ![B](https://images.example/b) ![C](https://other.example/c)",
        "<p><img src=\"/media/a.png\" alt=\"A\" loading=\"lazy\"> \
         <img src=\"https://images.example/b\" alt=\"B\" loading=\"lazy\"> \
         <a href=\"https://other.example/c\" rel=\"nofollow ugc noopener noreferrer\">C</a></p>",
    );
}

#[test]
fn money_is_not_mathematics() {
    check(RawHtml::Escape, "It costs $5, or($6).", "<p>It costs $5, or($6).</p>");
    check(RawHtml::Escape, "From $20 to $30.", "<p>From $20 to $30.</p>");
}

#[test]
fn latex_delimiters_are_mathematics() {
    let html = |text: &str| {
        let options = options(RawHtml::Escape, true);
        render(text, "t1", &options, &Links::AsWritten).as_str().to_owned()
    };
    let inline = html(r"So \(x^2\) holds, $y$ as well.");
    assert!(inline.starts_with("<p>So <math><semantics><msup>"), "{inline}");
    assert!(inline.contains("</math> holds, <math>"), "{inline}");
    let block = html("Thus\n\\[\nE = m c^2\n\\]\nholds.");
    assert!(block.contains("<math display=\"block\">"), "{block}");
    assert!(!block.contains("\\[") && !block.contains("$$"), "{block}");
    // In code, across paragraphs and inside of other formulas, they are unchanged.
    for (text, expected) in [
        (r"`\(x\)`", r"<p><code>\(x\)</code></p>"),
        ("\\(x\n\ny\\)", "<p>(x</p>\n<p>y)</p>"),
        (r"\[music\] \(see below\)", "<p>[music] (see below)</p>"),
        (r"\\(x\\)", r"<p>\(x\)</p>"),
        (r"\[a\](b)", "<p>[a](b)</p>"),
    ] {
        assert_eq!(html(text).trim(), expected, "{text}");
    }
    let off = render(r"\(x\)", "t1", &options(RawHtml::Escape, false), &Links::AsWritten);
    assert_eq!(off.as_str().trim(), "<p>(x)</p>");
}

#[test]
fn footnote_ids_contain_the_turn() {
    check(
        RawHtml::Escape,
        "A[^x] B[^x]\n\n[^x]: note",
        "<p>A<sup class=\"ref\"><a id=\"t1-r1\" href=\"#t1-n1\">1</a></sup> \
         B<sup class=\"ref\"><a href=\"#t1-n1\">1</a></sup></p>\n\
         <div class=\"footnote\" id=\"t1-n1\"><sup><a href=\"#t1-r1\" \
         aria-label=\"back to reference 1\">1</a></sup>\n<p>note</p>\n</div>",
    );
}

#[test]
fn heading_levels_follow_the_speaker_heading_without_a_gap() {
    check(
        RawHtml::Escape,
        "#### a\n\n## b\n\n#### c\n\n# d",
        "<h3>a</h3>\n<h3>b</h3>\n<h4>c</h4>\n<h3>d</h3>",
    );
}

#[test]
fn control_characters_are_shown() {
    check(RawHtml::Escape, "a\u{1b}[31m\u{7f}\u{85}b", "<p>a␛[31m␡\u{fffd}b</p>");
}

#[test]
fn an_empty_table_heading_is_a_plain_cell() {
    check(
        RawHtml::Escape,
        "| | b |\n|:--|---|\n| | d |",
        "<div class=\"table\" tabindex=\"0\"><table>\n<thead>\n<tr>\n<td class=\"left\"></td>\n<th>b</th>\n\
         </tr>\n</thead>\n<tbody>\n<tr>\n<td class=\"left\"></td>\n<td>d</td>\n</tr>\n</tbody>\n</table></div>",
    );
}

/// In a cell, nothing else breaks a line.
#[test]
fn a_cell_can_have_lines() {
    for tag in ["<br>", "<br/>", "<br />", "<BR>"] {
        let text = format!("| a |\n|---|\n| mill{tag}wheel |\n\nx{tag}y");
        let html = render(&text, "x", &options(RawHtml::Escape, true), &Links::AsWritten);
        assert!(html.as_str().contains("<td>mill<br>\nwheel</td>"), "{tag}: {}", html.as_str());
        assert_eq!(html.as_str().matches("<br>").count(), 1, "{tag}: {}", html.as_str());
        assert!(markup::scan(&text, true).text.contains("mill\nwheel"), "{tag}");
    }
}

#[test]
fn text_that_renders_to_nothing_is_shown() {
    let shown = |text: &str| {
        let html = render(text, "x", &options(RawHtml::Escape, true), &Links::AsWritten);
        html.as_str().trim().to_owned()
    };
    let bare = [
        "2016.", "1)", "-", "+", "*", "#", "###", "***", "---", "- -", "[x]: y", "1.\n2.", "```",
        "~~~", "| |\n|-|",
    ];
    for text in bare {
        assert_eq!(shown(text), format!("<p>{text}</p>"));
        assert_eq!(markup::scan(text, true).text.trim(), text);
    }
    assert_eq!(shown(">"), "<p>&gt;</p>");
    for text in ["===", "|", "1.5", "[x]:", "\\", "    2016.", "&"] {
        let words = markup::scan(text, true).text;
        let code = text.starts_with("    ");
        assert!(code || words.trim() == text, "{text}: {words}");
        assert!(shown(text).contains(text.trim().trim_start_matches('&')), "{text}");
    }
    // Also in the middle of a text, where their Markdown meaning is kept.
    let year = shown("2016.\n\nGood year.");
    assert_eq!(year, "<p>2016.</p>\n<p>Good year.</p>");
    assert!(shown("- a\n-\n- b").contains("<li></li>"));
    assert!(shown("a\n\n***\n\nb").contains("<hr>"));
    assert_eq!(shown("***\n\n2016.\n"), "<hr>\n<p>2016.</p>");
    assert_eq!(shown("see [x]\n\n[x]: /y").matches("<p>").count(), 1);
    assert_eq!(shown(" \n"), "");
}

/// The URLs of all links in a text, in order.
fn linked(text: &str) -> Vec<String> {
    let html = render(text, "t1", &options(RawHtml::Escape, true), &Links::AsWritten);
    let links = html.as_str().split("<a href=\"").skip(1);
    links.filter_map(|link| Some(link.split('"').next()?.to_owned())).collect()
}

#[test]
fn punctuation_of_any_script_ends_a_url() {
    for (text, expected) in [
        ("هل قرأت https://a.example/b؟ نعم", "https://a.example/b"),
        ("اقرأ https://a.example/b، ثم", "https://a.example/b"),
        ("دیکھیے https://a.example/b۔", "https://a.example/b"),
        ("देखें https://a.example/b।", "https://a.example/b"),
        ("見た？https://a.example/b？見た！", "https://a.example/b"),
        ("https://a.example/b。次の文。", "https://a.example/b"),
        ("（https://a.example/b）を見て", "https://a.example/b"),
        ("「https://a.example/b」、と", "https://a.example/b"),
        ("请看https://a.example/b，谢谢", "https://a.example/b"),
        ("https://a.example/b！", "https://a.example/b"),
        ("voir «\u{a0}https://a.example/b\u{a0}» !", "https://a.example/b"),
        ("„https://a.example/b“, dann", "https://a.example/b"),
        ("Is it https://a.example/b?q=1?", "https://a.example/b?q=1"),
        ("(https://a.example/b_(c))", "https://a.example/b_(c)"),
        // Characters that may be part of a URL are part of it.
        ("https://a.example/%E3%80%82", "https://a.example/%E3%80%82"),
        ("https://a.example/b~c", "https://a.example/b~c"),
    ] {
        assert_eq!(linked(text), [expected], "{text}");
    }
    assert_eq!(linked("https://。"), [""; 0]);
}
