//! A running `convo-site serve`, and requests to it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::SiteTest;

/// A running preview, which stops with the test.
pub(crate) struct Preview {
    pub(crate) process: Child,
    pub(crate) port: u16,
    messages: Arc<Mutex<String>>,
}

impl Preview {
    pub(crate) fn start(site: &SiteTest, args: &[&str]) -> Self {
        Self::start_in(site, args, &[])
    }

    pub(crate) fn start_in(site: &SiteTest, args: &[&str], env: &[(&str, &str)]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_convo-site"))
            .arg("serve")
            .args(args)
            .envs(env.iter().copied())
            .current_dir(site.path(""))
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs");
        let messages = Arc::new(Mutex::new(String::new()));
        let received = messages.clone();
        let stderr = process.stderr.take().expect("piped");
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                received.lock().expect("a lock").push_str(&format!("{line}\n"));
            }
        });
        let mut preview = Self { process, port: 0, messages };
        preview.wait_for("the site is at http://");
        let messages = preview.messages();
        let address = messages.split("http://").nth(1).expect("an address");
        let port = address.split([':', '/']).nth(1).expect("a port");
        preview.port = port.parse().expect("a number");
        preview
    }

    pub(crate) fn messages(&self) -> String {
        self.messages.lock().expect("a lock").clone()
    }

    #[track_caller]
    pub(crate) fn wait_for(&self, what: &str) {
        until(|| self.messages().contains(what), || format!("{what}: {}", self.messages()));
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        stream
    }

    /// Sends these bytes, and returns the complete response.
    pub(crate) fn send(&self, request: &[u8]) -> Vec<u8> {
        let mut stream = self.connect();
        // It may close the connection at any byte.
        let _ = stream.write_all(request);
        if !request.ends_with(b"Connection: close\r\n\r\n") {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        answer
    }

    /// The status and body for a path, requested as by a browser.
    pub(crate) fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.get_with(path, &format!("Host: localhost:{}\r\n", self.port))
    }

    pub(crate) fn get_with(&self, path: &str, headers: &str) -> (u16, Vec<u8>) {
        let request = format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        let answer = self.send(request.as_bytes());
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let body = end.map_or(Vec::new(), |end| answer[end + 4..].to_vec());
        (status(&answer), body)
    }

    /// The header of the response for a path, in lower case.
    pub(crate) fn head(&self, path: &str) -> String {
        let port = self.port;
        let request =
            format!("HEAD {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n");
        let answer = self.send(request.as_bytes());
        String::from_utf8_lossy(&answer).to_ascii_lowercase().replace('\r', "")
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.get(path).1).expect("UTF-8")
    }

    #[track_caller]
    pub(crate) fn wait_for_text(&self, path: &str, what: impl Fn(&str) -> bool) {
        until(|| what(&self.text(path)), || format!("{path}: {}", self.text(path)));
    }

    /// Listens to the events for open pages.
    pub(crate) fn events(&self) -> BufReader<TcpStream> {
        let mut stream = self.connect();
        let request = "GET /.convo-site/events HTTP/1.1\r\nHost: localhost\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("sent");
        let mut events = BufReader::new(stream);
        next_event(&mut events).expect("the state at the start");
        events
    }

    /// The memory of the process. Bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.expect("a process");
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
        let number = line.split_whitespace().nth(1).expect("a number");
        number.parse::<u64>().expect("a number") * 1024
    }
}

impl Drop for Preview {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(crate) fn next_event(events: &mut BufReader<TcpStream>) -> Option<Value> {
    let mut line = String::new();
    while events.read_line(&mut line).is_ok_and(|len| len > 0) {
        if let Some(data) = line.strip_prefix("data: ") {
            return serde_json::from_str(data).ok();
        }
        line.clear();
    }
    None
}

/// The status of a response; 0 without one.
pub(crate) fn status(answer: &[u8]) -> u16 {
    let head = String::from_utf8_lossy(&answer[..answer.len().min(40)]).into_owned();
    let code = head.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1));
    code.and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[track_caller]
pub(crate) fn until(done: impl Fn() -> bool, why: impl Fn() -> String) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(Instant::now() < deadline, "never: {}", why());
        std::thread::sleep(Duration::from_millis(10));
    }
}
