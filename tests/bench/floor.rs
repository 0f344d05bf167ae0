//! The minimum work of any such program.

use std::fs;
use std::path::Path;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use rayon::prelude::*;
use syntect::html::{ClassStyle, ClassedHTMLGenerator};
use syntect::util::LinesWithEndings;

/// Reads every file, renders its Markdown, highlights its code, and writes the pages, on all
/// processors.
pub(crate) fn run(content: &Path, output: &Path) {
    let syntaxes = two_face::syntax::extra_newlines();
    let files = super::files_below(content);
    fs::create_dir_all(output).expect("created");
    files.par_iter().enumerate().for_each(|(index, file)| {
        let text = fs::read_to_string(file).expect("text");
        let mut page = String::with_capacity(text.len() * 2);
        let mut code: Option<(String, String)> = None;
        let mut rest = Vec::new();
        for event in Parser::new_ext(&text, Options::ENABLE_GFM | Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => language.into_string(),
                        CodeBlockKind::Indented => String::new(),
                    };
                    code = Some((language, String::new()));
                }
                Event::Text(text) if code.is_some() => {
                    code.as_mut().expect("inside").1.push_str(&text);
                }
                Event::End(TagEnd::CodeBlock) => {
                    let (language, text) = code.take().expect("inside");
                    let html = match syntaxes.find_syntax_by_token(&language) {
                        Some(syntax) => {
                            let style = ClassStyle::Spaced;
                            let mut html = ClassedHTMLGenerator::new_with_class_style(
                                syntax, &syntaxes, style,
                            );
                            for line in LinesWithEndings::from(&text) {
                                let _ = html.parse_html_for_line_which_includes_newline(line);
                            }
                            html.finalize()
                        }
                        None => text,
                    };
                    rest.push(Event::Html(html.into()));
                }
                event => rest.push(event),
            }
        }
        pulldown_cmark::html::push_html(&mut page, rest.into_iter());
        fs::write(output.join(format!("{index}.html")), page).expect("written");
    });
}
