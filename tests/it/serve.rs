//! The live preview: what it serves, to whom, and when it updates.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::preview::{Preview, next_event, status, until};
use crate::support::recordings::{self, wav};
use crate::support::talks::{edit, page_of_a, two_conversations};
use crate::support::{BASE, convo, files_below};

#[test]
fn the_preview_equals_the_site_byte_for_byte() {
    let site = crate::support::example();
    site.build(0);
    let preview = Preview::start(&site, &["--port", "0"]);
    let built = site.output();
    assert!(built.len() > 100);
    // The list of output files is for the next build.
    for (path, bytes) in built.iter().filter(|(path, _)| *path != ".convo-site-files") {
        let (status, mut body) =
            preview.get(&format!("/tidal-mill/{}", convo_site::text::percent_encode(path)));
        assert_eq!(status, 200, "{path}");
        if path.ends_with(".html") {
            let text = String::from_utf8(body).expect("UTF-8");
            let script = "<script src=\"/.convo-site/live.js\" data-build=\"";
            let at = text.find(script).unwrap_or_else(|| panic!("no script in {path}"));
            let end = at + text[at..].find("</body>").expect("an end");
            body = [&text.as_bytes()[..at], &text.as_bytes()[end..]].concat();
        }
        assert!(body == *bytes, "{path}");
    }
    assert_eq!(preview.get("/").0, 302);
    assert_eq!(preview.get("/tidal-mill").0, 302);
    assert_eq!(preview.get("/tidal-mill/archive").0, 302);
    let (status, body) = preview.get("/tidal-mill/nowhere/");
    assert!(status == 404 && String::from_utf8_lossy(&body).contains("Page not found"));
}

#[test]
fn other_hosts_may_not_read() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let port = preview.port;
    let with = |headers: &str| preview.get_with("/base/", headers);
    for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]", "a.localhost"] {
        assert_eq!(with(&format!("Host: {host}:{port}\r\n")).0, 200, "{host}");
        assert_eq!(with(&format!("Host: {host}\r\n")).0, 200, "{host}");
    }
    for host in [
        "evil.example", "127.0.0.1.nip.io", "localhost.evil.example", "0.0.0.0", "2130706433",
        "localhost.", "10.1.2.3", "[fe80::1]", "x@localhost",
    ] {
        let (status, body) = with(&format!("Host: {host}:{port}\r\n"));
        assert!((400..404).contains(&status), "{host}: {status}");
        assert!(!String::from_utf8_lossy(&body).contains("Servus"), "{host}");
    }
    assert_eq!(with("").0, 400);
    assert_eq!(with("Host:\r\n").0, 403);
    assert_eq!(with("Host: localhost\r\nHost: localhost\r\n").0, 400);
    let absolute = format!("http://evil.example:{port}/base/");
    assert_eq!(preview.get_with(&absolute, "Host: localhost\r\n").0, 403);
    let host = format!("Host: localhost:{port}\r\n");
    for (headers, expected) in [
        ("Origin: http://evil.example\r\n", 403),
        ("Origin: null\r\n", 403),
        ("Origin: http://127.0.0.1:1\r\n", 403),
        ("Origin: http://localhost:1\r\n", 403),
        (
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: script\r\n",
            403,
        ),
        ("Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n", 403),
        (
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
            403,
        ),
        (
            "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
            200,
        ),
        ("Sec-Fetch-Site: same-origin\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n", 200),
    ] {
        assert_eq!(with(&format!("{host}{headers}")).0, expected, "{headers}");
    }
    assert_eq!(with(&format!("{host}Origin: http://localhost:{port}\r\n")).0, 200);
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "X"] {
        let request = format!(
            "{method} /base/ HTTP/1.1\r\n{host}Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        let status = status(&preview.send(request.as_bytes()));
        assert!([400, 405].contains(&status), "{method}: {status}");
    }
    let request = format!("HEAD /base/ HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
    let head = preview.send(request.as_bytes());
    assert!(status(&head) == 200 && head.ends_with(b"\r\n\r\n"));
    let head = String::from_utf8(head).expect("UTF-8");
    assert!(!head.to_lowercase().contains("access-control"), "{head}");
    assert!(head.contains("cross-origin-resource-policy: same-origin"), "{head}");
}

#[test]
fn range_requests_are_checked_like_others() {
    let site =
        recordings::site(&[("talk.vtt", recordings::TALK.as_bytes()), ("talk.wav", &wav(100))]);
    site.build(0);
    let [stored] = recordings::recordings(&site).try_into().expect("one recording");
    let preview = Preview::start(&site, &["--port", "0"]);
    let requested = |method: &str, range: &str| {
        let head = "Host: localhost\r\nConnection: close\r\n\r\n";
        let request = format!("{method} /base/{stored} HTTP/1.1\r\nRange: {range}\r\n{head}");
        let answer = preview.send(request.as_bytes());
        let text = String::from_utf8_lossy(&answer).to_ascii_lowercase();
        let (head, _) = text.split_once("\r\n\r\n").expect("a head");
        (status(&answer), head.to_owned())
    };
    let whole = format!("content-length: {}", wav(100).len());
    for (range, expected) in [("bytes=4-7", 206), ("bytes=9999-", 416)] {
        assert_eq!(requested("GET", range).0, expected);
        let (status, head) = requested("HEAD", range);
        assert!(status == 200 && head.contains(&whole), "{head}");
    }
}

#[test]
fn no_path_leaves_the_site() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let up = [
        "..", "%2e%2e", "%2E.", "..%2f..", "..%5c..", "..\\", "....//", "%252e%252e", ".%00.",
        "..;", "~", "C:", "//", "%c0%ae%c0%ae",
    ];
    let files =
        ["site.toml", "content/a.convo", "content/p.convo", ".convo-site/heads", "etc/passwd"];
    for start in ["/", "/base/", "/base/c/", "/.convo-site/", "//"] {
        for up in up {
            for file in files {
                for path in
                    [format!("{start}{up}/{file}"), format!("{start}{up}/{up}/{file}?raw??")]
                {
                    let (status, body) = preview.get(&path);
                    assert!([0, 302, 400, 404].contains(&status), "{path}: {status}");
                    let body = String::from_utf8_lossy(&body);
                    assert!(!body.contains("base_url") && !body.contains("Zyzzyva"), "{path}");
                }
            }
        }
    }
    for path in files {
        assert_eq!(preview.get(&format!("/base/{path}")).0, 404, "{path}");
        assert_eq!(preview.get(&format!("/{path}")).0, 404, "{path}");
    }
}

