#!/usr/bin/env python3
"""Builds a convo-site site in parts on a Ray cluster.

    python build_on_ray.py SITE OUT --parts 16

Each task reads a part of the conversations, then a part of the search index, and builds a part of
the site. The site, the caches and the outputs are transferred through Ray's object store, so no
shared disk is needed. All machines need the same version of convo-site. If a machine fails, Ray
repeats its tasks on another one. All parts together are byte for byte what one build writes.

The exit code is that of convo-site: 1 if there are errors in files; everything else is built.
"""
import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import ray

# Tasks have no side effects, so they can be retried after any failure.
retried = ray.remote(max_retries=5, retry_exceptions=True)


def pack(folder, wanted=lambda name: True):
    """Returns a tar archive of the files in a folder whose names are wanted."""
    packed, folder = io.BytesIO(), Path(folder)
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and wanted(name):
                archive.add(path, name)
    return packed.getvalue()


def unpack(packed, folder):
    """Extracts such an archive into a folder, and keeps the files in it."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def convo_site(*args):
    """Runs convo-site; returns its exit code and its standard error."""
    args = ["convo-site", *map(str, args)]
    done = subprocess.run(args, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.returncode, done.stderr


@retried
def read(site, part, *caches):
    """Reads a part of the conversations or, given all caches, a part of the search index.

    Returns the files that the part added to the cache.
    """
    with tempfile.TemporaryDirectory() as here:
        folder, cache = Path(here, "site"), Path(here, "cache")
        unpack(site, folder)
        for some in caches:
            unpack(some, cache)
        what = ["--search"] if caches else []
        convo_site("read", folder, *what, "--part", part, "--cache-dir", cache)
        own = f".convo-site/parts/{part.replace('/', '-of-')}/"
        return pack(cache, lambda name: name.startswith(own))


@retried
def build(site, part, *caches):
    """Builds a part of the site; returns its files, the exit code and the messages."""
    with tempfile.TemporaryDirectory() as here:
        folder, cache, out = Path(here, "site"), Path(here, "cache"), Path(here, "out")
        unpack(site, folder)
        for some in caches:
            unpack(some, cache)
        told = convo_site("build", folder, "--part", part, "--cache-dir", cache, "-o", out)
        return pack(out), *told


def build_site(site, out, count):
    """Builds a site in a number of parts; returns the exit code."""
    Path(out).mkdir()  # Fails if it exists: old files would become part of the site.
    packed = ray.put(pack(site, lambda name: not name.startswith((".convo-site/", "public/"))))
    parts = [f"{number}/{count}" for number in range(1, count + 1)]
    caches = [read.remote(packed, part) for part in parts]
    caches = [read.remote(packed, part, *caches) for part in parts]
    waiting = [build.remote(packed, part, *caches) for part in parts]
    worst = 0
    while waiting:
        done, waiting = ray.wait(waiting)
        files, code, told = ray.get(done.pop())
        unpack(files, out)
        print(told, end="", file=sys.stderr, flush=True)
        worst = max(worst, code)
    return worst


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("site", help="the folder with site.toml")
    args.add_argument("out", help="the output folder, which must not exist")
    args.add_argument("--parts", type=int, default=8, help="number of parts, slightly more than machines")
    args = args.parse_args()
    ray.init(address="auto")
    return build_site(args.site, args.out, args.parts)


if __name__ == "__main__":
    sys.exit(main())
