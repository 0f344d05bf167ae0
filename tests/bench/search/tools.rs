//! Commands, numbers and files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use wait4::Wait4;

/// Runs a command that must succeed, and returns its time and memory.
pub(crate) fn cost(command: &mut Command) -> String {
    eprintln!("{command:?}");
    let started = Instant::now();
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let used = child.expect("it starts").wait4().expect("it ends");
    let wall = started.elapsed().as_secs_f64();
    assert!(used.status.success(), "{command:?}: {}", used.status);
    let processor = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    let memory = used.rusage.maxrss as f64 / 1e6;
    format!("{wall:.1} s, processor {processor:.1} s, {memory:.0} MB")
}

pub(crate) fn runs(command: &[&str]) -> bool {
    let mut run = Command::new(command[0]);
    run.args(&command[1..]).arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    run.status().is_ok_and(|status| status.success())
}

/// The value that a share of all values does not exceed.
pub(crate) fn percentile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len().saturating_sub(1) as f64 * share).round() as usize;
    values.get(place).copied().unwrap_or(f64::NAN)
}

pub(crate) fn kilobytes(bytes: f64) -> String {
    format!("{:.1}", bytes / 1000.0)
}

pub(crate) fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let target = to.join(file.strip_prefix(from).expect("below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("created");
        fs::copy(&file, target).expect("copied");
    }
}

/// All files below a folder, in order.
pub(crate) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter().flatten();
    walk.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path).collect()
}
