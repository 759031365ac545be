#!/usr/bin/env python3
"""Times subreport on simulated data against bare inflate, DuckDB and Polars, and prints one table.

The floor is `inflate-floor`: the same files, as many threads, zlib, and nothing done with the text.
Every figure is a ratio of two programs that ran in turn. Where DuckDB and Polars compute what we do,
all cells must be equal, or the benchmark ends with an error.
"""

import argparse
import collections
import csv
import decimal
import os
import pathlib
import subprocess
import sys

import data
import reduced
from measuring import MEBIBYTE, Comparison, Contest, Program, mebibytes, print_table

FOLDER = pathlib.Path(__file__).resolve().parent
CORES = os.cpu_count()
SMALLER = {"M": "S", "L": "M", "XL": "L"}


def main():
    options = parse_options()
    contests = []
    for part in options.parts:
        if part == "growth" and options.size not in SMALLER:
            continue
        contest = PARTS[part](options)
        contest.run(options.runs)
        contests.append(contest)
    print(f"size {options.size}, {options.runs} turns, {CORES} cores; ratios within a turn")
    print_table(contests)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", choices=data.SIZES, default="S")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--parts", type=lambda text: text.split(","), default=list(PARTS),
                        help="such as subscribers,receipts; all: " + ",".join(PARTS))
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--floor", required=True, type=os.path.abspath, help="inflate-floor")
    options = parser.parse_args()
    if unknown := set(options.parts) - PARTS.keys():
        parser.error(f"--parts: found {', '.join(sorted(unknown))}, expected {', '.join(PARTS)}")
    return options


# MARK: Programs


def ours(options, name, threads, words, **more):
    """Returns a run of subreport that writes to `out` in its folder."""
    return Program(name, threads, lambda folder: [
        options.subreport, *words, "-o", f"{folder}/out", "-j", str(threads), "--no-progress", "-q",
    ], **more)


def inflate(options, files, threads):
    return Program("inflate", threads, lambda _: [options.floor, "-j", str(threads), *files])


def query(name, words):
    """Returns a run of a script here on all cores, which writes its cells as CSV."""
    return Program(
        name, CORES,
        lambda folder: [sys.executable, str(FOLDER / words[0]), *words[1:], str(CORES),
                        f"{folder}/cells.csv"],
        cells=lambda folder: reduced.of_query(f"{folder}/cells.csv"))


def described(options, what, folder):
    """Returns the files below a folder, their rows, and a title that says both.

    Counting the rows also brings the files into the page cache.
    """
    files = sorted(str(path) for path in folder.rglob("*.gz"))
    counts = subprocess.check_output(
        [options.floor, "--lines", "-j", str(CORES), *files], text=True)
    inflated, lines = map(int, counts.split())
    rows = lines - len(files)
    stored = sum(os.path.getsize(path) for path in files)
    return files, rows, (f"{what}: {len(files)} files, {rows:,} rows, {mebibytes(stored)} MiB, "
                         f"{mebibytes(inflated)} MiB inflated")


# MARK: Parts


def subscribers(options):
    folder = data.subscribers(options.size, options.subreport)
    files, rows, title = described(options, "SUBSCRIBER", folder)
    programs, comparisons = beside_inflate(options, folder, files, at_most=2.0,
                                           most_memory=64 * MEBIBYTE + 48 * rows)
    floors, reports = programs[::2], programs[1::2]
    for floor in floors:
        churn = ours(options, "churn", floor.threads,
                     ["churn", str(folder), "--all-months", "-f", "csv"])
        programs.append(churn)
        comparisons.append(Comparison(churn, floor))

    words = ["report", str(folder), "--by", "product"]
    mine = ours(options, "report --by product", CORES, words,
                cells=lambda run: reduced.of_report(f"{run}/out"))
    duckdb = query("DuckDB, reduced set",
                   ["run_duckdb.py", str(FOLDER / "reduced.sql"), f"{folder}/*"])
    polars = query("Polars, reduced set", ["reduced_polars.py", f"{folder}/*"])
    programs += [mine, duckdb, polars]
    comparisons += [Comparison(duckdb, mine, at_least=4.0), Comparison(polars, mine, at_least=2.0)]
    if reports[1].threads == CORES:
        comparisons += [Comparison(other, reports[1]) for other in (duckdb, polars)]
    return Contest(title, rows, programs, comparisons)


