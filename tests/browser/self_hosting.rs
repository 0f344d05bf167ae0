//! The example site on your own servers: Caddy and nginx with the configurations that `init --deploy`
//! writes. Each file, header, redirect, type, range and encoding is as on hosts and in the preview.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::iter;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::support::preview::Preview;
use crate::support::{SiteTest, example, run_in};

/// A response, with its headers in lower case.
#[derive(Debug)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }
}

/// A server with a site, which stops with the test.
struct Server {
    name: &'static str,
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn get(&self, path: &str, headers: &str) -> Answer {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n{headers}\r\n",
            self.port
        );
        stream.write_all(request.as_bytes()).expect("sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status.and_then(|code| code.parse().ok()).expect("a status");
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for (name, value) in lines.filter_map(|line| line.split_once(": ")) {
            let before = headers.insert(name.to_ascii_lowercase(), value.to_owned());
            let is_twice = before.is_some() && !name.eq_ignore_ascii_case("vary");
            assert!(!is_twice, "{} says {name} twice of {path}", self.name);
        }
        let mut body = bytes.split_off(end + 4);
        if headers.get("transfer-encoding").is_some_and(|how| how == "chunked") {
            body = unchunked(&body);
        }
        Answer { status, headers, body }
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(at) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = String::from_utf8_lossy(&rest[..at]).into_owned();
        let size = usize::from_str_radix(size.trim(), 16).expect("a size");
        if size == 0 {
            break;
        }
        body.extend_from_slice(&rest[at + 2..at + 2 + size]);
        rest = &rest[at + 2 + size + 2..];
    }
    body
}

/// A port that the system does not assign to other programs: the site is built for its URL before the
/// server opens it, while other tests open ports.
fn quiet_port() -> u16 {
    static TAKEN: AtomicU32 = AtomicU32::new(0);
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let begin = std::process::id() * 16;
    let mut ports = iter::repeat_with(|| TAKEN.fetch_add(1, Ordering::Relaxed))
        .map(|number| 20_000 + ((begin + number) % 10_000) as u16);
    ports.find(is_free).expect("a port")
}

/// The configuration of a server for a site.
fn written(site: &SiteTest, address: &str, name: &str) -> String {
    let args = ["init", ".", "--deploy", name, "--print", "--base-url", address];
    let run = run_in(&site.path(""), &args, &[]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

fn started(site: &SiteTest, name: &'static str, base: &str) -> Server {
    let port = quiet_port();
    let address = format!("http://localhost:{port}{base}");
    let built = site.run(&["build", "--base-url", &address]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let text = written(site, &address, name);
    let home = site.path(&format!("server-{name}-{port}"));
    fs::create_dir(&home).expect("a folder");
    let mut command = Command::new(name);
    if name == "caddy" {
        let config = home.join("Caddyfile");
        fs::write(&config, format!("{{\n\tadmin off\n}}\n{text}")).expect("written");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(config);
    } else {
        command.arg("-p").arg(&home).arg("-c").arg(nginx_config(&home, &text));
    }
    let log = fs::File::create(home.join("log.txt")).expect("a log");
    command.stdout(Stdio::null()).stderr(log).env("HOME", &home);
    let process = command.spawn().expect("the server is installed");
    let mut server = Server { name, process, port };
    let begun = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{name}: {}", server_log(&home));
        std::thread::sleep(Duration::from_millis(50));
    }
    // The response comes from this server, not from another program on its port.
    let ended = server.process.try_wait().expect("a process");
    assert_eq!(ended, None, "{name}: {}", server_log(&home));
    server
}

/// The log of the server.
fn server_log(home: &Path) -> String {
    fs::read_to_string(home.join("log.txt")).unwrap_or_default()
}

/// The complete configuration that includes the one for a site, and its path.
fn nginx_config(home: &Path, text: &str) -> std::path::PathBuf {
    fs::write(home.join("site.conf"), text.replace("#brotli", "brotli")).expect("written");
    let modules = ["/usr/lib/nginx/modules", "/usr/lib64/nginx/modules"];
    let brotli = modules.map(|folder| format!("{folder}/ngx_http_brotli_filter_module.so"));
    let brotli = brotli.iter().find(|path| Path::new(path).is_file()).expect("the module");
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary = temporary.map(|kind| format!("{kind}_temp_path {kind};\n")).concat();
    let whole = format!(
        "load_module {brotli};\ndaemon off;\nmaster_process off;\npid pid;\nerror_log stderr;\n\
         events {{}}\nhttp {{\naccess_log off;\n{temporary}include site.conf;\n}}\n"
    );
    let path = home.join("nginx.conf");
    fs::write(&path, whole).expect("written");
    path
}

/// Returns whether a URL path matches a pattern of `_headers`.
fn fits(pattern: &str, path: &str) -> bool {
    if let Some(start) = pattern.strip_suffix('*') {
        return path.starts_with(start);
    }
    let parts = pattern.split('/').zip(path.split('/'));
    pattern.matches('/').count() == path.matches('/').count()
        && parts.into_iter().all(|(want, part)| want.starts_with(':') || want == part)
}

/// The headers that `_headers` sets for a path.
fn wanted<'a>(headers: &'a str, path: &str) -> BTreeMap<String, &'a str> {
    let mut all = BTreeMap::new();
    let mut does_fit = false;
    for line in headers.lines() {
        match line.strip_prefix("  ").and_then(|header| header.split_once(": ")) {
            Some((name, value)) if does_fit => {
                all.insert(name.to_ascii_lowercase(), value);
            }
            Some(_) => {}
            None => does_fit = fits(line, path),
        }
    }
    all
}

