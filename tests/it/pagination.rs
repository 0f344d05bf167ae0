//! Long conversations on several pages.

use serde_json::{Value, json};

use crate::support::long::{ADDRESS, anchors, long, pages, prompted, site};
use crate::support::{BASE, SiteTest};

#[test]
fn a_long_conversation_has_pages_in_order() {
    let site = site("", &long(450, 3));
    let pages = pages(&site);
    let folders: Vec<&String> = pages.keys().collect();
    assert_eq!(folders.len(), 3, "{folders:?}");
    let first = folders[0].clone();
    assert_eq!(folders[1..], [&format!("{first}2/"), &format!("{first}3/")]);
    let texts: Vec<&String> = pages.values().collect();
    let counts: Vec<usize> = texts.iter().map(|page| anchors(page).len()).collect();
    assert_eq!(counts, [150, 150, 150]);
    for (number, page) in (1..).zip(&texts) {
        // Each page is canonical, and links to its neighbours.
        assert!(
            page.contains(&format!("rel=\"canonical\" href=\"{ADDRESS}{}\"", folders[number - 1]))
        );
        assert!(page.contains(&format!("Part {number} of 3")));
        assert_eq!(page.contains("Long, part "), number > 1);
        assert!(page.contains(&format!("\"position\":{}", (number - 1) * 150 + 1)));
        assert!(page.contains(&format!("Turn number{}.", (number - 1) * 150 + 1)));
    }
    let link = |rel: &str, folder: &str| format!("<a rel=\"{rel}\" href=\"/base/{folder}\">");
    assert!(texts[0].contains(&link("next", folders[1])) && !texts[0].contains("rel=\"prev\""));
    assert!(
        texts[1].contains(&link("prev", folders[0]))
            && texts[1].contains(&link("next", folders[2]))
    );
    assert!(texts[2].contains(&format!("<a href=\"/base/{first}\">First part")));
    let sitemap = site.page("sitemap.xml", "");
    assert!(
        folders.iter().all(|folder| sitemap.contains(&format!("<loc>{ADDRESS}{folder}</loc>")))
    );
    // The file with the page of each turn.
    let turns: Value = serde_json::from_str(&site.page(&first, "/anchors.json")).expect("JSON");
    let shown: Vec<Vec<String>> = texts.iter().map(|page| anchors(page)).collect();
    assert_eq!(turns, json!(shown));
}

#[test]
fn a_page_has_about_the_configured_size() {
    let site = site("page_kilobytes = 50\n", &long(100, 400));
    let pages = pages(&site);
    assert!(pages.len() > 3, "{}", pages.len());
    for (folder, page) in &pages {
        assert!(page.len() < 75_000, "{folder} has {} bytes", page.len());
    }
    let turns: usize = pages.values().map(|page| anchors(page).len()).sum();
    assert_eq!(turns, 100);
}

/// Returns the turns of a page as HTML.
fn turns(page: &str) -> &str {
    let (_, rest) = page.split_once("<div class=\"turns").expect("turns");
    rest.split("<nav class=\"pager\"").next().expect("turns")
}

/// Returns whether each turn of a page is a prompt.
fn prompts(page: &str) -> Vec<bool> {
    let turns = turns(page).split("<article class=\"turn ").skip(1);
    turns.map(|turn| turn.starts_with("person")).collect()
}

/// Parts begin with prompts, and none is much smaller than the others.
#[test]
fn parts_begin_with_prompts() {
    for (answers, parts) in [
        // The words of the answers to each prompt, and the number of parts.
        (vec![vec![900]; 12], 3),
        // Short parts are joined with a neighbour.
        (vec![vec![10], vec![4000], vec![10], vec![4000], vec![10]], 2),
        (vec![vec![4500], vec![4500], vec![30]], 2),
        // A prompt is on the page of its answer, however long that is.
        (vec![vec![12_000], vec![100]], 1),
        (vec![vec![1000, 1000], vec![3000, 1000], vec![1500, 1500, 1000]], 3),
    ] {
        let site = site("page_kilobytes = 30\n", &prompted(&answers));
        let pages: Vec<String> = pages(&site).into_values().collect();
        assert_eq!(pages.len(), parts, "{answers:?}");
        let sizes: Vec<usize> = pages.iter().map(|page| turns(page).len()).collect();
        for page in &pages {
            let prompts = prompts(page);
            assert_eq!((prompts.first(), prompts.last()), (Some(&true), Some(&false)));
        }
        let (least, most) = (sizes.iter().min(), sizes.iter().max());
        assert!(least.map(|least| least * 8) > most.copied(), "{answers:?}: {sizes:?}");
    }
}