def aggregates(options):
    folder = data.aggregates(options.size, options.subreport)
    files, rows, title = described(options, "SUBSCRIPTION_EVENT, SUBSCRIPTION and SALES", folder)
    return Contest(title, rows, *beside_inflate(options, folder, files, at_most=1.6))


def beside_inflate(options, folder, files, at_most, **more):
    """Returns inflate and `report` on one thread, then both on two, and their comparisons."""
    programs, comparisons = [], []
    for threads in (1, 2):
        floor = inflate(options, files, threads)
        report = ours(options, "report", threads, ["report", str(folder)], **more)
        programs += [floor, report]
        comparisons.append(Comparison(report, floor, at_most=at_most))
    comparisons.append(Comparison(programs[1], programs[3], at_least=1.8))
    return programs, comparisons


def one_file(options):
    """One large file: one thread inflates it while another takes its rows."""
    folder = data.one_file(options.size, options.subreport)
    files, rows, title = described(options, "SUBSCRIBER in one file", folder)
    floor = inflate(options, files, 1)
    one, two = (ours(options, "report", threads, ["report", str(folder)]) for threads in (1, 2))
    return Contest(title, rows, [floor, one, two], [
        Comparison(one, floor), Comparison(two, floor), Comparison(one, two, at_least=1.5)])


def growth(options):
    """What a row costs beside the next smaller size."""
    programs = []
    for size in (SMALLER[options.size], options.size):
        folder = data.subscribers(size, options.subreport)
        _, rows, title = described(options, "SUBSCRIBER", folder)
        programs.append(ours(options, f"report, size {size}", CORES, ["report", str(folder)],
                             rows=rows))
    return Contest(title, rows, programs, [Comparison(programs[1], programs[0], at_most=1.1)])


def nightly(options):
    """A job with a cache: its first night, and a night with one new day."""
    folder = data.subscribers(options.size, options.subreport)
    _, rows, title = described(options, "SUBSCRIBER, every night", folder)
    before = data.all_but_last_day(options.size, options.subreport)

    def report(name, folder, threads, *more, **others):
        return ours(options, name, threads, ["report", str(folder), *more], **others)

    cache = ["--cache", "cache"]
    programs, comparisons = [], []
    for threads in (1, CORES):
        full = report("report", folder, threads)
        first = report("report, first with a cache", folder, threads, *cache)
        # A cache belongs to a folder: one by a name that is made to mean one day more.
        evening = report("the night before", "reports", threads, *cache).command
        night = report("report, one new day", "reports", threads, *cache,
                       before=lambda run, evening=evening: [
            "sh", "-c", 'ln -s "$1" reports; later=$2; shift 2; "$@" && ln -sfn "$later" reports',
            "sh", str(before), str(folder), *evening(run)])
        programs += [full, first, night]
        comparisons += [Comparison(first, full), Comparison(night, full, at_most=0.05)]
    return Contest(title, rows, programs, comparisons)


def receipts(options):
    """Receipts against DuckDB's JSON reader: both read the same plain NDJSON."""
    folder = data.receipts(options.subreport)
    size, answers = 0, 0
    for path in folder.iterdir():
        with open(path, "rb") as file:
            answers += sum(1 for _ in file)
        size += path.stat().st_size
    words = ["refunds", str(folder), "--source", "receipts", "--by", "product", "--all-months",
             "-f", "csv"]
    mine = ours(options, "refunds", CORES, words, cells=lambda run: receipt_charges(f"{run}/out"))
    duckdb = query("DuckDB, same counts",
                   ["run_duckdb.py", str(FOLDER / "receipts.sql"), f"{folder}/*"])
    return Contest(f"verifyReceipt: {answers:,} answers, {mebibytes(size)} MiB of JSON", answers,
                   [mine, duckdb], [Comparison(duckdb, mine, at_least=6.0)])


def receipt_charges(path):
    cells = collections.Counter()
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["dating"] == "refund":
                cells[row["month"], row["product"], "charges"] += decimal.Decimal(row["charges"])
    return cells


PARTS = {"subscribers": subscribers, "aggregates": aggregates, "one-file": one_file,
         "growth": growth, "nightly": nightly, "receipts": receipts}


if __name__ == "__main__":
    main()