/// The URL path of a file.
fn address(base: &str, file: &str) -> String {
    let path = match file.rsplit_once('/') {
        Some((folder, "index.html")) => format!("{folder}/"),
        None if file == "index.html" => String::new(),
        _ => file.to_owned(),
    };
    let encoded = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => c.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect(),
    };
    format!("{base}{}", path.chars().map(encoded).collect::<String>())
}

/// Extensions of files with packed copies.
const PACKED: [&str; 7] = ["html", "css", "js", "json", "xml", "svg", "md"];

fn check(name: &'static str, base: &str) {
    let site = example();
    let config = fs::read_to_string(site.path("site.toml")).expect("a configuration");
    let more = "\n[redirects]\n\"old/archive/\" = \"archive/\"\n\"older/list.html\" = \"tags/\"\n";
    site.write("site.toml", config + more);
    let server = started(&site, name, base);
    let url = format!("http://localhost:{}{base}", server.port);
    let preview = Preview::start(&site, &["--port", "0", "--published", "--base-url", &url]);
    let mut files = site.output();
    // The server redirects instead of the redirect page; the list is for builds.
    for file in [".convo-site-files", "old/archive/index.html", "older/list.html"] {
        assert!(files.remove(file).is_some(), "{file}");
    }
    let hosts = String::from_utf8_lossy(&files["_headers"]).into_owned();
    let mut types: BTreeMap<String, String> = BTreeMap::new();
    let (mut packed, mut ranged) = (0, 0);
    for (file, bytes) in &files {
        let ending = file.rsplit(['.', '/']).next().expect("an ending").to_owned();
        let path = address(base, file);
        let answer = server.get(&path, "");
        let what = format!("{name} {path}");
        assert_eq!(answer.status, 200, "{what}");
        assert!(answer.body == *bytes, "{what} has other bytes");
        for (header, value) in wanted(&hosts, &path) {
            assert_eq!(answer.header(&header), Some(value), "{what} {header}");
        }
        for header in ["cache-control", "x-robots-tag"] {
            let is_wanted = wanted(&hosts, &path).contains_key(header);
            assert_eq!(answer.header(header).is_some(), is_wanted, "{what} {header}");
        }
        let media_type = types.entry(ending.clone()).or_insert_with(|| {
            let head = preview.head(&path);
            let line = head.lines().find(|line| line.starts_with("content-type: "));
            line.unwrap_or_else(|| panic!("{path}: {head}"))[14..].to_owned()
        });
        assert_eq!(answer.header("content-type"), Some(&**media_type), "{what}");
        // An unchanged file is not sent again.
        if ranged < 20 {
            let etag = answer.header("etag").expect("an ETag").to_owned();
            let again = server.get(&path, &format!("If-None-Match: {etag}\r\n"));
            assert_eq!((again.status, again.body.len()), (304, 0), "{what}");
        }
        if ranged < 20 && bytes.len() > 20 {
            let part = server.get(&path, "Range: bytes=5-14\r\n");
            assert_eq!(part.status, 206, "{what}");
            assert_eq!(part.body, bytes[5..15], "{what}");
            ranged += 1;
        }
        if bytes.len() < 1_000 || packed > 60 {
            continue;
        }
        let is_packed = PACKED.contains(&&*ending);
        let answer = server.get(&path, "Accept-Encoding: gzip\r\n");
        assert_eq!(answer.header("content-encoding"), is_packed.then_some("gzip"), "{what}");
        if is_packed {
            packed += 1;
            assert!(answer.header("vary").is_some(), "{what}");
            let mut whole = Vec::new();
            flate2::read::GzDecoder::new(&*answer.body).read_to_end(&mut whole).expect("gzip");
            assert!(whole == *bytes, "{what} is packed wrong");
            let better = if name == "caddy" { "zstd" } else { "br" };
            let answer = server.get(&path, &format!("Accept-Encoding: {better}\r\n"));
            assert_eq!(answer.header("content-encoding"), Some(better), "{what}");
            assert!(answer.body.len() < bytes.len());
        }
    }
    assert!(types.len() > 8 && packed > 20 && ranged == 20, "{types:?} {packed} {ranged}");
    let (status, _) = preview.get(&format!("{base}nowhere/"));
    assert_eq!(status, 404);
    for missing in ["nowhere", "nowhere/", "assets/gone.css", "c/x/index.md", ".convo-site-files"] {
        let answer = server.get(&format!("{base}{missing}"), "");
        assert_eq!(answer.status, 404, "{name} {missing}");
        assert!(answer.body == files["404.html"], "{name} {missing}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        assert_eq!(answer.header("cache-control"), None, "{name} {missing}");
    }
    let led = |path: &str, to: &str| {
        let answer = server.get(path, "");
        assert!([301, 308].contains(&answer.status), "{name} {path}: {answer:?}");
        assert_eq!(answer.header("location"), Some(to), "{name} {path}");
    };
    led(&format!("{base}archive"), &format!("{base}archive/"));
    led(&format!("{base}old/archive"), &format!("{base}archive/"));
    led(&format!("{base}old/archive/"), &format!("{base}archive/"));
    led(&format!("{base}older/list.html"), &format!("{base}tags/"));
    if base != "/" {
        led(base.trim_end_matches('/'), base);
        assert_eq!(server.get("/", "").status, 404, "{name}");
        assert_eq!(server.get("/index.html", "").status, 404, "{name}");
    }
}

#[test]
fn caddy_serves_the_site_as_hosts_do() {
    check("caddy", "/");
    check("caddy", "/tidal-mill/");
}

#[test]
fn nginx_serves_the_site_as_hosts_do() {
    check("nginx", "/");
    check("nginx", "/tidal-mill/");
}
