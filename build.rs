//! Bundles the JavaScript modules of each page script into one file, and passes the commit to the
//! compiler.
//!
//! A bundle is one block in strict mode, with the modules in the order of their dependencies, without
//! `import` lines, the keyword `export`, comments and indentation. This supports a simple subset of
//! modules; anything else fails the build, or the linter in `tests/run`:
//!
//! * an import is one line, `import { a, b } from "./c.js";`, and imports are not circular;
//! * an export is a declaration, `export const`, `export function` or `export class`;
//! * a top-level name is declared only once in all modules of a script;
//! * a string ends on the line where it starts (checked by the linter).
//!
//! Comments at the end of lines and spaces around operators are removed too, except on lines where a
//! slash, a backtick or the like makes it hard to see where strings and expressions end.
#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The scripts, with their entry modules.
const SCRIPTS: [(&str, &str); 11] = [
    ("search.js", "src/search/script/search.js"),
    ("search_dialog.js", "src/search/script/dialog.js"),
    ("pages_search.js", "src/search/script/pages_search.js"),
    ("pages_dialog.js", "src/search/script/pages_dialog.js"),
    ("first_paint.js", "src/theme/script/first_paint.js"),
    ("reading.js", "src/theme/script/reading.js"),
    ("mark.js", "src/theme/script/mark.js"),
    ("recording.js", "src/theme/script/recording.js"),
    ("player.js", "src/theme/script/player.js"),
    ("comments.js", "src/theme/script/comments.js"),
    ("live.js", "src/serve/live.js"),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR").expect("cargo names a folder");
    for (name, entry) in SCRIPTS {
        let mut linker = Linker::default();
        linker.add(Path::new(entry));
        let script = format!("\"use strict\";\n{{\n{}}}\n", linker.code);
        fs::write(Path::new(&out).join(name), script).expect("the folder can be written");
    }
    println!("cargo::rerun-if-env-changed={COMMIT}");
    if let Some(commit) = commit() {
        println!("cargo::rustc-env={COMMIT}={commit}");
    }
}

/// The environment variable with the commit. It can be set for builds outside of a repository, and the
/// build script sets it for the compiler.
const COMMIT: &str = "CONVO_SITE_COMMIT";

/// Returns the abbreviated hash of the commit. Debug builds have none, because they would be compiled
/// again after each commit.
fn commit() -> Option<String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let found = variable(COMMIT).or_else(|| {
        variable("PROFILE").filter(|profile| profile == "release")?;
        packaged().or_else(checked_out)
    })?;
    let is_hash = found.len() >= 7 && found.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| found.chars().take(12).collect())
}

/// Returns the commit recorded by `cargo package`.
fn packaged() -> Option<String> {
    let info = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, hash) = info.split_once("\"sha1\"")?;
    hash.split('"').nth(1).map(str::to_owned)
}

/// Returns the commit of the git repository, if this folder is its root.
fn checked_out() -> Option<String> {
    let git = Command::new("git")
        .args(["rev-parse", "--show-prefix", "HEAD"])
        .args(["--git-path", "HEAD", "--git-path", "logs/HEAD"])
        .output()
        .ok()?;
    let said = String::from_utf8(git.stdout).ok().filter(|_| git.status.success())?;
    let mut lines = said.lines();
    // A subfolder of another project's repository has a commit of that project.
    lines.next().filter(|below| below.is_empty())?;
    let commit = lines.next()?.to_owned();
    for path in lines.filter(|path| Path::new(path).exists()) {
        println!("cargo::rerun-if-changed={path}");
    }
    Some(commit)
}

/// The modules of a script that were bundled so far.
#[derive(Default)]
struct Linker {
    code: String,
    /// The modules, with `true` for complete ones.
    modules: BTreeMap<PathBuf, bool>,
    /// The top-level names, with their modules.
    names: BTreeMap<String, PathBuf>,
}

impl Linker {
    /// Adds a module, after the modules that it imports.
    fn add(&mut self, path: &Path) {
        match self.modules.get(path) {
            Some(true) => return,
            Some(false) => panic!("{}: circular import", path.display()),
            None => self.modules.insert(path.to_owned(), false),
        };
        println!("cargo::rerun-if-changed={}", path.display());
        let text =
            fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut own = String::new();
        let mut is_comment = false;
        for (number, line) in text.lines().enumerate() {
            let refuse =
                |why: &str| -> ! { panic!("{}:{}: {why}: {line}", path.display(), number + 1) };
            let code = line.trim();
            if is_comment || code.starts_with("/*") {
                is_comment = !code.contains("*/");
                if is_comment || code.ends_with("*/") {
                    continue;
                }
            }
            if code.is_empty() || code.starts_with("//") {
                continue;
            }
            if code.starts_with("import ") {
                let from = imported(code).unwrap_or_else(|| refuse("unsupported form of import"));
                self.add(&path.with_file_name(from));
                continue;
            }
            let exported = line.strip_prefix("export ");
            let name = declared(exported.unwrap_or(line));
            if exported.is_some() && name.is_none() {
                refuse("unsupported form of export");
            }
            let other = name.and_then(|name| self.names.insert(name.to_owned(), path.to_owned()));
            if let Some(other) = other {
                refuse(&format!("{} declares this name too", other.display()));
            }
            own.push_str(&compact(&without_types(exported.unwrap_or(code))));
            own.push('\n');
        }
        self.code.push_str(&own);
        self.modules.insert(path.to_owned(), true);
    }
}

/// Returns the file that a line imports from; it must be in the same folder.
fn imported(line: &str) -> Option<&str> {
    let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"./")?;
    let from = from.strip_suffix("\";")?;
    (!names.contains(" as ") && !from.contains('/')).then_some(from)
}

/// Returns the name that a top-level line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let keywords = ["const ", "let ", "function ", "function* ", "class "];
    let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
}

/// Removes the types of casts: `/** @type {T} */ (value)`.
fn without_types(line: &str) -> String {
    let mut parts = line.split("/** @type ");
    let mut code = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, rest) = part.split_once("*/").expect("a comment ends on its line");
        code.push_str(rest.trim_start());
    }
    code
}

/// Removes the comment at the end of a line, and the spaces around operators outside of its strings.
fn compact(line: &str) -> String {
    let (code, is_commented) = match line.split_once("; // ") {
        Some((code, _)) => (code, true),
        None => (line, false),
    };
    if code.contains(['\\', '\'', '`', '/']) || code.matches('"').count() % 2 == 1 {
        return line.to_owned();
    }
    let is_operator = |c: char| "=,{}()[]:;?&|<>!*%".contains(c);
    let mut out = String::with_capacity(code.len());
    let mut in_string = false;
    let mut rest = code.chars().peekable();
    while let Some(c) = rest.next() {
        in_string ^= c == '"';
        let is_beside = |next: Option<&char>| next.is_some_and(|next| is_operator(*next));
        let is_idle = c == ' ' && (out.ends_with(is_operator) || is_beside(rest.peek()));
        if in_string || !is_idle {
            out.push(c);
        }
    }
    if is_commented {
        out.push(';');
    }
    out
}
