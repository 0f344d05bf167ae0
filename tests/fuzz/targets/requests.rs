//! Requests to the preview: any bytes get an answer or none, and only pages of this machine get the text of
//! the site.
#![no_main]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, LazyLock, mpsc};
use std::time::Duration;

use convo_site::disk::Disk;
use convo_site::files::SharedFiles;
use convo_site::pipeline::Choices;
use convo_site::serve::{self, Event, Watching};
use libfuzzer_sys::fuzz_target;

/// What is said in the only conversation of the site.
const SAID: &str = "Lapsang souchong";

/// The port of the preview, which lasts as long as this process.
static PORT: LazyLock<u16> = LazyLock::new(|| {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (built, is_built) = mpsc::channel();
    std::thread::spawn(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).expect("written");
        };
        std::fs::create_dir(folder.path().join("content")).expect("a folder");
        write("site.toml", "base_url = \"https://site.example/base/\"\n");
        write(
            "content/tea.convo",
            &format!(
                "### @Ada\n{SAID}\n\n----\n{{\"type\": \"dialog\", \"time\": \
                 \"2026-01-02\", \"participants\": [\"Ada\"]}}\n"
            ),
        );
        let tell = |event: Event<'_>| {
            if matches!(event, Event::Built { .. }) {
                let _ = built.send(());
            }
        };
        let choices = Choices::default();
        let open = || -> SharedFiles { Arc::new(Disk::new(folder.path())) };
        let site = serve::Site { folder: folder.path(), open: &open, watched: None };
        let _ = serve::run(&site, folder.path(), listener, choices, Watching::Native, &tell);
    });
    is_built.recv_timeout(Duration::from_secs(60)).expect("a site");
    let page = answer(
        port,
        b"GET /base/ HTTP/1.1\r\nHost: localhost\r\n\
        Connection: close\r\n\r\n",
    );
    assert!(holds(&page, SAID), "the control: {}", String::from_utf8_lossy(&page));
    port
});

fuzz_target!(|request: &[u8]| {
    let answer = answer(*PORT, request);
    if answer.is_empty() {
        return;
    }
    assert!(answer.starts_with(b"HTTP/1."), "{}", String::from_utf8_lossy(&answer));
    if !holds(&answer, SAID) {
        return;
    }
    let lower = request.to_ascii_lowercase();
    let ours = ["localhost", "127.", "[::1]", "[0"];
    assert!(ours.iter().any(|name| holds(&lower, name)), "told to a stranger");
    // Of several requests in a row each one stands for itself.
    let lower = String::from_utf8_lossy(&lower).replace("\r\n", "\n");
    if lower.matches("\n\n").count() == 1 && lower.ends_with("\n\n") {
        for origin in lower.lines().filter_map(|line| line.strip_prefix("origin:")) {
            assert!(ours.iter().any(|name| origin.contains(name)), "told to {origin}");
        }
    }
});

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Everything that comes back for these bytes.
fn answer(port: u16, request: &[u8]) -> Vec<u8> {
    let mut stream = loop {
        match TcpStream::connect(("127.0.0.1", port)) {
            Ok(stream) => break stream,
            // All ports of this side are in use for a moment.
            Err(_) => std::thread::sleep(Duration::from_millis(200)),
        }
    };
    // It may hang up at any byte.
    let _ = stream.write_all(request);
    // Who says that nothing more comes before the answer is there gets none.
    let mut patience = Some(Duration::from_millis(20));
    let mut answer = Vec::new();
    let mut buffer = [0; 16 << 10];
    loop {
        let wait = patience.unwrap_or(Duration::from_secs(20));
        stream.set_read_timeout(Some(wait)).expect("a timeout");
        match stream.read(&mut buffer) {
            Ok(0) => return answer,
            Ok(read) => answer.extend_from_slice(&buffer[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                // It has no end, and closes only where nothing came after the request.
                if holds(&answer, "text/event-stream") {
                    return answer;
                }
                assert!(patience.take().is_some(), "no end after {} bytes", answer.len());
                let _ = stream.shutdown(Shutdown::Write);
            }
            Err(_) => return answer,
        }
    }
}
