//! What hosts do not take, and what comes near to that.

use crate::config::Hosting;
use crate::diag::{Diagnostic, Severity};
use crate::text::{bytes, grouped, plural};

/// A limit of a host.
struct Limit {
    host: Hosting,
    name: &'static str,
    measure: Measure,
    most: u64,
    /// What more is, and up to where, if it is no error.
    beyond: Beyond,
    /// The month in which the host's documentation, or where it has none its issues, said so.
    as_of: &'static str,
}

/// What is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Measure {
    /// The number of files.
    Files,
    /// All files together. Bytes.
    Sum,
    /// The largest file. Bytes.
    File,
    /// The blocks of `_headers`.
    HeaderRules,
    /// The longest line of `_headers`. Bytes.
    HeaderLine,
    /// The lines of `_redirects`.
    Redirects,
    /// Those of them that have a `*` or a `:name`.
    DynamicRedirects,
    /// `_redirects`. Bytes.
    RedirectsFile,
}

#[derive(Clone, Copy)]
enum Beyond {
    /// The host does not take it.
    Refused,
    /// Who pays may have so many.
    Paid(u64),
    /// The host takes it, but others had trouble with so many.
    Slow,
}

/// All limits that are known. Where the hosts differ in what a gigabyte is, the smaller one counts.
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

/// The part of a limit from which on people are warned, in percent.
const NEAR: u64 = 80;

/// Files that a site can do without.
const OPTIONAL: [Optional; 6] = [
    Optional { is_one: is_original, off: "`downloads` without \"original\"" },
    Optional { is_one: is_json, off: "`downloads` without \"json\"" },
    Optional { is_one: is_picture, off: "`per_conversation = false` under `[og_images]`" },
    Optional { is_one: is_turns, off: "`turns_json = false`" },
    Optional { is_one: is_markdown, off: "`markdown = false`" },
    Optional { is_one: is_packed, off: "no `precompress` under `[output]`" },
];

