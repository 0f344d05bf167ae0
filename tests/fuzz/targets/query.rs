//! Queries and the words of texts. The first line of an input is the query, the rest is what somebody
//! said.
#![no_main]

use convo_site::formats;
use convo_site::query::Query;
use convo_site::query::choice::{Choice, Chooser};
use convo_site::query::tokenizer::{Stemmer, marks, terms};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &str| {
    let (query, text) = input.split_once('\n').unwrap_or((input, ""));
    let stemmers: Vec<Stemmer> = Stemmer::all().collect();
    let parsed = Query::parse(query, &stemmers);
    assert!(parsed.clauses.len() <= 32);
    for &stemmer in &stemmers {
        let (mut last, mut count) = (None, 0);
        let positions = terms(text, stemmer, |term| {
            assert!(!term.surface.is_empty());
            if let Some(position) = term.position {
                assert!(last.is_none_or(|last| last <= position));
                last = Some(position);
                count = position + 1;
            }
            std::hint::black_box(term.stem());
        });
        assert!(count <= positions);
    }
    let mut end = 0;
    for mark in marks(text, &stemmers, |term| term.len().is_multiple_of(2)) {
        assert!(end <= mark.start && mark.start < mark.end);
        assert!(text.get(mark.clone()).is_some(), "{mark:?}");
        end = mark.end;
    }
    if let Ok(choice) = Choice::parse(query) {
        std::hint::black_box(chooses(&[choice], text));
    }
    words_are_found(text);
});

/// Which of some choices meet a conversation in which this was said.
fn chooses(choices: &[Choice], text: &str) -> Vec<bool> {
    let file = format!(
        "### @Ada\n{text}\n\n----\n{{\"type\": \"dialog\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\"]}}\n"
    );
    let (read, _) = formats::read("x.convo", file.as_bytes());
    let Some(first) = read.first() else { return Vec::new() };
    let mut chooser = Chooser::new(choices, first, "en");
    read.iter().for_each(|part| chooser.add(part));
    chooser.finish()
}

/// Each word of a text that has nothing but words is found by itself.
fn words_are_found(text: &str) {
    let words: Vec<&str> = text.split_whitespace().take(40).collect();
    if !words.iter().all(|word| word.chars().all(char::is_alphabetic)) {
        return;
    }
    let asked = words.iter().filter_map(|word| Some((word, Choice::parse(word).ok()?)));
    let (words_asked, choices): (Vec<&&str>, Vec<Choice>) =
        asked.filter(|(word, _)| word.chars().count() < 100).unzip();
    let found = chooses(&choices, &words.join(" "));
    for (word, found) in words_asked.into_iter().zip(found) {
        assert!(found, "{word:?} is not found in {words:?}");
    }
}
