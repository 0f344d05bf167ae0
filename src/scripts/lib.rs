//! Links the JavaScript modules of scripts.
//!
//! A script is one block in strict mode, with the modules in the order of their dependencies. This
//! supports a simple subset of modules; anything else fails the build, or the linter in `tests/run`:
//!
//! * an import is one line, `import { a, b } from "./c.js";`, and imports are not circular;
//! * an export is a declaration, `export const`, `export function` or `export class`;
//! * a top-level name is declared only once in all modules of a script;
//! * `import("./part.js")` loads a part, a script of its own. Parts do not import parts.
//!
//! A part contains the modules that it imports, except those that all scripts with this part contain:
//! these scripts share what it uses in the list `convoShared`. Each part adds its exports to it.

mod lexer;
mod minify;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lexer::is_in_word;
use minify::minify;

/// The file name of a script, and the path of its entry module.
pub type Script = (&'static str, &'static str);

/// The module that loads parts, beside the modules that import them.
const LOADER: &str = "parts.js";

/// Returns the text of a module.
pub type ReadModule<'a> = &'a dyn Fn(&Path) -> String;

/// Links scripts and their parts. Returns the names and the text of all of them.
///
/// # Panics
///
/// If a module is not of the supported subset.
pub fn link(
    scripts: &[Script],
    parts: &[Script],
    read: ReadModule<'_>,
) -> Vec<(&'static str, String)> {
    let mut linkers: Vec<(&'static str, Linker)> = Vec::new();
    for (name, entry) in scripts {
        let mut linker = Linker { all_parts: parts.to_vec(), ..Linker::default() };
        linker.add(Path::new(entry), read);
        linkers.push((name, linker));
    }
    let mut part_linkers: Vec<(&'static str, Linker)> = Vec::new();
    for (name, entry) in parts {
        let users = || linkers.iter().filter(|(_, linker)| linker.parts.contains(name));
        let in_all = |path: &PathBuf| users().all(|(_, user)| user.modules.contains_key(path));
        let modules = users().flat_map(|(_, user)| user.modules.keys());
        let given = modules.filter(|path| in_all(path)).cloned().collect();
        let mut linker = Linker { given, ..Linker::default() };
        linker.add(Path::new(entry), read);
        part_linkers.push((name, linker));
    }
    // In the same places for all scripts; what a script does not have is a hole.
    let shared: BTreeSet<&String> =
        part_linkers.iter().flat_map(|(_, linker)| &linker.taken).collect();
    let list = |is_in: &dyn Fn(&String) -> bool| -> String {
        let names = shared.iter().map(|name| if is_in(name) { name.as_str() } else { "" });
        names.collect::<Vec<_>>().join(", ")
    };
    let mut files = Vec::new();
    for (name, linker) in &part_linkers {
        let taken = list(&|name| linker.taken.contains(name));
        let exports = linker.exports.last().map_or_else(String::new, |names| names.join(", "));
        let stem = name.trim_end_matches(".js");
        let code = &linker.code;
        files.push((
            *name,
            block(&format!(
                "const [{taken}] = convoShared;\n{code}convoShared.{stem} = {{ {exports} }};\n"
            )),
        ));
    }
    for (name, linker) in &linkers {
        // The entry module, which is the last one, may start to use parts.
        let (imported, entry) = linker.code.split_at(linker.last);
        let shares = if linker.parts.is_empty() {
            String::new()
        } else {
            let names = list(&|name| linker.names.contains_key(name));
            format!("globalThis.convoShared = [{names}];\n")
        };
        files.push((*name, block(&format!("{imported}{shares}{entry}"))));
    }
    files
}

fn block(code: &str) -> String {
    format!("\"use strict\";\n{{\n{}}}\n", minify(code))
}

/// The modules of a script that were linked so far.
#[derive(Default)]
struct Linker {
    code: String,
    /// Where the code of the last module starts.
    last: usize,
    /// The modules, with `true` for complete ones.
    modules: BTreeMap<PathBuf, bool>,
    /// The top-level names, with their modules.
    names: BTreeMap<String, PathBuf>,
    /// The names that each module exports, in the order of the code.
    exports: Vec<Vec<String>>,
    /// The parts that exist.
    all_parts: Vec<Script>,
    /// The names of the parts that modules import.
    parts: BTreeSet<&'static str>,
    /// Modules that the page has already, if this is a part.
    given: BTreeSet<PathBuf>,
    /// The names that are imported from them.
    taken: BTreeSet<String>,
}

impl Linker {
    /// Adds a module, after the modules that it imports.
    fn add(&mut self, path: &Path, read: ReadModule<'_>) {
        match self.modules.get(path) {
            Some(true) => return,
            Some(false) => panic!("{}: circular import", path.display()),
            None => self.modules.insert(path.to_owned(), false),
        };
        let text = read(path);
        let mut own = String::new();
        let mut exports = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let refuse =
                |why: &str| -> ! { panic!("{}:{}: {why}: {line}", path.display(), number + 1) };
            if line.starts_with("import ") {
                let (names, from) =
                    imported(line).unwrap_or_else(|| refuse("unsupported form of import"));
                let from = path.with_file_name(from);
                if self.given.contains(&from) {
                    self.taken.extend(names.split(", ").map(str::to_owned));
                } else {
                    self.add(&from, read);
                }
                continue;
            }
            let exported = line.strip_prefix("export ");
            let name = declared(exported.unwrap_or(line));
            if exported.is_some() {
                let name = name.unwrap_or_else(|| refuse("unsupported form of export"));
                exports.push(name.to_owned());
            }
            let other = name.and_then(|name| self.names.insert(name.to_owned(), path.to_owned()));
            if let Some(other) = other {
                refuse(&format!("{} declares this name too", other.display()));
            }
            own.push_str(&self.with_parts(path, exported.unwrap_or(line), read));
            own.push('\n');
        }
        self.last = self.code.len();
        self.code.push_str(&own);
        self.exports.push(exports);
        self.modules.insert(path.to_owned(), true);
    }

    /// Returns a line with calls of the loader in place of dynamic imports.
    fn with_parts(&mut self, path: &Path, line: &str, read: ReadModule<'_>) -> String {
        let mut pieces = line.split("import(\"./");
        let mut code = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            let (file, rest) = piece.split_once("\")").expect("a dynamic import names a file");
            let module = path.with_file_name(file);
            let part = self.all_parts.iter().copied().find(|(_, entry)| Path::new(entry) == module);
            let (name, _) = part.unwrap_or_else(|| panic!("{} is not a part", module.display()));
            self.parts.insert(name);
            self.add(&path.with_file_name(LOADER), read);
            code.push_str(&format!("loadPart(\"{name}\"){rest}"));
        }
        code
    }
}

