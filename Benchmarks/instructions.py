#!/usr/bin/env python3
"""Counts the instructions of our own code per row, and fails when they rise by more than 5 %, or when a
progress bar costs more than 1 %.

Seconds differ from machine to machine; instructions under `valgrind --tool=callgrind`, on one thread
and on the same data, do not: two runs differ by a few in a million. Counted is what the program's own
file executes, Swift's runtime included. Left out are the libraries beside it (zlib, libc), which have
another path for each kind of processor, and for the same reason SHA-256 of BoringSSL.

The bar is drawn five times a second, and under valgrind a run takes some 50 times as long: what it costs
here is the most that it can cost.
"""

import argparse
import concurrent.futures
import csv
import gzip
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import data

THRESHOLDS = pathlib.Path(__file__).resolve().parent / "instructions.csv"
MOST_RISE = 0.05
MOST_FOR_BAR = 0.01
LINE = re.compile(r"\s*([0-9,]+) .*?:(.*) \[(.*)\]$")
FOREIGN = ("CCryptoBoringSSL_", "bssl::")


def main():
    options = parse_options()
    subscribers = data.subscribers("S", options.subreport)
    aggregates = data.aggregates("S", options.subreport)
    report = ["report", str(subscribers)]
    runs = {
        "report on SUBSCRIBER": (report, subscribers),
        "churn on SUBSCRIBER": (["churn", str(subscribers), "--all-months", "-f", "csv"], subscribers),
        "report on SUBSCRIPTION_EVENT and SUBSCRIPTION and SALES":
            (["report", str(aggregates)], aggregates),
    }
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "subreport")
        # Valgrind before 3.21 cannot read the debug information of the Swift runtime.
        subprocess.run(["strip", "-g", "-o", program, options.subreport], check=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            counts = pool.map(lambda run: per_row(program, *run), runs.values())
            with_bar = pool.submit(per_row, program, report, subscribers, has_bar=True)
            found = dict(zip(runs, counts))
    if options.record:
        record(found)
    has_risen = compare(found)
    bar = with_bar.result() / found["report on SUBSCRIBER"] - 1
    verdict = "ok" if bar <= MOST_FOR_BAR else f"MISSED, at most {MOST_FOR_BAR:.0%}"
    print(f"its progress bar: {bar:+.2%}: {verdict}")
    sys.exit(has_risen or bar > MOST_FOR_BAR)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--record", action="store_true", help="write the file of thresholds anew")
    return parser.parse_args()


def per_row(program, words, inputs, has_bar=False):
    """Returns how many instructions of its own a run executes for each row of its inputs."""
    with tempfile.TemporaryDirectory() as folder:
        # Seeds of hashing differ from run to run otherwise, and with them the collisions.
        environment = {"HOME": folder, "LC_ALL": "C", "PATH": os.environ["PATH"],
                       "SWIFT_DETERMINISTIC_HASHING": "1"}
        profile = os.path.join(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", "--quiet", f"--callgrind-out-file={profile}",
                   program, *words, "-o", "out", "-j", "1"]
        if has_bar:
            # `script` is a terminal to what it runs.
            command = ["script", "--quiet", "--return", "--command", shlex.join(command), os.devnull]
        else:
            command += ["--no-progress", "-q"]
        subprocess.run(command, cwd=folder, env=environment, check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        listing = subprocess.run(
            ["callgrind_annotate", "--threshold=100", "--show-percs=no", "--auto=no", profile],
            cwd=folder, env=environment, check=True, text=True, stdout=subprocess.PIPE).stdout
    own = 0
    for line in listing.splitlines():
        if (match := LINE.match(line)) and match[3] == program:
            if not match[2].startswith(FOREIGN):
                own += int(match[1].replace(",", ""))
    if own == 0:
        sys.exit("callgrind_annotate lists no function of the program")
    return own / row_count(inputs)


def row_count(folder):
    """Returns how many rows the reports below a folder have, without their headers."""
    rows = 0
    for path in folder.rglob("*.gz"):
        with gzip.open(path) as report:
            rows += sum(1 for _ in report) - 1
    return rows


def record(found):
    with open(THRESHOLDS, encoding="utf-8") as file:
        comments = [line for line in file if line.startswith("#")]
    with open(THRESHOLDS, "w", newline="", encoding="utf-8") as file:
        file.writelines(comments)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", "instructions_per_row"])
        writer.writerows((run, round(count)) for run, count in found.items())


def compare(found):
    """Prints each count beside its threshold; returns whether one has risen too far."""
    with open(THRESHOLDS, newline="", encoding="utf-8") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        recorded = {row["run"]: int(row["instructions_per_row"]) for row in rows}
    has_risen = False
    for run, count in found.items():
        change = count / recorded[run] - 1
        verdict = "ok"
        if change > MOST_RISE:
            has_risen, verdict = True, f"MISSED, at most {MOST_RISE:.0%} more"
        elif change < -MOST_RISE:
            verdict = "ok; record it with: make bench-instructions RECORD=--record"
        print(f"{run}: {count:,.0f} instructions a row, {change:+.1%} of {recorded[run]:,}: {verdict}")
    return has_risen


if __name__ == "__main__":
    main()
