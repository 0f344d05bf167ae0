//! Compares the time and memory of builds with a floor and with other programs, all in one run: `cargo bench --bench peers -- CORPUS [RUNS]`.
//!
//! CORPUS is a folder with `content/` of convo files. The floor is the minimum work of any
//! such program: read every file, parse its Markdown, highlight its code with syntect, and write as
//! many pages of the same size. Programs that are not installed are skipped. Output goes to a
//! temporary folder (set `TMPDIR` to move it); each cell is the median of RUNS runs (5), and
//! ratios are medians of ratios of neighbouring runs.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark uses the machine and prints"
)]

mod floor;
mod live;
mod peers;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use wait4::Wait4;

/// The resource use of one run of a command.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
    /// The peak memory. Bytes.
    memory: u64,
    /// The size of its output. Bytes.
    output: u64,
}

/// A row of the table.
struct Row {
    name: String,
    costs: Vec<Cost>,
}

fn main() {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let first = args.next();
    if first.as_deref() == Some("--floor") {
        let folder = |arg: Option<String>| PathBuf::from(arg.expect("a folder"));
        return floor::run(&folder(args.next()), &folder(args.next()));
    }
    let Some(corpus) = first.map(PathBuf::from).filter(|path| path.join("content").is_dir()) else {
        // `cargo test --benches` passes no arguments either.
        println!("usage: cargo bench --bench peers -- CORPUS [RUNS]");
        return;
    };
    let runs = args.next().and_then(|runs| runs.parse().ok()).unwrap_or(5);
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::new(&corpus, folder.path());
    let rows = measure(&site, runs);
    print_table(&rows);
    live::run(&site);
}

/// The corpus as a site, in a separate folder.
struct Site {
    folder: PathBuf,
    public: PathBuf,
    scratch: PathBuf,
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_convo-site");

impl Site {
    fn new(corpus: &Path, scratch: &Path) -> Self {
        let folder = scratch.join("site");
        copy(&corpus.join("content"), &folder.join("content"));
        let config = "title = \"Benchmark\"\nbase_url = \"https://example.org\"\n";
        fs::write(folder.join("site.toml"), config).expect("written");
        Self { public: scratch.join("public"), folder, scratch: scratch.to_owned() }
    }

    fn build(&self) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("build").arg(&self.folder).arg("-o").arg(&self.public);
        command
    }

    fn forget(&self) {
        let _ = fs::remove_dir_all(&self.public);
        let _ = fs::remove_dir_all(self.folder.join(".convo-site"));
    }

    /// A conversation from the middle of the corpus.
    fn some_file(&self) -> PathBuf {
        let files = files_below(&self.folder.join("content"));
        files[files.len() / 2].clone()
    }

    /// Adds a word to the end of the text of a conversation.
    fn edit(&self, file: &Path, number: usize) {
        let text = fs::read_to_string(file).expect("text");
        let at = text.rfind("\n\n----\n").unwrap_or(text.len());
        fs::write(file, format!("{} edit{number}{}", &text[..at], &text[at..])).expect("written");
    }
}

fn measure(site: &Site, runs: usize) -> Vec<Row> {
    let names = ["floor", "cold", "unchanged", "one edit", "another template"];
    let mut rows: Vec<Row> =
        names.iter().map(|name| Row { name: (*name).to_owned(), costs: Vec::new() }).collect();
    let mut peers = peers::Peers::new(&site.folder, &site.scratch);
    rows.extend(peers.names().map(|name| Row { name, costs: Vec::new() }));
    let (file, template) = (site.some_file(), site.folder.join("templates/parts/trail.html"));
    for run in 0..runs {
        eprintln!("run {} of {runs}", run + 1);
        let floor = site.scratch.join("floor");
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.arg("--floor").arg(site.folder.join("content")).arg(&floor);
        rows[0].costs.push(cost(&mut command, &floor));
        let _ = fs::remove_dir_all(&floor);
        site.forget();
        rows[1].costs.push(cost(&mut site.build(), &site.public));
        rows[2].costs.push(cost(&mut site.build(), &site.public));
        site.edit(&file, run);
        rows[3].costs.push(cost(&mut site.build(), &site.public));
        fs::create_dir_all(template.parent().expect("a folder")).expect("created");
        fs::write(&template, format!("<p>{run}</p>")).expect("written");
        rows[4].costs.push(cost(&mut site.build(), &site.public));
        fs::remove_file(&template).expect("removed");
        for (row, cost) in rows[names.len()..].iter_mut().zip(peers.run()) {
            row.costs.push(cost);
        }
    }
    rows
}

/// Runs a command that must succeed.
fn cost(command: &mut Command, output: &Path) -> Cost {
    let started = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let used = child.expect("it starts").wait4().expect("it ends");
    let wall = started.elapsed();
    assert!(used.status.success(), "{command:?}: {}", used.status);
    Cost {
        wall,
        processor: used.rusage.utime + used.rusage.stime,
        memory: used.rusage.maxrss,
        output: files_below(output).iter().filter_map(|f| Some(f.metadata().ok()?.len())).sum(),
    }
}

fn print_table(rows: &[Row]) {
    println!("| | wall | processor | peak memory | output | times the floor | times ours, cold |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for row in rows {
        let of = |value: fn(&Cost) -> f64| median(row.costs.iter().map(value));
        let ratio = |other: &Row| {
            let pairs = row.costs.iter().zip(&other.costs);
            median(pairs.map(|(a, b)| a.wall.as_secs_f64() / b.wall.as_secs_f64()))
        };
        println!(
            "| {} | {:.2} s | {:.2} s | {:.0} MB | {:.0} MB | {:.2} | {:.2} |",
            row.name,
            of(|cost| cost.wall.as_secs_f64()),
            of(|cost| cost.processor.as_secs_f64()),
            of(|cost| cost.memory as f64 / 1e6),
            of(|cost| cost.output as f64 / 1e6),
            ratio(&rows[0]),
            ratio(&rows[1]),
        );
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let target = to.join(file.strip_prefix(from).expect("below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("created");
        fs::copy(&file, target).expect("copied");
    }
}

/// All files below a folder, in order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    walk.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}
