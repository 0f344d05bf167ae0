//! Typography of prose and code.

use crate::support::{BASE, SiteTest};

const TALK: &str = "### @Ada\n\"It's 'so'\", see \"https://example.org/a'b\" and `\"a\"`.\n\n\
                    > [!WARNING]\n> Mind the eel.\n\n```rust\n/* a\nb */ let c = \"d\";\n```\n\n\
                    ### @Bea\nYes.\n\n----\n{\"type\": \"dialog\", \"time\": \"2026-01-02\", \"languages\": [\"en\"], \"participants\": [\"Ada\", \"Bea\"]}\n";

fn site(keys: &str) -> SiteTest {
    SiteTest::new().file("content/a.convo", TALK).file("site.toml", format!("{BASE}{keys}"))
}

#[test]
fn prose_has_the_quotation_marks_of_its_language() {
    let test = site("");
    test.build(0);
    let page = test.page("c/", "index.html");
    assert!(
        page.contains("<p>“It’s ‘so’”, see “<a href=\"https://example.org/a&#x27;b\""),
        "{page}"
    );
    assert!(page.contains("</a>” and <code>&quot;a&quot;</code>."), "{page}");
    assert!(page.contains("<i class=s>&quot;d&quot;</i>"), "{page}");
    let copy = test.page("c/", "index.md");
    assert!(copy.contains("\"It's 'so'\""), "{copy}");

    let test = site("smart_quotes = false\n");
    test.build(0);
    let page = test.page("c/", "index.html");
    assert!(page.contains("<p>&quot;It's 'so'&quot;, see"), "{page}");
}

#[test]
fn a_warning_is_labelled() {
    let test = site("language = \"de\"\n");
    test.build(0);
    let page = test.page("c/", "index.html");
    let alert = "<blockquote class=\"alert warning\">\n<p class=\"title\"><bdi>Warnung</bdi></p>\n\
                 <p>Mind the eel.</p>\n</blockquote>";
    assert!(page.contains(alert), "{page}");
}

#[test]
fn lines_of_code_have_numbers_on_request() {
    let test = site("[code]\nline_numbers = true\nwrap = true\n");
    test.build(0);
    let page = test.page("c/", "index.html");
    let code = "<code><span><i class=c>/* a</i></span>\n<span><i class=c>b */</i> \
                let c = <i class=s>&quot;d&quot;</i>;</span>\n</code>";
    assert!(page.contains(code), "{page}");
    let style = test.page("assets/site", ".css");
    assert!(style.contains("white-space:pre-wrap"), "{style}");
    assert!(style.contains("counter-increment:line"), "{style}");
}

#[test]
fn code_has_the_colours_of_a_well_known_theme() {
    let test =
        site("[code]\nhighlight_theme = \"InspiredGitHub\"\ndark_highlight_theme = \"nord\"\n");
    test.build(0);
    let style = test.page("assets/site", ".css");
    let (light, dark) = style.split_once("prefers-color-scheme:dark").expect("both");
    assert!(light.contains("--code-ground:#ffffff;"), "{style}");
    assert!(dark.contains("--code-ground:#2e3440;"), "{style}");

    let run = site("[code]\nhighlight_theme = \"Norde\"\n").run(&["build"]);
    assert!(run.stderr.contains("unknown theme for code `Norde`"), "{}", run.stderr);
    assert!(run.stderr.contains("did you mean `Nord`?"), "{}", run.stderr);
}
