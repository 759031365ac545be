#!/usr/bin/env python3
"""Tests the statistics of `subreport`'s price_impact.csv on simulated worlds whose truth is known.

In the worlds of the first row an increase drives away 8 of 100 more than would have left: the 95 %
interval of excess_churn must cover that in 90 to 99 % of them. In those of the second row it drives
away nobody: at most 8 % may have a verdict that says otherwise. In the others nobody meets an
increase: there must be none with exposed people. A world and its report take about a second.
"""

import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

FIRST, LAST = "2026-01-01", "2026-09-30"
# Some 200 subscribers reach the renewal at the new price; eight storefronts keep the old one.
SUBSCRIBERS = "5000"
PRODUCT, COUNTRY = "Plus Monthly", "US"
EXTRA = 0.08
INCREASE = f"{PRODUCT},{COUNTRY},2026-06-01,7.99"
COVERED_TARGET = (0.90, 0.99)
CALLED_TARGET = 0.08

# Worlds in which nobody meets an increase, or nobody can tell.
OTHERS = {
    "no change": [],
    "decrease": ["--price-change", f"{PRODUCT},{COUNTRY},2026-06-01,4.99,decrease"],
    "preserved price": ["--price-change", f"{PRODUCT},{COUNTRY},2026-06-01,7.99,preserved"],
    "price of one day": ["--price-change", f"{PRODUCT},{COUNTRY},2026-06-01,7.99,glitch"],
    "change of currency": ["--price-change", f"{PRODUCT},{COUNTRY},2026-06-01,7.99,EUR"],
    "on the first day": ["--price-increase", f"{PRODUCT},{COUNTRY},{FIRST},7.99,0"],
    "on the last day": ["--price-increase", f"{PRODUCT},{COUNTRY},{LAST},7.99,0"],
}
VERDICTS = ["more_churn", "less_churn", "undecided", "pretrend"]


def main():
    options = parse_options()
    table = [["worlds", "number", "reached", "excess", "half width", *VERDICTS, "other", "figure",
              "target", ""]]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def rows(prices, count):
            seeds = range(1, count + 1)
            return list(pool.map(lambda seed: impact(options.subreport, prices, seed), seeds))

        found = rows(["--price-increase", f"{INCREASE},{EXTRA}"], options.worlds)
        covered = share(found, lambda row: row["excess_low"] != ""
                        and float(row["excess_low"]) <= EXTRA <= float(row["excess_high"]))
        low, high = COVERED_TARGET
        table.append(line(f"{EXTRA} more leave", found, f"{covered:.1%} cover it",
                          f"{low:.0%} to {high:.0%}", low <= covered <= high))
        found = rows(["--price-increase", f"{INCREASE},0"], options.worlds)
        called = share(found, lambda row: row["verdict"] in ("more_churn", "less_churn"))
        table.append(line("nobody more leaves", found, f"{called:.1%} say other",
                          f"at most {CALLED_TARGET:.0%}", called <= CALLED_TARGET))
        for name, prices in OTHERS.items():
            found = rows(prices, options.others)
            exposed = sum(int(row["exposed"]) for row in found if row)
            table.append(line(name, found, f"{exposed} exposed", "none", exposed == 0))
    widths = [max(map(len, column)) for column in zip(*table)]
    for cells in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
    sys.exit(any(cells[-1] == "MISSED" for cells in table))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--worlds", type=int, default=200, help="worlds with and without an effect")
    parser.add_argument("--others", type=int, default=5, help="worlds of each other kind")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="worlds at a time")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    return parser.parse_args()


def impact(subreport, prices, seed):
    """Returns the world's row about the planted price, or nothing if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        # No configuration and no SUBREPORT_ variable of the user's may change what is computed.
        environment = {"HOME": folder, "LC_ALL": "C", "PATH": os.environ["PATH"]}
        for command in (
            ["simulate", "-o", "world", "--clean", "--kind", "subscriber", "--subscribers",
             SUBSCRIBERS, "--from", FIRST, "--to", LAST, "--seed", str(seed), *prices],
            ["report", "world/subscriber", "-o", "out", "-j", "1", "--no-progress", "-q"],
        ):
            subprocess.run([subreport, *command], cwd=folder, env=environment, check=True)
        with open(pathlib.Path(folder) / "out/price_impact.csv", newline="") as file:
            rows = [row for row in csv.DictReader(file)
                    if (row["product"], row["country"]) == (PRODUCT, COUNTRY)]
    if len(rows) > 1:
        sys.exit(f"seed {seed}: {len(rows)} increases were found where one was planted")
    return rows[0] if rows else None


def share(rows, holds):
    return sum(1 for row in rows if row and holds(row)) / len(rows)


def line(name, found, figure, target, holds):
    rows = [row for row in found if row]
    verdicts = collections.Counter(row["verdict"] for row in rows)
    measured = [row for row in rows if row["excess_low"] != ""]
    cells = ["", "", ""]
    if measured:
        half = [(float(row["excess_high"]) - float(row["excess_low"])) / 2 for row in measured]
        cells = [f"{statistics.median(int(row['reached']) for row in measured):.0f}",
                 f"{statistics.mean(float(row['excess_churn']) for row in measured):.4f}",
                 f"{statistics.mean(half):.4f}"]
    counts = [verdicts[verdict] for verdict in VERDICTS]
    counts.append(len(rows) - sum(counts))
    return [name, str(len(found)), *cells, *map(str, counts), figure, target,
            "PASS" if holds else "MISSED"]


if __name__ == "__main__":
    main()
