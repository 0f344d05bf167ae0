//! Content that pages load from other hosts, and the content security policy of each page, which allows
//! exactly what is on it.

use std::fmt::Write;

use crate::config::{Config, LoadKind, Services};
use crate::diag::{Diagnostic, Lines, Note};
use crate::markup::PLAYERS;
use crate::site::{Page, PageKind};
use crate::theme::view::{CommentsView, ScriptView, ServicesView};
use crate::theme::{StyleUrl, Theme};

/// The hosts, besides the site's own, from which a page may load each kind of content.
#[derive(Default)]
struct Policy(Vec<(LoadKind, String)>);

impl Policy {
    /// Returns the policy that a site sets for all of its pages.
    fn of(config: &Config) -> Self {
        let mut policy = Self::default();
        for host in &config.image_hosts {
            policy.host(&[LoadKind::Image], &host.0);
        }
        for allowed in &config.services.allow {
            policy.host(&allowed.kinds, &allowed.host);
        }
        policy
    }

    fn allow(&mut self, kinds: &[LoadKind], source: impl Into<String>) {
        let source = source.into();
        for kind in kinds {
            let row = (*kind, source.clone());
            if !self.0.contains(&row) {
                self.0.push(row);
            }
        }
    }

    fn host(&mut self, kinds: &[LoadKind], host: &str) {
        self.allow(kinds, format!("https://{host}"));
    }

    /// Returns whether content of a kind may be loaded from a URL on a page, or in a style sheet, of this
    /// origin.
    fn allows(&self, kind: LoadKind, address: &str, origin: &str) -> bool {
        let scheme = address.split_once(':').map(|(scheme, _)| scheme);
        let is_scheme =
            |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
        let rest = match (address.strip_prefix("//"), scheme) {
            (Some(rest), _) => rest,
            // A URL without a host is on the site itself.
            (None, None) => return true,
            (None, Some(name)) if !is_scheme(name) => return true,
            (None, Some(name)) => match address[name.len()..].strip_prefix("://") {
                Some(rest) if name.eq_ignore_ascii_case("https") => rest,
                rest => {
                    let own = origin.split_once("://").map(|(_, host)| host);
                    return rest.is_some() && own == rest.map(host_of);
                }
            },
        };
        let host = host_of(rest).to_ascii_lowercase();
        let is_own = origin.split_once("://").is_some_and(|(_, own)| own == host);
        let mut sources = self.0.iter().filter(|row| row.0 == kind);
        is_own
            || sources.any(|(_, source)| {
                let allowed = source.strip_prefix("https://").unwrap_or_default();
                match allowed.strip_prefix("*.") {
                    Some(above) => {
                        let inside = host.strip_suffix(above);
                        inside.is_some_and(|rest| rest.ends_with('.'))
                    }
                    None => host == allowed,
                }
            })
    }

    /// Returns the value of the header.
    fn text(&self) -> String {
        let mut text = "default-src 'none'".to_owned();
        let directives = [
            (LoadKind::Script, "script-src 'self'"),
            (LoadKind::Style, "style-src 'self'"),
            (LoadKind::Image, "img-src 'self'"),
            (LoadKind::Media, "media-src 'self'"),
            (LoadKind::Font, "font-src 'self'"),
            (LoadKind::Connection, "connect-src 'self'"),
            (LoadKind::Frame, "frame-src"),
        ];
        for (kind, start) in directives {
            let mut sources = self.0.iter().filter(|row| row.0 == kind).peekable();
            // Pages of the site are never framed.
            if kind == LoadKind::Frame && sources.peek().is_none() {
                continue;
            }
            let _ = write!(text, "; {start}");
            sources.for_each(|(_, source)| _ = write!(text, " {source}"));
        }
        text.push_str("; manifest-src 'self'; base-uri 'none'; form-action 'self'");
        text
    }
}

/// The maximum number of characters of a URL in a report.
const MAX_SHOWN: usize = 80;

