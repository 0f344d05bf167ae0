//! What programs add below a mail: the quoted mail and the signature.

use super::lead::without_addresses;
use super::lines::Line;
use super::outlook::{is_original, is_rule, sender};
use crate::shared::people::channel::notices::PARTICLES;

/// The maximum number of lines of a signature.
const MAX_SIGNATURE: usize = 40;
/// The maximum number of lines of an attribution line.
const MAX_SENTENCE: usize = 4;

/// The pieces of a mail.
#[derive(Debug, Default)]
pub(super) struct Cut {
    pub(super) own: Vec<Line>,
    /// The quoted mail with its attribution line.
    pub(super) quoted: Vec<Line>,
    pub(super) signature: Vec<Line>,
    /// The quoted people, as named by attribution lines that contain their addresses.
    pub(super) names: Vec<String>,
}

/// Words before or after the name of the quoted person.
const WROTE: [&str; 32] = [
    "wrote", "writes", "said", "schrieb", "écrit", "ecrit", "escribió", "escribio", "scritto",
    "scrisse", "schreef", "geschreven", "escreveu", "napisał", "napisal", "napsal", "napísal",
    "skrev", "kirjoitti", "írta", "scris", "написал", "пишет", "писал", "пише", "yazdı", "έγραψε",
    "写道", "書きました", "のメール", "작성", "kirjutas",
];
/// Words for unnamed people.
const PRONOUNS: [&str; 26] = [
    "i", "you", "he", "she", "we", "they", "ich", "du", "er", "sie", "wir", "ihr", "je", "tu",
    "il", "elle", "nous", "vous", "yo", "él", "ella", "eu", "ele", "ela", "ik", "io",
];
/// Separates the text of a mail from what follows it.
pub(super) fn cut(lines: Vec<Line>) -> Cut {
    let mut cut = Cut::default();
    let mut lines = without_attribution_addresses(lines, &mut cut.names);
    if let Some(at) = footer(&lines) {
        cut.signature = lines.split_off(at);
    }
    // The signature is above the quoted mail, or below it.
    for _ in 0..2 {
        if cut.quoted.is_empty()
            && let Some(at) = answered(&lines)
        {
            cut.quoted = lines.split_off(at);
        }
        if let Some(at) = signature(&lines) {
            let mut found = lines.split_off(at);
            found.append(&mut cut.signature);
            cut.signature = found;
        }
    }
    // The signature marker is not part of the signature.
    cut.signature.retain(|line| !is_signature_mark(line) && !is_rule(line));
    if cut.quoted.first().is_some_and(is_rule) {
        cut.quoted.remove(0);
    }
    if lines.iter().all(|line| line.text.trim().is_empty()) && !cut.quoted.is_empty() {
        // If there is no other text, this is shown.
        lines = std::mem::take(&mut cut.quoted);
    }
    cut.own = lines;
    cut
}

fn is_signature_mark(line: &Line) -> bool {
    line.depth == 0 && line.text == "--"
}

/// Returns where the signature begins.
fn signature(lines: &[Line]) -> Option<usize> {
    let at = lines.iter().rposition(is_signature_mark)?;
    let is_short = lines.len() - at <= MAX_SIGNATURE;
    let is_own = lines[at..].iter().all(|line| line.depth == 0);
    (is_short && is_own).then_some(at)
}

/// Returns where the footer of a list begins.
fn footer(lines: &[Line]) -> Option<usize> {
    let start = lines.len().saturating_sub(16);
    let at = start + lines[start..].iter().position(is_rule)?;
    let is_list = |line: &Line| {
        let text = line.text.to_ascii_lowercase();
        text.contains("mailing list") || text.contains("/mailman") || text.contains("unsubscribe")
    };
    lines[at..].iter().any(is_list).then_some(at)
}

/// Returns where the quoted mail begins, if no text follows it.
fn answered(lines: &[Line]) -> Option<usize> {
    if let Some(at) = (0..lines.len()).find(|at| is_original(&lines[*at..])) {
        return Some(at);
    }
    let is_blank = |line: &Line| line.depth == 0 && line.text.trim().is_empty();
    let is_quoted = |line: &&Line| line.depth > 0 || is_blank(line);
    let at = lines.len() - lines.iter().rev().take_while(is_quoted).count();
    let at = at + lines[at..].iter().take_while(|line| is_blank(line)).count();
    if at == lines.len() {
        return None;
    }
    Some(sentence(&lines[..at], 0).unwrap_or(at))
}

