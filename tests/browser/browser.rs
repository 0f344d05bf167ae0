//! A headless Chromium, controlled with its debugging protocol. All tests share one process; each has
//! a browser of its own in it, without network access: every request is answered from a folder or
//! counted as a leak.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket, connect};

/// The base URL of most sites.
pub(crate) const BASE: &str = "https://site.example/base/";

/// Window widths, and whether the reader prefers dark pages.
pub(crate) const LOOKS: [(u32, bool); 4] = [(1280, false), (1280, true), (360, false), (360, true)];

/// A browser with one page, and with cookies, storage and a cache of its own.
pub(crate) struct Browser {
    socket: WebSocket<MaybeTlsStream<TcpStream>>,
    /// The id of the page in protocol messages.
    session: String,
    /// The id of the cookies, storage and permissions of this browser.
    context: String,
    next_id: u64,
    /// What the site's own addresses are answered with, by path below `base`.
    pub(crate) files: Arc<BTreeMap<String, Vec<u8>>>,
    /// The paths that were asked for, below `base`.
    pub(crate) asked: Vec<String>,
    base: String,
    loaded: bool,
    /// Requests to any other URL.
    pub(crate) leaks: Vec<String>,
    /// Dialogs of a page, and errors on its console.
    pub(crate) complaints: Vec<String>,
}

impl Browser {
    /// Starts a browser for the site whose address is `base`, which `files` are.
    pub(crate) fn start(base: &str, files: impl Into<Arc<BTreeMap<String, Vec<u8>>>>) -> Self {
        let mut browser = Self::start_live(base);
        browser.files = files.into();
        browser.call("Fetch.enable", json!({"patterns": [{"urlPattern": "*"}]}));
        browser
    }

    /// Starts a browser for a site at [`BASE`], and returns the path of its first conversation.
    pub(crate) fn of(files: BTreeMap<String, Vec<u8>>) -> (Self, String) {
        let mut pages = files.keys().filter(|path| path.starts_with("c/"));
        let page = pages.find_map(|path| path.strip_suffix("index.html"));
        let page = page.expect("a page").to_owned();
        (Self::start(BASE, files), page)
    }

