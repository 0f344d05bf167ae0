//! Renders a text: Markdown events as HTML.

use std::collections::{BTreeMap, HashMap};

use linkify::{LinkFinder, LinkKind};

use super::basic_html::{self, Keep};
use super::heading_ids::HeadingIds;
use super::html::{Html, escape};
use super::links::{bare_len, classify};
use super::options::{Links, Options, RawHtml};
use super::urls::{self, Image, Relation};
use super::{code, currency, formulas, math};
use convo_base::commonmark::{
    Alignment, BlockQuoteKind, CodeBlockKind, CowStr, Event, LinkType, Tag, cap_quotes, events,
    lossless_events,
};
use convo_base::text::Quoting;

/// The length of a formula's source, in bytes, that fits on a screen 360 pixels wide.
const NARROW_FORMULA_BYTES: usize = 24;

/// The maximum nesting of quotes, lists and emphasis; deeper levels are shown flat. Browsers stop
/// at 512 elements, and every level is expensive for them.
const MAX_NESTING: usize = 64;

/// Renders a text. `id` must be unique on the page; it prefixes the ids of footnotes.
pub fn render(text: &str, id: &str, options: &Options, links: &Links) -> Html {
    let capped = cap_quotes(text, r"\>");
    let (text, math) = currency::escape(&capped, options.math);
    let text = formulas::delimit(text, math);
    // The events of a long text would take many times its memory, so they are not stored.
    let all = || {
        let (archived, written) = match options.is_archived {
            true => (Some(lossless_events(&text.text, math)), None),
            false => (None, Some(events(&text.text, math))),
        };
        let events = archived.into_iter().flatten().chain(written.into_iter().flatten());
        events.map(|(event, range)| text.meant(event, &range))
    };
    let kept = match options.html {
        RawHtml::Basic => basic_html::find(all()),
        RawHtml::Escape => BTreeMap::new(),
    };
    let mut renderer = Renderer {
        out: String::with_capacity(text.text.len() * 5 / 4),
        id,
        options,
        links,
        kept,
        open: Vec::new(),
        links_open: 0,
        images: Vec::new(),
        footnotes: HashMap::new(),
        headings: Vec::new(),
        quoting: Quoting::default(),
        heading_ids: options.is_own.then(HeadingIds::default),
        finder: finder(),
        last_link: None,
    };
    let mut events = all().enumerate();
    while let Some((index, event)) = events.next() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let text = collect(&mut events);
                renderer.code_block(&kind, &text);
            }
            Event::Start(Tag::HtmlBlock) => renderer.html_block(index, &mut events),
            event => renderer.event(index, event),
        }
    }
    Html(renderer.out)
}

/// Collects the text up to the end of the block that has just started.
fn collect<'a>(events: &mut impl Iterator<Item = (usize, Event<'a>)>) -> String {
    let mut text = String::new();
    for (_, event) in events {
        match event {
            Event::Text(part) => text.push_str(&part),
            _ => break,
        }
    }
    text
}

fn finder() -> LinkFinder {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]).url_must_have_scheme(true);
    finder
}

/// The tags of a paragraph.
const PARAGRAPH: &str = "<p>";
const PARAGRAPH_END: &str = "</p>\n";

