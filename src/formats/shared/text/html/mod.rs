//! Converts HTML from exports to Markdown.
//!
//! Parts that readers of the page did not see, such as scripts, are removed. Text is escaped, so that it
//! looks the same in Markdown. Conversion takes linear time for any input.
//!
//! [`token`] splits HTML into tags and texts, [`tree`] nests them, [`writer`] converts them to Markdown, and
//! [`escape`] keeps plain text from becoming Markdown syntax.

mod escape;
mod token;
mod tree;
mod writer;

pub(crate) use self::token::{Token, attribute, attributes, name, tokens};
pub(crate) use self::tree::{Element, Node};
use self::writer::Writer;
use crate::shared::text::entities::decoded;

/// Converts an answer to Markdown if it is entirely HTML, as in the oldest data sets, which were copied
/// from web pages. Any other text is returned as is.
pub(crate) fn answer_to_markdown(answer: String) -> String {
    let bare = answer.trim();
    let is_html = bare.starts_with("<div class=\"markdown")
        || bare.starts_with("<p>") && bare.ends_with("</p>")
        || bare.starts_with("<p>") && bare.ends_with("</div>");
    if !is_html {
        return answer;
    }
    to_markdown(bare)
}

/// Returns the text of HTML without its tags.
pub(crate) fn words(html: &str) -> String {
    let words = tokens(html).filter_map(|token| match token {
        Token::Text(text) => Some(decoded(text)),
        Token::Tag(_) => None,
    });
    words.collect()
}

/// Converts HTML to Markdown.
pub(crate) fn to_markdown(html: &str) -> String {
    let mut writer = Writer::default();
    for token in tokens(html) {
        match token {
            Token::Text(text) => writer.text(text),
            Token::Tag(tag) => writer.tag(tag),
        }
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::{answer_to_markdown, to_markdown};

    #[track_caller]
    fn check(html: &str, expected: &str) {
        assert_eq!(answer_to_markdown(html.to_owned()), expected);
    }

    #[test]
    fn text_is_escaped_as_markdown() {
        for (html, expected) in [
            (
                "<p>2 * 3 &lt;b&gt; a_b _c_ `d` &amp;lt;</p>",
                "2 \\* 3 \\<b> a_b \\_c\\_ \\`d\\` \\&lt;",
            ),
            (
                "<p># no heading</p><p>1. no item</p><p>- none</p>",
                "\\# no heading\n\n1\\. no item\n\n\\- none",
            ),
            ("<p>a<script>alert(1)</script>b<style>c</style><!-- d -->e</p>", "abe"),
            ("<code>a*b</code> &#39;c&#x27; &hellip;", "`a*b` 'c' …"),
            ("<p>x<br/>y</p>", "x  \ny"),
            ("<script>never closed", ""),
            ("<blockquote><p>a\nb</p><p>c</p></blockquote><p>d</p>", "> a b\n>\n> c\n\nd"),
            (
                "<p>a</p><blockquote>b<pre><code>c\nd</code></pre></blockquote>",
                "a\n\n> b\n>\n> ```\n> c\n> d\n> ```",
            ),
            ("<p>a\n\n    b  c</p>", "a\nb c"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;", "\\<script>alert(1)\\</script>"),
        ] {
            assert_eq!(to_markdown(html), expected, "{html}");
        }
    }

    #[test]
    fn odd_pages_take_linear_time() {
        for part in ["<a", "<ul><li>", "<!--", "<p", "&", "<b>", "<blockquote>", "<td>", "1. "] {
            to_markdown(&part.repeat(50_000));
        }
    }

    #[test]
    fn pages_become_markdown() {
        check("<p>One &amp; <strong>two</strong>.</p><p>Three</p>", "One & **two**.\n\nThree");
        check(
            "<div class=\"markdown prose\"><p>Do:</p><ol><li>a</li><li><p>b</p><ul><li>c</li></ul></li></ol><p>End</p></div>",
            "Do:\n\n1. a\n2. b\n   - c\n\nEnd",
        );
        check(
            "<p>x</p><pre><div>rust<button>Copy code</button></div><code class=\"!whitespace-pre hljs\">let a = <span>1</span> &lt; 2;\n</code></pre></div>",
            "x\n\n```rust\nlet a = 1 < 2;\n```",
        );
        check(
            "<p><a href=\"https://example.org/a\">here</a> or <code>there</code></p>",
            "[here](<https://example.org/a>) or `there`",
        );
        check(
            "<p>t</p><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>",
            "t\n\n| A | B |\n|---|---|\n| 1 | 2 |",
        );
    }

    #[test]
    fn other_text_is_kept() {
        for text in ["<p> is a tag", "Use <div> here.", "a < b", "<b>x</b>"] {
            check(text, text);
        }
    }
}
