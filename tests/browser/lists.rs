//! Long lists of conversations: a filter, and a switch to short rows.

use serde_json::json;

use crate::browser::Browser;
use crate::support::{BASE, SiteTest};

const ADDRESS: &str = "https://site.example/base/";

/// A site with a conversation on each of twelve days in two months.
fn archive() -> Browser {
    let site = SiteTest::new().file("site.toml", BASE);
    for number in 1..=12 {
        let (month, title) = if number < 7 { (3, "Wheel") } else { (4, "Mühle") };
        let text = format!(
            "---\ntitle: {title} {number}\ndate: 2026-0{month}-{number:02}\n---\n**Ada:** Good.\n\n**Ivo:** Yes.\n"
        );
        site.write(&format!("content/{number}.md"), text);
    }
    site.build(0);
    let mut browser = Browser::start(ADDRESS, site.output());
    browser.appear(1280, false);
    browser
}

const ROWS: &str =
    "[...document.querySelectorAll('.card')].filter(row => row.checkVisibility()).length";
const MONTHS: &str =
    "[...document.querySelectorAll('section.month')].filter(one => one.checkVisibility()).length";

#[test]
fn the_filter_shows_the_rows_with_all_words() {
    let mut browser = archive();
    browser.open("archive/");
    assert_eq!(browser.evaluate(ROWS), json!(12));
    for (typed, rows, months, status) in [
        ("wheel", 6, 1, "6 / 12"),
        ("MUHLE ada", 6, 1, "6 / 12"),
        ("wheel 3", 1, 1, "1 / 12"),
        ("nobody", 0, 0, "0 / 12"),
        ("", 12, 2, ""),
    ] {
        browser.evaluate(&format!(
            "(field => {{ field.value = '{typed}'; field.dispatchEvent(new Event('input')); }})\
             (document.querySelector('form.filter input'))"
        ));
        let said = browser.evaluate("document.querySelector('form.filter output').value");
        let shown = [browser.evaluate(ROWS), browser.evaluate(MONTHS), said];
        assert_eq!(shown, [json!(rows), json!(months), json!(status)], "{typed}");
    }
}

#[test]
fn the_choice_of_rows_is_kept() {
    let mut browser = archive();
    let height = "Math.round(document.querySelectorAll('.card')[1].getBoundingClientRect().height)";
    let pressed = "document.querySelector('button.rows').ariaPressed";
    browser.open("archive/");
    assert_eq!(browser.evaluate(pressed), json!("true"));
    assert!(browser.evaluate(height).as_f64().is_some_and(|height| height <= 40.0));
    browser.evaluate("document.querySelector('button.rows').click()");
    assert!(browser.evaluate(height).as_f64().is_some_and(|height| height > 60.0));
    // Other lists, and the next page, follow the choice.
    browser.open("archive/2026/");
    assert_eq!(browser.evaluate(pressed), json!("false"));
    let is_ada = |path: &&String| path.starts_with("speakers/ada") && path.ends_with("index.html");
    let ada = browser.files.keys().find(is_ada).expect("a list").replace("index.html", "");
    browser.open(&ada);
    assert_eq!(browser.evaluate(pressed), json!("false"));
    browser.evaluate("document.querySelector('button.rows').click()");
    browser.open("archive/");
    assert_eq!(browser.evaluate(pressed), json!("true"));
}