/// An open element, with the markup of its end.
enum Close {
    Nothing,
    Tag(&'static str),
    List(&'static str),
    Table {
        alignments: Vec<Alignment>,
        column: usize,
    },
    Head,
    Row,
    Cell(&'static str),
    Link,
    /// A link whose URL was rejected is shown as its text and its URL.
    Refused(String),
    Image,
}

/// A footnote's number and the number of references to it so far.
struct Footnote {
    number: usize,
    references: usize,
    defined: bool,
}

struct Renderer<'a> {
    out: String,
    id: &'a str,
    options: &'a Options,
    links: &'a Links,
    kept: BTreeMap<usize, Vec<Keep>>,
    open: Vec<Close>,
    links_open: usize,
    images: Vec<Image>,
    footnotes: HashMap<String, Footnote>,
    /// The levels, as written, of the headings above the current position.
    headings: Vec<u8>,
    quoting: Quoting,
    /// Gives headings their anchors, if they have any.
    heading_ids: Option<HeadingIds>,
    finder: LinkFinder,
    /// The last link of the paragraph: its start and its URL.
    last_link: Option<(usize, String)>,
}

impl Renderer<'_> {
    fn event(&mut self, index: usize, event: Event<'_>) {
        if let Some(ids) = &mut self.heading_ids {
            ids.read_event(&event, &mut self.out);
        }
        if self.images.last().is_some() && !matches!(event, Event::Start(_) | Event::End(_)) {
            return self.describe(event);
        }
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(_) => self.end(),
            Event::Text(text) => self.text(&text),
            Event::Code(text) => {
                self.out.push_str("<code>");
                escape(&mut self.out, &text);
                self.out.push_str("</code>");
                self.quoting.pass('a');
            }
            Event::InlineMath(latex) => self.math(&latex, false),
            Event::DisplayMath(latex) => self.math(&latex, true),
            Event::Html(html) | Event::InlineHtml(html) => self.raw(index, &html),
            Event::FootnoteReference(label) => self.footnote_reference(&label),
            Event::SoftBreak if !self.options.keeps_lines => {
                self.out.push('\n');
                self.quoting.pass('\n');
            }
            Event::SoftBreak | Event::HardBreak => {
                self.out.push_str("<br>\n");
                self.quoting.pass('\n');
            }
            Event::Rule => self.out.push_str("<hr>\n"),
            Event::TaskListMarker(done) => {
                let (checked, label) = if done { (" checked", "done") } else { ("", "to do") };
                let input = "<input type=\"checkbox\" disabled";
                self.out.push_str(&format!("{input}{checked} aria-label=\"{label}\"> "));
            }
        }
    }

