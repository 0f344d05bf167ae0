//! Links to private documents and links that grant access: what one format withholds, all do.

use std::collections::{BTreeMap, BTreeSet};

use convo_site::model::{Action, Block, Citation, Content, Conversation};

use crate::formats::{files, format_of, inputs, read};

/// The titles and URLs of the pages and files that conversations link to.
fn links(conversations: &[Conversation]) -> Vec<String> {
    let of_page = |page: &Citation| [page.title.clone(), page.url.clone()];
    let blocks =
        conversations.iter().flat_map(Conversation::all_turns).flat_map(|turn| &turn.blocks);
    let of_block = |block: &Block| -> Vec<Option<String>> {
        match block {
            Block::Citations { citations } => citations.iter().flat_map(of_page).collect(),
            Block::Tool(call) => match &call.action {
                Some(Action::Search { results, .. }) => results.iter().flat_map(of_page).collect(),
                _ => Vec::new(),
            },
            Block::Attachment(file) => match &file.content {
                Content::Uri(url) => vec![Some(file.name.clone()), Some(url.clone())],
                _ => vec![Some(file.name.clone())],
            },
            _ => Vec::new(),
        }
    };
    blocks.flat_map(of_block).flatten().collect()
}

/// Returns files in which all web links are replaced.
fn with_links(
    files: &BTreeMap<String, Vec<u8>>,
    replaced: impl Fn(&str) -> String,
) -> BTreeMap<String, Vec<u8>> {
    let replace = |bytes: &Vec<u8>| {
        let text = String::from_utf8_lossy(bytes);
        let mut parts = text.split("https://");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_in_url = |c: char| c.is_ascii_alphanumeric() || "-._~/?#@&=%+:".contains(c);
            let end = part.find(|c| !is_in_url(c)).unwrap_or(part.len());
            out.push_str(&replaced(&part[..end]));
            out.push_str(&part[end..]);
        }
        out.into_bytes()
    };
    files.iter().map(|(path, bytes)| (path.clone(), replace(bytes))).collect()
}

#[test]
fn no_format_publishes_private_links() {
    // Files that authors write by hand contain the links that authors want.
    let by_hand = ["cjson", "chibi", "conv2md", "convo", "markdown", "vlinder"];
    let mut linked = BTreeSet::new();
    for input in inputs() {
        let format = format_of(&input);
        if by_hand.contains(&&*format) {
            continue;
        }
        let files = files(&input);
        let plain = links(&read(&files, &format).0);
        if !plain.iter().any(|link| link.contains("https://")) {
            continue;
        }
        linked.insert(format.clone());
        for secret in ["docs.google.com", "mySecret1", "myPassword"] {
            let private = with_links(&files, |url| match secret {
                "docs.google.com" => {
                    format!(
                        "https://docs.google.com/{}",
                        url.split_once('/').map_or("", |(_, rest)| rest)
                    )
                }
                "mySecret1" if url.contains(['?', '#']) => format!("https://{url}&token={secret}"),
                "mySecret1" => format!("https://{url}?x=1&token={secret}"),
                _ => format!("https://ada:{secret}@{url}"),
            });
            let (conversations, _) = read(&private, &format);
            let found = links(&conversations);
            let shown: Vec<&String> = found.iter().filter(|link| link.contains(secret)).collect();
            assert!(shown.is_empty(), "{input:?}: {shown:?}");
        }
    }
    assert!(linked.len() > 12, "{linked:?}");
}

/// A log in which a tool returned a page, and a data set with a picture: formats of which no other test has such a link.
#[test]
fn titles_of_private_pages_are_withheld() {
    let user = |content: &str| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"1\",\"timestamp\":\"2026-01-02T10:00:00Z\",\"message\":{{\"role\":\"user\",\"content\":{content}}}}}\n"
        )
    };
    let document = user(
        "[{\"type\":\"text\",\"text\":\"See:\"},{\"type\":\"document\",\"source\":{\"type\":\"url\",\
         \"url\":\"https://docs.google.com/d/plan?token=abc\"}}]",
    );
    let row = "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"See:\"},\
        {\"type\":\"image_url\",\"image_url\":{\"url\":\"https://a.example/b.png?jwt=abc\"}}]},\
        {\"role\":\"assistant\",\"content\":\"Yes.\"}]}\n";
    let rows: Vec<(String, &str)> = [
        "https://docs.google.com:443/d/plan",
        "https://ada:abc@x.example",
        "https://x.example/b.png?r=https%3A%2F%2Fy.example%3Ftoken%3Dabc",
        "https://x.example/b.png?tokenId=abc",
        "https://x.example/b.png?token_v2=abc",
    ]
    .map(|url| (row.replace("https://a.example/b.png?jwt=abc", url), "openai-messages"))
    .into();
    let mut cases = vec![(document, "claude-code"), (row.to_owned(), "openai-messages")];
    cases.extend(rows);
    for (text, format) in cases {
        let name = "a.jsonl";
        let files = BTreeMap::from([(name.to_owned(), text.as_bytes().to_vec())]);
        let (conversations, notes) = read(&files, format);
        let found = links(&conversations);
        assert!(!found.is_empty(), "{format}: {notes:?}");
        for word in ["docs.google.com", "plan", "abc"] {
            assert!(found.iter().all(|link| !link.contains(word)), "{text}: {found:?}");
        }
    }
}
