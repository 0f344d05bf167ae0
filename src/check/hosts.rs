//! What hosts do not take, by their documentation of November 2026.

use crate::config::Hosting;
use crate::diag::{Diagnostic, Severity};
use crate::text::{bytes, grouped};

/// The files of a site, counted.
#[derive(Default)]
pub(super) struct Files {
    count: u64,
    sum: u64,
    /// The largest file.
    largest: (u64, String),
    /// Lines and bytes of `_redirects`.
    redirects: (u64, u64),
}

/// What a host takes.
struct Limits {
    name: &'static str,
    /// Number of files, and their number for those who pay.
    count: Option<(u64, u64)>,
    /// Of all files together. Bytes.
    sum: Option<u64>,
    /// Of one file. Bytes.
    file: Option<u64>,
    /// Lines of `_redirects`, and bytes of it.
    redirects: Option<(u64, u64)>,
}

/// `None` for a host that gives no numbers.
fn limits(host: Hosting) -> Option<Limits> {
    match host {
        Hosting::GithubPages => Some(Limits {
            name: "GitHub Pages",
            count: None,
            sum: Some(1_000_000_000),
            file: Some(100 << 20),
            redirects: None,
        }),
        Hosting::CloudflarePages => Some(Limits {
            name: "Cloudflare Pages",
            count: Some((20_000, 100_000)),
            sum: None,
            file: Some(25 << 20),
            redirects: Some((2_000, 100_000)),
        }),
        Hosting::Netlify | Hosting::Other => None,
    }
}

impl Files {
    pub(super) fn add(&mut self, path: &str, bytes: &[u8]) {
        let len = bytes.len() as u64;
        if path == "_redirects" {
            let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
            self.redirects = (lines as u64, len);
        }
        self.count(path, len);
    }

    pub(super) fn count(&mut self, path: &str, len: u64) {
        self.count += 1;
        self.sum += len;
        if len > self.largest.0 {
            self.largest = (len, path.to_owned());
        }
    }

    /// What is beyond the limits of a host.
    pub(super) fn beyond(&self, host: Hosting) -> Vec<Diagnostic> {
        let Some(limits) = limits(host) else { return Vec::new() };
        let name = limits.name;
        let is_beyond = |limit: Option<u64>, found| limit.filter(|limit| found > *limit);
        let mut messages = Vec::new();
        let mut notes = Vec::new();
        if let Some((free, paid)) = limits.count
            && self.count > free
        {
            let [found, free_count, paid_count] = [self.count, free, paid].map(grouped);
            let message = format!(
                "the site has {found} files; {name} takes {free_count}, and {paid_count} on paid plans"
            );
            let is_too_much = self.count > paid;
            let severity = if is_too_much { Severity::Error } else { Severity::Warning };
            let note = Diagnostic::new(severity, "host-limit", message);
            notes.push(note.in_file("site.toml").hint(match is_too_much {
                true => "make two sites of it, or put it elsewhere",
                false => {
                    "on a paid plan set `PAGES_WRANGLER_MAJOR_VERSION=4` for its builds"
                }
            }));
        }
        if let Some(limit) = is_beyond(limits.sum, self.sum) {
            let (found, limit) = (bytes(self.sum), bytes(limit));
            messages
                .push((format!("the site has {found} and {name} takes {limit}"), None));
        }
        if let Some(limit) = is_beyond(limits.file, self.largest.0) {
            let (found, limit) = (bytes(self.largest.0), bytes(limit));
            let message = format!("the file has {found} and {name} takes {limit}");
            messages.push((message, Some(self.largest.1.as_str())));
        }
        if let Some((lines, size)) = limits.redirects
            && (self.redirects.0 > lines || self.redirects.1 > size)
        {
            let (found, found_size) =
                (grouped(self.redirects.0), bytes(self.redirects.1));
            let (lines, size) = (grouped(lines), bytes(size));
            let message = format!(
                "there are {found} redirects ({found_size}) and {name} takes {lines} ({size})"
            );
            messages.push((message, Some("_redirects")));
        }
        let note = |(message, path): (String, Option<&str>)| {
            let note = Diagnostic::new(Severity::Error, "host-limit", message);
            note.in_file(path.unwrap_or("site.toml"))
        };
        notes.extend(messages.into_iter().map(note));
        notes
    }
}

#[cfg(test)]
mod tests {
    use super::Files;
    use crate::config::Hosting;
    use crate::diag::Severity;

    #[track_caller]
    fn check(host: Hosting, files: &[(&str, usize)], count: u64, expected: &[&str]) {
        let mut seen = Files::default();
        files.iter().for_each(|(path, len)| seen.count(path, *len as u64));
        seen.count = seen.count.max(count);
        let notes = seen.beyond(host);
        let messages: Vec<&str> =
            notes.iter().map(|note| note.message.as_str()).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn limits_are_told() {
        let large = [("a", 30 << 20), ("b", 1_000_000_000)];
        check(Hosting::Other, &large, 50_000, &[]);
        check(
            Hosting::GithubPages,
            &large,
            50_000,
            &[
                "the site has 1.0 GB and GitHub Pages takes 1.0 GB",
                "the file has 1.0 GB and GitHub Pages takes 104.9 MB",
            ],
        );
        check(
            Hosting::CloudflarePages,
            &large[..1],
            20_001,
            &[
                "the site has 20,001 files; Cloudflare Pages takes 20,000, and 100,000 on paid plans",
                "the file has 31.5 MB and Cloudflare Pages takes 26.2 MB",
            ],
        );
        check(Hosting::CloudflarePages, &[("a", 1)], 20_000, &[]);
    }

    #[test]
    fn what_paid_plans_take_is_no_error() {
        let severity = |count| {
            let seen = Files { count, ..Files::default() };
            let notes = seen.beyond(Hosting::CloudflarePages);
            notes.into_iter().map(|note| note.severity).collect::<Vec<_>>()
        };
        assert_eq!(severity(20_000), []);
        assert_eq!(severity(20_001), [Severity::Warning]);
        assert_eq!(severity(100_000), [Severity::Warning]);
        assert_eq!(severity(100_001), [Severity::Error]);
    }

    #[test]
    fn so_are_redirects_that_a_host_would_leave_out() {
        let mut seen = Files::default();
        seen.add("_redirects", "/a /b 301\n".repeat(2_001).as_bytes());
        let messages = |host| seen.beyond(host).into_iter().map(|note| note.message);
        assert_eq!(messages(Hosting::Netlify).count(), 0);
        assert_eq!(
            messages(Hosting::CloudflarePages).collect::<Vec<_>>(),
            [
                "there are 2,001 redirects (20 KB) and Cloudflare Pages takes 2,000 (100 KB)"
            ]
        );
    }
}