    /// Starts a browser for a site on a local server. Every host name resolves to this machine, as
    /// after DNS rebinding.
    pub(crate) fn start_live(base: &str) -> Self {
        let (socket, _) = connect(CHROMIUM.url.as_str()).expect("the debugging protocol");
        let mut browser = Self {
            socket,
            session: String::new(),
            context: String::new(),
            next_id: 0,
            files: Arc::default(),
            asked: Vec::new(),
            base: base.to_owned(),
            loaded: false,
            leaks: Vec::new(),
            complaints: Vec::new(),
        };
        // It ends with the connection.
        let context = browser.call("Target.createBrowserContext", json!({"disposeOnDetach": true}));
        browser.context = context["browserContextId"].as_str().expect("an id").to_owned();
        let page = json!({"url": "about:blank", "browserContextId": browser.context});
        let target = browser.call("Target.createTarget", page);
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().expect("a session").to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            browser.call(domain, json!({}));
        }
        // The pages of other tests may have the focus.
        browser.call("Emulation.setFocusEmulationEnabled", json!({"enabled": true}));
        browser
    }

    /// Runs `script` in every page before its own scripts.
    pub(crate) fn before_each_page(&mut self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", json!({"source": script}));
    }

    /// Lets pages read and write the clipboard, which all browsers share.
    pub(crate) fn allow_clipboard(&mut self) -> MutexGuard<'static, ()> {
        static CLIPBOARD: Mutex<()> = Mutex::new(());
        let only_user = CLIPBOARD.lock().unwrap_or_else(PoisonError::into_inner);
        let permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
        let params = json!({"permissions": permissions, "browserContextId": self.context});
        let session = std::mem::take(&mut self.session);
        self.call("Browser.grantPermissions", params);
        self.session = session;
        self.call("Page.bringToFront", json!({}));
        only_user
    }

    /// Sets the width of the window in CSS pixels, and whether the reader prefers dark pages.
    pub(crate) fn appear(&mut self, width: u32, dark: bool) {
        let metrics =
            json!({"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.call("Emulation.setEmulatedMedia", media);
    }

    /// Changes the window and the colours of an open page, and waits until they apply.
    pub(crate) fn look(&mut self, width: u32, dark: bool) {
        self.appear(width, dark);
        let scheme = if dark { "dark" } else { "light" };
        self.wait_for(&format!(
            "matchMedia('(width: {width}px) and (prefers-color-scheme: {scheme})').matches"
        ));
    }

    /// Opens the page at a path below the base and waits until it has loaded.
    pub(crate) fn open(&mut self, path: &str) {
        self.open_address(&format!("{}{path}", self.base));
    }

    /// Opens a URL and waits until it has loaded.
    pub(crate) fn open_address(&mut self, url: &str) {
        self.loaded = false;
        self.call("Page.navigate", json!({"url": url}));
        let deadline = Instant::now() + Duration::from_secs(60);
        while !self.loaded {
            assert!(Instant::now() < deadline, "{url} does not load");
            let message = self.receive();
            self.handle(&message);
        }
    }

    /// Waits until a JavaScript expression is true.
    #[track_caller]
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let deadline = Instant::now() + Duration::from_secs(20);
        // A page that is being replaced cannot evaluate anything.
        while self.try_evaluate(expression) != Some(Value::Bool(true)) {
            if Instant::now() >= deadline {
                let shown = "location.href + '\\n' + document.body?.innerText.slice(0, 500)";
                let shown = self.try_evaluate(shown).unwrap_or_default();
                panic!("never: {expression}: {shown:#} {:?}", self.complaints);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn try_evaluate(&mut self, expression: &str) -> Option<Value> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let id = self.send("Runtime.evaluate", params);
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message["result"]["result"].get("value").cloned();
            }
            self.handle(&message);
        }
    }

    /// The value of a JavaScript expression.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let result = self.call("Runtime.evaluate", params);
        assert!(result.get("exceptionDetails").is_none(), "{result}");
        result["result"]["value"].clone()
    }

    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        loop {
            let message = self.receive();
            if message["id"] == id {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.handle(&message);
        }
    }

    fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next_id += 1;
        let mut message = json!({"id": self.next_id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.socket.send(Message::text(message.to_string())).expect("sent");
        self.next_id
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().expect("the browser answers") {
                return serde_json::from_str(text.as_str()).expect("JSON");
            }
        }
    }

    fn handle(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Fetch.requestPaused") => self.answer(params),
            Some("Page.javascriptDialogOpening") => {
                self.complaints.push(format!("dialog: {}", params["message"]));
                self.send("Page.handleJavaScriptDialog", json!({"accept": false}));
            }
            Some("Log.entryAdded") => {
                self.complaints.push(params["entry"]["text"].to_string());
            }
            Some("Runtime.exceptionThrown") => {
                self.complaints.push(params["exceptionDetails"]["text"].to_string());
            }
            _ => {}
        }
    }

    fn answer(&mut self, params: &Value) {
        let id = params["requestId"].clone();
        let url = params["request"]["url"].as_str().unwrap_or_default();
        let Some(path) = url.strip_prefix(&self.base) else {
            self.leaks.push(url.to_owned());
            let refuse = json!({"requestId": id, "errorReason": "BlockedByClient"});
            self.send("Fetch.failRequest", refuse);
            return;
        };
        let path = path.split(['#', '?']).next().unwrap_or_default();
        let mut path = percent_decode(path);
        if path.is_empty() || path.ends_with('/') {
            path.push_str("index.html");
        }
        self.asked.push(path.clone());
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html",
            Some("css") => "text/css",
            Some("svg") => "image/svg+xml",
            Some("js") => "text/javascript",
            Some("json") => "application/json",
            Some("md") => "text/markdown; charset=utf-8",
            Some("vtt") => "text/vtt",
            Some("flac") => "audio/flac",
            _ => "application/octet-stream",
        };
        let mut headers = vec![json!({"name": "Content-Type", "value": kind})];
        // Players request the next part of a recording.
        let from = params["request"]["headers"]["Range"].as_str();
        let from = from.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
        let from = from.and_then(|(from, _)| from.parse::<usize>().ok());
        let encode = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
        let (code, body) = match (self.files.get(&path), from) {
            (Some(bytes), Some(from)) if from < bytes.len() => {
                let range = format!("bytes {from}-{}/{}", bytes.len() - 1, bytes.len());
                headers.push(json!({"name": "Content-Range", "value": range}));
                (206, encode(&bytes[from..]))
            }
            (Some(bytes), _) => (200, encode(bytes)),
            (None, _) => (404, String::new()),
        };
        let answer = json!({"requestId": id, "responseCode": code, "responseHeaders": headers,
            "body": body});
        self.send("Fetch.fulfillRequest", answer);
    }
}

/// A Chromium in which all tests of this program open their pages.
struct Chromium {
    /// The URL of its debugging protocol.
    url: String,
    /// Its end stops the browser.
    _process: Child,
}

static CHROMIUM: LazyLock<Chromium> = LazyLock::new(Chromium::start);

/// Starts the browser `$2` with the profile `$1`, and stops it when the standard input ends, as it does when
/// the tests end in any way.
const UNTIL_THE_TESTS_END: &str = r#"
    profile=$1
    shift
    command -v "$1" >/dev/null || exit 1
    "$@" "--user-data-dir=$profile" </dev/null &
    read -r _
    kill $!
    wait
    rm -rf "$profile"
"#;

impl Chromium {
    fn start() -> Self {
        let profile = tempfile::tempdir().expect("a profile").keep();
        let binary = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let mut process = Command::new("sh")
            .args(["-c", UNTIL_THE_TESTS_END, "sh"])
            .arg(&profile)
            .arg(&binary)
            .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--disable-sync", "--disable-extensions", "--remote-debugging-port=0"])
            .args(["--disable-quic", "--disable-dev-shm-usage"])
            // Pages of other tests are in front.
            .args(["--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding"])
            .args(["--disable-background-timer-throttling"])
            .args(["--host-resolver-rules=MAP * 127.0.0.1", "about:blank"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            // The browser writes its port and path to a file.
            let text = fs::read_to_string(profile.join("DevToolsActivePort"));
            if let Some((port, path)) = text.unwrap_or_default().trim().split_once('\n') {
                return Self { url: format!("ws://127.0.0.1:{port}{path}"), _process: process };
            }
            let is_over =
                Instant::now() > deadline || process.try_wait().is_ok_and(|s| s.is_some());
            assert!(!is_over, "`{binary}` does not start; tests/run installs it");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

fn percent_decode(path: &str) -> String {
    convo_site::text::percent_decode(path)
}