/// Returns the host at the start of the rest of a URL.
fn host_of(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Returns the policy of pages with nothing beyond what is on every page.
pub(super) fn common_policy(config: &Config) -> String {
    let mut policy = Policy::of(config);
    counters(config, &mut policy);
    policy.text()
}

/// Returns a warning for each URL in the site's style sheet that the policy blocks.
pub(super) fn blocked_by_policy(theme: &Theme, config: &Config) -> Vec<Diagnostic> {
    let Some((path, text, addresses)) = theme.own_addresses() else { return Vec::new() };
    let mut policy = Policy::of(config);
    counters(config, &mut policy);
    let lines = Lines::new(text);
    let refused = addresses
        .into_iter()
        .filter(|one| !policy.allows(one.kind, &one.address, &config.base_url.origin));
    let note = |one: StyleUrl| {
        let what = match one.kind {
            LoadKind::Style => "stylesheet",
            LoadKind::Font => "font",
            _ => "image",
        };
        let shown: String = one.address.chars().take(MAX_SHOWN).collect();
        let more = if shown.len() < one.address.len() { "…" } else { "" };
        let message = format!("browsers do not load the {what} `{shown}{more}`");
        let note = Note::warning("blocked-by-policy", one.at, message);
        let hint = "put the file into `static/`, or add its host to `allow` in `[services]` of \
                    site.toml";
        note.hint(hint).locate(path, &lines)
    };
    refused.map(note).collect()
}

/// Returns what a page loads from other hosts, and its policy. `html` is its rendered text: the hosts of
/// players in it are allowed.
pub(super) fn of_page(
    page: &Page,
    html: &str,
    theme: &Theme,
    config: &Config,
) -> (ServicesView, String) {
    let mut policy = Policy::of(config);
    let mut scripts = counters(config, &mut policy);
    if !scripts.is_empty()
        && let Some(asset) = theme.service_script()
    {
        let src = config.base_url.link(&asset.path);
        scripts.insert(0, ScriptView { src, attributes: vec![("defer", String::new())] });
    }
    let mut has_videos = false;
    for (_, host) in PLAYERS {
        if html.contains(&format!(" data-player=\"https://{host}/")) {
            policy.host(&[LoadKind::Frame], host);
            has_videos = true;
        }
    }
    let comments = comments(page, config, &mut policy);
    (ServicesView { scripts, comments, has_videos }, policy.text())
}

fn script(src: impl Into<String>, attributes: &[(&'static str, &str)]) -> ScriptView {
    let attributes = attributes.iter().map(|(name, value)| (*name, (*value).to_owned()));
    ScriptView { src: src.into(), attributes: attributes.collect() }
}

/// Returns the analytics scripts, which are on every page.
fn counters(config: &Config, policy: &mut Policy) -> Vec<ScriptView> {
    const SENDS: [LoadKind; 2] = [LoadKind::Script, LoadKind::Connection];
    let Services { plausible, goatcounter, matomo, umami, cloudflare, .. } = &config.services;
    let mut scripts = Vec::new();
    if let Some(one) = plausible {
        let host = one.host.as_ref();
        let url = |file: &str| {
            host.map_or_else(|| format!("https://plausible.io/{file}"), |host| host.url(file))
        };
        policy.host(&SENDS, host.map_or("plausible.io", |host| &host.host.0));
        scripts.push(match one.site.starts_with("pa-") {
            true => script(url(&format!("js/{}.js", one.site)), &[("defer", "")]),
            false => {
                let site = one.site.as_str();
                script(url("js/script.js"), &[("defer", ""), ("data-domain", site)])
            }
        });
    }
    if let Some(one) = goatcounter {
        let (src, count) = match &one.host {
            Some(host) => {
                policy.host(&SENDS, &host.host.0);
                policy.host(&[LoadKind::Image], &host.host.0);
                (host.url("count.js"), host.url("count"))
            }
            None => {
                let host = format!("{}.goatcounter.com", one.site);
                policy.host(&[LoadKind::Script], "gc.zgo.at");
                // It falls back to an image if it cannot send requests.
                policy.host(&[LoadKind::Connection, LoadKind::Image], &host);
                let count = format!("https://{host}/count");
                ("https://gc.zgo.at/count.js".to_owned(), count)
            }
        };
        scripts.push(script(src, &[("async", ""), ("data-goatcounter", &count)]));
    }
    if let Some(host) = matomo.as_ref().and_then(|one| one.host.as_ref()) {
        policy.host(&SENDS, &host.host.0);
        policy.host(&[LoadKind::Image], &host.host.0);
        scripts.push(script(host.url("matomo.js"), &[("defer", "")]));
    }
    if let Some(one) = umami {
        let src = match &one.host {
            Some(host) => {
                policy.host(&SENDS, &host.host.0);
                host.url("script.js")
            }
            None => {
                policy.host(&[LoadKind::Script], "cloud.umami.is");
                // All hosts that current and older versions of the script send data to.
                for host in ["cloud.umami.is", "gateway.umami.is", "api-gateway.umami.dev"] {
                    policy.host(&[LoadKind::Connection], host);
                }
                "https://cloud.umami.is/script.js".to_owned()
            }
        };
        let mut tag = script(src, &[("defer", ""), ("data-website-id", &one.site)]);
        let origin = &config.base_url.origin;
        if let Some((_, host)) = origin.split_once("://") {
            // Visits of the author's local preview are not counted.
            let host = host.split(':').next().unwrap_or_default();
            tag.attributes.push(("data-domains", host.to_owned()));
        }
        scripts.push(tag);
    }
    if let Some(token) = cloudflare {
        policy.host(&[LoadKind::Script], "static.cloudflareinsights.com");
        policy.host(&[LoadKind::Connection], "cloudflareinsights.com");
        let account = format!("{{\"token\": \"{token}\"}}");
        let src = "https://static.cloudflareinsights.com/beacon.min.js";
        scripts.push(script(src, &[("defer", ""), ("data-cf-beacon", &account)]));
    }
    scripts
}

/// The hash of the style that the utterances script adds to a page.
const UTTERANCES_STYLE: &str = "'sha256-9HupEqQsOKAA3TMVtaZh8USULhFpwYGuWFk+44sVSgg='";

/// Returns the comments of a conversation, which appear below its last part.
fn comments(page: &Page, config: &Config, policy: &mut Policy) -> Option<CommentsView> {
    let PageKind::Conversation(planned) = &page.kind else { return None };
    if planned.text_ref.part_number + 1 != planned.part_count {
        return None;
    }
    // All parts share the comments of the first one, whose URL people see.
    let term = planned.card.path.trim_end_matches('/');
    let language = &config.locale.language;
    if let Some(giscus) = &config.services.giscus {
        let host = "giscus.app";
        policy.host(&[LoadKind::Script, LoadKind::Style, LoadKind::Frame], host);
        let attributes = [
            ("async", ""),
            ("crossorigin", "anonymous"),
            ("data-repo", giscus.repo.as_str()),
            ("data-repo-id", &giscus.repo_id),
            ("data-category", &giscus.category),
            ("data-category-id", &giscus.category_id),
            ("data-mapping", "specific"),
            ("data-term", term),
            ("data-strict", "1"),
            ("data-reactions-enabled", "1"),
            ("data-emit-metadata", "0"),
            ("data-input-position", "bottom"),
            ("data-theme", "preferred_color_scheme"),
            ("data-lang", giscus_language(language)),
            ("data-loading", "lazy"),
        ];
        let url = format!("https://github.com/{}/discussions", giscus.repo);
        let script = script(format!("https://{host}/client.js"), &attributes);
        return Some(CommentsView { script, url });
    }
    let repository = config.services.utterances.as_ref()?;
    let host = "utteranc.es";
    policy.host(&[LoadKind::Script, LoadKind::Frame], host);
    policy.allow(&[LoadKind::Style], UTTERANCES_STYLE);
    let attributes = [
        ("async", ""),
        ("crossorigin", "anonymous"),
        ("data-repo", repository.as_str()),
        ("data-issue-term", term),
        ("data-theme", "preferred-color-scheme"),
    ];
    let url = format!("https://github.com/{repository}/issues");
    let script = script(format!("https://{host}/client.js"), &attributes);
    Some(CommentsView { script, url })
}

/// Returns the giscus tag of a language; English if giscus does not support it.
fn giscus_language(tag: &str) -> &'static str {
    let tag = tag.to_ascii_lowercase();
    if ["zh-tw", "zh-hk", "zh-hant"].iter().any(|start| tag.starts_with(start)) {
        return "zh-TW";
    }
    match tag.split('-').next().unwrap_or_default() {
        "zh" => "zh-CN",
        "ar" => "ar",
        "de" => "de",
        "es" => "es",
        "fr" => "fr",
        "ja" => "ja",
        "it" => "it",
        "ko" => "ko",
        "nl" => "nl",
        "pl" => "pl",
        "pt" => "pt",
        "ru" => "ru",
        "tr" => "tr",
        "uk" => "uk",
        _ => "en",
    }
}
