//! The documented program that builds a site on a cluster, on three Ray nodes, one of which is killed
//! during the build.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::support::{example, files_below, project};
use crate::tools::tool;

/// Replaces convo-site: prints the node it runs on, waits, and runs the real program.
const STAND_IN: &str = "#!/bin/sh\n\
    echo \"start $RAY_RAYLET_PID $*\" >>\"$LOG\"\n\
    sleep 0.3\n\
    \"$PROGRAM\" \"$@\"\n\
    code=$?\n\
    echo \"end $RAY_RAYLET_PID $*\" >>\"$LOG\"\n\
    exit $code\n";

#[test]
fn a_site_is_the_same_on_a_cluster_that_loses_a_node() {
    const PARTS: usize = 4;

    let site = example();
    site.build(0);
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    ["bin", "t"].iter().for_each(|name| fs::create_dir(path(name)).expect("made"));
    fs::write(path("bin/convo-site"), STAND_IN).expect("written");
    let all = fs::Permissions::from_mode(0o755);
    fs::set_permissions(path("bin/convo-site"), all).expect("set");
    let search = std::env::var("PATH").expect("a path");
    // Workers import the tasks of an imported program.
    let modules = [project().join("docs/static"), tool("PYTHON_TOOLS")];
    let modules = std::env::join_paths(modules).expect("paths");
    let run = Command::new("python3")
        .arg(project().join("tests/tools/ray_cluster.py"))
        .args([site.path(""), path("out")])
        .arg(PARTS.to_string())
        .arg(path("log"))
        .env("PYTHONPATH", modules)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("PATH", format!("{}:{search}", path("bin").display()))
        .env("PROGRAM", env!("CARGO_BIN_EXE_convo-site"))
        .env("LOG", path("log"))
        .env("TMPDIR", path("t"))
        .env("RAY_USAGE_STATS_ENABLED", "0")
        .output()
        .expect("Python runs");
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{stderr}");
    let log = fs::read_to_string(path("log")).expect("read");
    let killed = log.lines().find_map(|line| line.strip_prefix("killed "));
    let killed = killed.expect("a node was killed");
    let lines = |start: &str| log.lines().filter(|line| line.starts_with(start)).count();
    assert!(lines(&format!("start {killed} ")) > 0, "{log}");
    // The work of the killed node was repeated.
    assert!(lines("start ") > 3 * PARTS, "{log}");
    assert!(files_below(&path("out")) == site.output());
}
