//! The author's changes in the preview: what they do, and who cannot make them.

use std::fs;
use std::io::{Read, Write};

use serde_json::{Value, json};

use crate::support::preview::{Preview, status};
use crate::support::talks::{page_of_a, two_conversations};
use crate::support::{SiteTest, convo};

/// The secret of a preview, from one of its pages.
fn token(preview: &Preview) -> String {
    let page = preview.text("/base/");
    let rest = page.split("data-token=\"").nth(1).expect("a secret");
    rest.split('"').next().expect("an end").to_owned()
}

/// Sends a change with these headers, besides those that every request has.
fn send(preview: &Preview, headers: &str, body: &str) -> (u16, String) {
    let len = body.len();
    let request = format!(
        "POST /.convo-site/edit HTTP/1.1\r\n{headers}Content-Length: {len}\r\nConnection: close\r\n\r\n{body}"
    );
    let mut stream = preview.connect();
    // It may refuse the request before it was sent.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer).into_owned();
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status(&answer), body.to_owned())
}

/// The headers of a change by a page of the preview.
fn headers(preview: &Preview, token: &str) -> String {
    let port = preview.port;
    format!(
        "Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\nContent-Type: application/json\r\n\
         Sec-Fetch-Site: same-origin\r\nX-Convo-Site-Token: {token}\r\n"
    )
}

fn edits(site: &SiteTest) -> String {
    fs::read_to_string(site.path("edits.toml")).unwrap_or_default()
}

#[test]
fn the_author_changes_a_conversation() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let page = page_of_a(&preview);
    let headers = headers(&preview, &token(&preview));
    let change = |change: Value| {
        let body = json!({"pages": [page], "change": change}).to_string();
        send(&preview, &headers, &body)
    };
    let about = || -> Value {
        let (status, body) = preview.get(&format!("/.convo-site/edit?{page}"));
        assert_eq!(status, 200);
        serde_json::from_slice(&body).expect("JSON")
    };
    assert_eq!(about()["undo"], false);
    let turn = preview.text(&page);
    let turn = turn.split("<article ").nth(2).and_then(|rest| rest.split("id=\"").nth(1));
    let turn = turn.and_then(|rest| rest.split('"').next()).expect("a turn").to_owned();
    for one in [
        json!({"title": "The other mill"}),
        json!({"tags": ["mills", "tides"]}),
        json!({"hide": turn}),
        json!({"redact": "Hello"}),
    ] {
        let (status, body) = change(one.clone());
        assert_eq!((status, body.as_str()), (200, "{\"changed\":true}"), "{one}");
    }
    let text = edits(&site);
    for there in ["title = \"The other mill\"", "tags = [\"mills\", \"tides\"]", &turn, "Hello"] {
        assert!(text.contains(there), "{there}: {text}");
    }
    // The page moves with its title.
    preview.wait_for_text("/base/archive/", |text| text.contains("The other mill"));
    let moved = preview.text("/base/archive/");
    let moved = moved.split("href=\"").find(|rest| rest.contains("the-other-mill"));
    let moved = moved.and_then(|rest| rest.split('"').next()).expect("a page");
    let moved = format!("/base/{}", &moved[moved.find("c/").expect("a conversation")..]);
    preview.wait_for_text(&moved, |text| !text.contains(&turn) && !text.contains("Hello"));
    let undo = json!({"pages": [moved]}).to_string();
    for _ in 0..4 {
        assert_eq!(send(&preview, &headers, &undo).0, 200);
    }
    assert_eq!(edits(&site), "");
    let (status, body) = send(&preview, &headers, &undo);
    assert_eq!(status, 409);
    assert!(body.contains("nothing to undo"), "{body}");
    preview.wait_for_text(&page, |text| text.contains("Hello"));

    // A change of the file by hand is not undone.
    assert_eq!(change(json!({"title": "Mill"})).0, 200);
    site.write("edits.toml", edits(&site) + "# Mine\n");
    let (status, body) = send(&preview, &headers, &undo);
    assert_eq!(status, 409, "{body}");
    let with_mine = edits(&site);
    assert!(with_mine.ends_with("# Mine\n"));
    site.write("edits.toml", with_mine.replace("# Mine\n", ""));
    assert_eq!(send(&preview, &headers, &undo).0, 200);
    assert_eq!(change(json!("withhold")).0, 200);
    assert!(edits(&site).contains("visibility = \"private\""));
    assert_eq!(send(&preview, &headers, &undo).0, 200);
    for wrong in [json!({"hide": "t0"}), json!({"redact": "not there"}), json!({"redact": " "})] {
        let (status, body) = change(wrong);
        assert_eq!(status, 409, "{body}");
        assert!(body.contains("\"error\":\""), "{body}");
    }
    assert_eq!(change(json!({"unknown": 1})).0, 400);
    let elsewhere = json!({"pages": ["/base/archive/"], "change": {"title": "A"}}).to_string();
    assert_eq!(send(&preview, &headers, &elsewhere).0, 409);
}