    /// Inside an image, only the description is used.
    fn describe(&mut self, event: Event<'_>) {
        let Some(image) = self.images.last_mut() else { return };
        match event {
            Event::Text(text)
            | Event::Code(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::Html(text)
            | Event::InlineHtml(text) => image.alt.push_str(&text),
            Event::FootnoteReference(label) => image.alt.push_str(&format!("[^{label}]")),
            Event::SoftBreak | Event::HardBreak => image.alt.push(' '),
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let deep = self.open.len() >= MAX_NESTING;
        let close = match tag {
            Tag::Image { dest_url, title, .. } => {
                let (address, title) = (dest_url.into_string(), title.into_string());
                self.images.push(Image { address, title, alt: String::new() });
                Close::Image
            }
            _ if !self.images.is_empty() => Close::Nothing,
            Tag::Paragraph => self.block(PARAGRAPH, PARAGRAPH_END),
            Tag::Heading { level, .. } => {
                const OPEN: [&str; 6] = ["<h1>", "<h2>", "<h3>", "<h4>", "<h5>", "<h6>"];
                const CLOSE: [&str; 6] =
                    ["</h1>\n", "</h2>\n", "</h3>\n", "</h4>\n", "</h5>\n", "</h6>\n"];
                let level = self.heading(level as u8);
                let close = self.block(OPEN[level], CLOSE[level]);
                if let Some(ids) = &mut self.heading_ids {
                    ids.open(self.out.len() - 1);
                }
                close
            }
            Tag::Item => match self.open.last() {
                Some(Close::List(_)) => self.block("<li>", "</li>\n"),
                _ => self.flat(),
            },
            Tag::TableHead => match self.open.last() {
                Some(Close::Table { .. }) => {
                    self.out.push_str("<thead>\n<tr>\n");
                    Close::Head
                }
                _ => self.flat(),
            },
            Tag::TableRow => match self.open.last_mut() {
                Some(Close::Table { column, .. }) => {
                    *column = 0;
                    self.out.push_str("<tr>\n");
                    Close::Row
                }
                _ => self.flat(),
            },
            Tag::TableCell => {
                self.quoting = Quoting::default();
                self.cell()
            }
            _ if deep => self.flat(),
            Tag::BlockQuote(Some(kind)) => self.alert(kind),
            Tag::BlockQuote(None) => self.block("<blockquote>\n", "</blockquote>\n"),
            Tag::List(None) => {
                self.line();
                self.out.push_str("<ul>\n");
                Close::List("</ul>\n")
            }
            Tag::List(Some(first)) => {
                self.line();
                match first {
                    1 => self.out.push_str("<ol>\n"),
                    first => self.out.push_str(&format!("<ol start=\"{first}\">\n")),
                }
                Close::List("</ol>\n")
            }
            Tag::Table(alignments) => {
                self.line();
                // Wide tables scroll, also by keyboard.
                self.out.push_str("<div class=\"table\" tabindex=\"0\"><table>\n");
                Close::Table { alignments, column: 0 }
            }
            Tag::FootnoteDefinition(label) => self.footnote_definition(&label),
            Tag::Emphasis => self.inline("<em>", "</em>"),
            Tag::Strong => self.inline("<strong>", "</strong>"),
            Tag::Strikethrough => self.inline("<del>", "</del>"),
            Tag::Link { link_type, dest_url, title, .. } => {
                let address = match link_type {
                    LinkType::Email => format!("mailto:{dest_url}").into(),
                    _ => dest_url,
                };
                let (options, links) = (self.options, self.links);
                let start = self.out.len();
                match urls::link(&mut self.out, &address, &title, options, links) {
                    Ok(()) => {
                        self.last_link = Some((start, address.into_string()));
                        self.links_open += 1;
                        Close::Link
                    }
                    Err(refused) => Close::Refused(refused),
                }
            }
            _ => Close::Nothing,
        };
        self.open.push(close);
    }

    fn end(&mut self) {
        match self.open.pop() {
            None | Some(Close::Nothing) => {
                if self.images.is_empty() && !self.out.ends_with('\n') {
                    // Where markup was removed, words must not run together.
                    self.out.push('\n');
                }
            }
            Some(Close::Cell("</th>\n")) => self.end_heading_cell(),
            Some(Close::Tag(PARAGRAPH_END)) => self.end_paragraph(),
            Some(Close::Tag(tag) | Close::List(tag) | Close::Cell(tag)) => {
                self.out.push_str(tag);
            }
            Some(Close::Table { .. }) => self.out.push_str("</tbody>\n</table></div>\n"),
            Some(Close::Head) => self.out.push_str("</tr>\n</thead>\n<tbody>\n"),
            Some(Close::Row) => self.out.push_str("</tr>\n"),
            Some(Close::Link) => {
                self.links_open -= 1;
                self.out.push_str("</a>");
            }
            Some(Close::Refused(address)) => {
                self.out.push_str(" <code class=\"address\">");
                escape(&mut self.out, &address);
                self.out.push_str("</code>");
            }
            Some(Close::Image) => {
                let Some(image) = self.images.pop() else { return };
                if let Some(outer) = self.images.last_mut() {
                    // It is part of the outer image's description.
                    return outer.alt.push_str(&image.alt);
                }
                let is_in_link = self.links_open > 0;
                let (out, options) = (&mut self.out, self.options);
                urls::image(out, &image, options, self.links, is_in_link);
            }
        }
    }

    /// Ends a paragraph. If it contains only a link to a video, it can become a player.
    fn end_paragraph(&mut self) {
        if let Some((start, url)) = self.last_link.take()
            && self.out[..start].ends_with(PARAGRAPH)
            && self.out.ends_with("</a>")
            && let Some(player) = self.options.videos.player(&url)
        {
            let tag = format!("<p class=\"video\" data-player=\"{player}\">");
            self.out.replace_range(start - PARAGRAPH.len()..start, &tag);
        }
        self.out.push_str(PARAGRAPH_END);
    }

    /// Starts a new line, unless one has just started.
    fn line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.out.push('\n');
        }
    }

