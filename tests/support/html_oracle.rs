//! Checks of HTML that was rendered from Markdown: no text is lost, and no markup escapes.

use convo_site::markup::{Links, Options, RawHtml, render};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use pulldown_cmark::{Event, Options as Extensions, Parser, Tag, TagEnd};

pub(crate) fn options(html: RawHtml, math: bool) -> Options {
    Options {
        html,
        math,
        autolink: true,
        image_hosts: vec!["images.example".to_owned()],
        videos: Default::default(),
        headings_below: Some(2),
        is_own: false,
        is_archived: true,
        keeps_lines: false,
        quotation_marks: None,
        line_numbers: false,
        alert_titles: Default::default(),
        highlights: Default::default(),
    }
}

pub(crate) fn parse(html: &str) -> RcDom {
    let dom = html5ever::parse_document(RcDom::default(), html5ever::ParseOpts::default());
    dom.one(format!("<!doctype html><body><main>{html}</main><footer></footer>"))
}

/// Visits every node below `main`.
pub(crate) fn visit(node: &Handle, inside: bool, look: &mut impl FnMut(&Handle)) {
    let mut inside = inside;
    if inside {
        look(node);
    }
    if let NodeData::Element { name, .. } = &node.data {
        inside |= &*name.local == "main";
    }
    for child in node.children.borrow().iter() {
        visit(child, inside, look);
    }
}

/// The visible text, including descriptions of images.
pub(crate) fn visible(html: &str) -> String {
    let mut text = String::new();
    visit(&parse(html).document, false, &mut |node| match &node.data {
        NodeData::Text { contents } => text.push_str(&contents.borrow()),
        NodeData::Element { attrs, .. } => {
            for attribute in attrs.borrow().iter().filter(|a| &*a.name.local == "alt") {
                text.push_str(&attribute.value);
            }
        }
        _ => {}
    });
    text
}

/// Every character of a Markdown text that is not markup.
fn markdown_text(markdown: &str) -> String {
    let extensions = Extensions::ENABLE_TABLES
        | Extensions::ENABLE_STRIKETHROUGH
        | Extensions::ENABLE_TASKLISTS
        | Extensions::ENABLE_FOOTNOTES
        | Extensions::ENABLE_GFM;
    let mut is_in_cell = false;
    Parser::new_ext(markdown, extensions)
        .filter_map(|event| match event {
            Event::Start(Tag::TableCell) | Event::End(TagEnd::TableCell) => {
                is_in_cell = matches!(event, Event::Start(_));
                None
            }
            // A line break.
            Event::InlineHtml(tag) if is_in_cell && &*tag == "<br>" => None,
            Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                Some(text.into_string())
            }
            _ => None,
        })
        .collect()
}

#[track_caller]
pub(crate) fn assert_no_text_is_lost(markdown: &str) {
    let html = render(markdown, "x", &options(RawHtml::Escape, false), &Links::AsWritten);
    let seen = visible(html.as_str());
    // Characters that HTML forbids become U+FFFD or are removed; white space is layout.
    // Beside letters of languages without spaces, asterisks are marks where CommonMark takes them for text.
    let are_marks = markdown.contains(|c: char| c >= '\u{1100}');
    let counts = |c: &char| {
        let is_layout = c.is_whitespace() || c.is_control() || *c == '\u{fffd}';
        !(is_layout || are_marks && *c == '*')
    };
    let mut rest = seen.chars().filter(counts);
    for c in markdown_text(markdown).chars().filter(counts) {
        assert!(rest.any(|seen| seen == c), "{c:?} of {markdown:?} is not in {seen:?}");
    }
}

const ELEMENTS: [&str; 68] = [
    "p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "i", "em",
    "strong", "del", "a", "img", "br", "hr", "table", "thead", "tbody", "tr", "th", "td", "div",
    "sup", "input", "figure", "figcaption", "kbd", "sub", "mark", "details", "summary", "math",
    "semantics", "annotation", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace", "mfrac", "msqrt",
    "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts",
    "mprescripts", "mtable", "mtr", "mtd", "mpadded", "mphantom", "menclose", "merror", "mstyle",
    "main", "footer", "body", "html",
];

#[track_caller]
pub(crate) fn assert_no_markup_escapes(markdown: &str, options: &Options) {
    let html = render(markdown, "x", options, &Links::Known(Default::default()));
    let dom = parse(html.as_str());
    let mut footer_inside = false;
    visit(&dom.document, false, &mut |node| {
        let NodeData::Element { name, attrs, .. } = &node.data else { return };
        let element = name.local.to_string();
        footer_inside |= element == "footer" && node_parent_is_main(node);
        // This class marks our own element around wide formulas.
        let is_wide = element == "span"
            && attrs.borrow().iter().any(|a| &*a.name.local == "class" && &*a.value == "wide");
        let is_known = is_wide || ELEMENTS.contains(&element.as_str());
        assert!(is_known, "<{element}> from {markdown:?}");
        for attribute in attrs.borrow().iter() {
            let (name, value) = (attribute.name.local.to_string(), attribute.value.to_string());
            match name.as_str() {
                "href" => assert!(
                    ["https://", "http://", "mailto:", "#x-"]
                        .iter()
                        .any(|start| value.to_ascii_lowercase().starts_with(start)),
                    "{value:?} from {markdown:?}"
                ),
                "src" => assert!(value.to_ascii_lowercase().starts_with("https://images.example")),
                "id" => assert!(value.starts_with("x-"), "{value:?} from {markdown:?}"),
                "class" => assert!(
                    value.len() == 1
                        || [
                            "code", "raw", "table", "left", "center", "right", "footnote", "ref",
                            "math", "address", "wide"
                        ]
                        .contains(&value.as_str()),
                    "{value:?} from {markdown:?}"
                ),
                "style" | "name" | "srcset" | "action" => {
                    panic!("{name} from {markdown:?}")
                }
                name => assert!(!name.starts_with("on"), "{name} from {markdown:?}"),
            }
        }
    });
    assert!(!footer_inside, "the footer was swallowed by {markdown:?}");
}

fn node_parent_is_main(node: &Handle) -> bool {
    let parent = node.parent.take();
    let found = parent.as_ref().and_then(|parent| parent.upgrade());
    node.parent.set(parent);
    found.is_some_and(
        |parent| matches!(&parent.data, NodeData::Element { name, .. } if &*name.local == "main"),
    )
}
