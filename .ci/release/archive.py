"""archive.py TARGET: packs the output of `build` and `stage` into dist: the program, the licences, manual
pages and completions. Builds of the same commit are byte-identical."""

import gzip
import io
import os
import sys
import tarfile
import time
import zipfile

from archives import DIST, LICENCES, TOP, VERSION, commit_time, program_name

target = sys.argv[1]
name = f"convo-site-{VERSION}-{target}"
program = program_name(target)
built = TOP / os.environ.get("CARGO_TARGET_DIR", "target")
when = commit_time()

members = {program: built / target / "dist" / program}
members |= {path: TOP / path for path in [*LICENCES, "README.md", "CHANGELOG.md"]}
staged = TOP / "target/staged"
for path in sorted(path for path in staged.rglob("*") if path.is_file()):
    members[path.relative_to(staged).as_posix()] = path

DIST.mkdir(exist_ok=True)
if "windows" in target:
    out = DIST / f"{name}.zip"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, source in members.items():
            entry = zipfile.ZipInfo(f"{name}/{path}", time.gmtime(when)[:6])
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, source.read_bytes())
else:
    out = DIST / f"{name}.tar.gz"
    with out.open("wb") as file, gzip.GzipFile("", "wb", 9, file, when) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for path, source in members.items():
                content = source.read_bytes()
                entry = tarfile.TarInfo(f"{name}/{path}")
                entry.size, entry.mtime = len(content), when
                entry.mode = 0o755 if path == program else 0o644
                archive.addfile(entry, io.BytesIO(content))
print(out)
