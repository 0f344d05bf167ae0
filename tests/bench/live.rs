//! The time from an edit of a file to the event in an open page.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{PROGRAM, Site, median};
#[path = "../browser/browser.rs"]
#[allow(dead_code, clippy::disallowed_methods, reason = "shared with the tests")]
mod browser;

/// The number of measured edits.
const EDITS: usize = 20;

/// Times edits with a headless Chromium, if there is one.
pub(crate) fn run(site: &Site) {
    let found = Command::new("chromium").arg("--version").stdout(Stdio::null()).status();
    if found.is_err() {
        return println!("\nno Chromium, so no edit was timed");
    }
    let mut server = Command::new(PROGRAM)
        .args(["serve", "--port", "0"])
        .arg(&site.folder)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let started = Instant::now();
    let lines = BufReader::new(server.stderr.take().expect("piped")).lines();
    let mut lines = lines.map_while(Result::ok);
    let address = lines.find_map(|line| {
        line.strip_prefix("the site is at ")?.split(' ').next().map(str::to_owned)
    });
    let usable = started.elapsed();
    std::thread::spawn(move || lines.for_each(drop));
    let address = address.expect("an address");
    let mut page = browser::Browser::start_live(address.trim_end_matches('/'));
    page.open("/");
    std::thread::sleep(Duration::from_secs(3));
    page.evaluate(
        "document.addEventListener('convo-site-build', () => { (window.__times ??= []).push(Date.now()) })",
    );
    let file = site.some_file();
    let mut times = Vec::new();
    for number in 0..EDITS {
        page.evaluate("void (window.__times = [])");
        let before = std::time::SystemTime::now();
        site.edit(&file, number);
        page.wait_for("window.__times.length > 0");
        let Value::Number(at) = page.evaluate("window.__times[0]") else { continue };
        let before = before.duration_since(std::time::UNIX_EPOCH).expect("a time");
        times.push(at.as_f64().expect("a number") - before.as_secs_f64() * 1000.0);
        // Waits for the second scan after a change.
        std::thread::sleep(Duration::from_millis(1300 + number as u64 * 7));
    }
    let memory = std::fs::read_to_string(format!("/proc/{}/status", server.id()));
    let memory = memory.unwrap_or_default();
    let memory = memory.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    println!(
        "\nPreview: usable after {:.2} s; from an edit to the event in the browser {:.0} ms \
         (median of {}); peak memory {}",
        usable.as_secs_f64(),
        median(times.iter().copied()),
        times.len(),
        memory.unwrap_or("unknown").trim(),
    );
    let _ = server.kill();
    let _ = server.wait();
}