/// An exchange that is too large for one page continues on the next, but not right after its prompt.
#[test]
fn a_long_exchange_is_on_several_parts() {
    let site = site("page_kilobytes = 30\n", &prompted(&[vec![1500; 9], vec![1500]]));
    let pages: Vec<String> = pages(&site).into_values().collect();
    assert!((3..=5).contains(&pages.len()), "{}", pages.len());
    let prompts: Vec<Vec<bool>> = pages.iter().map(|page| prompts(page)).collect();
    assert!(
        prompts.iter().all(|page| page.len() > 1 && page.last() == Some(&false)),
        "{prompts:?}"
    );
    assert_eq!(prompts[1].first(), Some(&false));
    // The links of its neighbours describe it.
    assert!(pages[1].contains("<small>Earlier</small> <span dir=\"auto\">Prompt number1.</span>"));
    assert!(pages[0].contains("<small>Later</small> <span dir=\"auto\">Answer"));
}

/// Every part lists the prompts of all parts.
#[test]
fn the_outline_lists_the_whole_conversation() {
    let site = site("page_kilobytes = 30\n", &prompted(&vec![vec![900]; 12]));
    let pages = pages(&site);
    let turns: Vec<(String, Vec<String>)> =
        pages.iter().map(|(folder, page)| (folder.clone(), anchors(page))).collect();
    for (here, page) in &pages {
        let (_, outline) = page.split_once("<nav class=\"outline\"").expect("an outline");
        let outline = outline.split("</nav>").next().expect("its end");
        for (number, (folder, anchors)) in (1..).zip(&turns) {
            let mark = if folder == here { " aria-current=\"page\"" } else { "" };
            let part = format!("<a href=\"/base/{folder}\"{mark}>Part {number}</a>");
            assert!(outline.contains(&part), "{outline}");
            for anchor in anchors.iter().step_by(2) {
                let folder = if folder == here { String::new() } else { format!("/base/{folder}") };
                let link = format!("<a href=\"{folder}#{anchor}\" dir=\"auto\">Prompt number");
                assert!(outline.contains(&link), "{link}: {outline}");
            }
        }
    }
    let texts: Vec<&String> = pages.values().collect();
    assert!(texts[0].contains("<small>Later</small> <span dir=\"auto\">Prompt number5.</span>"));
    assert!(texts[2].contains("<small>Earlier</small> <span dir=\"auto\">Prompt number5.</span>"));
    // A rebuild writes the same pages.
    let more = prompted(&vec![vec![900]; 20]);
    site.write("content/a.convo", &more);
    site.build(0);
    let fresh = self::site("page_kilobytes = 30\n", &more);
    assert!(fresh.output() == site.output(), "a rebuild differs from a first build");
}

/// The outline of a very long conversation does not become larger than its pages.
#[test]
fn the_outline_of_a_very_long_conversation_is_limited() {
    let site = site("page_turns = 20\n", &prompted(&vec![vec![3]; 900]));
    let pages = pages(&site);
    assert!(pages.len() > 80, "{}", pages.len());
    for (folder, page) in &pages {
        assert!(page.contains(">7 more</a>") || page.contains(">9 more</a>"), "{folder}: {page}");
        assert!(page.len() < 75_000, "{folder} has {} bytes", page.len());
        // The first and the last part are always listed.
        assert!(page.contains(">Part 1</a>"), "{folder}");
        assert!(page.contains(&format!(">Part {}</a>", pages.len())), "{folder}");
    }
}

