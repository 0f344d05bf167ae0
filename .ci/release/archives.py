"""The archives in dist, from which packages are made."""

import pathlib
import subprocess
import tarfile
import tomllib
import zipfile

TOP = pathlib.Path(__file__).resolve().parents[2]
DIST = TOP / "dist"
MANIFEST = tomllib.loads((TOP / "Cargo.toml").read_text("utf-8"))
# The metadata shared by the workspace, and that of the program.
PACKAGE = MANIFEST["workspace"]["package"] | {
    key: value for key, value in MANIFEST["package"].items() if not isinstance(value, dict)
}
VERSION = PACKAGE["version"]
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]

# Names of the systems in npm and Python. A program that includes the C library runs with any version of it.
SYSTEMS = {
    "x86_64-unknown-linux-musl": ("linux", "x64", "manylinux_2_17_x86_64.musllinux_1_1_x86_64"),
    "aarch64-unknown-linux-musl": ("linux", "arm64", "manylinux_2_17_aarch64.musllinux_1_1_aarch64"),
    "x86_64-apple-darwin": ("darwin", "x64", "macosx_10_12_x86_64"),
    "aarch64-apple-darwin": ("darwin", "arm64", "macosx_11_0_arm64"),
    "x86_64-pc-windows-msvc": ("win32", "x64", "win_amd64"),
}


def commit_time() -> int:
    """Returns the time of the commit in seconds, which all files of a release have."""
    log = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=TOP, check=True, capture_output=True)
    return int(log.stdout)


def program_name(target: str) -> str:
    """Returns the file name of the program on a system."""
    return "convo-site.exe" if "windows" in target else "convo-site"


def programs() -> dict[str, bytes]:
    """Returns the programs in the archives in dist, by target."""
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
