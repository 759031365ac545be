#!/usr/bin/env python3
"""Times `subreport report` on simulated SUBSCRIBER reports against bare inflate.

The floor is `inflate-floor`: the same files, as many threads, zlib, and nothing done with the text.
Both run in turn, so that a busy machine slows both. The data are made once and kept in
${XDG_CACHE_HOME:-~/.cache}/subreport-bench until the simulation's sources change.
"""

import argparse
import csv
import hashlib
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Subscribers and days of each size; about 0.3 and 3 million rows.
SIZES = {
    "S": ("170000", "2025-01-01", "2025-03-31"),
    "M": ("725000", "2025-01-01", "2025-12-31"),
}
# The targets: seconds against the floor's, and bytes of memory.
RATIO_TARGET = 4.0
MEMORY_BASE, MEMORY_PER_CHARGE = 64 << 20, 48


def main():
    options = parse_options()
    subscribers, first, last = SIZES[options.size]
    data = make_data(options.size, options.subreport, subscribers, first, last, "subscriber")
    files = sorted(str(path) for path in (data / "subscriber").iterdir())
    # This also brings the files into the page cache.
    counts = subprocess.check_output([options.floor, "--lines", "-j", "2", *files], text=True)
    inflated, lines = map(int, counts.split())
    rows = lines - len(files)
    stored = sum(os.path.getsize(path) for path in files)
    print(f"size {options.size}: {len(files)} files, {rows:,} rows, {mebibytes(stored)} MiB, "
          f"{mebibytes(inflated)} MiB inflated; {options.runs} runs")
    table = [["threads", "what", "minimum s", "median s", "maximum s", "ratio", "rows/s",
              "peak MiB", "bound MiB"]]
    verdicts = []
    for threads in options.threads:
        floor, report, charges = measure(options, data, files, threads)
        # The minimum is the run that the rest of the machine disturbed least.
        ratio = min(report.seconds) / min(floor.seconds)
        bound = MEMORY_BASE + MEMORY_PER_CHARGE * charges
        table.append(floor.row(threads, "inflate", rows, "1.00", ""))
        table.append(report.row(threads, "report", rows, f"{ratio:.2f}", mebibytes(bound)))
        verdicts += [
            verdict(f"{threads} thread(s): {ratio:.2f} times the floor, at most {RATIO_TARGET}",
                    ratio <= RATIO_TARGET),
            verdict(f"{threads} thread(s): {mebibytes(report.memory)} MiB for {charges:,} charges, "
                    f"at most {mebibytes(bound)}", report.memory <= bound),
        ]
    widths = [max(map(len, column)) for column in zip(*table)]
    for line in table:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    print("\n".join(verdicts))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=SIZES, default="S")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")],
                        default=[1, 2], help="such as 1,2")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--floor", required=True, type=os.path.abspath, help="inflate-floor")
    return parser.parse_args()


def make_data(size, subreport, subscribers, first, last, kind):
    """Returns the folder of a size's reports or receipts, simulated if it is not there yet."""
    digest = hashlib.sha256(repr((subscribers, first, last, kind)).encode())
    for source in sorted((ROOT / "Sources/Simulation").rglob("*.swift")):
        digest.update(source.read_bytes())
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    cache /= "subreport-bench"
    data = cache / f"{size}-{digest.hexdigest()[:12]}"
    if data.exists():
        return data
    cache.mkdir(parents=True, exist_ok=True)
    for stale in cache.glob(f"{size}-*"):
        shutil.rmtree(stale)
    print(f"simulating {subscribers} subscribers from {first} to {last} …", file=sys.stderr)
    partial = pathlib.Path(tempfile.mkdtemp(prefix="partial-", dir=cache))
    try:
        subprocess.run(
            [subreport, "simulate", "-o", str(partial / "data"), "--subscribers", subscribers,
             "--from", first, "--to", last, "--seed", "1", "--clean", "--kind", kind],
            check=True, stdout=subprocess.DEVNULL)
        (partial / "data").rename(data)
    finally:
        shutil.rmtree(partial)
    return data


class Runs:
    """The seconds and the peak memory of several runs of one program."""

    def __init__(self):
        self.seconds, self.memory = [], 0

    def add(self, command, folder):
        # No configuration and no SUBREPORT_ variable of the user's may change what is measured.
        environment = {"HOME": folder, "LC_ALL": "C", "PATH": os.environ["PATH"]}
        with open(os.devnull, "wb") as nowhere:
            start = time.perf_counter()
            process = subprocess.Popen(command, cwd=folder, env=environment, stdout=nowhere)
            _, status, usage = os.wait4(process.pid, 0)
            self.seconds.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(command[:4])} … ended with {process.returncode}")
        self.memory = max(self.memory, usage.ru_maxrss * 1024)

    def row(self, threads, what, rows, ratio, bound):
        median = statistics.median(self.seconds)
        return [str(threads), what, f"{min(self.seconds):.3f}", f"{median:.3f}",
                f"{max(self.seconds):.3f}", ratio, f"{rows / median:,.0f}",
                mebibytes(self.memory), bound]


def measure(options, data, files, threads):
    """Runs both programs in turn; returns their runs and how many charges the reports hold."""
    floor, report, charges = Runs(), Runs(), 0
    for _ in range(options.runs):
        with tempfile.TemporaryDirectory(dir=data.parent, prefix="run-") as folder:
            floor.add([options.floor, "-j", str(threads), *files], folder)
            report.add([options.subreport, "report", str(data / "subscriber"), "-o",
                        folder + "/out", "-j", str(threads), "--no-progress", "-q"], folder)
            with open(folder + "/out/health.csv", newline="") as health:
                charges = sum(int(row["rows_used"] or 0) for row in csv.DictReader(health))
    return floor, report, charges


def mebibytes(count):
    return f"{count / (1 << 20):.1f}"


def verdict(text, holds):
    return ("ok     " if holds else "MISSED ") + text


if __name__ == "__main__":
    main()
