//! Checks the laws of `src/lib.rs` in the source code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::support::project;

/// Every source file, by its path below `src`.
fn sources() -> BTreeMap<String, String> {
    crate::support::files_below(&project().join("src"))
        .into_iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("UTF-8")))
        .collect()
}

/// The packages in `src`, with the packages of this project that each may use. The rest of `src` is
/// the main package, which may use all of them.
const PACKAGES: [(&str, &[&str]); 5] = [
    ("base", &[]),
    ("formats", &["convo-base"]),
    ("archives", &["convo-base", "convo-formats"]),
    ("markup", &["convo-base"]),
    ("secrets", &["convo-base"]),
];

#[test]
fn packages_use_only_packages_below_them() {
    for (package, allowed) in PACKAGES {
        let manifest = project().join("src").join(package).join("Cargo.toml");
        let manifest = fs::read_to_string(manifest).expect("a manifest");
        let name = |line: &str| line.split(['.', ' ', '=']).next().unwrap_or_default().to_owned();
        let used: Vec<String> =
            manifest.lines().map(name).filter(|name| name.starts_with("convo-")).collect();
        assert_eq!(used, allowed, "src/{package}/Cargo.toml");
    }
}

/// The modules of a `lib.rs` in declaration order.
fn order(lib: &str) -> Vec<String> {
    let lib = fs::read_to_string(project().join(lib)).expect("a library");
    let module = |line: &str| Some(line.strip_prefix("pub mod ")?.strip_suffix(';')?.to_owned());
    lib.lines().filter_map(module).collect()
}

