#!/usr/bin/env python3
"""Measures `subreport fetch` against the server of its tests, and fails when a bound is missed.

Requests are those that the server has counted: of a year of four reports, of a night (the archive is made a day
younger, as the run before would have left it), of a second run straight after. The year of 1,460 files, with 5 ms an
answer and 8 at a time, is timed beside curl, which asks the same server process for the same addresses straight
after. Other programs slow both, and syncing most, which curl does not: all pairs of --runs are printed, and that with
the least seconds of both together counts. Memory is the kernel's peak of the year's runs and of a run with one report
of 1 GiB; it is that of this script if that is larger. The start of the program is the least of 50.
"""

import argparse
import datetime
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Tests/Fetch"))
from fetch_test import Server, make_key, pacific_day

KINDS = ["sales", "subscription", "subscription-event", "subscriber"]
DAYS = 365
MILLISECONDS_OF_DAY = 86_400_000
BIG = 1 << 30


class Bench:
    def __init__(self, options, scratch):
        self.program, self.runs, self.scratch = options.subreport, options.runs, scratch
        self.archive = scratch / "archive"
        self.folders = 0
        self.key, self.public = make_key(scratch)
        self.today = pacific_day(0)
        self.missed = 0
        self.memory = 0

    def measure(self):
        year = self.scratch / "year"
        subprocess.run([self.program, "simulate", "-o", year, "--subscribers", "300", "--clean",
                        "--contingent", "0.05", "--from", str(self.today - datetime.timedelta(DAYS)),
                        "--to", str(self.today - datetime.timedelta(1))], check=True)
        # Any token will do: curl has none of its own.
        self.server = Server(self.public, "--any-token", "--delay", "5", "--reports", str(year))
        try:
            self.requests()
            self.seconds()
            self.big_report()
        finally:
            self.server.stop()
        self.program_itself()
        sys.exit(f"{self.missed} bounds missed" if self.missed else 0)

    def bound(self, name, found, most, unit=""):
        """Prints a line, and counts a number that is too large."""
        is_missed = found > most
        self.missed += is_missed
        print(f"{name:<58}{found:>10,.4g}{unit:<4} ≤ {most:,g}{unit}{' MISSED' if is_missed else ''}", flush=True)

    # MARK: Runs

    def fetch(self, *kinds):
        """Runs the program as in a night; returns its seconds, its peak memory in MiB and the server's requests."""
        settings = {
            "archive": str(self.archive), "vendors": ["80012345"], "issuer_id": "I", "key_id": "K", "key": self.key,
            "kinds": kinds, "endpoint": f"http://127.0.0.1:{self.server.port}", "requests_per_minute": 0}
        lines = [f"{key} = {json.dumps(value)}\n" for key, value in settings.items()]
        (self.scratch / "subreport.toml").write_text("[fetch]\n" + "".join(lines))
        before = len(self.server.call("/log")["log"])
        seconds, memory = self.run(self.program, "fetch", "--now" if not self.archive.exists() else "--quiet")
        return seconds, memory, self.server.call("/log")["log"][before:]

    def new_folder(self):
        """Returns a folder that is not there yet: ext4 creates files slowly where many were deleted just before."""
        self.folders += 1
        return self.scratch / str(self.folders)

    def run(self, *words):
        environment = {"HOME": str(self.scratch), "PATH": os.environ["PATH"], "LC_ALL": "C"}
        start = time.perf_counter()
        process = subprocess.Popen(
            words, cwd=self.scratch, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        text = process.stderr.read().decode()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, words[:3]))} … ended with {process.returncode}: {text}")
        return seconds, usage.ru_maxrss / 1024

    # MARK: Measurements

    def requests(self):
        self.bound("requests: a year of four reports", len(self.fetch(*KINDS)[2]), 1475)
        files = len(list(self.archive.glob("*/*/*.txt.gz")))
        if files != DAYS * len(KINDS):
            sys.exit(f"the archive has {files} files, expected {DAYS * len(KINDS)}")
        self.bound("requests: a second run straight after", len(self.fetch(*KINDS)[2]), 0)
        finance = ["financial", "finance-detail"]
        self.fetch(*finance)
        pending = self.make_younger()
        requests = self.fetch(*KINDS, *finance)[2]
        # Of finance, up to two periods of each kind are pending in most nights.
        self.bound("requests: a night", len(requests), 20 + max(0, pending - 4))
        self.bound("requests: a second run after that night", len(self.fetch(*KINDS, *finance)[2]), 0)

    def make_younger(self):
        """Makes the archive what a run of yesterday would have left; returns how many finance periods are pending."""
        newest = str(self.today - datetime.timedelta(1))
        for path in self.archive.glob(f"*/*/*_{newest.replace('-', '')}*"):
            path.unlink()
        with sqlite3.connect(self.archive / ".subreport/index.sqlite") as index:
            index.execute("DELETE FROM report WHERE slot = ?", [newest])
            index.execute(
                "UPDATE report SET asked = asked - ?, answered_age = max(answered_age - 1, -1)", [MILLISECONDS_OF_DAY])
            return index.execute("SELECT count(*) FROM report WHERE state = 'pending'").fetchone()[0]

    def seconds(self):
        pairs, memories = [], []
        for _ in range(self.runs):
            self.archive = self.new_folder()
            ours, memory, log = self.fetch(*KINDS)
            memories.append(memory)
            pairs.append((ours, self.curl(log)))
        for ours, theirs in pairs:
            print(f"  fetch {ours:.2f} s, curl {theirs:.2f} s")
        ours, theirs = min(pairs, key=sum)
        self.bound(f"more than curl, the fastest of {self.runs} pairs", ours - theirs, 1.5, " s")
        self.bound("peak memory: a year of four reports", max(memories), 64, "MiB")

    def curl(self, log):
        folder = self.new_folder()
        folder.mkdir()
        paths = [one["path"].replace("[", "%5B").replace("]", "%5D") for one in log]
        lines = [f'url = "http://127.0.0.1:{self.server.port}{path}"\noutput = "{folder}/{number}"\n'
                 for number, path in enumerate(paths)]
        (self.scratch / "curl.txt").write_text("".join(lines))
        seconds, _ = self.run("curl", "--silent", "--parallel", "--parallel-max", "8", "--config", "curl.txt")
        count = len(list(folder.iterdir()))
        if count != len(log):
            sys.exit(f"curl got {count} of {len(log)} files")
        return seconds

    def big_report(self):
        self.archive = self.new_folder()
        day = self.today - datetime.timedelta(20)
        self.server.call("/rules", [{"match": f"reportDate]={day}", "body": f"big:{BIG}"}])
        seconds, memory, _ = self.fetch("sales")
        size = max(path.stat().st_size for path in self.archive.glob("sales/*/*.gz"))
        if size < 0.99 * BIG:
            sys.exit(f"the largest report has {size} bytes")
        self.bound(f"peak memory: one report of 1 GiB, in {seconds:.0f} s", memory, 64, "MiB")

    def program_itself(self):
        self.bound("--help, least of 50", 1000 * min(self.run(self.program, "--help")[0] for _ in range(50)), 12, " ms")
        subprocess.run(["strip", "-o", self.scratch / "stripped", self.program], check=True)
        self.bound("stripped program", (self.scratch / "stripped").stat().st_size / 1e6, 45, " MB")
        lines = sum(path.read_text().count("\n") for path in (ROOT / "Sources/Fetch").rglob("*.swift"))
        self.bound("lines of Sources/Fetch", lines, 4000)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5, help="pairs of fetch and curl")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="subreport-bench-") as scratch:
        Bench(options, pathlib.Path(scratch)).measure()


if __name__ == "__main__":
    main()
