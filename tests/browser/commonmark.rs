//! The examples of the CommonMark specification, rendered by convo-site.

use std::fs;

use convo_site::markup::links::classify;
use convo_site::markup::{Links, Options, RawHtml, render};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use pulldown_cmark::{Event, Parser, Tag};

use crate::tools::texts;

fn plain() -> Options {
    Options {
        html: RawHtml::Escape,
        math: false,
        autolink: false,
        image_hosts: Vec::new(),
        videos: Default::default(),
        headings_below: None,
        is_own: false,
        is_archived: false,
        keeps_lines: false,
        quotation_marks: None,
        line_numbers: false,
        alert_titles: Default::default(),
        highlights: Default::default(),
    }
}

/// The Markdown and HTML of each example.
fn examples() -> Vec<(String, String)> {
    let text = fs::read_to_string(texts().join("spec.txt"));
    let text = text.expect("spec.txt").replace('→', "\t");
    let fence = "`".repeat(32);
    let mut examples = Vec::new();
    for block in text.split(&format!("{fence} example\n")).skip(1) {
        let block = block.split(&format!("\n{fence}")).next().expect("an end");
        let block = format!("{block}\n");
        let (markdown, html) = block.split_once("\n.\n").expect("two parts");
        examples.push((format!("{markdown}\n"), html.to_owned()));
    }
    examples
}

/// Examples with intended differences: raw HTML as text, rejected URLs and remote images without a
/// link.
fn is_aside(markdown: &str) -> bool {
    Parser::new(markdown).any(|event| match event {
        Event::Html(_) | Event::InlineHtml(_) => true,
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            classify(&dest_url).is_none()
        }
        _ => false,
    })
}

#[test]
fn the_examples_of_the_specification_hold() {
    let examples = examples();
    assert_eq!(examples.len(), 652);
    let mut aside = 0;
    let mut wrong = Vec::new();
    for (index, (markdown, expected)) in examples.iter().enumerate() {
        if is_aside(markdown) {
            aside += 1;
            continue;
        }
        let ours = render(markdown, "x", &plain(), &Links::AsWritten);
        let (ours, expected) = (tree(ours.as_str()), tree(expected));
        if ours != expected {
            wrong.push(format!("{}: {markdown:?}\n  {expected}\n  {ours}", index + 1));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert_eq!(aside, 81, "the number of examples that our policy changes");
}

/// The elements and the text of some HTML, without our additions around code and tables and to
/// links.
fn tree(html: &str) -> String {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
    let dom = dom.one(format!("<!doctype html><body>{html}"));
    let mut out = String::new();
    write(&dom.document, &mut out, false);
    out
}

fn write(node: &Handle, out: &mut String, pre: bool) {
    let mut close = None;
    let mut pre = pre;
    match &node.data {
        NodeData::Text { contents } => {
            let text = contents.borrow();
            if pre {
                out.push_str(&text);
            } else if !text.trim().is_empty() {
                // Line ends beside block elements are not significant.
                out.push_str(text.trim_matches('\n'));
            }
        }
        NodeData::Element { name, attrs, .. } => {
            let name = name.local.to_string();
            pre |= name == "pre";
            if name == "figcaption" {
                return;
            }
            let colour = pre && name == "i";
            if !colour && !matches!(name.as_str(), "figure" | "html" | "head" | "body") {
                out.push_str(&format!("<{name}"));
                let ours = ["class", "rel", "tabindex", "dir", "translate", "loading"];
                for attribute in attrs.borrow().iter() {
                    let name = attribute.name.local.to_string();
                    if !ours.contains(&name.as_str()) {
                        out.push_str(&format!(" {name}={:?}", attribute.value.to_string()));
                    }
                }
                out.push('>');
                close = Some(format!("</{name}>"));
            }
        }
        _ => {}
    }
    for child in node.children.borrow().iter() {
        write(child, out, pre);
    }
    out.extend(close);
}
