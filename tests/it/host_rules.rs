//! A simulation of each host: how it serves the files of a site according to its documentation of
//! November 2026, and what readers of the example site then get.
//!
//! No code is shared with convo-site: the rules are implemented again from the documentation of the
//! hosts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::support::example;

type Files = BTreeMap<String, Vec<u8>>;

/// A host, by its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Host {
    Github,
    Netlify,
    Cloudflare,
    Gitlab,
}

/// The response to a request.
#[derive(Debug, Default)]
struct Answer {
    status: u16,
    location: String,
    /// The file that is served.
    file: String,
    headers: BTreeMap<String, String>,
}

/// A rule of `_redirects`.
struct Redirect {
    from: String,
    to: String,
    is_forced: bool,
}

/// A site on a host.
struct HostedSite<'a> {
    host: Host,
    files: &'a Files,
    /// Path patterns with their headers.
    headers: Vec<(String, Vec<(String, String)>)>,
    redirects: Vec<Redirect>,
}

fn text(files: &Files, name: &str) -> String {
    String::from_utf8(files.get(name).cloned().unwrap_or_default()).expect("UTF-8")
}

impl<'a> HostedSite<'a> {
    /// Loads the files, or panics with the reason why the host would reject them.
    fn new(host: Host, files: &'a Files) -> Self {
        let mut site = Self { host, files, headers: Vec::new(), redirects: Vec::new() };
        assert!(files.contains_key("404.html") && files.contains_key("index.html"));
        if matches!(host, Host::Netlify | Host::Cloudflare) {
            site.read_headers(&text(files, "_headers"));
        }
        if host != Host::Github {
            site.read_redirects(&text(files, "_redirects"));
        }
        let sum: usize = files.values().map(Vec::len).sum();
        let largest = files.values().map(Vec::len).max().unwrap_or_default();
        match host {
            Host::Github => {
                assert!(files.contains_key(".nojekyll") && sum < 1_000_000_000);
            }
            Host::Netlify => assert!(files.len() < 20_000),
            Host::Cloudflare => {
                assert!(files.len() <= 20_000 && largest <= 25 << 20);
                assert!(site.headers.len() <= 100);
                assert!(site.redirects.len() <= 2_000);
            }
            Host::Gitlab => {
                assert!(files.len() <= 200_000 && sum < 1_000_000_000);
                assert!(site.redirects.len() <= 1_000);
                assert!(text(files, "_redirects").len() <= 64 << 10);
            }
        }
        site
    }

    fn read_headers(&mut self, text: &str) {
        for line in text.lines() {
            assert!(line.len() <= 2_000, "{line}");
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            if !line.starts_with([' ', '\t']) {
                assert!(line.starts_with('/'), "a path: {line}");
                assert!(line.matches('*').count() <= 1, "one splat: {line}");
                // Netlify allows a wildcard only at the end.
                assert!(!line.trim_end_matches('*').contains('*'), "{line}");
                self.headers.push((line.to_owned(), Vec::new()));
                continue;
            }
            let (name, value) = line.trim().split_once(':').expect("a name and a value");
            let name = name.to_ascii_lowercase();
            assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{line}");
            let header = (name, value.trim().to_owned());
            self.headers.last_mut().expect("a path first").1.push(header);
        }
    }

    fn read_redirects(&mut self, text: &str) {
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [from, to, status] = words[..] else { panic!("three words: {line}") };
            assert!(from.starts_with('/') && to.starts_with('/'), "{line}");
            assert!(line.len() <= 1_000, "{line}");
            let is_forced = status.ends_with('!');
            assert!(!is_forced || self.host == Host::Netlify, "unknown elsewhere: {line}");
            assert_eq!(status.trim_end_matches('!'), "301", "{line}");
            let (from, to) = (from.to_owned(), to.to_owned());
            self.redirects.push(Redirect { from, to, is_forced });
        }
    }

    /// The redirect of a URL according to `_redirects`.
    fn redirect(&self, path: &str, has_file: bool) -> Option<&str> {
        let bare = |path: &str| path.trim_end_matches('/').to_owned();
        let found = self.redirects.iter().find(|rule| match self.host {
            // Exact match, even if the file exists.
            Host::Cloudflare => rule.from == path,
            // With or without a trailing slash; an existing file wins unless the rule is forced.
            Host::Netlify => bare(&rule.from) == bare(path) && (rule.is_forced || !has_file),
            Host::Gitlab => bare(&rule.from) == bare(path) && !has_file,
            Host::Github => false,
        });
        found.map(|rule| rule.to.as_str())
    }

    /// The response to a request for a path of the site.
    fn get(&self, path: &str) -> Answer {
        let inside = path.trim_start_matches('/');
        let index = format!("{inside}index.html");
        let (file, below) = match inside.is_empty() || inside.ends_with('/') {
            true => (index, String::new()),
            false => (inside.to_owned(), format!("{inside}/index.html")),
        };
        let has_file = self.files.contains_key(&file);
        let has_folder = self.files.contains_key(&below);
        if let Some(to) = self.redirect(path, has_file || has_folder) {
            return Answer { status: 301, location: to.to_owned(), ..Answer::default() };
        }
        if !has_file && has_folder {
            return Answer { status: 301, location: format!("{path}/"), ..Answer::default() };
        }
        let (status, file) = if has_file { (200, file) } else { (404, "404.html".to_owned()) };
        Answer { status, file, headers: self.headers_of(path), ..Answer::default() }
    }

    fn headers_of(&self, path: &str) -> BTreeMap<String, String> {
        let mut all: BTreeMap<String, String> = BTreeMap::new();
        for (pattern, headers) in &self.headers {
            if !fits(pattern, path) {
                continue;
            }
            for (name, value) in headers {
                // Hosts join repeated headers.
                let joined = match all.get(name) {
                    Some(before) => format!("{before}, {value}"),
                    None => value.clone(),
                };
                all.insert(name.clone(), joined);
            }
        }
        all
    }
}