#[test]
fn no_client_can_stop_it() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let before = preview.memory();
    let host = "Host: localhost\r\n";
    let mut requests: Vec<Vec<u8>> = [
        format!("POST / HTTP/1.1\r\n{host}Content-Length: 1000000000000\r\n\r\nx"),
        format!("GET / HTTP/1.1\r\n{host}Content-Length: 1000000000000\r\n\r\n"),
        format!("POST / HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n"),
        format!("POST / HTTP/1.1\r\n{host}Content-Length: 99999999999999999999\r\n\r\n"),
        format!("POST / HTTP/1.1\r\n{host}Transfer-Encoding: xchunked\r\n\r\n"),
        format!("POST / HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"),
        format!("POST / HTTP/1.1\r\n{host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(1 << 20)),
        format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", "a".repeat(64 << 20)),
        format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(10_000)),
        format!("GET / HTTP/1.1\r\n{host}X: a\r\n b\r\n\r\n"),
        format!("GET / HTTP/1.1\n{host}\n"),
        format!("GET / HTTP/2.0\r\n{host}\r\n"),
        format!("GET / HTTP/1.1\r\n{host}\0: x\r\n\r\n"),
        format!("GET /\0 HTTP/1.1\r\n{host}\r\n"),
        "GET /\r\n\r\n".to_owned(),
        "\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
    ]
    .map(String::into_bytes)
    .into();
    requests.push(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec());
    let mut noise = 1_u32;
    for len in 1..300 {
        let mut random = || {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 24) as u8
        };
        requests.push((0..len).map(|_| random()).collect());
    }
    for request in &requests {
        let answer = preview.send(request);
        let shown = String::from_utf8_lossy(&request[..request.len().min(60)]).into_owned();
        assert!(answer.is_empty() || status(&answer) >= 300, "{shown}");
        assert_eq!(preview.get("/base/").0, 200, "{shown}");
    }
    // Idle, half-open, listening and slow clients, all at once.
    let mut held = Vec::new();
    for index in 0..300 {
        let mut stream = preview.connect();
        let request: &[u8] = match index % 3 {
            0 => b"",
            1 => b"GET /base/ HTTP/1.1\r\nHost: local",
            _ => b"GET /.convo-site/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        };
        let _ = stream.write_all(request);
        held.push(stream);
        if index % 50 == 49 {
            let started = Instant::now();
            assert_eq!(preview.get("/base/").0, 200);
            assert!(started.elapsed() < Duration::from_secs(2), "{index}");
        }
    }
    // Beyond the limit, the oldest connection is closed.
    for _ in 0..300 {
        held.push(preview.connect());
    }
    assert_eq!(preview.get("/base/").0, 200);
    let threads = fs::read_dir(format!("/proc/{}/task", preview.process.id()));
    let threads = threads.expect("a process").count();
    assert!(threads < 40, "{threads} threads");
    drop(held);
    let grown = preview.memory().saturating_sub(before);
    assert!(grown < 40 << 20, "{grown} bytes more");
    // A request whose header does not arrive is dropped.
    let mut slow = preview.connect();
    slow.write_all(b"GET / HTTP/1.1\r\n").expect("sent");
    let started = Instant::now();
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer);
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_used_port_is_replaced_by_the_next_one() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", &port.to_string()]);
    assert!(
        preview.messages().contains(&format!("port {port} is in use")),
        "{}",
        preview.messages()
    );
    assert!(preview.port > port && preview.get("/base/").0 == 200);
    let run = site.run(&["serve", "--bind", "203.0.113.1"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot listen on 203.0.113.1:3000"), "{}", run.stderr);
    let run = site.run(&["serve", "nowhere"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn it_ends_at_once() {
    let site = two_conversations();
    let mut preview = Preview::start(&site, &["--port", "0"]);
    let _events = preview.events();
    let pid = preview.process.id().to_string();
    // It handles no signals, so each has its default effect. In a background job, INT is ignored
    // for the tests and thus for this program.
    Command::new("sh").args(["-c", &format!("kill -TERM {pid}")]).status().expect("sent");
    let started = Instant::now();
    preview.process.wait().expect("ended");
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[test]
fn drafts_are_shown_when_asked_for() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    assert!(!preview.text("/base/").contains("Zyzzyva"));
    let preview = Preview::start(&site, &["--port", "0", "--drafts"]);
    assert!(preview.text("/base/").contains("Zyzzyva"));
    assert!(!site.path("public").exists());
}

/// Everything that editors, version control and people do to files.
#[test]
fn every_change_is_detected() {
    for args in [&["--port", "0"][..], &["--port", "0", "--poll"]] {
        let site = two_conversations();
        let preview = Preview::start(&site, args);
        let a = page_of_a(&preview);
        let shows = |text: &'static str| preview.wait_for_text(&a, |page| page.contains(text));
        edit(&site, "Yes.", "Written.");
        shows("Written.");
        if args.len() == 2 {
            preview.wait_for("content/a.convo: ");
        }
        // vim renames the old file to a backup and writes a new one.
        let text = fs::read_to_string(site.path("content/a.convo")).expect("text");
        fs::rename(site.path("content/a.convo"), site.path("content/a.convo~")).expect("renamed");
        site.write("content/a.convo", text.replace("Written.", "Replaced."));
        fs::remove_file(site.path("content/a.convo~")).expect("removed");
        shows("Replaced.");
        // Most other editors move a new file over the old one.
        site.write("content/.a.tmp", text.replace("Written.", "Moved over."));
        fs::rename(site.path("content/.a.tmp"), site.path("content/a.convo")).expect("renamed");
        shows("Moved over.");
        // Deleted, and restored after a while.
        fs::remove_file(site.path("content/a.convo")).expect("removed");
        until(|| preview.get(&a).0 == 404, || a.clone());
        site.write("content/a.convo", text.replace("Written.", "Back again."));
        shows("Back again.");
        // Folders.
        let home = |text: &'static str, is_there: bool| {
            preview.wait_for_text("/base/", |page| page.contains(text) == is_there);
        };
        site.write("content/new/deep/n.convo", convo("Newcomer."));
        home("Newcomer.", true);
        site.write("content/new/deep/n.convo", convo("Newest."));
        home("Newest.", true);
        fs::rename(site.path("content/new"), site.path("content/other")).expect("renamed");
        site.write("content/other/deep/m.convo", convo("Moved folder."));
        home("Moved folder.", true);
        fs::remove_dir_all(site.path("content/other")).expect("removed");
        home("Moved folder.", false);
        // Templates: first in a new folder, then in an existing one.
        site.write("templates/not_found.html", "Nothing here.</body>");
        preview.wait_for_text("/base/x", |page| page.starts_with("Nothing here."));
        fs::remove_dir_all(site.path("templates")).expect("removed");
        preview.wait_for_text("/base/x", |page| page.contains("Page not found"));
        site.write("templates/not_found.html", "Nothing again.</body>");
        preview.wait_for_text("/base/x", |page| page.starts_with("Nothing again."));
        // Custom texts of the site.
        site.write("locales/en.toml", "[search]\nsearch = \"Seek\"\n");
        home("placeholder=\"Seek\"", true);
        site.write("locales/en.toml", "[search]\nsearch = \"Look up\"\n");
        home("placeholder=\"Look up\"", true);
        // An image beside site.toml.
        let logo = "[look]\nlogo = \"logo.svg\"\n";
        let config = fs::read_to_string(site.path("site.toml")).expect("text");
        site.write("logo.svg", "<svg/>");
        site.write("site.toml", format!("{config}{logo}"));
        home("/assets/logo.", true);
        let before = preview.text("/base/");
        site.write("logo.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        preview.wait_for_text("/base/", |page| page.contains("/assets/logo.") && page != before);
        // The configuration.
        site.write("site.toml", format!("{BASE}title = \"Renamed\"\n"));
        home("<title>Renamed", true);
        fs::remove_file(site.path("site.toml")).expect("removed");
        until(|| preview.messages().contains("the preview was not updated"), || preview.messages());
        home("<title>Renamed", true);
        site.write("site.toml", format!("{BASE}title = \"Restored\"\n"));
        home("<title>Restored", true);
        // The whole content folder.
        fs::rename(site.path("content"), site.path("elsewhere")).expect("renamed");
        // A moved content folder is different from an empty one.
        until(|| preview.messages().contains("no-content-folder"), || preview.messages());
        fs::rename(site.path("elsewhere"), site.path("content")).expect("renamed");
        shows("Back again.");
    }
}

/// Thousands of files in new folders, created faster than they can be watched: none is missed, and
/// the site is not rebuilt for each of them.
#[test]
fn many_quick_changes_cause_one_build() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let mut events = preview.events();
    for number in 0..4_000 {
        let path = site.path(&format!("content/s{}/c{number}.convo", number % 100));
        let _ = fs::create_dir_all(path.parent().expect("a folder"));
        let temporary = path.with_extension("tmp");
        fs::write(&temporary, convo(&format!("Storm {number}."))).expect("written");
        fs::rename(temporary, path).expect("renamed");
    }
    let count = "4,002 conversations";
    preview.wait_for_text("/base/", |page| page.contains(count));
    // After the second scan, nothing happens any more.
    std::thread::sleep(Duration::from_millis(2500));
    assert!(preview.text("/base/").contains(count));
    let stream = events.get_mut();
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a timeout");
    let mut builds = 0;
    while next_event(&mut events).is_some() {
        builds += 1;
    }
    assert!((1..=4).contains(&builds), "{builds} builds");
}

#[test]
fn an_idle_preview_uses_no_processor_time() {
    let site = two_conversations();
    let preview = Preview::start(&site, &["--port", "0"]);
    let _events = preview.events();
    let _ = preview.get("/base/");
    std::thread::sleep(Duration::from_millis(2500));
    let ticks = || {
        let stat = fs::read_to_string(format!("/proc/{}/stat", preview.process.id()));
        let stat = stat.expect("a process");
        let fields: Vec<u64> = stat
            .rsplit(") ")
            .next()
            .expect("fields")
            .split(' ')
            .filter_map(|f| f.parse().ok())
            .collect();
        // After the state and ten more numbers come user and system time.
        (fields[10], fields[11])
    };
    let before = ticks();
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(ticks(), before);
}

#[test]
fn nothing_is_written() {
    let site = two_conversations();
    let before: Vec<PathBuf> = files_below(&site.path("")).into_keys().map(PathBuf::from).collect();
    let preview = Preview::start(&site, &["--port", "0"]);
    let _ = preview.get("/base/");
    edit(&site, "Yes.", "No.");
    preview.wait_for("content/a.convo: ");
    let after: Vec<PathBuf> = files_below(&site.path("")).into_keys().map(PathBuf::from).collect();
    assert_eq!(before, after);
}
