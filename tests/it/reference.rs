//! Generates the reference in `docs/pages/reference` from the program.

use std::fmt::Write as _;
use std::fs;

use convo_site::diag::codes::CODES;
use convo_site::formats::{ALL, Format};

use crate::support::{project, run_in};

/// The first lines of a page that nobody edits.
fn head(title: &str, description: &str, source: &str) -> String {
    format!(
        "---\n# Written from {source} by `SNAPSHOTS=overwrite cargo test the_reference`: change it there.\n\
         description: {description}\n---\n# {title}\n\n"
    )
}

#[test]
fn the_reference_matches_the_program() {
    let pages = [
        ("commands", commands()),
        ("formats", formats()),
        ("configuration", configuration()),
        ("templates", templates()),
        ("diagnostics", diagnostics()),
    ];
    let mut stale = Vec::new();
    for (name, text) in pages {
        let path = project().join(format!("docs/pages/reference/{name}.md"));
        if std::env::var("SNAPSHOTS").is_ok_and(|value| value == "overwrite") {
            fs::write(&path, &text).expect("written");
        }
        if fs::read_to_string(&path).unwrap_or_default() != text {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "{stale:?}: `SNAPSHOTS=overwrite` writes them anew; read them then");
}

/// The `--help` text of a command.
fn help(command: &[&str]) -> String {
    let mut args = command.to_vec();
    args.push("--help");
    let run = run_in(&std::env::temp_dir(), &args, &[("COLUMNS", "96")]);
    assert_eq!(run.code, Some(0), "{args:?}: {}", run.stderr);
    run.stdout
}

/// The names of the commands listed in a help text.
fn listed(help: &str) -> Vec<String> {
    let rows = help.split_once("Options:\n").map_or("", |(rows, _)| rows);
    let names = rows.lines().filter_map(|row| {
        let name = row.strip_prefix("  ").filter(|row| row.starts_with(char::is_lowercase))?;
        name.split(' ').next()
    });
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

fn commands() -> String {
    let mut page = head(
        "Commands",
        "All commands and their options, as --help shows them.",
        "`src/cli/args.rs`",
    );
    page.push_str(
        "Exit codes: 0 success; 1 errors in your files (everything else was done); 2 the command could not run.\n\n",
    );
    let top = help(&[]);
    writeln!(page, "```text\n{}\n```", top.trim()).expect("a string");
    for name in listed(&top) {
        let text = help(&[&name]);
        let below = listed(&text);
        writeln!(page, "\n## {name}\n\n```text\n{}\n```", text.trim()).expect("a string");
        for inner in below {
            let text = help(&[&name, &inner]);
            let text = text.trim();
            writeln!(page, "\n### {name} {inner}\n\n```text\n{text}\n```").expect("a string");
        }
    }
    page
}

fn formats() -> String {
    let mut page = head(
        "Formats",
        "What is read and written, where each export is found, and what is left out of it.",
        "the formats in `src/formats`",
    );
    page.push_str("| name | what | read | written |\n|---|---|---|---|\n");
    let yes = |is_so: bool| if is_so { "yes" } else { "" };
    for Format { name, title, read, write, .. } in ALL {
        let (read, write) = (yes(read.is_some()), yes(write.is_some()));
        writeln!(page, "| [`{name}`](#{name}) | {title} | {read} | {write} |").expect("a string");
    }
    for Format { name, title, about, .. } in ALL {
        write!(
            page,
            "\n## {name}\n\n**{title}.** {}\n\n- **Where to find it.** {}\n- **What is read.** {}\n\
             - **What is not.** {}\n",
            prose(about.what),
            prose(about.find),
            prose(about.reads),
            prose(about.leaves_out)
        )
        .expect("a string");
    }
    page
}

/// The keys described by a block of `site.toml`; those of a table as the name of the table.
fn keys(code: &[&str]) -> Vec<String> {
    let first = code.first().expect("a line");
    if first.starts_with('[') {
        return vec![first.to_string()];
    }
    let names = code.iter().filter_map(|line| line.split_once(" = "));
    names.map(|(name, _)| name.to_owned()).collect()
}

fn configuration() -> String {
    let reference = convo_site::config::REFERENCE;
    let mut page = head(
        "Configuration",
        "Every key of site.toml, its default, and what it does.",
        "`site.toml`",
    );
    page.push_str(
        "A site's own `site.toml` needs only the keys that it changes. Keys are shown with their defaults, tables with \
         an example of each key.\n\n## Keys\n",
    );
    let mut known: Vec<String> = Vec::new();
    for block in reference.split("\n\n").skip(1) {
        let is_text = |line: &&str| *line == "#" || line.starts_with("# ");
        let text: Vec<&str> = block.lines().filter(is_text).map(|line| line[1..].trim()).collect();
        let code = block.lines().filter(|line| !is_text(line) && !line.is_empty());
        let code: Vec<&str> = code.map(|line| line.strip_prefix('#').unwrap_or(line)).collect();
        let text = prose(&paragraphs(&text));
        if code.is_empty() {
            // The text before the tables.
            let text = text.trim_start_matches("Tables: ");
            let text = text[..1].to_uppercase() + &text[1..];
            write!(page, "\n## Tables\n\n{text}\n").expect("a string");
            continue;
        }
        let mut names = keys(&code);
        if known.contains(&names[0]) {
            let inside = code[1..].iter().filter_map(|line| line.split_once(" = "));
            let inside = inside.map(|(name, _)| name).filter(|name| *name != "files");
            names.extend(inside.map(str::to_owned));
        }
        known.push(names[0].clone());
        let heading: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        write!(
            page,
            "\n### {}\n\n{text}\n\n```toml\n{}\n```\n",
            heading.join(", "),
            code.join("\n")
        )
        .expect("a string");
    }
    page
}

/// Joins the lines of a comment to paragraphs and list items, which begin with `* `.
fn paragraphs(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut is_list = false;
    for line in lines {
        let item = line.strip_prefix("* ");
        match item {
            Some(_) => text.push_str(if is_list { "\n- " } else { "\n\n- " }),
            None if line.is_empty() => text.push_str("\n\n"),
            None if text.is_empty() || text.ends_with('\n') => {}
            None => text.push(' '),
        }
        is_list = item.is_some() || is_list && !line.is_empty();
        text.push_str(item.unwrap_or(line));
    }
    text
}

/// Converts plain text to Markdown: quoted text becomes code, and there is no HTML.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        if is_code {
            out.push_str(part);
        } else {
            for (number, piece) in part.split('"').enumerate() {
                let is_quoted = number % 2 == 1;
                match is_quoted {
                    true => write!(out, "`\"{piece}\"`").expect("a string"),
                    false => out.push_str(&tags_as_code(piece)),
                }
            }
        }
        is_code = !is_code;
    }
    out
}

