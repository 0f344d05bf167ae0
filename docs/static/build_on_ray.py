#!/usr/bin/env python3
"""Builds a site of convo-site in parts, on the machines of a Ray cluster.

    python build_on_ray.py SITE OUT --parts 16

Tasks read a part of the conversations each, then a part of the search index, and build a part of
the site, wherever Ray has room. The site, what was read and what was built travel through Ray's
object store, so that no disk need be shared; convo-site must be installed everywhere, in the same
version. What a machine that goes away had done is done again by another one: all parts together
are, byte for byte, what one build writes.

Exits as convo-site does: 1 for errors in files, of which everything else is built.
"""
import argparse
import io
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import ray

# Tasks are as good as new when they are run again, and so they may be, however they failed.
retried = ray.remote(max_retries=5, retry_exceptions=True)


def pack(folder, wanted=lambda name: True):
    """The files of a folder whose names are wanted, as bytes."""
    packed, folder = io.BytesIO(), Path(folder)
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and wanted(name):
                archive.add(path, name)
    return packed.getvalue()


def unpack(packed, folder):
    """Puts such files into a folder, beside those that are there."""
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")


def convo_site(*args):
    """Runs the program; returns its exit code and what it said."""
    args = ["convo-site", *map(str, args)]
    done = subprocess.run(args, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return done.returncode, done.stderr


@retried
def read(site, part, *caches):
    """Reads a part of the conversations; given the caches of all, a part of the search index.

    Returns what the part added to the cache.
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
    """Builds a part of the site; returns its files, the exit code and what there was to say."""
    with tempfile.TemporaryDirectory() as here:
        folder, cache, out = Path(here, "site"), Path(here, "cache"), Path(here, "out")
        unpack(site, folder)
        for some in caches:
            unpack(some, cache)
        told = convo_site("build", folder, "--part", part, "--cache-dir", cache, "-o", out)
        return pack(out), *told


def build_site(site, out, count):
    """Builds a site in so many parts; returns the exit code."""
    Path(out).mkdir()  # An old site in it would be a part of the new one.
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
    args.add_argument("out", help="a folder that is not there yet")
    args.add_argument("--parts", type=int, default=8, help="some more than there are machines")
    args = args.parse_args()
    ray.init(address="auto")
    return build_site(args.site, args.out, args.parts)


if __name__ == "__main__":
    sys.exit(main())
