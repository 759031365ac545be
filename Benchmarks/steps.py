#!/usr/bin/env python3
"""Measures the steps of `subreport step` beside `report` on the same files, one step after another.

Prints for each step its runs, the processor time of all of them, by row of the input too, the peak memory of the largest,
and the bytes of frames that they write; then what a run on many machines moves (bytes for each row), and what its driver
holds (the plan, the frames of files, the tally). The folder must be the one of `report`, or the benchmark ends with an error.

Python only passes frames on, a part at a time: on Linux a child inherits the peak memory of a large parent.
"""

import argparse
import collections
import filecmp
import math
import os
import pathlib
import struct
import subprocess
import sys
import tempfile

import data
from measuring import MEBIBYTE, Program, mebibytes

CORES = os.cpu_count()
CHARGES_OF_PARTITION = 250_000
MOST_OF_PLAN = 300
MOST_SHUFFLED = 40


def main():
    options = parse_options()
    print(f"{CORES} cores; seconds are processor time")
    for size in options.sizes:
        folder = data.subscribers(size, options.subreport)
        with tempfile.TemporaryDirectory(prefix="subreport-steps-", dir=options.scratch) as scratch:
            Run(options, size, folder, pathlib.Path(scratch)).measure()


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda text: text.split(","), default=["S"], help="such as S,M,L")
    parser.add_argument("--tasks", type=int, default=2 * CORES, help="tasks that read files (2 for each core)")
    parser.add_argument("--partitions", type=int,
                        help="partitions (2 for each core, or one for each 250,000 rows if those are more)")
    parser.add_argument("--scratch", help="where frames are kept for a while; they take 15 bytes a row, and the files again")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    options = parser.parse_args()
    if unknown := set(options.sizes) - data.SIZES.keys():
        parser.error(f"--sizes: found {', '.join(sorted(unknown))}, expected {', '.join(data.SIZES)}")
    return options


class Step:
    """What the runs of one step have cost."""

    def __init__(self):
        self.runs, self.seconds, self.memory, self.written = 0, 0.0, 0, 0

    def add(self, usage, written):
        self.runs += 1
        self.seconds += usage.ru_utime + usage.ru_stime
        self.memory = max(self.memory, usage.ru_maxrss * 1024)
        self.written += written