/// Removes the addresses from attribution lines, since nobody may read them, and joins each such
/// sentence into one line. The names are recorded first: an address shows that lower-case words are
/// a name.
fn without_attribution_addresses(lines: Vec<Line>, names: &mut Vec<String>) -> Vec<Line> {
    let mut out: Vec<Line> = Vec::with_capacity(lines.len());
    for line in lines {
        let above = out.last().map(|last| last.depth).filter(|above| *above < line.depth);
        if let Some(depth) = above
            && let Some(start) = sentence(&out, depth)
            && let Some(text) = without_addresses(joined(&out[start..]).trim_end())
        {
            names.extend(quoted_name(&out[start..]));
            let blank = out.last().filter(|last| last.text.trim().is_empty()).cloned();
            out.truncate(start);
            out.push(Line { depth, text });
            out.extend(blank);
        }
        out.push(line);
    }
    out
}

/// Returns where the attribution line that ends with these lines begins, at a given quotation
/// depth; `None` if they are not one.
pub(super) fn sentence(lines: &[Line], depth: usize) -> Option<usize> {
    let is_blank = |line: &Line| line.text.trim().is_empty();
    let end = lines.len() - lines.iter().rev().take_while(|line| is_blank(line)).count();
    let most = end.saturating_sub(MAX_SENTENCE);
    let is_own = |line: &&Line| line.depth == depth && !is_blank(line);
    let start = end - lines[most..end].iter().rev().take_while(is_own).count();
    let says = |from: &usize| is_attribution(&lines[*from..end]);
    let dated = (start..end).find(|from| says(from) && is_dated(&lines[*from..end]));
    dated.or_else(|| (start..end).next_back().filter(says))
}

/// Returns whether lines are an attribution such as `On Wed, Mar 4, 2026, Ada wrote:`.
fn is_attribution(lines: &[Line]) -> bool {
    let text = joined(lines);
    let lower = text.to_lowercase();
    let ends = text.ends_with([':', '：', '>']) || lower.ends_with("a écrit");
    ends && WROTE.iter().any(|word| lower.contains(word))
}

/// Returns whether lines begin like a sentence that gives a date.
fn is_dated(lines: &[Line]) -> bool {
    let text = joined(lines);
    let lower = text.to_lowercase();
    let words =
        ["on ", "am ", "le ", "el ", "il ", "op ", "em ", "den ", "w dniu", "dne ", "в ", "στις "];
    let begins = words.iter().any(|word| lower.starts_with(word));
    text.contains(|c: char| c.is_ascii_digit())
        && (begins || text.starts_with(|c: char| c.is_ascii_digit()))
}

fn joined(lines: &[Line]) -> String {
    let texts: Vec<&str> = lines.iter().map(|line| line.text.trim()).collect();
    texts.join(" ")
}