#[test]
fn modules_use_only_modules_above_them() {
    let mut broken = Vec::new();
    for (folder, lib) in [("", "src/lib.rs"), ("base/", "src/base/lib.rs")] {
        let order = order(lib);
        assert!(order.len() > 10);
        let place = |name: &str| order.iter().position(|module| module == name);
        for (path, text) in sources() {
            let Some(inside) = path.strip_prefix(folder) else { continue };
            let module = inside.split(['/', '.']).next().expect("a module");
            let Some(own) = place(module) else { continue };
            for (number, line) in text.lines().enumerate() {
                for rest in line.split("crate::").skip(1) {
                    let name: String =
                        rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                    if place(&name).is_some_and(|other| other > own) {
                        broken.push(format!("src/{path}:{}: {module} uses {name}", number + 1));
                    }
                }
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// The modules of a folder, with the siblings that each uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// The next names of a path: a single one, or those in braces.
fn names_after(path: &str) -> Vec<String> {
    let ident = |text: &str| {
        let is_part = |c: &char| c.is_alphanumeric() || *c == '_';
        text.trim_start().chars().take_while(is_part).collect::<String>()
    };
    let Some(inside) = path.strip_prefix('{') else { return vec![ident(path)] };
    let mut depth = 0;
    let mut names = vec![ident(inside)];
    for (at, c) in inside.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(ident(&inside[at + 1..])),
            _ => {}
        }
    }
    names
}

/// The start of a path.
enum Anchor {
    Crate,
    /// This many modules up.
    Super(usize),
}

/// The paths in a text that start with `crate` or `super`, each with the names after that.
fn paths(code: &str) -> Vec<(Anchor, &str)> {
    let mut found = Vec::new();
    let mut rest = code;
    while let Some(at) = rest.find("::") {
        let (before, mut after) = rest.split_at(at);
        after = &after[2..];
        rest = after;
        let word = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next();
        match word {
            Some("crate") => found.push((Anchor::Crate, after)),
            Some("super") => {
                let mut up = 1;
                while let Some(next) = after.strip_prefix("super::") {
                    (after, up) = (next, up + 1);
                }
                rest = after;
                found.push((Anchor::Super(up), after));
            }
            _ => {}
        }
    }
    found
}

/// Sibling modules that use each other, by folder.
fn uses() -> BTreeMap<String, Uses> {
    let sources = sources();
    let exists = |path: &str| {
        sources.contains_key(&format!("{path}.rs"))
            || sources.contains_key(&format!("{path}/mod.rs"))
    };
    let mut all: BTreeMap<String, Uses> = BTreeMap::new();
    for (path, text) in &sources {
        let module = path.trim_end_matches(".rs");
        let module = module.trim_end_matches("/mod").trim_end_matches("/lib");
        let module: Vec<&str> = module.split('/').collect();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let is_comment = |line: &&str| line.trim_start().starts_with("//");
        let code: Vec<&str> = code.lines().filter(|line| !is_comment(line)).collect();
        let code = code.join("\n");
        let is_package = PACKAGES.iter().any(|(package, _)| *package == module[0]);
        for (path, after) in paths(&code) {
            // The names of the path, from the root of `src`.
            let level = match path {
                Anchor::Crate => usize::from(is_package),
                Anchor::Super(up) => match module.len().checked_sub(up) {
                    Some(level) => level,
                    None => continue,
                },
            };
            let mut place = module[..level].to_vec();
            let mut after = after;
            // A path from the root of a package may go through parent folders of the module.
            while let Some(folder) = module.get(place.len())
                && place.len() + 1 < module.len()
                && let Some(inside) = after.strip_prefix(folder)
                && let Some(inside) = inside.strip_prefix("::")
            {
                place.push(folder);
                after = inside;
            }
            let Some(own) = module.get(place.len()) else { continue };
            let folder = place.join("/");
            for name in names_after(after) {
                let beside =
                    if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                if name != *own && exists(&beside) {
                    let uses = all.entry(folder.clone()).or_default();
                    uses.entry((*own).to_owned()).or_default().insert(name);
                }
            }
        }
    }
    all
}

#[test]
fn files_of_a_folder_use_each_other_in_one_direction() {
    let uses = uses();
    assert!(uses["sources"]["ingest"].contains("entry"));
    let mut circles = BTreeMap::new();
    for (folder, mut uses) in uses {
        // A module that uses no remaining module is in no cycle.
        loop {
            let left: BTreeSet<String> = uses.keys().cloned().collect();
            uses.values_mut().for_each(|used| used.retain(|name| left.contains(name)));
            uses.retain(|_, used| !used.is_empty());
            if uses.len() == left.len() {
                break;
            }
        }
        if !uses.is_empty() {
            circles.insert(folder, uses);
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

/// A crate, and the only places that may use it.
const HOMES: &[(&str, &[&str])] = &[
    ("pulldown_cmark", &["base/commonmark/"]),
    ("syntect", &["markup/highlight/"]),
    ("two_face", &["markup/highlight/"]),
    ("math_core", &["markup/math.rs"]),
    ("linkify", &["markup/markdown.rs"]),
    ("tera", &["theme/"]),
    ("include_dir", &["theme/"]),
    ("toml", &["config/", "formats/shared/text/front.rs", "locale/mod.rs"]),
    ("icu_plurals", &["locale/mod.rs"]),
    ("icu_locale_core", &["locale/mod.rs"]),
    ("isolang", &["locale/languages.rs"]),
    ("oxilangtag", &["locale/languages.rs", "formats/convo/metadata.rs"]),
    ("whatlang", &["locale/languages.rs"]),
    ("resvg", &["drawing/"]),
    ("png", &["drawing/mod.rs"]),
    ("skrifa", &["drawing/fonts.rs"]),
    ("unicode_linebreak", &["drawing/lines.rs"]),
    ("blake3", &["base/hash.rs"]),
    ("similar::", &["base/model/diff.rs"]),
    ("strsim", &["base/text/similar.rs"]),
    ("unicode_normalization", &["base/text/"]),
    ("unicode_width", &["base/text/unicode.rs"]),
    ("saphyr", &["base/yaml.rs"]),
    ("saphyr_parser", &["base/yaml.rs"]),
    ("mail_parser", &["formats/shared/people/mail/"]),
    ("chardetng", &["formats/shared/text/decode.rs"]),
    ("encoding_rs", &["formats/shared/text/decode.rs"]),
    ("regex::", &["gate/"]),
    ("globset", &["sources/find/patterns.rs"]),
    ("getrandom", &["disk/"]),
    ("imagesize", &["sources/refs/media.rs"]),
    ("base64", &["base/text/encoding.rs"]),
    ("percent_encoding", &["base/text/encoding.rs"]),
    ("html5gum", &["check/html.rs", "single_page/rewriter.rs"]),
    ("sha2", &["sources/refs/attachments.rs", "single_page/policy.rs"]),
    ("gix_hash", &["disk/git.rs", "disk/commits.rs", "disk/history.rs"]),
    ("gix_object", &["disk/git.rs"]),
    ("gix_odb", &["disk/git.rs"]),
    ("gix_ref", &["disk/git.rs"]),
    ("gix_traverse", &["disk/git.rs"]),
    ("hyper", &["serve/http/"]),
    ("hyper_util", &["serve/http/"]),
    ("http_body_util", &["serve/http/"]),
    ("tokio", &["serve/", "mcp/mod.rs", "cli/interrupt.rs"]),
    ("ureq", &["engine/client.rs"]),
    ("notify", &["serve/watch.rs"]),
    ("open::that", &["cli/serve.rs"]),
    ("mimalloc", &["main.rs"]),
    ("rmcp", &["mcp/"]),
    ("tantivy", &["local_search/"]),
    ("flate2", &["search/index/encoding.rs", "outputs/hosts/packed.rs"]),
    ("brotli::", &["outputs/hosts/packed.rs"]),
    ("lz4_flex", &["search/index/run.rs", "archives/blocks.rs"]),
    ("rawzip", &["archives/zip_file.rs"]),
    ("tar::", &["archives/tar_file.rs"]),
    ("miniz_oxide", &["archives/deflate.rs"]),
    ("crc32fast", &["archives/deflate.rs", "secrets/checks.rs", "base/images/png_chunks.rs"]),
    (
        "aho_corasick",
        &[
            "base/rendered_text/words.rs", "gate/env.rs", "secrets/engine.rs",
            "secrets/placeholders.rs",
        ],
    ),
    ("bip39", &["secrets/seed_phrase.rs"]),
    (
        "memchr",
        &[
            "base/rendered_text/joined.rs",
            "formats/shared/access/home.rs",
            "gate/final_check.rs",
            "secrets/encoded.rs",
            "base/json.rs",
        ],
    ),
    ("ruzstd", &["archives/blocks.rs"]),
    ("rusqlite", &["archives/database/"]),
    ("postcard", &["base/cache.rs", "disk/sealed.rs"]),
    ("walkdir", &["disk/scan.rs", "disk/history.rs"]),
    ("std::fs", &["disk/", "archives/"]),
    ("cap_std", &["disk/folder.rs"]),
    ("cap_fs_ext", &["disk/folder.rs"]),
    (
        "tempfile",
        &["disk/state.rs", "disk/folder.rs", "disk/sealed.rs", "archives/database/store.rs"],
    ),
    ("clap", &["cli/"]),
    ("clap_complete", &["cli/"]),
    ("clap_mangen", &["cli/man.rs"]),
    ("indicatif", &["cli/report.rs"]),
    ("anstream", &["cli/report.rs"]),
];

#[test]
fn every_dependency_has_one_module() {
    let mut strays = Vec::new();
    for (path, text) in sources() {
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code = code.collect::<Vec<_>>().join("\n");
        for (name, homes) in HOMES {
            let uses = [format!("{name}::"), format!("use {name}")]
                .iter()
                .any(|wanted| memchr::memmem::find(code.as_bytes(), wanted.as_bytes()).is_some());
            if uses && !homes.iter().any(|home| path.starts_with(home)) {
                strays.push(format!("src/{path} uses {name}"));
            }
        }
    }
    assert!(strays.is_empty(), "{}", strays.join("\n"));
}

/// Rules that the order of modules cannot express.
const NEVER: [(&str, &str); 4] = [
    ("site/", "crate::theme"),
    ("theme/", "crate::model"),
    ("theme/", "crate::site"),
    ("disk/", "crate::site"),
];

#[test]
fn some_modules_never_use_each_other() {
    for (path, text) in sources() {
        for (folder, name) in NEVER {
            assert!(!(path.starts_with(folder) && text.contains(name)), "src/{path} uses {name}");
        }
    }
}

/// Deleting a format only requires deleting one file or folder, and one row of the table.
#[test]
fn formats_do_not_use_each_other() {
    let module = |format: &&convo_site::formats::Format| match format.name {
        "json" => "neutral".to_owned(),
        // `continue` is a keyword, and `line` is a name of modules that read lines.
        "continue" => "continue_dev".to_owned(),
        "line" => "line_app".to_owned(),
        name => name.replace('-', "_"),
    };
    let names: Vec<String> = convo_site::formats::ALL.iter().map(module).collect();
    for (path, text) in sources() {
        let Some(inside) = path.strip_prefix("formats/") else { continue };
        let own = inside.split(['/', '.']).next().expect("a name");
        if !names.iter().any(|name| name == own) {
            continue;
        }
        for other in names.iter().filter(|other| *other != own) {
            for way in ["super::", "super::super::", "crate::"] {
                assert!(!text.contains(&format!("{way}{other}::")), "src/{path} uses {other}");
            }
        }
    }
}

/// Every format has a test case and a conversation in the example site.
#[test]
fn every_format_has_cases_and_an_example() {
    let site = crate::support::SiteTest::new();
    let example = project().join("example-site/content");
    let run = crate::support::run_in(
        site.path("").as_path(),
        &["convert", example.to_str().expect("UTF-8"), "--to", "json", "-o", "out"],
        &[],
    );
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut seen = std::collections::BTreeSet::new();
    for (path, bytes) in crate::support::files_below(&example) {
        let name = path.rsplit('/').next().expect("a name");
        let text = String::from_utf8_lossy(&bytes);
        seen.extend(convo_site::formats::detect(name, &text).0.map(|format| format.name));
    }
    for format in convo_site::formats::ALL.iter().filter(|format| format.read.is_some()) {
        assert!(seen.contains(format.name), "no example in {}", format.name);
        let cases = project().join("tests/formats").join(format.name);
        assert!(fs::read_dir(cases).is_ok_and(|cases| cases.count() >= 3), "{}", format.name);
    }
}

#[test]
fn every_file_has_a_description() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "src/{path} has no first line of documentation");
    }
    for folder in ["tests/it", "tests/browser", "tests/support"] {
        for (path, bytes) in crate::support::files_below(&project().join(folder)) {
            assert!(bytes.starts_with(b"//! "), "{folder}/{path}");
        }
    }
}

/// `tests/run` selects the tests that `cargo test` leaves out by their names.
#[test]
fn slow_tests_are_run() {
    let mark = "#[ignore = \"";
    for (path, bytes) in crate::support::files_below(&project().join("tests/it")) {
        let text = String::from_utf8(bytes).expect("UTF-8");
        for rest in text.split(mark).skip(1).filter(|_| path != "tidy.rs") {
            let reason = rest.split('"').next().expect("a reason");
            let name = rest.split("fn ").nth(1).and_then(|name| name.split('(').next());
            let name = name.expect("a test");
            let is_run = path.starts_with("timing/")
                || name.ends_with("linear_time")
                || name.starts_with("every_prefix");
            assert!(is_run || !reason.contains("`sh tests/run` runs it"), "{path}: {name}");
        }
    }
}

/// A file of tests that no module names would never run.
#[test]
fn every_test_file_is_a_module() {
    for folder in ["tests/it", "tests/it/timing", "tests/browser", "tests/support"] {
        let folder = project().join(folder);
        let names = ["main.rs", "mod.rs"];
        let list = names.iter().find_map(|name| fs::read_to_string(folder.join(name)).ok());
        let list = list.expect("a list of modules");
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let name = entry.file_name().into_string().expect("UTF-8");
            let Some(name) = name.strip_suffix(".rs") else { continue };
            let is_list = ["main", "mod"].contains(&name);
            assert!(is_list || list.contains(&format!("mod {name};")), "{folder:?}: {name}");
        }
    }
}