/// Returns whether a path matches a pattern: `*` is any rest, `:name` is one segment.
fn fits(pattern: &str, path: &str) -> bool {
    if let Some(start) = pattern.strip_suffix('*') {
        return path.starts_with(start);
    }
    let (pattern, path): (Vec<&str>, Vec<&str>) =
        (pattern.split('/').collect(), path.split('/').collect());
    let part =
        |(want, part): (&&str, &&str)| want == part || want.starts_with(':') && !part.is_empty();
    pattern.len() == path.len() && pattern.iter().zip(&path).all(part)
}

/// The example site at the root of a server, with old URLs, built for each host.
fn built() -> &'static [(Host, Files)] {
    static BUILT: OnceLock<Vec<(Host, Files)>> = OnceLock::new();
    BUILT.get_or_init(|| {
        let site = example();
        let config = std::fs::read_to_string(site.path("site.toml")).expect("a file");
        let own = "https://example.org/tidal-mill/";
        let config = config.replace(own, "https://talks.example.net/");
        let hosts = [
            (Host::Github, "github-pages"),
            (Host::Netlify, "netlify"),
            (Host::Gitlab, "gitlab-pages"),
            (Host::Cloudflare, "cloudflare-pages"),
        ];
        let of_host = |(host, name): (Host, &str)| {
            let more = format!(
                "\n[deploy]\nhost = \"{name}\"\n[redirects]\n\
                 \"old/archive/\" = \"archive/\"\n\"older/list.html\" = \"tags/\"\n"
            );
            site.write("site.toml", format!("{config}{more}"));
            let built = site.build(0);
            assert!(!built.stderr.contains("dead-redirect"), "{}", built.stderr);
            (host, site.output())
        };
        let built = hosts.into_iter().map(of_host).collect();
        // `check` confirms that it is within the strictest host's limits too.
        let checked = site.run(&["check", "--publish"]);
        assert_eq!(checked.code, Some(0), "{}", checked.stderr);
        assert!(!checked.stderr.contains("host-limit"), "{}", checked.stderr);
        built
    })
}

#[test]
fn each_host_serves_every_file_with_cache_headers() {
    for (host, files) in built() {
        let site = HostedSite::new(*host, files);
        let old = ["old/archive/index.html", "older/list.html"];
        for file in files.keys().filter(|file| !old.contains(&file.as_str())) {
            let address = format!("/{}", file.strip_suffix("index.html").unwrap_or(file));
            let answer = site.get(&address);
            assert_eq!((answer.status, &answer.file), (200, file), "{host:?}");
            let header = |name: &str| answer.headers.get(name).map(String::as_str);
            if matches!(host, Host::Github | Host::Gitlab) {
                assert!(answer.headers.is_empty());
                continue;
            }
            assert_eq!(header("x-content-type-options"), Some("nosniff"), "{file}");
            let is_lasting = file.starts_with("assets/")
                || file.starts_with("media/")
                || file.starts_with("search/") && file.matches('/').count() == 2;
            let forever = "public, max-age=31536000, immutable";
            assert_eq!(header("cache-control"), is_lasting.then_some(forever), "{file}");
            let name = file.rsplit('/').next().expect("a name");
            let is_copy = file.starts_with("c/")
                && (["index.md", "index.json"].contains(&name) || name.starts_with("original."));
            assert_eq!(header("x-robots-tag"), is_copy.then_some("noindex"), "{file}");
        }
    }
}

#[test]
fn each_host_redirects_old_urls() {
    let old = [("/old/archive/", "/archive/"), ("/older/list.html", "/tags/")];
    for (host, files) in built() {
        let site = HostedSite::new(*host, files);
        let bare = [("/old/archive", "/archive/")];
        for (from, to) in old.into_iter().chain(bare) {
            let answer = site.get(from);
            match host {
                Host::Netlify | Host::Cloudflare => {
                    assert_eq!((answer.status, &*answer.location), (301, to), "{host:?}");
                    assert_eq!(site.get(to).status, 200);
                }
                // On these hosts, a page redirects.
                Host::Github | Host::Gitlab => {
                    let answer = match answer.status {
                        301 => site.get(&answer.location),
                        _ => answer,
                    };
                    assert_eq!(answer.status, 200, "{host:?} {from}");
                    let page = text(files, &answer.file);
                    let refresh = format!("0; url=https://talks.example.net{to}");
                    assert!(page.contains(&refresh), "{host:?} {page}");
                }
            }
        }
    }
}

#[test]
fn each_host_serves_the_same_page_for_missing_files() {
    for (host, files) in built() {
        let site = HostedSite::new(*host, files);
        for missing in ["/nowhere", "/nowhere/", "/c/nothing/index.md", "/archive/x.html"] {
            let answer = site.get(missing);
            assert_eq!((answer.status, answer.file.as_str()), (404, "404.html"));
        }
        // Its assets load from any URL at which it is served.
        let page = text(files, "404.html");
        let loads: BTreeSet<&str> =
            page.split(['"', '\'']).filter(|part| part.starts_with("/assets/")).collect();
        assert!(!loads.is_empty(), "{page}");
        for path in loads {
            assert_eq!(site.get(path).status, 200, "{path}");
        }
    }
}

#[test]
fn folders_have_a_trailing_slash_on_every_host() {
    for (host, files) in built() {
        let site = HostedSite::new(*host, files);
        let answer = site.get("/archive");
        assert_eq!((answer.status, answer.location.as_str()), (301, "/archive/"));
    }
}
