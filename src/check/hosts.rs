//! The limits of hosts, and warnings when a site comes near to them.

use crate::config::Hosting;
use crate::diag::{Diagnostic, Severity};
use crate::text::{bytes, grouped, plural};

/// A limit of a host.
struct Limit {
    host: Hosting,
    name: &'static str,
    measure: Measure,
    most: u64,
    /// What happens beyond the limit.
    beyond: Beyond,
    /// The month in which the documentation of the host, or else its issue tracker, stated the limit.
    as_of: &'static str,
}

/// A limited quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// The number of files.
    Files,
    /// The size of all files, in bytes.
    Sum,
    /// The size of the largest file, in bytes.
    File,
    /// The number of blocks in `_headers`.
    HeaderRules,
    /// The length of the longest line in `_headers`, in bytes.
    HeaderLine,
    /// The number of lines in `_redirects`.
    Redirects,
    /// The number of lines in `_redirects` with `*` or `:name`.
    DynamicRedirects,
    /// The size of `_redirects`, in bytes.
    RedirectsFile,
}

#[derive(Clone, Copy)]
enum Beyond {
    /// The host rejects the site.
    Refused,
    /// Paid plans have this higher limit.
    Paid(u64),
    /// The host has no limit, but deploys are known to fail.
    Slow,
}

