"""npm.py: makes npm packages from the archives in dist: one for each system, with the program, and
`convo-site`, which depends on the matching one."""

import json
import os
import pathlib
import subprocess
import tempfile

from archives import DIST, LICENCES, PACKAGE, SYSTEMS, TOP, VERSION, program_name, programs

START = """#!/usr/bin/env node
// Runs the program of the package for this system.
"use strict";
const { spawnSync } = require("node:child_process");
const name = `convo-site-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/convo-site${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`convo-site: the package ${name} is not installed: this system is not supported, or optional packages were omitted`);
  process.exit(2);
}
const ran = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ran.error) throw ran.error;
if (ran.signal) process.kill(process.pid, ran.signal);
process.exit(ran.status ?? 2);
"""

common = {"version": VERSION, "license": "(MIT OR Apache-2.0)"}
if "GITHUB_REPOSITORY" in os.environ:
    address = f"{os.environ['GITHUB_SERVER_URL']}/{os.environ['GITHUB_REPOSITORY']}"
    common["repository"] = {"type": "git", "url": f"git+{address}.git"}


def pack(folder: pathlib.Path, manifest: dict) -> None:
    """Packs a folder as a package with this manifest."""
    (folder / "package.json").write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")
    for licence in LICENCES:
        (folder / licence).write_bytes((TOP / licence).read_bytes())
    command = ["npm", "pack", "--silent", "--pack-destination", str(DIST), str(folder)]
    subprocess.run(command, check=True)


with tempfile.TemporaryDirectory() as scratch:
    made = {}
    for target, content in programs().items():
        system, processor, _ = SYSTEMS[target]
        name = f"convo-site-{system}-{processor}"
        folder = pathlib.Path(scratch) / name
        (folder / "bin").mkdir(parents=True)
        program = folder / "bin" / program_name(target)
        program.write_bytes(content)
        program.chmod(0o755)
        described = f"The program of convo-site for {system}, {processor}"
        fits = {"os": [system], "cpu": [processor], "preferUnplugged": True}
        pack(folder, {"name": name, "description": described, **common, **fits})
        made[name] = VERSION
    folder = pathlib.Path(scratch) / "convo-site"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin/convo-site.js").write_text(START, "utf-8")
    (folder / "bin/convo-site.js").chmod(0o755)
    (folder / "README.md").write_bytes((TOP / "README.md").read_bytes())
    pack(
        folder,
        {
            "name": "convo-site",
            "description": PACKAGE["description"],
            "keywords": PACKAGE["keywords"],
            **common,
            "bin": {"convo-site": "bin/convo-site.js"},
            "engines": {"node": ">=18"},
            "optionalDependencies": made,
        },
    )
