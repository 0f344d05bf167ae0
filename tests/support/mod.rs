//! A site in a temporary folder, and commands to run on it. Each test binary uses a part of this.
#![allow(dead_code, reason = "the other test binary uses the rest")]

pub(crate) mod assistant;
pub(crate) mod engine;
pub(crate) mod example;
pub(crate) mod git;
pub(crate) mod hidden;
pub(crate) mod html_oracle;
pub(crate) mod linear_time;
pub(crate) mod links;
pub(crate) mod long;
pub(crate) mod once;
pub(crate) mod own_site;
pub(crate) mod payloads;
pub(crate) mod preview;
pub(crate) mod recordings;
pub(crate) mod round_trip;
pub(crate) mod shapes;
pub(crate) mod talks;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A site in a temporary folder.
pub(crate) struct SiteTest {
    folder: tempfile::TempDir,
}

/// The result of a command.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The line that most configurations need.
pub(crate) const BASE: &str = "base_url = \"https://site.example/base/\"\n";

impl SiteTest {
    /// A site with a base URL, no conversations and nothing else.
    pub(crate) fn new() -> Self {
        let site = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        fs::create_dir(site.path("content")).expect("a folder");
        site.file("site.toml", BASE)
    }

    pub(crate) fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.write(name, text);
        self
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Keeps the folder, so that one can look at it after a failure.
    pub(crate) fn keep(&mut self) {
        self.folder.disable_cleanup(true);
    }

    /// Runs `convo-site` in the site's folder.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        self.run_with(args, &[])
    }

    pub(crate) fn run_with(&self, args: &[&str], env: &[(&str, &str)]) -> Run {
        run_in(self.folder.path(), args, env)
    }

    /// Like [`Self::run`], but never as root, who may read and write everything: it runs as the user
    /// `nobody` then, who becomes the owner of the folder.
    #[cfg(unix)]
    pub(crate) fn run_without_privileges(&self, args: &[&str]) -> Run {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
        use std::os::unix::process::CommandExt;

        /// User and group.
        const NOBODY: u32 = 65_534;

        if fs::metadata(self.path("")).expect("a folder").uid() != 0 {
            return self.run(args);
        }
        // The program may be in a folder that other users cannot read.
        let program = tempfile::tempdir().expect("a temporary folder");
        let copy = program.path().join("convo-site");
        fs::copy(env!("CARGO_BIN_EXE_convo-site"), &copy).expect("copied");
        let all = fs::Permissions::from_mode(0o755);
        fs::set_permissions(program.path(), all).expect("open to all");
        let mut folders = vec![self.path("")];
        while let Some(folder) = folders.pop() {
            chown(&folder, Some(NOBODY), Some(NOBODY)).expect("a new owner");
            for entry in fs::read_dir(&folder).expect("a folder").flatten() {
                match entry.file_type().expect("a type").is_dir() {
                    true => folders.push(entry.path()),
                    false => {
                        chown(entry.path(), Some(NOBODY), Some(NOBODY)).expect("a new owner");
                    }
                }
            }
        }
        let mut command = Command::new(copy);
        run_command(command.args(args).current_dir(self.path("")).uid(NOBODY).gid(NOBODY))
    }

    /// Builds, and panics unless the exit code is `code`.
    #[track_caller]
    pub(crate) fn build(&self, code: i32) -> Run {
        let run = self.run(&["build"]);
        assert_eq!(run.code, Some(code), "{}", run.stderr);
        run
    }

    /// Builds with a limit of 50 KB per file, so that writing fails as on a full disk.
    pub(crate) fn build_on_a_full_disk(&self) -> Run {
        // The shell ignores the signal, and so do its child processes.
        let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" build";
        let mut shell = Command::new("sh");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_convo-site")]);
        run_command(shell.current_dir(self.path("")))
    }

    /// All files of the output, by path.
    pub(crate) fn output(&self) -> BTreeMap<String, Vec<u8>> {
        files_below(&self.path("public"))
    }

    /// The text of the only output whose path starts with `start` and ends with `end`.
    #[track_caller]
    pub(crate) fn page(&self, start: &str, end: &str) -> String {
        page_of(&self.output(), start, end)
    }
}

