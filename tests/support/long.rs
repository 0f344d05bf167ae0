//! A site with one conversation that is long enough for several pages.

use std::collections::BTreeMap;

use super::{BASE, SiteTest};

pub(crate) const ADDRESS: &str = "https://site.example/base/";

/// A conversation with this many turns of this many words.
pub(crate) fn long(turns: usize, words: usize) -> String {
    let mut text: String = (1..=turns)
        .map(|turn| {
            let who = if turn % 2 == 1 { "Ada" } else { "Bot" };
            format!("### @{who}\nTurn number{turn}.{}\n\n", " word".repeat(words))
        })
        .collect();
    text.push_str(
        "----\n{\"type\": \"dialog\", \"title\": \"Long\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\", {\"name\": \"Bot\", \"generative\": true}]}\n",
    );
    text
}

/// A conversation with prompts, and the number of words of each of their answers.
pub(crate) fn prompted(answers: &[Vec<usize>]) -> String {
    let mut text = String::new();
    for (number, answers) in (1..).zip(answers) {
        text.push_str(&format!("### @Ada\nPrompt number{number}.\n\n"));
        for words in answers {
            text.push_str(&format!("### @Bot\nAnswer.{}\n\n", " word".repeat(*words)));
        }
    }
    text + "----\n{\"type\": \"dialog\", \"title\": \"Long\", \"time\": \"2026-01-02\", \
            \"participants\": [\"Ada\", {\"name\": \"Bot\", \"generative\": true}]}\n"
}

pub(crate) fn site(config: &str, text: &str) -> SiteTest {
    let site =
        SiteTest::new().file("site.toml", format!("{BASE}{config}")).file("content/a.convo", text);
    site.build(0);
    site
}

/// The pages of the conversation in order, by folder.
pub(crate) fn pages(site: &SiteTest) -> BTreeMap<String, String> {
    let output = site.output();
    let pages = output.into_iter().filter_map(|(path, bytes)| {
        let folder = path.strip_suffix("index.html")?.to_owned();
        folder.starts_with("c/").then(|| (folder, String::from_utf8(bytes).expect("UTF-8")))
    });
    pages.collect()
}

pub(crate) fn anchors(page: &str) -> Vec<String> {
    let turns = page.split("<article class=\"turn").skip(1);
    let ids = turns.filter_map(|rest| rest.split(" id=\"").nth(1)?.split('"').next());
    ids.map(str::to_owned).collect()
}
