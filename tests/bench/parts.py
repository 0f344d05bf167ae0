#!/usr/bin/env python3
"""Builds a corpus at once and in parts, compares every byte, and prints time and memory of each step.

    parts.py PROGRAM CORPUS [N...]

CORPUS is a folder with `site.toml` and `content`, to which nothing is written. Parts run one after the
other, so that the times are those of machines of their own. Python 3 standard library only.
"""
import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def run(*args):
    """Runs a command; returns its seconds and its peak memory in megabytes."""
    start = time.monotonic()
    child = subprocess.Popen(list(map(str, args)), stderr=subprocess.PIPE)
    told = child.stderr.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(told)
    return time.monotonic() - start, usage.ru_maxrss / 1024


def row(name, measured):
    times, memory = zip(*measured)
    longest, most = max(times), max(memory)
    print(f"| {name} | {longest:.2f} s | {sum(times):.2f} s | {most:.0f} MB |", flush=True)


def files(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def compare(parts, whole):
    union = set()
    for part in parts:
        for name in files(part):
            if not filecmp.cmp(part / name, whole / name, shallow=False):
                sys.exit(f"{part / name} differs")
            if name in union and name != ".convo-site-files":
                sys.exit(f"{name} is in two parts")
            union.add(name)
    if union != files(whole):
        sys.exit(f"parts lack {sorted(files(whole) - union)[:5]}")


def main():
    program, corpus, *counts = sys.argv[1:]
    # Recent file times are not trusted, so files would be read twice.
    with tempfile.TemporaryDirectory() as here:
        here = Path(here)
        print("| step | the longest | together | most memory |\n|---|---:|---:|---:|")
        whole = here / "whole"
        row("one build", [run(program, "build", corpus, "--cache-dir", here / "own", "-o", whole)])
        for count in map(int, counts or [4]):
            numbers = [f"{number}/{count}" for number in range(1, count + 1)]
            caches = here / f"caches-{count}"

            def each(*command):
                steps = []
                for at, part in enumerate(numbers):
                    args = [*command, corpus, "--part", part, "--cache-dir", caches]
                    if command == ("build",):
                        args += ["-o", here / f"part-{count}-{at}"]
                    steps.append(run(program, *args))
                row(f"{' '.join(command)}, {count} parts", steps)

            each("read")
            each("read", "--search")
            each("build")
            compare([here / f"part-{count}-{at}" for at in range(count)], whole)
            for at in range(count):
                shutil.rmtree(here / f"part-{count}-{at}")
            shutil.rmtree(caches)
        print("every byte is the same")


main()