class Run:
    """All steps on one folder."""

    def __init__(self, options, size, folder, scratch):
        self.options, self.size, self.folder, self.scratch = options, size, folder, scratch
        self.paths = sorted(folder.iterdir())
        self.rows = rows_of(self.paths)
        self.steps = collections.defaultdict(Step)
        self.tasks = options.tasks
        self.partitions = options.partitions or max(2 * CORES, math.ceil(self.rows / CHARGES_OF_PARTITION))
        # As Spark/subreport_spark.py divides them.
        self.groups = min(self.partitions, max(4 * CORES, math.ceil(self.partitions / 16)))

    # MARK: Steps

    def step(self, words, inputs, output):
        """Runs a step with the bytes of some files on its standard input; returns the path of its output."""
        output = self.scratch / output
        with subprocess.Popen(["cat", *map(str, inputs)], stdout=subprocess.PIPE) as cat, open(output, "wb") as file, \
                tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([self.options.subreport, "step", *words], stdin=cat.stdout, stdout=file,
                                       stderr=errors, cwd=self.scratch, env={"HOME": str(self.scratch), "PATH": os.environ["PATH"]})
            cat.stdout.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                errors.seek(0)
                sys.exit(f"step {' '.join(words)} ended with {process.returncode}: {errors.read().decode()}")
        name = " ".join(word for word in words if word in ("--complete", "--instalments", "--prices") or word == words[0])
        self.steps[name].add(usage, output.stat().st_size)
        return output

    def measure(self):
        files = self.write_files()
        scouted = [self.step(["scout"], [file], f"scouted-{task}") for task, file in enumerate(files)]
        plan = self.step(["plan", "--partitions", str(self.partitions), str(self.folder)], scouted, "plan")
        extracts = [self.step(["extract"], [plan, file], f"extract-{task}") for task, file in enumerate(files)]
        read, charges = self.divide(extracts)
        complete = self.step(["plan", "--complete"], [plan, read], "complete")

        def fold(name, before, words):
            results = []
            for first in range(self.groups):
                own = range(first, self.partitions, self.groups)
                named = [word for partition in own for word in ("--partition", str(partition))]
                results.append(self.step(["fold", *named, *words], [complete, *before, *(charges[each] for each in own)],
                                         f"{name}-{first}"))
            return self.step(["merge"], [complete, *results], name)
        instalments = fold("instalments", [], ["--instalments"])
        tally = fold("tally", [instalments], [])
        results = [complete, read, instalments, tally]
        prices = self.step(["finish", "--prices"], results, "prices")
        impact = fold("impact", [instalments, prices], ["--prices"])
        self.step(["finish", "-o", str(self.scratch / "out")], [*results, prices, impact], "nothing")
        sizes = {path.name: path.stat().st_size for path in (plan, complete, read, tally, impact)}
        shuffled = sum(path.stat().st_size for path in charges)
        report = self.report()
        self.print_table(sizes, shuffled, report)

    def report(self):
        """Measures `report` with one thread, and compares its folder."""
        expected = self.scratch / "expected"
        _, usage = Program.start([self.options.subreport, "report", str(self.folder), "-o", str(expected), "-j", "1",
                                  "--no-progress", "-q"], str(self.scratch))
        if different := differences(expected, self.scratch / "out"):
            sys.exit(f"other bytes than report: {different[:5]}")
        return usage

    # MARK: Frames

    def write_files(self):
        """Writes the input as frames, divided among tasks so that each has about as many bytes; returns their paths."""
        divided, sizes = [[] for _ in range(self.tasks)], [0] * self.tasks
        for path in sorted(self.paths, key=lambda path: -path.stat().st_size):
            task = sizes.index(min(sizes))
            divided[task].append(path)
            sizes[task] += path.stat().st_size
        outputs = []
        for task, paths in enumerate(divided):
            outputs.append(self.scratch / f"files-{task}")
            with open(outputs[-1], "wb") as output:
                for path in paths:
                    content = path.read_bytes()
                    lines = f"subreport file\n{path.name}\n{path.name}\n".encode()
                    output.write(struct.pack("<Q", len(lines) + len(content)) + lines)
                    output.write(content)
        return outputs

    def divide(self, extracts):
        """Divides frames among partitions, as an engine does; returns the file of frames of files, and those of charges."""
        read = self.scratch / "read"
        charges = [self.scratch / f"charges-{partition}" for partition in range(self.partitions)]
        for path in (read, *charges):
            path.touch()
        for extract in extracts:
            with open(extract, "rb") as file:
                while start := file.read(8):
                    (length,) = struct.unpack("<Q", start)
                    head = file.read(min(length, 400))
                    place = head.split(b"\n", 3)[2].split(b" ")[1].split(b"/")[0]
                    with open(read if place == b"-" else charges[int(place)], "ab") as output:
                        output.write(start + head)
                        copy(file, output, length - len(head))
            extract.unlink()
        return read, charges

    # MARK: Output

    def print_table(self, sizes, shuffled, report):
        files, rows = len(self.paths), self.rows
        stored = sum(path.stat().st_size for path in self.paths)
        print(f"\nsize {self.size}: {files} files, {rows:,} rows, {mebibytes(stored)} MiB; {self.tasks} tasks, "
              f"{self.partitions} partitions; the same bytes as report")
        lines = [["step", "runs", "seconds", "ns/row", "MiB", "bytes written"]]
        for name, step in self.steps.items():
            lines.append(cells(name, step.runs, step.seconds, rows, step.memory, f"{step.written:,}"))
        total = sum(step.seconds for step in self.steps.values())
        lines.append(cells("all steps", sum(step.runs for step in self.steps.values()), total, rows,
                           max(step.memory for step in self.steps.values()), ""))
        alone = report.ru_utime + report.ru_stime
        lines.append(cells("report, 1 thread", 1, alone, rows, report.ru_maxrss * 1024, ""))
        widths = [max(map(len, column)) for column in zip(*lines)]
        for line in lines:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        print(f"steps / report: {total / alone:.2f}")
        print(f"charges, moved once and read three times: {shuffled:,} bytes, "
              f"{bounded(shuffled / rows, MOST_SHUFFLED, 'bytes a row')}")
        print(f"plan: {bounded(sizes['plan'] / files, MOST_OF_PLAN, 'bytes a file')}; complete "
              f"{(sizes['complete']) / files:.0f} bytes a file with {self.partitions} partitions")
        print(f"frames of files: {sizes['read'] / files:.0f} bytes a file; tally {sizes['tally']:,} bytes, "
              f"impact {sizes['impact']:,} bytes", flush=True)


def cells(name, runs, seconds, rows, memory, written):
    return [name, str(runs), f"{seconds:.2f}", f"{seconds / rows * 1e9:.0f}", mebibytes(memory), written]


def bounded(figure, most, unit):
    return f"{figure:.1f} {unit}, at most {most}" + (" MISSED" if figure > most else "")


def rows_of(paths):
    """Returns the lines of files without their headers."""
    # gzip writes faster than Python reads, and wc counts faster than Python does.
    lines = 0
    for start in range(0, len(paths), 100):
        some = [str(path) for path in paths[start:start + 100]]
        with subprocess.Popen(["gzip", "-cd", *some], stdout=subprocess.PIPE) as gzip:
            lines += int(subprocess.check_output(["wc", "-l"], stdin=gzip.stdout))
    return lines - len(paths)


def copy(file, output, length):
    """Copies bytes, a part at a time."""
    while length > 0:
        part = file.read(min(length, MEBIBYTE))
        if not part:
            sys.exit("an extract ends inside a frame")
        output.write(part)
        length -= len(part)


def differences(expected, found):
    """Returns the names of files that differ between two folders."""
    names = {os.path.relpath(path, folder) for folder in (expected, found) for path in folder.rglob("*") if path.is_file()}
    return sorted(name for name in names if not (expected / name).is_file() or not (found / name).is_file()
                  or not filecmp.cmp(expected / name, found / name, shallow=False))


if __name__ == "__main__":
    main()
