//! Checks whether the output folder contains exactly the site that was checked.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::{Content, NAMED, error, is_omitted};
use crate::config::Config;
use crate::diag::{Diagnostic, Severity};
use crate::disk::{ExtraFiles, OutputFile, OutputState};
use crate::gate::Gate;
use crate::outputs::{Output, Outputs};
use crate::site::urls::ConversationUrl;
use crate::text::plural;

/// Compares an output folder with the files that a build would write now, in any order and from any thread.
pub struct OutputCheck<'a> {
    output_state: Option<&'a OutputState>,
    /// The output folder, for messages.
    folder: String,
    /// Its files and folders that are published although builds do not write them.
    meant: &'a [String],
    /// The paths of missing or different files.
    differing: Mutex<BTreeSet<String>>,
}

/// A conversation that may not be published.
pub struct Withheld<'a> {
    /// The URL of its pages in the last build, and its file.
    pub address: &'a ConversationUrl,
    /// The reason, as the end of a sentence: `is private`.
    pub why: &'a str,
}

/// The maximum number of conversations to report one by one.
const MAX_WITHHELD: usize = 10;
/// The maximum number of bytes of a foreign file to search for secrets.
const MAX_READ_BYTES: u64 = 64 << 20;
const BUILD: &str = "run `convo-site build`, then check it again";

impl<'a> OutputCheck<'a> {
    /// Creates a check of a folder; `output_state` is `None` if it contains no site.
    pub fn new(
        output_state: Option<&'a OutputState>,
        folder: impl Into<String>,
        config: &'a Config,
    ) -> Self {
        let meant = &config.deploy.extra_files;
        Self { output_state, folder: folder.into(), meant, differing: Mutex::default() }
    }

    /// Compares a file that a build would write.
    pub fn look(&self, output: &Output, content: Content) {
        let is_omitted = is_omitted(output, content);
        let is_same = match self.output_state {
            None => is_omitted,
            Some(output_state) if is_omitted => !output_state.has(&output.path),
            Some(output_state) => output_state.holds_hash(&output.path, content.len, content.hash),
        };
        if !is_same {
            self.differ(output);
        }
    }

    fn differ(&self, output: &Output) {
        let mut differing = self.differing.lock().unwrap_or_else(PoisonError::into_inner);
        differing.insert(output.path.to_string());
    }

    /// Returns the files that would be published but are not part of the site.
    pub fn foreign(&self, outputs: &Outputs) -> Vec<&'a OutputFile> {
        self.output_state.map(|output_state| output_state.rest(outputs).foreign).unwrap_or_default()
    }

    /// Returns the problems with publishing the folder as it is.
    pub fn finish(
        self,
        outputs: &Outputs,
        withheld: &[Withheld<'_>],
        gate: &Gate,
    ) -> Vec<Diagnostic> {
        let folder = &self.folder;
        let nothing = || {
            let note = error("no-output", format!("there is no site in `{folder}`"));
            let hint = "run `convo-site build`, or name another folder with `-o`";
            vec![note.hint(hint)]
        };
        let Some(output_state) = self.output_state else { return nothing() };
        let differing = self.differing.into_inner().unwrap_or_else(PoisonError::into_inner);
        if differing.len() == outputs.iter().count() && !output_state.is_listed() {
            return nothing();
        }
        let mut notes = Vec::new();
        if !differing.is_empty() {
            let files = plural(differing.len() as u64, "file is", "files are");
            let message = format!(
                "`{folder}` is not the site that was checked: {files} missing or different from a new build"
            );
            let note = error("stale-output", message);
            let named = named(differing.iter().map(String::as_str));
            notes.push(note.hint(format!("such as {named}")).hint(BUILD).hint(
                "if you just built it, use the same `--base-url`, `--env` and `--today` for both \
                 commands",
            ));
        }
        let ExtraFiles { old, foreign } = output_state.rest(outputs);
        notes.extend(old_files(&old, withheld, folder));
        notes.extend(self::foreign(output_state, &foreign, folder, self.meant));
        let read = |file: &&OutputFile| output_state.read(file, MAX_READ_BYTES);
        for (file, bytes) in foreign.iter().filter_map(|file| Some((file, read(file)?))) {
            let text = String::from_utf8_lossy(&bytes);
            let Some((name, at)) = gate.first_secret(&file.path, &text) else { continue };
            let message = format!(
                "this file in `{folder}` is not part of this site and contains a secret ({name})"
            );
            let note = error("secret-in-output", message);
            let note = note.hint("move it elsewhere, and revoke the secret if it was published");
            notes.push(Diagnostic { at: Some(at), ..note });
        }
        notes
    }
}

