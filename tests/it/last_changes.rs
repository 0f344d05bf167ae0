//! Last changes of files according to git, and links to propose changes.

#[cfg(feature = "git")]
use gix_hash::ObjectId;

#[cfg(feature = "git")]
use crate::support::git::GitRepository;
use crate::support::{BASE, SiteTest, convo};

fn page(site: &SiteTest, word: &str) -> String {
    let output = site.output();
    let pages =
        output.iter().filter(|(path, _)| path.starts_with("c/") && path.ends_with("/index.html"));
    let mut texts = pages.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let title = format!("<h1 dir=\"auto\">{word}");
    texts.find(|text| text.contains(&title)).expect("a page")
}

/// Commits these files as the folder `content`.
#[cfg(feature = "git")]
fn commit(site: &SiteTest, files: &[(&str, &str)], at: i64, before: Option<ObjectId>) -> ObjectId {
    let paths: Vec<String> = files.iter().map(|(name, _)| format!("content/{name}")).collect();
    let files: Vec<(&str, &str)> =
        paths.iter().map(String::as_str).zip(files.iter().map(|(_, text)| *text)).collect();
    GitRepository::new(&site.path("")).commit("main", &files, at, "Change", before)
}

#[cfg(feature = "git")]
#[test]
fn the_last_commit_of_a_file_is_its_last_change() {
    let (old, new, other) = (convo("Avocet."), convo("Avocets."), convo("Bittern."));
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}updated = 'git'\n"))
        .file("content/a.convo", &new)
        .file("content/b.convo", &other)
        .file("content/c.convo", convo("Curlew."));
    // 1 and 2 January 2030.
    let first = commit(&site, &[("a.convo", &old), ("b.convo", &other)], 1_893_456_000, None);
    commit(&site, &[("a.convo", &new), ("b.convo", &other)], 1_893_542_400, Some(first));
    let run = site.build(0);
    assert!(!run.stderr.contains("bad-history"), "{}", run.stderr);
    let avocet = page(&site, "Avocets.");
    assert!(avocet.contains("<span>Updated 2 January 2030</span>"), "{avocet}");
    assert!(avocet.contains("\"dateModified\":\"2030-01-02T00:00:00Z\""), "{avocet}");
    assert!(page(&site, "Bittern.").contains("<span>Updated 1 January 2030</span>"));
    // A file that was never committed uses the times in its text.
    assert!(!page(&site, "Curlew.").contains("Updated"));
    let map = String::from_utf8_lossy(&site.output()["sitemap.xml"]).into_owned();
    assert!(map.contains("<lastmod>2030-01-02T00:00:00Z</lastmod>"), "{map}");
    // Only if it is turned on.
    site.write(
        "site.toml",
        format!("{BASE}updated = 'git'\n[[source]]\nfiles = 'a.convo'\nupdated = 'conversation'\n"),
    );
    site.build(0);
    assert!(!page(&site, "Avocets.").contains("Updated"));
    assert!(page(&site, "Bittern.").contains("Updated"));
}

#[test]
fn a_site_outside_a_repository_gets_one_warning() {
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}updated = 'git'\n"))
        .file("content/a.convo", convo("Avocet."))
        .file("content/b.convo", convo("Bittern."));
    let run = site.build(0);
    assert_eq!(run.stderr.matches("warning[bad-history]").count(), 1, "{}", run.stderr);
}

#[test]
fn pages_link_to_the_editable_file() {
    let url = "https://git.example/ada/talks/edit/main/{path}";
    let site = SiteTest::new()
        .file("site.toml", format!("{BASE}edit_url = '{url}'\n"))
        .file("content/a b.convo", convo("Avocet."))
        .file("content/c.convo", convo("Call Acme at noon."));
    site.build(0);
    let link = "<a href=\"https://git.example/ada/talks/edit/main/content/a%20b.convo\" \
                rel=\"nofollow noopener\">Edit this page</a>";
    assert!(page(&site, "Avocet.").contains(link), "{}", page(&site, "Avocet."));
    // A file with more content than its page is not linked.
    site.write("site.toml", format!("{BASE}edit_url = '{url}'\n[[redact]]\nwords = ['Acme']\n"));
    site.build(0);
    assert!(!page(&site, "Call [redacted]").contains("git.example"));
    for wrong in ["git.example/{path}", "https://git.example/edit", "javascript:{path}"] {
        site.write("site.toml", format!("{BASE}edit_url = '{wrong}'\n"));
        let run = site.run(&["build", "--message-format", "short"]);
        assert!(run.stderr.contains("site.toml:2:12: error[bad-value]"), "{}", run.stderr);
    }
    site.write("site.toml", format!("{BASE}updated = 'svn'\n"));
    let run = site.run(&["build", "--message-format", "short"]);
    assert!(run.stderr.contains("site.toml:2:11: error[bad-value]"), "{}", run.stderr);
}