/// Returns the name of the quoted person, from the attribution line or the header fields above a
/// quotation.
pub(super) fn quoted_name(lines: &[Line]) -> Option<String> {
    let blank = lines.iter().take_while(|line| line.text.trim().is_empty()).count();
    let lines = &lines[blank..];
    if is_original(lines) {
        return sender(lines);
    }
    let depth = lines.first()?.depth;
    let own = lines.iter().take(MAX_SENTENCE).take_while(|line| line.depth == depth);
    let text = joined(&lines[..own.count()]);
    let lower = text.to_lowercase();
    let word = WROTE.iter().find(|word| lower.contains(**word))?;
    let at = lower.find(word)?;
    // Lower case may be longer than upper case in bytes.
    let (before, behind) = (text.get(..at)?, text.get(at + word.len()..)?);
    let behind = behind.trim_end_matches([':', '：', ' ']);
    // With an address, a program wrote the sentence, so lower-case words are part of the name too.
    let has_address = text.contains('<');
    let is_clock = |word: &str| {
        ["am", "pm", "utc", "gmt", "um", "at", "ha", "a", "on"]
            .contains(&word.to_lowercase().as_str())
    };
    let is_small = |word: &str| {
        word.starts_with(char::is_lowercase) && !PARTICLES.contains(&word) && !is_clock(word)
    };
    let is_part = |word: &&str| {
        !word.contains(['<', '>', '@', ':', '[', '('])
            && !word.contains(|c: char| c.is_ascii_digit())
            && (has_address || !is_small(word))
    };
    let name = |words: &[&str]| {
        let name = words.join(" ");
        let name = name.trim_matches([',', '"', '\'', '\\', ' ', ':']);
        let last = name.rsplit(' ').next().unwrap_or_default().to_lowercase();
        let is_name = name.chars().filter(|c| c.is_alphabetic()).count() > 1
            && name.len() < 80
            && (has_address || !name.starts_with(char::is_lowercase))
            && !PRONOUNS.contains(&last.as_str());
        is_name.then(|| name.to_owned())
    };
    let behind: Vec<&str> = behind.split_whitespace().take_while(is_part).take(6).collect();
    name(&behind).or_else(|| {
        let before = before.split('<').next().unwrap_or_default();
        let before = before.rsplit(", ").next().unwrap_or_default();
        let words = before.split_whitespace().rev().take_while(is_part).take(6);
        let mut words: Vec<&str> = words.filter(|word| !is_clock(word)).collect();
        words.reverse();
        name(&words)
    })
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::{Cut, cut, quoted_name};

    fn cut_text(text: &str) -> (String, String, String) {
        let Cut { own, quoted, signature, .. } = cut(lines(text, false, false));
        let text = |lines: &[super::Line]| {
            let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
            texts.join("\n").trim().to_owned()
        };
        (text(&own), text(&quoted), text(&signature))
    }

    #[test]
    fn the_answered_mail_is_below() {
        for (sentence, shown) in [
            (
                "On Wed, Mar 4, 2026 at 6:20 PM Ada <ada@example.org> wrote:",
                "On Wed, Mar 4, 2026 at 6:20 PM Ada wrote:",
            ),
            ("Am 04.03.26 um 18:20 schrieb Ada:", "Am 04.03.26 um 18:20 schrieb Ada:"),
            ("Le 4 mars 2026 à 18:20, Ada a écrit :", "Le 4 mars 2026 à 18:20, Ada a écrit :"),
            (
                "El mié, 4 mar 2026 a las 18:20, Ada (<ada@example.org>) escribió:",
                "El mié, 4 mar 2026 a las 18:20, Ada escribió:",
            ),
            (
                "On Wed, Mar 4, 2026 at 6:20 PM\nAda <ada@example.org> wrote:",
                "On Wed, Mar 4, 2026 at 6:20 PM Ada wrote:",
            ),
            ("Ada writes:", "Ada writes:"),
        ] {
            let found = cut_text(&format!("Yes.\n\n{sentence}\n\n> Well?\n> So?\n\n-- \nBela\n"));
            assert_eq!(found.0, "Yes.", "{sentence}");
            assert_eq!(found.1, format!("{shown}\n\nWell?\nSo?"));
            assert_eq!(found.2, "Bela");
        }
        for start in [
            "-----Original Message-----\nFrom: Ada\n",
            "________________________________\nFrom: Ada\nSent: Wednesday\nTo: Bela\n",
            "Von: Ada\nGesendet: Mittwoch\nAn: Bela\nBetreff: AW: x\n",
        ] {
            let found = cut_text(&format!("Yes.\n\n-- \nBela\n\n{start}\nWell?\n"));
            assert_eq!((found.0.as_str(), found.2.as_str()), ("Yes.", "Bela"), "{start}");
            assert!(found.1.ends_with("Well?"));
        }
    }

    #[test]
    fn answers_between_the_lines_stay() {
        let text = "Ada wrote:\n> Well?\nYes.\n> So?\nNo.";
        assert_eq!(cut_text(text).0, text.replace("> ", ""));
        assert_eq!(cut_text("> All of it").0, "All of it");
        assert_eq!(cut_text("From: here\nTo: there").0, "From: here\nTo: there");
    }

    #[test]
    fn quoted_people_have_a_name() {
        for sentence in [
            "On Wed, Mar 4, 2026 at 6:20 PM Ada Byron <ada@example.org> wrote:",
            "On 4 March 2026 at 18:20, Ada Byron wrote:",
            "Am 04.03.26 um 18:20 schrieb Ada Byron:",
            "Ada Byron <ada@example.org> writes:",
        ] {
            let found = quoted_name(&lines(sentence, false, false));
            assert_eq!(found.as_deref(), Some("Ada Byron"), "{sentence}");
        }
    }
}