/// The text of the only file whose path starts with `start` and ends with `end`.
#[track_caller]
pub(crate) fn page_of(files: &BTreeMap<String, Vec<u8>>, start: &str, end: &str) -> String {
    let mut found = files.iter().filter(|(path, _)| path.starts_with(start) && path.ends_with(end));
    let (_, bytes) = found.next().unwrap_or_else(|| panic!("no {start}…{end}"));
    assert!(found.next().is_none(), "more than one {start}…{end}");
    String::from_utf8(bytes.clone()).expect("UTF-8")
}

/// Whether the program that is tested has the command `search`.
pub(crate) const HAS_SEARCH: bool = cfg!(feature = "local-search");

/// The commands of a list that the program has.
pub(crate) fn available<'a>(commands: &[&'a [&'a str]]) -> Vec<&'a [&'a str]> {
    let is_there = |args: &&[&str]| HAS_SEARCH || args[0] != "search";
    commands.iter().copied().filter(is_there).collect()
}

pub(crate) fn run_in(folder: &Path, args: &[&str], env: &[(&str, &str)]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convo-site"));
    run_command(command.args(args).envs(env.iter().copied()).current_dir(folder))
}

fn run_command(command: &mut Command) -> Run {
    let output = command.output().expect("the command runs");
    Run {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

/// Writes files below a folder.
pub(crate) fn write_below(root: &Path, files: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, bytes).expect("written");
    }
}

pub(crate) fn files_below(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).expect("below the root");
                let name = name.to_str().expect("UTF-8").to_owned();
                files.insert(name, fs::read(&path).expect("readable"));
            }
        }
    }
    files
}

/// The example site, copied.
pub(crate) fn example() -> SiteTest {
    let site = SiteTest::new();
    for (name, bytes) in files_below(&project().join("example-site")) {
        if !name.starts_with("public/") && !name.starts_with(".convo-site/") {
            site.write(&name, bytes);
        }
    }
    site
}

/// The maximum uncompressed bytes of CSS and JavaScript of a page. Every page may load `styles` bytes
/// of CSS.
pub(crate) fn max_asset_bytes(path: &str, page: &str, styles: usize) -> (usize, usize) {
    let scripts = if path.starts_with("search/") { 67_000 } else { 14_000 };
    // Alternatives, attachments and plans; tool calls; messages between people; players.
    let of_few = [
        ("work", 2_300, 0),
        ("tool_calls", 4_200, 0),
        ("channel", 2_100, 0),
        ("recording", 2_000, 2_500),
    ];
    let loaded = of_few.iter().filter(|(name, ..)| page.contains(&format!("assets/{name}.")));
    loaded.fold((styles, scripts), |most, (_, styles, scripts)| (most.0 + styles, most.1 + scripts))
}

/// The root of the project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A small valid conversation of one turn.
pub(crate) fn convo(text: &str) -> String {
    format!(
        "### @Ada\n{text}\n\n----\n{{\"type\": \"dialog\", \"time\": \"2026-01-02\", \
         \"participants\": [\"Ada\"]}}\n"
    )
}

/// The content of all files of the index, unpacked.
pub(crate) fn unpacked(files: &BTreeMap<String, Vec<u8>>) -> String {
    use std::io::Read as _;

    let mut all = String::new();
    for (path, bytes) in files.iter().filter(|(path, _)| path.starts_with("search/")) {
        let mut text = Vec::new();
        match path.ends_with(".bin") {
            true => {
                flate2::read::DeflateDecoder::new(&bytes[..])
                    .read_to_end(&mut text)
                    .expect("unpacked");
            }
            false => text.clone_from(bytes),
        }
        all.push_str(&String::from_utf8_lossy(&text));
    }
    all
}

/// Waits until the last changes of folders are old enough for convo-site to trust their times.
pub(crate) fn wait_until_times_are_trusted() {
    std::thread::sleep(Duration::from_millis(3_100));
}