/// Messages between people are not prompts. Parts begin with a new day.
#[test]
fn parts_of_a_chat_begin_with_a_day() {
    let message = |n: usize| {
        let (day, hour, who) = (1 + n / 8, 10 + n % 8, ["Ada", "Bea"][n % 2]);
        let content = format!("Message number{n} {}", "word ".repeat(60));
        json!({"speaker": who, "timestamp": format!("2026-03-{day:02} {hour}:00:00"), "content": content})
    };
    let messages: Vec<Value> = (0..120).map(message).collect();
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}page_kilobytes = 40\n"))
        .file("content/a.json", json!({ "messages": messages }).to_string());
    site.build(0);
    let pages = pages(&site);
    assert!(pages.len() > 2, "{}", pages.len());
    for (folder, page) in &pages {
        let (_, first) = turns(page).split_once("<p>Message number").expect("a message");
        let number: usize = first.split(' ').next().and_then(|n| n.parse().ok()).expect("a number");
        assert_eq!(number % 8, 0, "{folder}");
        assert!(!page.contains("class=\"outline\""));
    }
}

/// Parts of a log with few visible turns share a page.
#[test]
fn a_log_with_few_visible_turns_has_no_tiny_parts() {
    let mut log = String::new();
    let mut parent: Option<String> = None;
    for n in 0..3 {
        for role in ["user", "assistant"] {
            let uuid = format!("{role}{n}");
            let content = match role {
                "user" => json!(format!("Prompt {n}")),
                _ => json!([{"type": "text", "text": format!("Answer {n}")}]),
            };
            let record = json!({
                "type": role, "uuid": uuid, "parentUuid": parent, "sessionId": "s1",
                "version": "2.1.0", "timestamp": format!("2026-03-01T10:0{n}:00Z"),
                "message": {"role": role, "id": uuid, "content": content},
            });
            log.push_str(&format!("{record}\n"));
            parent = Some(uuid);
        }
        let hidden = json!({
            "type": "file-history-snapshot", "messageId": format!("h{n}"),
            "snapshot": {"note": "x".repeat(540_000)},
        });
        log.push_str(&format!("{hidden}\n"));
    }
    let site = SiteTest::new().file("site.toml", BASE).file("content/s.jsonl", log);
    site.build(0);
    let pages = pages(&site);
    assert_eq!(pages.len(), 1, "{:?}", pages.keys());
    let page = pages.values().next().expect("a page");
    assert_eq!(prompts(page), [true, false, true, false, true, false]);
}

/// A fork is complete on one page, and nothing is lost between pages.
#[test]
fn a_fork_is_not_split() {
    let message = |index: u32, preferred: Option<bool>, text: &str| {
        let mut message = json!({
            "id": text, "role": if index.is_multiple_of(2) { "user" } else { "assistant" },
            "index": index, "messageType": "text", "content": text,
        });
        if let Some(preferred) = preferred {
            message["isPreferred"] = preferred.into();
        }
        message
    };
    let mut messages = Vec::new();
    for index in 0..20 {
        if index == 10 {
            messages.push(message(index, Some(true), "kept10"));
            messages.push(message(index, Some(false), "other10"));
        } else {
            messages.push(message(index, None, &format!("kept{index}")));
        }
    }
    let schema = "https://schema.cjson.dev/0/conversation/cjson-0.1.0-SNAPSHOT.schema.json";
    let talk = json!({"id": "x", "schemaUrl": schema, "title": "Fork", "messages": messages});
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}page_turns = 10\n"))
        .file("content/a.cjson.json", talk.to_string());
    site.build(0);
    let pages = pages(&site);
    let all: String = pages.values().map(String::as_str).collect();
    assert!(pages.len() > 1);
    for index in 0..20 {
        assert_eq!(all.matches(&format!("<p>kept{index}</p>")).count(), 1, "{index}");
    }
    let with =
        |text: &str| pages.iter().find(|(_, page)| page.contains(text)).map(|(path, _)| path);
    assert!(with("<p>other10</p>").is_some());
    assert_eq!(with("<p>kept10</p>"), with("<p>other10</p>"));
}
