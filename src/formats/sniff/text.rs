//! Identifies plain text by the shapes of its lines.

use super::{Lookalike, account, conversation, other, silent};
use crate::shared::text::dates::english_month;
use convo_base::text::is_direction_mark;

/// The maximum number of lines that are examined.
const MAX_LINES: usize = 400;

/// Guesses the type of a text, of which `head` is the beginning.
pub(super) fn guess(name: &str, head: &str) -> Option<Lookalike> {
    chat(name, head).or_else(|| by_name(name))
}

/// Guesses the type of a text that a program wrote.
pub(super) fn chat(name: &str, head: &str) -> Option<Lookalike> {
    let lines: Vec<&str> = head.lines().take(MAX_LINES).collect();
    let first = lines.iter().map(|line| line.trim()).find(|line| !line.is_empty())?;
    let found = |what| Some(conversation(what));
    if first.starts_with("WEBVTT") || name.ends_with(".vtt") {
        return found("WebVTT subtitles");
    }
    if name.ends_with(".srt") || lines.iter().take(10).any(|line| is_srt_time(line)) {
        return found("SubRip subtitles");
    }
    if head.starts_with("From ") && head.contains("\nDate: ") && head.contains("\nFrom: ") {
        return found("a mailbox (mbox)");
    }
    if is_mail(&lines) {
        return found("an e-mail");
    }
    if is_of_discord(head) {
        let remedy = Some(super::ONE_SIDE);
        return Some(Lookalike { remedy, ..conversation(super::DISCORD_PACKAGE) });
    }
    if first.starts_with('<') {
        return markup(name, head);
    }
    if let Some((what, remedy)) = exporter(name, first, &lines) {
        return Some(Lookalike { remedy: Some(remedy), ..conversation(what) });
    }
    if head.contains("# aider chat started at ") {
        return found("an Aider chat history");
    }
    if first.starts_with("--- Log opened ") || share(&lines, is_irc) {
        return found("an IRC log");
    }
    if head.contains("Transcribed by https://otter.ai") {
        return found("an Otter transcript");
    }
    if count(&lines, is_whatsapp) >= 2 {
        return found("a WhatsApp chat");
    }
    if count(&lines, is_imessage_time) >= 2 {
        return found("iMessages");
    }
    if count(&lines, is_dated_message) >= 2 {
        return found("a Signal chat, or a similar one with dates before names");
    }
    None
}

/// Identifies texts in unsupported shapes by the program that exported them, with a hint.
fn exporter(name: &str, first: &str, lines: &[&str]) -> Option<(&'static str, &'static str)> {
    const DISCORD: &str = "export the channel again as JSON with DiscordChatExporter";
    let head = |start: &str| lines.iter().take(8).any(|line| line.starts_with(start));
    let begins = |starts: &[&str]| starts.iter().any(|start| first.starts_with(start));
    if first.starts_with("====") && head("Guild: ") && head("Channel: ") {
        return Some(("a Discord channel as plain text", DISCORD));
    }
    if begins(&["AuthorID,Author,Date,Content", "\"AuthorID\",\"Author\",\"Date\""]) {
        return Some(("a Discord channel as a table", DISCORD));
    }
    let is_message = |line: &&str| shape(line).starts_with("9:9 ");
    let is_marked = begins(&["[LINE]"]) || name.to_ascii_uppercase().contains("[LINE]");
    let is_line =
        is_marked && lines.iter().any(|line| is_line_day(line)) && lines.iter().any(is_message);
    is_line.then_some(("a LINE chat saved on a computer", ON_A_PHONE))
}

/// The hint for LINE chats without a separator between names and messages.
const ON_A_PHONE: &str = "save the chat on a phone: ☰ › Other settings › Export chat history";

/// Returns whether a line is a date heading of LINE: `2026.03.04 Wednesday`.
fn is_line_day(line: &str) -> bool {
    let shape = shape(line);
    ["9.9.9 ", "9/9/9(", "9/9/9（"].iter().any(|start| shape.starts_with(start))
}

/// Returns whether a table is part of a Discord data package.
pub(super) fn is_of_discord(head: &str) -> bool {
    head.trim_start().starts_with("ID,Timestamp,Contents,Attachments")
}

/// Guesses the type of HTML, XML, or Markdown that starts with a comment.
fn markup(name: &str, head: &str) -> Option<Lookalike> {
    let has = |needle: &str| head.contains(needle);
    if name.ends_with("chat.html") && has("jsonData") {
        return Some(account("all conversations of an export on one page"));
    }
    if has("outer-cell") && has("content-cell") {
        return Some(conversation("Google activity from Google Takeout"));
    }
    if has("class=\"from_name\"") && has("userpic_wrap") {
        let remedy = "export the chat again in Telegram Desktop as machine-readable JSON";
        let what = conversation("a Telegram chat as HTML");
        return Some(Lookalike { remedy: Some(remedy), ..what });
    }
    if has("<cite>") && has("<time>") {
        return Some(conversation("a podcast transcript in HTML"));
    }
    if head.starts_with("<?xml") {
        return Some(other("an XML document"));
    }
    let start: String = head.chars().take(200).flat_map(char::to_lowercase).collect();
    let is_html = start.contains("<!doctype html") || start.contains("<html");
    if is_html || name.ends_with(".html") || name.ends_with(".htm") {
        return Some(other("an HTML page"));
    }
    by_name(name)
}