/// Returns the names that a line imports, and the file, which must be in the same folder.
fn imported(line: &str) -> Option<(&str, &str)> {
    let (names, from) = line.strip_prefix("import { ")?.split_once(" } from \"./")?;
    let from = from.strip_suffix("\";")?;
    (!names.contains(" as ") && !from.contains('/')).then_some((names, from))
}

/// Returns the name that a top-level line declares.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    let keywords = ["const ", "let ", "function ", "function* ", "class "];
    let rest = keywords.iter().find_map(|keyword| line.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !is_in_word(c));
    Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::link;

    /// Modules of a script with a part.
    const MODULES: [(&str, &str); 4] = [
        ("words.js", "export function words(text) {\n  return text.split(\" \");\n}\n"),
        ("parts.js", "export function loadPart(name) {\n  return name;\n}\n"),
        (
            "part.js",
            "import { words } from \"./words.js\";\n\nexport const count = text => words(text).length;\n",
        ),
        (
            "main.js",
            "import { words } from \"./words.js\";\n\nconst all = words(\"a b\");\n\
             import(\"./part.js\").then(part => part.count(all));\n",
        ),
    ];

    #[test]
    fn a_part_shares_the_modules_of_its_scripts() {
        let read = |path: &Path| -> String {
            let found = MODULES.iter().find(|(name, _)| Path::new(name) == path);
            found.expect("a module").1.to_owned()
        };
        let files = link(&[("main.js", "main.js")], &[("part.js", "part.js")], &read);
        let [(_, part), (_, main)] = files.as_slice() else { panic!("two files: {files:?}") };
        assert!(part.contains("=convoShared;") && !part.contains("split"), "{part}");
        assert!(part.contains("convoShared.part={count:"), "{part}");
        assert!(main.contains("globalThis.convoShared=[") && main.contains("split"), "{main}");
        assert!(main.contains("(\"part.js\").then(") && !main.contains("import"), "{main}");
    }
}