/// All known limits. If the meaning of a gigabyte is unclear, the smaller one counts.
const LIMITS: [Limit; 14] = {
    use Beyond::{Paid, Refused, Slow};
    use Hosting::{CloudflarePages, GithubPages, GitlabPages, Netlify};
    use Measure::{
        DynamicRedirects, File, Files, HeaderLine, HeaderRules, Redirects, RedirectsFile, Sum,
    };
    const fn row(
        (host, name): (Hosting, &'static str),
        measure: Measure,
        most: u64,
        beyond: Beyond,
        as_of: &'static str,
    ) -> Limit {
        Limit { host, name, measure, most, beyond, as_of }
    }
    let github = (GithubPages, "GitHub Pages");
    let netlify = (Netlify, "Netlify");
    let cloudflare = (CloudflarePages, "Cloudflare Pages");
    let gitlab = (GitlabPages, "GitLab Pages");
    [
        row(github, Sum, 1_000_000_000, Refused, "November 2026"),
        row(github, File, 100 << 20, Refused, "November 2026"),
        row(netlify, Files, 20_000, Slow, "November 2026"),
        row(cloudflare, Files, 20_000, Paid(100_000), "November 2026"),
        row(cloudflare, File, 25 << 20, Refused, "November 2026"),
        row(cloudflare, HeaderRules, 100, Refused, "November 2026"),
        row(cloudflare, HeaderLine, 2_000, Refused, "November 2026"),
        row(cloudflare, Redirects, 2_000, Refused, "November 2026"),
        row(cloudflare, DynamicRedirects, 100, Refused, "November 2026"),
        row(cloudflare, RedirectsFile, 100_000, Refused, "November 2026"),
        row(gitlab, Sum, 1_000_000_000, Refused, "November 2026"),
        row(gitlab, Files, 200_000, Refused, "November 2026"),
        row(gitlab, Redirects, 1_000, Refused, "November 2026"),
        row(gitlab, RedirectsFile, 64 << 10, Refused, "November 2026"),
    ]
};

/// The percentage of a limit at which a warning is reported.
const NEAR: u64 = 80;

/// Optional files of a site.
const OPTIONAL: [Optional; 6] = [
    Optional { is_one: is_original, off: "`downloads` without \"original\"" },
    Optional { is_one: is_json, off: "`downloads` without \"json\"" },
    Optional { is_one: is_picture, off: "`per_conversation = false` under `[og_images]`" },
    Optional { is_one: is_turns, off: "`turns_json = false`" },
    Optional { is_one: is_markdown, off: "`markdown = false`" },
    Optional { is_one: is_packed, off: "no `precompress` under `[output]`" },
];

/// A kind of optional files.
struct Optional {
    is_one: fn(&str) -> bool,
    /// The setting that turns it off.
    off: &'static str,
}

fn is_original(path: &str) -> bool {
    path.starts_with("c/")
        && path.rsplit('/').next().is_some_and(|name| name.starts_with("original."))
}

fn is_json(path: &str) -> bool {
    path.starts_with("c/") && path.ends_with("/index.json")
}

fn is_turns(path: &str) -> bool {
    path.starts_with("c/") && path.ends_with("/turns.json")
}

fn is_markdown(path: &str) -> bool {
    path.ends_with("/index.md")
}

fn is_packed(path: &str) -> bool {
    let packed = [".html", ".css", ".js", ".json", ".md", ".txt", ".xml", ".svg"];
    let whole = path.strip_suffix(".gz").or_else(|| path.strip_suffix(".br"));
    whole.is_some_and(|whole| packed.iter().any(|ending| whole.ends_with(ending)))
}

fn is_picture(path: &str) -> bool {
    path.starts_with("c/") && path.ends_with("/og.png")
}

/// Returns whether a file has rules of hosts, which are counted.
pub(super) fn are_rules(path: &str) -> bool {
    matches!(path, "_headers" | "_redirects")
}

/// The files of a site, counted.
#[derive(Default)]
pub(super) struct Files {
    count: u64,
    sum: u64,
    /// The largest file.
    largest: (u64, String),
    /// The number of blocks in `_headers`, and its longest line.
    headers: (u64, u64),
    /// The number of lines in `_redirects`, the number with placeholders, and the size.
    redirects: (u64, u64, u64),
    /// The number and size of optional files, in the order of [`OPTIONAL`].
    optional: [(u64, u64); OPTIONAL.len()],
}

impl Files {
    pub(super) fn add(&mut self, path: &str, bytes: &[u8], len: u64) {
        if are_rules(path) {
            self.add_rules(path, &String::from_utf8_lossy(bytes), len);
        }
        self.count(path, len);
    }

    fn add_rules(&mut self, path: &str, text: &str, len: u64) {
        let lines = || text.lines().filter(|line| !line.trim_start().starts_with('#'));
        if path == "_headers" {
            let blocks = lines().filter(|line| line.starts_with(['/', 'h'])).count();
            let longest = lines().map(str::len).max().unwrap_or_default();
            self.headers = (blocks as u64, longest as u64);
        } else {
            let rules = || lines().filter(|line| !line.trim().is_empty());
            let is_dynamic = |line: &&str| {
                let from = line.split_whitespace().next().unwrap_or_default();
                from.contains(['*', ':'])
            };
            let dynamic = rules().filter(is_dynamic).count();
            self.redirects = (rules().count() as u64, dynamic as u64, len);
        }
    }

    pub(super) fn count(&mut self, path: &str, len: u64) {
        self.count += 1;
        self.sum += len;
        if len > self.largest.0 {
            self.largest = (len, path.to_owned());
        }
        for (kind, (count, sum)) in OPTIONAL.iter().zip(&mut self.optional) {
            if (kind.is_one)(path) {
                *count += 1;
                *sum += len;
            }
        }
    }

    /// Reports limits of a host that the site exceeds or comes near to.
    pub(super) fn beyond(&self, host: Hosting) -> Vec<Diagnostic> {
        let rows = LIMITS.iter().filter(|limit| limit.host == host);
        rows.filter_map(|limit| self.note(limit)).collect()
    }

    fn found(&self, measure: Measure) -> u64 {
        match measure {
            Measure::Files => self.count,
            Measure::Sum => self.sum,
            Measure::File => self.largest.0,
            Measure::HeaderRules => self.headers.0,
            Measure::HeaderLine => self.headers.1,
            Measure::Redirects => self.redirects.0,
            Measure::DynamicRedirects => self.redirects.1,
            Measure::RedirectsFile => self.redirects.2,
        }
    }

    fn note(&self, limit: &Limit) -> Option<Diagnostic> {
        let (found, most) = (self.found(limit.measure), limit.most);
        let is_beyond = found > most;
        if found < most.saturating_div(100).saturating_mul(NEAR) || found == 0 {
            return None;
        }
        let unit = |number: u64| match limit.measure {
            Measure::Sum | Measure::File | Measure::RedirectsFile => bytes(number),
            _ => grouped(number),
        };
        let shown = unit(found);
        let what = match limit.measure {
            Measure::Files => format!("the site has {shown} files"),
            Measure::Sum => format!("the site is {shown}"),
            Measure::File => format!("the file is {shown}"),
            Measure::HeaderRules => format!("the site has {shown} header rules"),
            Measure::HeaderLine => format!("a line has {shown} characters"),
            Measure::Redirects => format!("the site has {shown} redirects"),
            Measure::DynamicRedirects => {
                format!("the site has {shown} redirects with placeholders")
            }
            Measure::RedirectsFile => format!("the file is {shown}"),
        };
        let takes = match limit.beyond {
            Beyond::Paid(paid) => {
                format!("allows {}, and {} on paid plans", unit(most), unit(paid))
            }
            Beyond::Refused => format!("allows {}", unit(most)),
            Beyond::Slow => format!("often fails beyond {}", unit(most)),
        };
        let severity = match limit.beyond {
            Beyond::Refused if is_beyond => Severity::Error,
            Beyond::Paid(paid) if found > paid => Severity::Error,
            _ => Severity::Warning,
        };
        let message = format!("{what}; {} {takes}", limit.name);
        let note = Diagnostic::new(severity, "host-limit", message);
        let path = match limit.measure {
            Measure::Files | Measure::Sum => "site.toml",
            Measure::File => self.largest.1.as_str(),
            Measure::HeaderRules | Measure::HeaderLine => "_headers",
            Measure::Redirects | Measure::DynamicRedirects | Measure::RedirectsFile => "_redirects",
        };
        let note = note.in_file(path).hint(self.way_out(limit, severity));
        let note = match limit.beyond {
            Beyond::Paid(_) if is_beyond && severity == Severity::Warning => {
                note.hint("on a paid plan, set `PAGES_WRANGLER_MAJOR_VERSION=4` for builds")
            }
            _ => note,
        };
        Some(note.hint(format!("this limit was last verified in {}", limit.as_of)))
    }

    /// Returns a hint about a limit.
    fn way_out(&self, limit: &Limit, severity: Severity) -> String {
        match limit.measure {
            Measure::Files | Measure::Sum => {}
            Measure::File => {
                return "remove it from the site, or host it elsewhere and link to it".to_owned();
            }
            Measure::HeaderRules | Measure::HeaderLine => {
                return "most rules are for `downloads`; list fewer kinds there".to_owned();
            }
            Measure::Redirects | Measure::DynamicRedirects | Measure::RedirectsFile => {
                return "the host ignores the rest, which still redirect through small pages; remove old \
                        redirects from `[redirects]` and `aliases`"
                    .to_owned();
            }
        }
        let savings = OPTIONAL.iter().zip(self.optional);
        let savings = savings.filter(|(_, (count, _))| *count > 0);
        let savings: Vec<String> = savings
            .map(|(kind, (count, sum))| {
                let files = plural(count, "file", "files");
                format!("{} saves {files} ({})", kind.off, bytes(sum))
            })
            .collect();
        match (savings.is_empty(), severity) {
            (false, _) => format!("turn off optional files: {}", savings.join("; ")),
            (true, Severity::Error) => "split the site in two, or use another host".to_owned(),
            (true, _) => "no optional files can be turned off; consider splitting the site \
                          in two, or another host"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Files, LIMITS};
    use crate::config::Hosting;
    use crate::diag::Severity;

    #[track_caller]
    fn check(host: Hosting, files: &[(&str, usize)], count: u64, expected: &[&str]) {
        let mut seen = Files::default();
        files.iter().for_each(|(path, len)| seen.count(path, *len as u64));
        seen.count = seen.count.max(count);
        let notes = seen.beyond(host);
        let messages: Vec<&str> = notes.iter().map(|note| note.message.as_str()).collect();
        assert_eq!(messages, expected);
    }

    #[test]
    fn limits_are_reported() {
        let large = [("a", 30 << 20), ("b", 1_000_000_000)];
        check(Hosting::Other, &large, 50_000, &[]);
        check(
            Hosting::GithubPages,
            &large,
            50_000,
            &[
                "the site is 1.0 GB; GitHub Pages allows 1.0 GB",
                "the file is 1.0 GB; GitHub Pages allows 104.9 MB",
            ],
        );
        check(
            Hosting::CloudflarePages,
            &large[..1],
            20_001,
            &[
                "the site has 20,001 files; Cloudflare Pages allows 20,000, and 100,000 on paid plans",
                "the file is 31.5 MB; Cloudflare Pages allows 26.2 MB",
            ],
        );
        check(Hosting::CloudflarePages, &[("a", 1)], 15_999, &[]);
        check(
            Hosting::Netlify,
            &[("a", 1)],
            20_001,
            &["the site has 20,001 files; Netlify often fails beyond 20,000"],
        );
        check(
            Hosting::GitlabPages,
            &[("a", 1)],
            200_001,
            &["the site has 200,001 files; GitLab Pages allows 200,000"],
        );
    }

    #[test]
    fn every_limit_warns_at_four_fifths_and_is_dated() {
        for limit in &LIMITS {
            let of = |found: u64| {
                let seen = Files {
                    count: found,
                    sum: found,
                    largest: (found, "a".to_owned()),
                    headers: (found, found),
                    redirects: (found, found, found),
                    ..Files::default()
                };
                seen.note(limit).map(|note| note.severity)
            };
            let four_fifths = limit.most / 100 * 80;
            assert_eq!(of(four_fifths - 1), None, "{:?}", limit.measure);
            assert_eq!(of(four_fifths), Some(Severity::Warning), "{:?}", limit.measure);
            assert_eq!(of(limit.most), Some(Severity::Warning), "{:?}", limit.measure);
            assert!(limit.as_of.ends_with(" 2026"));
        }
    }

    #[test]
    fn limits_of_paid_plans_are_not_errors() {
        let severity = |count| {
            let seen = Files { count, ..Files::default() };
            let notes = seen.beyond(Hosting::CloudflarePages);
            notes.into_iter().map(|note| note.severity).collect::<Vec<_>>()
        };
        assert_eq!(severity(15_999), []);
        assert_eq!(severity(20_001), [Severity::Warning]);
        assert_eq!(severity(100_000), [Severity::Warning]);
        assert_eq!(severity(100_001), [Severity::Error]);
    }

    #[test]
    fn features_that_can_be_turned_off_are_named() {
        let mut seen = Files::default();
        seen.count("c/a/original.json", 700);
        seen.count("c/a/index.json", 200);
        seen.count = 18_000;
        let notes = seen.beyond(Hosting::CloudflarePages);
        assert_eq!(
            notes[0].hints[0],
            "turn off optional files: `downloads` without \"original\" saves 1 file (700 B); \
             `downloads` without \"json\" saves 1 file (200 B)"
        );
    }

    #[test]
    fn redirects_beyond_the_limit_of_a_host_are_reported() {
        let mut seen = Files::default();
        let rows = "/a /b 301\n".repeat(2_001);
        seen.add("_redirects", rows.as_bytes(), rows.len() as u64);
        let messages = |host| seen.beyond(host).into_iter().map(|note| note.message);
        assert_eq!(messages(Hosting::Netlify).count(), 0);
        assert_eq!(
            messages(Hosting::CloudflarePages).collect::<Vec<_>>(),
            ["the site has 2,001 redirects; Cloudflare Pages allows 2,000"]
        );
        assert_eq!(
            messages(Hosting::GitlabPages).collect::<Vec<_>>(),
            ["the site has 2,001 redirects; GitLab Pages allows 1,000"]
        );
        let mut seen = Files::default();
        let rows = "/a/*\n  X-A: b\n".repeat(101);
        seen.add("_headers", rows.as_bytes(), rows.len() as u64);
        assert_eq!(
            seen.beyond(Hosting::CloudflarePages)[0].message,
            "the site has 101 header rules; Cloudflare Pages allows 100"
        );
    }
}