fn tags_as_code(text: &str) -> String {
    text.replace('<', "`<").replace('>', ">`")
}

/// The anchor of a one-word heading. Some words are taken by the page frame.
fn anchor(word: &str) -> String {
    let ids = convo_site::markup::heading_ids(&format!("## {word}\n"), false);
    ids.into_iter().next().expect("a heading")
}

/// A view type with its fields: name, type, description.
struct ViewType {
    name: String,
    about: String,
    fields: Vec<[String; 3]>,
}

/// The types in a file of `src/theme/view`.
fn view_types(source: &str) -> Vec<ViewType> {
    let mut types: Vec<ViewType> = Vec::new();
    let mut about = Vec::new();
    for line in source.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("///") {
            about.push(text.trim());
        } else if let Some(rest) = line.strip_prefix("pub struct ") {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric()).collect();
            types.push(ViewType { name, about: about.join(" "), fields: Vec::new() });
            about.clear();
        } else if let Some((name, kind)) =
            line.strip_prefix("pub ").and_then(|rest| rest.split_once(": "))
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
        {
            let kind = kind.trim_end_matches(',').to_owned();
            let field = [name.to_owned(), kind, about.join(" ")];
            types.last_mut().expect("a field belongs to a type").fields.push(field);
            about.clear();
        } else if !line.starts_with("#[") {
            about.clear();
        }
    }
    types
}

