#!/usr/bin/env python3
"""Runs a command, samples its memory, and draws that over time as an SVG picture.

    memory.py PICTURE.svg COMMAND [ARGUMENT...]

Prints the seconds, the seconds of processor and the peak of resident memory. Linux; Python 3 standard
library only.
"""
import os
import subprocess
import sys
import time

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 720, 300, 58, 34, 16
TEXT = 'font-family="sans-serif" font-size="13" fill="currentColor"'


def resident(process):
    """Returns the resident memory of a process in megabytes, or nothing once it has ended."""
    try:
        with open(f"/proc/{process}/statm") as statm:
            return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except (OSError, IndexError, ValueError):
        return None


def measure(command):
    """Runs a command; returns its samples as pairs of seconds and megabytes, and what it used."""
    start = time.monotonic()
    child = subprocess.Popen(command)
    samples, pause = [], 0.02
    while True:
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            child.returncode = os.waitstatus_to_exitcode(status)
            return samples, time.monotonic() - start, usage
        megabytes = resident(child.pid)
        if megabytes is not None:
            samples.append((time.monotonic() - start, megabytes))
        # Enough samples for a second, and no more than the picture shows for an hour.
        pause = min(2.0, max(0.02, (time.monotonic() - start) / 500))
        time.sleep(pause)


def step(most):
    """Returns a round distance of which a few make up `most`."""
    unit = 10 ** (len(str(int(most))) - 1)
    return next(unit * part for part in (0.2, 0.25, 0.5, 1, 2) if most / (unit * part) <= 5)


def draw(samples, seconds):
    """Returns the picture."""
    most = max(megabytes for _, megabytes in samples) * 1.05
    x = lambda at: LEFT + (WIDTH - LEFT - 12) * at / seconds
    y = lambda megabytes: HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * megabytes / most
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" color="#6b6b6b">']
    rows.append(f"<title>Memory over time: {seconds:.0f} seconds, at most {most / 1.05:.0f} MB</title>")
    across = step(most)
    for number in range(int(most / across) + 1):
        at = y(number * across)
        rows.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - 12}" stroke="currentColor" stroke-opacity=".3"/>')
        rows.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end" {TEXT}>{number * across:.0f}</text>')
    rows.append(f'<text x="4" y="{TOP - 3}" {TEXT}>MB</text>')
    down = step(seconds)
    for number in range(1, int(seconds / down) + 1):
        rows.append(f'<text x="{x(number * down):.1f}" y="{HEIGHT - 12}" text-anchor="middle" {TEXT}>{number * down:.0f} s</text>')
    line = " ".join(f"{x(at):.1f},{y(megabytes):.1f}" for at, megabytes in samples)
    rows.append(f'<polyline points="{line}" fill="none" stroke="#2f6fb0" stroke-width="2"/>')
    return "\n".join(rows + ["</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    samples, seconds, usage = measure(sys.argv[2:])
    with open(sys.argv[1], "w") as picture:
        picture.write(draw(samples, seconds))
    processor = usage.ru_utime + usage.ru_stime
    print(f"{seconds:.1f} s, processor {processor:.1f} s, at most {usage.ru_maxrss * 1024 / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
