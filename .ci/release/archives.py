"""What packages are made of: the archives in dist."""

import pathlib
import subprocess
import tarfile
import tomllib
import zipfile

TOP = pathlib.Path(__file__).resolve().parents[2]
DIST = TOP / "dist"
MANIFEST = tomllib.loads((TOP / "Cargo.toml").read_text("utf-8"))
# What all packages of the workspace share, and what is the program's own.
PACKAGE = MANIFEST["workspace"]["package"] | {
    key: value for key, value in MANIFEST["package"].items() if not isinstance(value, dict)
}
VERSION = PACKAGE["version"]
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]

# What npm and Python call the systems. A program that needs no C library fits with every one.
SYSTEMS = {
    "x86_64-unknown-linux-musl": ("linux", "x64", "manylinux_2_17_x86_64.musllinux_1_1_x86_64"),
    "aarch64-unknown-linux-musl": ("linux", "arm64", "manylinux_2_17_aarch64.musllinux_1_1_aarch64"),
    "x86_64-apple-darwin": ("darwin", "x64", "macosx_10_12_x86_64"),
    "aarch64-apple-darwin": ("darwin", "arm64", "macosx_11_0_arm64"),
    "x86_64-pc-windows-msvc": ("win32", "x64", "win_amd64"),
}


def commit_time() -> int:
    """Returns when the commit was made, in seconds: the time of everything in a release."""
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=TOP, check=True, capture_output=True)
    return int(log.stdout)


def program_name(target: str) -> str:
    """Returns how the file of the program is called on a system."""
    return "convo-site.exe" if "windows" in target else "convo-site"


def programs() -> dict[str, bytes]:
    """Returns the programs that the archives in dist hold, by target."""
    found = {}
    for target in SYSTEMS:
        name = f"convo-site-{VERSION}-{target}"
        member = f"{name}/{program_name(target)}"
        if (archive := DIST / f"{name}.zip").exists():
            with zipfile.ZipFile(archive) as files:
                found[target] = files.read(member)
        elif (archive := DIST / f"{name}.tar.gz").exists():
            with tarfile.open(archive) as files:
                found[target] = files.extractfile(member).read()
        else:
            print(f"no archive for {target}")
    return found