#[test]
fn the_author_changes_many_conversations_at_once() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0", "--include-private"]);
    let headers = headers(&preview, &token(&preview));
    let list = || -> Value {
        let (status, body) = preview.get("/.convo-site/rows");
        assert_eq!(status, 200);
        serde_json::from_slice(&body).expect("JSON")
    };
    let rows = list()["rows"].as_array().expect("rows").clone();
    let states: Vec<&Value> = rows.iter().map(|row| &row["state"]).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert_eq!(states.iter().filter(|state| ***state == "is private").count(), 1, "{states:?}");
    let pages: Vec<&Value> = rows.iter().map(|row| &row["page"]).collect();
    let change = |pages: &[&Value], change: Value| {
        let body = json!({"pages": pages, "change": change}).to_string();
        send(&preview, &headers, &body)
    };
    assert_eq!(change(&pages, json!({"tag": ["mills"]})).0, 200);
    assert_eq!(edits(&site).matches("tags = [\"mills\"]").count(), 3, "{}", edits(&site));
    preview.wait_for_text("/.convo-site/rows", |text| text.matches("mills").count() == 3);
    // A second tag is added to the first.
    assert_eq!(change(&pages[..1], json!({"tag": ["tides", "mills"]})).0, 200);
    assert!(edits(&site).contains("tags = [\"mills\", \"tides\"]"), "{}", edits(&site));
    assert_eq!(change(&pages, json!({"collection": "Water"})).0, 200);
    preview.wait_for_text("/.convo-site/rows", |text| text.contains("tides"));
    assert_eq!(change(&pages, json!("withhold")).0, 200);
    preview.wait_for_text("/.convo-site/rows", |text| text.matches("is private").count() == 3);
    // What its file says stays.
    assert_eq!(change(&pages, json!("publish")).0, 200);
    preview.wait_for_text("/.convo-site/rows", |text| text.matches("is private").count() == 1);
    // Undo takes back all of a change.
    let undo = json!({"pages": []}).to_string();
    for _ in 0..5 {
        assert_eq!(send(&preview, &headers, &undo).0, 200);
    }
    assert_eq!(edits(&site), "");
    // A change that is too long for one request is one step too.
    let part = |pages: &[&Value], continues: bool| {
        let body = json!({"pages": pages, "change": {"tag": ["mills"]}, "continues": continues});
        send(&preview, &headers, &body.to_string())
    };
    assert_eq!(
        change(&pages[..1], json!({"title": "Own"})),
        (200, "{\"changed\":true}".to_owned())
    );
    assert_eq!(part(&pages[..1], false).0, 200);
    assert_eq!(part(&pages[..1], true), (200, "{\"changed\":false}".to_owned()));
    assert_eq!(part(&pages[1..], true).0, 200);
    assert_eq!(edits(&site).matches("mills").count(), 3, "{}", edits(&site));
    assert_eq!(send(&preview, &headers, &undo).0, 200);
    assert!(edits(&site).contains("Own") && !edits(&site).contains("mills"), "{}", edits(&site));
    assert_eq!(send(&preview, &headers, &undo).0, 200);
    assert_eq!(edits(&site), "");
    // One page that is not a conversation changes nothing.
    let other = json!("/base/archive/");
    assert_eq!(change(&[pages[0], &other], json!("withhold")).0, 409);
    assert_eq!(edits(&site), "");
}