/// A kind of files that a site can do without.
struct Optional {
    is_one: fn(&str) -> bool,
    /// What switches it off.
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

/// The files of a site, counted.
#[derive(Default)]
pub(super) struct Files {
    count: u64,
    sum: u64,
    /// The largest file.
    largest: (u64, String),
    /// Of `_headers`: blocks, and the longest line.
    headers: (u64, u64),
    /// Of `_redirects`: lines, those with placeholders, and bytes.
    redirects: (u64, u64, u64),
    /// Files and bytes of what the site can do without, in the order of [`OPTIONAL`].
    optional: [(u64, u64); OPTIONAL.len()],
}

impl Files {
    pub(super) fn add(&mut self, path: &str, bytes: &[u8], len: u64) {
        let text = String::from_utf8_lossy(bytes);
        let lines = || text.lines().filter(|line| !line.trim_start().starts_with('#'));
        if path == "_headers" {
            let blocks = lines().filter(|line| line.starts_with(['/', 'h'])).count();
            let longest = lines().map(str::len).max().unwrap_or_default();
            self.headers = (blocks as u64, longest as u64);
        } else if path == "_redirects" {
            let rules = || lines().filter(|line| !line.trim().is_empty());
            let is_dynamic = |line: &&str| {
                let from = line.split_whitespace().next().unwrap_or_default();
                from.contains(['*', ':'])
            };
            let dynamic = rules().filter(is_dynamic).count();
            self.redirects = (rules().count() as u64, dynamic as u64, len);
        }
        self.count(path, len);
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

    /// What is beyond the limits of a host, or near to them.
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
            Measure::Sum => format!("the site has {shown}"),
            Measure::File => format!("the file has {shown}"),
            Measure::HeaderRules => format!("there are {shown} rules for headers"),
            Measure::HeaderLine => format!("a line has {shown} characters"),
            Measure::Redirects => format!("there are {shown} redirects"),
            Measure::DynamicRedirects => {
                format!("there are {shown} redirects with placeholders")
            }
            Measure::RedirectsFile => format!("the redirects have {shown}"),
        };
        let takes = match limit.beyond {
            Beyond::Paid(paid) => {
                format!("takes {}, and {} on paid plans", unit(most), unit(paid))
            }
            Beyond::Refused => format!("takes {}", unit(most)),
            Beyond::Slow => format!("often breaks off beyond {}", unit(most)),
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
                note.hint("on a paid plan set `PAGES_WRANGLER_MAJOR_VERSION=4` for its builds")
            }
            _ => note,
        };
        Some(note.hint(format!("that limit is known as of {}", limit.as_of)))
    }

    /// Returns what can be done about a limit.
    fn way_out(&self, limit: &Limit, severity: Severity) -> String {
        match limit.measure {
            Measure::Files | Measure::Sum => {}
            Measure::File => {
                return "leave it out of the site, or put it elsewhere and link to it".to_owned();
            }
            Measure::HeaderRules | Measure::HeaderLine => {
                return "most rules are for `downloads`: fewer kinds have fewer".to_owned();
            }
            Measure::Redirects | Measure::DynamicRedirects | Measure::RedirectsFile => {
                return "the host leaves out the rest, at whose addresses a page still leads on; \
                        take old ones out of `[redirects]` and `aliases`"
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
            (false, _) => format!("what can be switched off: {}", savings.join("; ")),
            (true, Severity::Error) => "make two sites of it, or put it elsewhere".to_owned(),
            (true, _) => "nothing is switched on that could be switched off; the next step \
                          would be two sites, or another host"
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
    fn limits_are_told() {
        let large = [("a", 30 << 20), ("b", 1_000_000_000)];
        check(Hosting::Other, &large, 50_000, &[]);
        check(
            Hosting::GithubPages,
            &large,
            50_000,
            &[
                "the site has 1.0 GB; GitHub Pages takes 1.0 GB",
                "the file has 1.0 GB; GitHub Pages takes 104.9 MB",
            ],
        );
        check(
            Hosting::CloudflarePages,
            &large[..1],
            20_001,
            &[
                "the site has 20,001 files; Cloudflare Pages takes 20,000, and 100,000 on paid plans",
                "the file has 31.5 MB; Cloudflare Pages takes 26.2 MB",
            ],
        );
        check(Hosting::CloudflarePages, &[("a", 1)], 15_999, &[]);
        check(
            Hosting::Netlify,
            &[("a", 1)],
            20_001,
            &["the site has 20,001 files; Netlify often breaks off beyond 20,000"],
        );
        check(
            Hosting::GitlabPages,
            &[("a", 1)],
            200_001,
            &["the site has 200,001 files; GitLab Pages takes 200,000"],
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
    fn what_paid_plans_take_is_no_error() {
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
    fn what_can_be_switched_off_is_told() {
        let mut seen = Files::default();
        seen.count("c/a/original.json", 700);
        seen.count("c/a/index.json", 200);
        seen.count = 18_000;
        let notes = seen.beyond(Hosting::CloudflarePages);
        assert_eq!(
            notes[0].hints[0],
            "what can be switched off: `downloads` without \"original\" saves 1 file (700 B); \
             `downloads` without \"json\" saves 1 file (200 B)"
        );
    }

    #[test]
    fn so_are_redirects_that_a_host_would_leave_out() {
        let mut seen = Files::default();
        let rows = "/a /b 301\n".repeat(2_001);
        seen.add("_redirects", rows.as_bytes(), rows.len() as u64);
        let messages = |host| seen.beyond(host).into_iter().map(|note| note.message);
        assert_eq!(messages(Hosting::Netlify).count(), 0);
        assert_eq!(
            messages(Hosting::CloudflarePages).collect::<Vec<_>>(),
            ["there are 2,001 redirects; Cloudflare Pages takes 2,000"]
        );
        assert_eq!(
            messages(Hosting::GitlabPages).collect::<Vec<_>>(),
            ["there are 2,001 redirects; GitLab Pages takes 1,000"]
        );
        let mut seen = Files::default();
        let rows = "/a/*\n  X-A: b\n".repeat(101);
        seen.add("_headers", rows.as_bytes(), rows.len() as u64);
        assert_eq!(
            seen.beyond(Hosting::CloudflarePages)[0].message,
            "there are 101 rules for headers; Cloudflare Pages takes 100"
        );
    }
}