    /// Opens an alert, as GitHub calls it: a quotation with a title.
    fn alert(&mut self, kind: BlockQuoteKind) -> Close {
        let (place, class) = match kind {
            BlockQuoteKind::Note => (0, "note"),
            BlockQuoteKind::Tip => (1, "tip"),
            BlockQuoteKind::Important => (2, "important"),
            BlockQuoteKind::Warning => (3, "warning"),
            BlockQuoteKind::Caution => (4, "caution"),
        };
        self.line();
        self.out
            .push_str(&format!("<blockquote class=\"alert {class}\">\n<p class=\"title\"><bdi>"));
        // The title is in the site's language and independent of the direction of the text.
        escape(&mut self.out, &self.options.alert_titles[place]);
        self.out.push_str("</bdi></p>\n");
        Close::Tag("</blockquote>\n")
    }

    fn block(&mut self, open: &str, close: &'static str) -> Close {
        self.quoting = Quoting::default();
        self.line();
        self.out.push_str(open);
        Close::Tag(close)
    }

    /// Returns the index of a heading's level: below the open levels around it, so that no level is
    /// skipped, as the outline of a page requires.
    fn heading(&mut self, written: u8) -> usize {
        let Some(above) = self.options.headings_below else {
            return usize::from(written) - 1;
        };
        self.headings.retain(|open| *open < written);
        self.headings.push(written);
        (usize::from(above) + self.headings.len()).min(6) - 1
    }

    fn inline(&mut self, open: &str, close: &'static str) -> Close {
        self.out.push_str(open);
        Close::Tag(close)
    }

    fn flat(&mut self) -> Close {
        self.line();
        Close::Nothing
    }

    fn cell(&mut self) -> Close {
        let name = match self.open.last() {
            Some(Close::Head) => "th",
            Some(Close::Row) => "td",
            _ => return self.flat(),
        };
        // The table is the next element on the stack, below its head or row.
        let table = self.open.iter_mut().rev().find_map(|close| match close {
            Close::Table { alignments, column } => Some((alignments, column)),
            _ => None,
        });
        let alignment = table.and_then(|(alignments, column)| {
            *column += 1;
            alignments.get(*column - 1).copied()
        });
        let class = match alignment {
            Some(Alignment::Left) => " class=\"left\"",
            Some(Alignment::Center) => " class=\"center\"",
            Some(Alignment::Right) => " class=\"right\"",
            _ => "",
        };
        self.out.push_str(&format!("<{name}{class}>"));
        Close::Cell(if name == "th" { "</th>\n" } else { "</td>\n" })
    }

    /// Ends a heading cell. An empty cell must not be a heading.
    fn end_heading_cell(&mut self) {
        let start = self.out.rfind("<th").unwrap_or(self.out.len());
        let is_empty = self.out[start..]
            .find('>')
            .is_some_and(|end| self.out[start + end + 1..].trim().is_empty());
        if is_empty {
            self.out.replace_range(start..start + "<th".len(), "<td");
        }
        self.out.push_str(if is_empty { "</td>\n" } else { "</th>\n" });
    }

    /// Appends prose, with the quotation marks of its language.
    fn prose(&mut self, text: &str) {
        let Some(marks) = &self.options.quotation_marks else {
            return escape(&mut self.out, text);
        };
        if text.contains(['"', '\'']) {
            escape(&mut self.out, &self.quoting.apply(text, marks));
        } else {
            escape(&mut self.out, text);
            text.chars().next_back().inspect(|last| self.quoting.pass(*last));
        }
    }

    fn text(&mut self, text: &str) {
        if self.links_open > 0 || !self.options.autolink || !text.contains("://") {
            return self.prose(text);
        }
        let mut done = 0;
        let spans: Vec<_> =
            self.finder.links(text).map(|link| (link.start(), link.end())).collect();
        for (start, found) in spans {
            let end = start + bare_len(&text[start..found]);
            let url = &text[start..end];
            let web = ["http://", "https://"].iter().any(|scheme| {
                url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
            });
            if !web || url.ends_with("//") || classify(url).is_none() {
                continue;
            }
            self.prose(&text[done..start]);
            let relation = Relation::outwards(self.options);
            self.last_link = Some((self.out.len(), url.to_owned()));
            urls::anchor(&mut self.out, url, "", relation);
            escape(&mut self.out, url);
            self.out.push_str("</a>");
            self.quoting.pass('a');
            done = end;
        }
        self.prose(&text[done..]);
    }