/// Reports files of earlier builds that are no longer part of the site. Paths are not shown, as they may contain
/// withheld text.
fn old_files(old: &[&OutputFile], withheld: &[Withheld<'_>], folder: &str) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    let mut known = 0;
    let mut shown = Vec::new();
    for one in withheld {
        let start = &*one.address.folder;
        // Both are sorted.
        let from = old.partition_point(|file| file.path.as_str() < start);
        let pages = old.iter().skip(from);
        let count = pages.take_while(|file| file.path.starts_with(start)).count();
        if count > 0 && !start.is_empty() {
            known += count;
            shown.push(one);
        }
    }
    for one in shown.iter().take(MAX_WITHHELD) {
        let message =
            format!("`{folder}` still contains pages of this conversation, which {}", one.why);
        let note = error("held-in-output", message).in_file(&one.address.label);
        notes.push(note.hint(BUILD));
    }
    if shown.len() > MAX_WITHHELD {
        let more = plural((shown.len() - MAX_WITHHELD) as u64, "more", "more");
        let message =
            format!("`{folder}` still contains pages of {more} that must not be published");
        notes.push(error("held-in-output", message).hint(BUILD));
    }
    let rest = old.len().saturating_sub(known) as u64;
    if rest > 0 {
        let files = plural(rest, "file", "files");
        let message = format!(
            "`{folder}` contains {files} of an earlier build that are not part of the site now"
        );
        let note = error("stale-output", message);
        notes.push(note.hint("they may contain text that is withheld now").hint(BUILD));
    }
    notes
}

/// Files that hosts read, and folders, which end with `/`; they need not be listed in `extra_files`.
const OF_HOSTS: [&str; 13] = [
    ".htaccess", ".netlify/", ".nojekyll", ".vercel/", ".well-known/", "CNAME", "_headers",
    "_redirects", "_routes.json", "_worker.js", "netlify.toml", "robots.txt", "vercel.json",
];

/// Reports files that builds did not write, or for which this is unknown. `meant` are the files that the author wants
/// to publish.
fn foreign(
    output_state: &OutputState,
    foreign: &[&OutputFile],
    folder: &str,
    meant: &[String],
) -> Vec<Diagnostic> {
    let is_below = |path: &str, name: &str| {
        let name = name.trim_start_matches("./").trim_end_matches('/');
        path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
    };
    let is_known = |file: &&&OutputFile| {
        let names = OF_HOSTS.into_iter().chain(meant.iter().map(String::as_str));
        file.is_regular && names.into_iter().any(|name| is_below(&file.path, name))
    };
    let is_listed = output_state.is_listed();
    let (known, strange): (Vec<_>, Vec<_>) = match is_listed {
        true => foreign.iter().partition(is_known),
        false => (Vec::new(), foreign.iter().collect()),
    };
    let message = |files: &[&&OutputFile]| {
        let count = plural(files.len() as u64, "file that is", "files that are");
        let paths = named(files.iter().map(|file| &*file.path));
        format!("`{folder}` contains {count} not part of this site: {paths}")
    };
    let mut notes = Vec::new();
    if !known.is_empty() {
        let note = Diagnostic::new(Severity::Hint, "foreign-files", message(&known));
        notes.push(note.hint("all files in the folder are published with the site"));
    }
    if strange.is_empty() {
        return notes;
    }
    notes.push(match is_listed {
        true => error("foreign-files", message(&strange)).hint(
            "their content was not checked: move them elsewhere, or list those to publish in \
             site.toml: `[deploy]`, and below it `extra_files = [\"verify.txt\", \"slides/\"]`; \
             symbolic links are never published",
        ),
        false => error("stale-output", message(&strange)).hint(
            "the list of files from earlier builds is missing or damaged: delete files from \
             earlier builds, as they may contain text that is withheld now, and build again",
        ),
    });
    notes
}

fn named<'p>(paths: impl Iterator<Item = &'p str>) -> String {
    let mut names: Vec<String> = paths.take(NAMED + 1).map(|path| format!("`{path}`")).collect();
    let has_more = names.len() > NAMED;
    names.truncate(NAMED);
    names.join(", ") + if has_more { " …" } else { "" }
}
