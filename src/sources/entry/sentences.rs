//! Splits plain text into sentences.

/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 14] = [
    "approx", "cf", "dr", "etc", "fig", "incl", "mr", "mrs", "ms", "no", "prof", "resp", "st", "vs",
];

/// The length of a line, in characters, from which its end may be where a program wrapped it.
const WRAPPED_CHARS: usize = 60;

/// Returns the sentences of a text, each on one line. A line that is clearly not continued by the
/// next one ends a sentence too.
pub(crate) fn sentences(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut sentence = String::new();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let mut from = 0;
        for (end, next) in ends(line) {
            add(&mut sentence, line.get(from..end).unwrap_or_default());
            all.push(std::mem::take(&mut sentence));
            from = next;
        }
        add(&mut sentence, line.get(from..).unwrap_or_default());
        let continues = |next: &&str| {
            let is_wrapped = line.chars().count() >= WRAPPED_CHARS;
            !line.ends_with(':') && (is_wrapped || next.starts_with(char::is_lowercase))
        };
        if !sentence.is_empty() && !lines.peek().is_some_and(continues) {
            all.push(std::mem::take(&mut sentence));
        }
    }
    all
}

fn add(sentence: &mut String, words: &str) {
    for word in words.split_whitespace() {
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
    }
}

/// Returns where sentences end in a line, and where the next ones start.
fn ends(line: &str) -> Vec<(usize, usize)> {
    let mut ends = Vec::new();
    let mut chars = line.char_indices().peekable();
    while let Some((at, mark)) = chars.next() {
        let is_wide = "。！？".contains(mark);
        if !is_wide && !".!?".contains(mark) {
            continue;
        }
        while chars.next_if(|(_, c)| ".!?。！？\"”’»)]".contains(*c)).is_some() {}
        let end = chars.peek().map_or(line.len(), |(end, _)| *end);
        let rest = line.get(end..).unwrap_or_default();
        let next = line.len() - rest.trim_start().len();
        let is_apart = is_wide || next > end;
        let continues = rest.trim_start().starts_with(char::is_lowercase);
        let before = line.get(..at).unwrap_or_default();
        if next < line.len() && is_apart && !continues && !(mark == '.' && is_abbreviation(before))
        {
            ends.push((end, next));
        }
    }
    ends
}

/// Returns whether a text ends with an abbreviation, an initial or a number of a list.
fn is_abbreviation(text: &str) -> bool {
    let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
    let word = word.trim_start_matches(|c: char| !c.is_alphanumeric());
    let is_short = word.chars().count() == 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let is_number = text.len() == word.len() && word.bytes().all(|byte| byte.is_ascii_digit());
    let is_dotted =
        word.len() <= 6 && word.contains('.') && word.split('.').all(|it| it.len() == 1);
    is_short || is_number || is_dotted || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}