    fn math(&mut self, latex: &str, block: bool) {
        match math::to_mathml(latex, block) {
            // Content that can be wider than the screen scrolls, and must be reachable by keyboard.
            Some(mathml) if block && latex.len() > NARROW_FORMULA_BYTES => {
                self.out.push_str("<span class=\"wide\" tabindex=\"0\">");
                self.out.push_str(&mathml);
                self.out.push_str("</span>");
            }
            Some(mathml) => self.out.push_str(&mathml),
            None => {
                self.out.push_str("<code class=\"math\">");
                escape(&mut self.out, latex);
                self.out.push_str("</code>");
            }
        }
    }

    fn raw(&mut self, index: usize, html: &str) {
        let mut done = 0;
        for keep in self.kept.remove(&index).unwrap_or_default() {
            escape(&mut self.out, &html[done..keep.range.start]);
            self.out.push_str(keep.tag);
            done = keep.range.end;
        }
        escape(&mut self.out, &html[done..]);
    }

    fn html_block<'e>(
        &mut self,
        start: usize,
        events: &mut impl Iterator<Item = (usize, Event<'e>)>,
    ) {
        let mut parts: Vec<(usize, CowStr<'e>)> = Vec::new();
        for (index, event) in events {
            match event {
                Event::Html(html) | Event::Text(html) => parts.push((index, html)),
                _ => break,
            }
        }
        debug_assert!(parts.first().is_none_or(|(first, _)| *first > start));
        self.line();
        if parts.iter().any(|(index, _)| self.kept.contains_key(index)) {
            for (index, html) in parts {
                self.raw(index, &html);
            }
        } else {
            self.out.push_str("<p class=\"raw\">");
            let text: String = parts.iter().map(|(_, html)| html.as_ref()).collect();
            escape(&mut self.out, text.trim_end_matches('\n'));
            self.out.push_str("</p>\n");
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>, text: &str) {
        self.line();
        let info = match kind {
            CodeBlockKind::Fenced(info) => info.trim(),
            CodeBlockKind::Indented => "",
        };
        code::print(&mut self.out, info, text, self.options);
    }

    fn footnote(&mut self, label: &str) -> &mut Footnote {
        let number = self.footnotes.len() + 1;
        self.footnotes.entry(label.to_owned()).or_insert(Footnote {
            number,
            references: 0,
            defined: false,
        })
    }

    fn footnote_reference(&mut self, label: &str) {
        let note = self.footnote(label);
        note.references += 1;
        let (number, times) = (note.number, note.references);
        let id = self.id;
        let back = if times == 1 { format!(" id=\"{id}-r{number}\"") } else { String::new() };
        self.out.push_str(&if self.links_open > 0 {
            format!("<sup>{number}</sup>")
        } else {
            let href = format!("#{id}-n{number}");
            format!("<sup class=\"ref\"><a{back} href=\"{href}\">{number}</a></sup>")
        });
    }

    /// Definitions of footnotes stay where they were written.
    fn footnote_definition(&mut self, label: &str) -> Close {
        let note = self.footnote(label);
        let number = note.number;
        let first = !std::mem::replace(&mut note.defined, true);
        let referred = note.references > 0;
        let id = self.id;
        self.line();
        let own = if first { format!(" id=\"{id}-n{number}\"") } else { String::new() };
        let mark = if referred {
            format!(
                "<a href=\"#{id}-r{number}\" aria-label=\"back to reference {number}\">{number}</a>"
            )
        } else {
            number.to_string()
        };
        self.out.push_str(&format!("<div class=\"footnote\"{own}><sup>{mark}</sup>\n"));
        Close::Tag("</div>\n")
    }
}