/// Guesses the type of a file from its name alone.
fn by_name(name: &str) -> Option<Lookalike> {
    let stem = name.split('.').next().unwrap_or_default();
    Some(match stem {
        "readme" => other("a README"),
        "license" | "licence" | "copying" | "notice" => other("a licence"),
        "changelog" | "changes" | "history" => other("a change log"),
        "contributing" | "security" | "code_of_conduct" => other("a page for contributors"),
        _ => match name.rsplit_once('.')?.1 {
            "md" | "markdown" => silent("a Markdown text without recognisable speakers"),
            "csv" | "tsv" => other("a table"),
            "yml" | "yaml" | "toml" | "ini" | "cfg" => other("a configuration file"),
            "css" | "js" | "mjs" | "ts" | "py" | "rs" | "go" | "java" | "c" | "h" | "cpp"
            | "rb" | "php" | "sh" => other("source code"),
            _ => return None,
        },
    })
}

fn count(lines: &[&str], fits: fn(&str) -> bool) -> usize {
    lines.iter().filter(|line| fits(line)).count()
}

/// Returns whether most lines match, and more than one does.
fn share(lines: &[&str], fits: fn(&str) -> bool) -> bool {
    let all = lines.iter().filter(|line| !line.trim().is_empty()).count();
    let fitting = count(lines, fits);
    fitting >= 2 && fitting * 2 > all
}

/// Returns the first 60 characters of a line, with every run of digits replaced by `9`.
fn shape(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars().take(60) {
        let c = if c.is_ascii_digit() { '9' } else { c };
        if c != '9' || !out.ends_with('9') {
            out.push(c);
        }
    }
    out
}

fn is_srt_time(line: &str) -> bool {
    let shape = shape(line);
    shape.starts_with("9:9:9,9 --> 9:9:9,9") || shape.starts_with("9:9:9.9 --> 9:9:9.9")
}

fn is_mail(lines: &[&str]) -> bool {
    let head: Vec<&str> =
        lines.iter().take_while(|line| !line.trim().is_empty()).copied().collect();
    let has = |key: &str| {
        head.iter()
            .any(|line| line.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key)))
    };
    has("From:") && (has("Subject:") && (has("Date:") || has("To:")) || has("Message-ID:"))
}

fn is_irc(line: &str) -> bool {
    let shape = shape(line);
    shape.starts_with("[9:9:9] <")
        || shape.starts_with("[9:9:9] ***")
        || shape.starts_with("[9:9] <")
        || shape.starts_with("9:9 <")
        || shape.starts_with("9:9 -!-")
        || shape.starts_with("9-9-9 9:9:9\t")
        || shape.starts_with("9-9-9T9:9:9  ")
}

/// Returns whether a line starts with a date and a time in any of WhatsApp's local formats.
fn is_whatsapp(line: &str) -> bool {
    let line = line.trim_start_matches(is_direction_mark);
    let shape = shape(line);
    let in_brackets = shape.starts_with('[');
    let rest = shape.strip_prefix('[').unwrap_or(&shape);
    let dates = ["9/9/9", "9.9.9", "9-9-9"];
    let Some(rest) = dates.iter().find_map(|date| rest.strip_prefix(date)) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix(", ").or_else(|| rest.strip_prefix(' ')) else {
        return false;
    };
    let is_dash_date = line.trim_start_matches('[').get(..5).is_some_and(|d| d.ends_with('-'));
    let closed = if in_brackets { "] " } else { " - " };
    // Many other programs write `[2026-03-01 10:00] Name:`.
    (rest.starts_with("9:9") || rest.starts_with("9.9"))
        && rest.contains(closed)
        && !(in_brackets && is_dash_date)
}

fn is_dated_message(line: &str) -> bool {
    let shape = shape(line);
    let rest = shape.strip_prefix("[9-9-9 9:9").or_else(|| shape.strip_prefix("[9-9-9, 9:9"));
    rest.is_some_and(|rest| rest.contains("] ") && rest.contains(':'))
}

fn is_imessage_time(line: &str) -> bool {
    let shape = shape(line.trim_start());
    english_month(line.trim_start()).is_some()
        && shape.get(4..).is_some_and(|rest| rest.starts_with("9, 9  9:9:9"))
}