/// The type of a field, as template authors see it.
fn type_for_authors(kind: &str) -> String {
    let inside = |start: &str| kind.strip_prefix(start).and_then(|rest| rest.strip_suffix('>'));
    if let Some(kind) = inside("Option<") {
        return format!("{} or nothing", type_for_authors(kind));
    }
    if let Some(kind) = inside("Vec<") {
        return format!("list of {}", type_for_authors(kind));
    }
    if let Some((_, kind)) = inside("BTreeMap<").and_then(|kinds| kinds.split_once(", ")) {
        return format!("{} by name", type_for_authors(kind));
    }
    match kind {
        "String" | "&'static str" | "&'static [&'static str]" => "text".to_owned(),
        "bool" => "true or false".to_owned(),
        "Html" => "HTML".to_owned(),
        "DataView" => "any value".to_owned(),
        "(String, String)" | "(&'static str, String)" => "pair of texts".to_owned(),
        "f32" | "f64" | "i16" | "u8" | "u16" | "u32" | "u64" | "usize" | "i64" => {
            "number".to_owned()
        }
        view => {
            let name = view.strip_suffix("View").unwrap_or_else(|| panic!("{view}"));
            format!("[{name}](#{})", anchor(&name.to_lowercase()))
        }
    }
}

fn templates() -> String {
    let folder = project().join("src/theme/view");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a source");
    let whole = read("mod.rs");
    let mut page = head(
        "Templates",
        "The templates, their blocks, and everything that a template can see.",
        "`templates` and `src/theme/view`",
    );
    page.push_str(
        "Templates are [Tera](https://keats.github.io/tera/). [Site and theme](../your-own.md#templates) shows how one \
         block or a whole template is replaced.\n\n| template | blocks |\n|---|---|\n",
    );
    let run = run_in(&std::env::temp_dir(), &["theme", "eject"], &[]);
    for name in run.stdout.lines() {
        let path = project().join("templates").join(name);
        let text = fs::read_to_string(&path).expect("a template");
        let blocks = text.split("{% block ").skip(1);
        let blocks = blocks.filter_map(|rest| Some(format!("`{}`", rest.split(' ').next()?)));
        let blocks = blocks.collect::<Vec<_>>().join(", ");
        writeln!(page, "| `{name}` | {blocks} |").expect("a string");
    }
    page.push_str("\n## What every template gets\n\n");
    let about = whole.lines().filter_map(|line| line.strip_prefix("//!"));
    let about = about.skip(2).map(str::trim).collect::<Vec<_>>().join(" ");
    page.push_str(&without_paths(about.trim()));
    page.push('\n');
    let files = whole.lines().filter_map(|line| line.strip_prefix("mod "));
    let files = files.map(|name| format!("{}.rs", name.trim_end_matches(';')));
    let mut types = view_types(&whole);
    types.extend(files.filter(|file| file != "data.rs").flat_map(|file| view_types(&read(&file))));
    for (number, view) in types.iter().enumerate() {
        if number > 0 {
            let name = view.name.strip_suffix("View").expect("a view");
            write!(page, "\n## {name}\n\n{}\n", without_paths(&view.about)).expect("a string");
        }
        page.push_str("\n| field | type | what |\n|---|---|---|\n");
        for [name, kind, about] in &view.fields {
            let (kind, about) = (type_for_authors(kind), without_paths(about));
            let about = about.replace('|', "\\|");
            writeln!(page, "| `{name}` | {kind} | {about} |").expect("a string");
        }
    }
    page
}

/// A doc comment without link paths.
fn without_paths(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](crate::") {
        let at = before.rfind('[').expect("a link");
        out.push_str(&before[..at]);
        out.push_str(&before[at + 1..]);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    (out + rest).replace("[`", "`").replace("`]", "`")
}

fn diagnostics() -> String {
    let mut page = head(
        "Diagnostics",
        "What each code in brackets means, and what to do about it.",
        "`src/base/diag/codes.rs`",
    );
    page.push_str(
        "`convo-site explain CODE` says the same in the terminal. A code never changes its meaning.\n\n",
    );
    page.push_str("| code | severity | meaning |\n|---|---|---|\n");
    for code in CODES {
        let (name, meaning) = (code.name, prose(code.meaning));
        let (anchor, severity) = (anchor(name), code.severity.word());
        writeln!(page, "| [`{name}`](#{anchor}) | {severity} | {meaning} |").expect("a string");
    }
    for code in CODES {
        let meaning = prose(code.meaning);
        let start = meaning[..1].to_uppercase();
        write!(page, "\n## {}\n\n**{start}{}.**", code.name, &meaning[1..]).expect("a string");
        for paragraph in code.help.split("\n\n") {
            write!(page, "\n\n{}", prose(paragraph)).expect("a string");
        }
        page.push('\n');
    }
    page
}