/// The table of conversations is for the author alone.
#[test]
fn nobody_else_sees_the_table() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0", "--read-only"]);
    for path in ["/.convo-site/conversations", "/.convo-site/rows", "/.convo-site/table.js"] {
        assert_ne!(preview.get(path).0, 200, "{path}");
    }
}

#[test]
fn nobody_else_changes_anything() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let page = page_of_a(&preview);
    let own = headers(&preview, &token(&preview));
    let port = preview.port;
    let body = json!({"pages": [page], "change": {"title": "Stolen"}}).to_string();
    let without = |name: &str| -> String {
        let start = name.to_lowercase();
        let kept =
            own.split_inclusive("\r\n").filter(|line| !line.to_lowercase().starts_with(&start));
        kept.collect()
    };
    let instead = |name: &str, line: &str| format!("{}{line}\r\n", without(name));
    let host = format!("Host: evil.example:{port}");
    let origin = format!("Origin: http://localhost:{}", port.wrapping_add(1));
    for headers in [
        without("x-convo-site-token"),
        instead("x-convo-site-token", &format!("X-Convo-Site-Token: {}", "0".repeat(32))),
        format!("{own}X-Convo-Site-Token: 0\r\n"),
        without("origin"),
        instead("origin", "Origin: http://evil.example"),
        instead("origin", "Origin: null"),
        instead("origin", &origin),
        // A name that was pointed to this computer.
        format!(
            "{}Origin: http://evil.example:{port}\r\n{host}\r\n",
            without("host").replace("Origin", "X-Origin")
        ),
        without("content-type"),
        // What a form can send without asking.
        instead("content-type", "Content-Type: text/plain"),
        instead("sec-fetch-site", "Sec-Fetch-Site: cross-site"),
        instead("sec-fetch-site", "Sec-Fetch-Site: same-site"),
        format!("{own}Sec-Fetch-Site: same-origin\r\n"),
    ] {
        let (status, _) = send(&preview, &headers, &body);
        assert!((400..404).contains(&status), "{headers}: {status}");
        assert_eq!(edits(&site), "", "{headers}");
    }
    let large = json!({"pages": [page], "change": {"title": "x".repeat(100_000)}}).to_string();
    assert_eq!(send(&preview, &own, &large).0, 400);
    for method in ["PUT", "DELETE", "OPTIONS"] {
        let request =
            format!("{method} /.convo-site/edit HTTP/1.1\r\n{own}Connection: close\r\n\r\n");
        assert_eq!(status(&preview.send(request.as_bytes())), 405, "{method}");
    }
    assert_eq!(edits(&site), "");
    assert_eq!(send(&preview, &own, &body).0, 200);
}

#[test]
fn a_preview_can_be_read_only() {
    let site = two_conversations();
    let file = SiteTest::new().file("talks/talk.convo", convo("Hello."));
    fs::remove_file(file.path("site.toml")).expect("removed");
    for (site, args, page) in [
        (&site, &["--port", "0", "--read-only"][..], "/base/"),
        (&file, &["talks", "--port", "0"], "/"),
    ] {
        let preview = Preview::start(site, args);
        let page = preview.text(page);
        assert!(page.contains("live.js") && !page.contains("author.js"), "{page}");
        let (status, _) = send(&preview, &headers(&preview, ""), "{}");
        assert_eq!(status, 405);
        assert_ne!(preview.get("/.convo-site/author.js").0, 200);
    }
}
