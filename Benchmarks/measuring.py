"""Runs programs in turn, so that a busy machine slows all of them, and prints their ratios."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

MEBIBYTE = 1 << 20


class Program:
    """A command, and the seconds and the peak memory of its runs.

    `command` makes the words from the folder that a run may write into; `before`, if there is one,
    those of a command that runs there first and is not measured. `cells`, if there is one, reads from
    that folder the numbers that all programs of a contest must agree on. `rows` is how many rows it
    reads, if that is not the contest's number.
    """

    def __init__(self, name, threads, command, before=None, cells=None, most_memory=None, rows=None):
        self.name, self.threads, self.command, self.before = name, threads, command, before
        self.cells, self.most_memory, self.rows = cells, most_memory, rows
        self.seconds, self.cores, self.memory = [], [], 0

    def run(self, folder):
        if self.before is not None:
            self.start(self.before(folder), folder)
        seconds, usage = self.start(self.command(folder), folder)
        self.seconds.append(seconds)
        self.cores.append((usage.ru_utime + usage.ru_stime) / seconds)
        self.memory = max(self.memory, usage.ru_maxrss * 1024)

    @staticmethod
    def start(words, folder):
        """Returns the seconds that a command takes, and what else the kernel says of it."""
        # No configuration and no SUBREPORT_ variable of the user's may change what is measured.
        environment = {"HOME": folder, "LC_ALL": "C", "PATH": os.environ["PATH"]}
        with open(os.devnull, "wb") as nowhere:
            start = time.perf_counter()
            process = subprocess.Popen(words, cwd=folder, env=environment, stdout=nowhere)
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{' '.join(words[:4])} … ended with {process.returncode}")
        return seconds, usage


class Comparison:
    """How many times the seconds a row of another program a program takes; targets are for the median."""

    def __init__(self, program, against, at_least=None, at_most=None):
        self.program, self.against = program, against
        self.at_least, self.at_most = at_least, at_most

    @property
    def ratios(self):
        """One a turn: both programs met the same machine in it."""
        per_row = self.against.rows / self.program.rows
        return [ours / theirs * per_row
                for ours, theirs in zip(self.program.seconds, self.against.seconds)]

    @property
    def target(self):
        median = statistics.median(self.ratios)
        if self.at_most is not None:
            return f"≤ {self.at_most}" + ("" if median <= self.at_most else " MISSED")
        if self.at_least is not None:
            return f"≥ {self.at_least}" + ("" if median >= self.at_least else " MISSED")
        return ""


class Contest:
    """Programs that run in turn on the same data, which have some number of rows."""

    HEADER = ["program", "threads", "seconds", "cores", "ns/row", "MiB", "times the seconds of",
              "minimum", "median", "maximum", "target"]

    def __init__(self, title, rows, programs, comparisons):
        self.title = title
        self.programs, self.comparisons = programs, comparisons
        for program in programs:
            program.rows = program.rows or rows

    def run(self, runs):
        for _ in range(runs):
            agreed = None
            for program in self.programs:
                with tempfile.TemporaryDirectory(prefix="subreport-bench-") as folder:
                    program.run(folder)
                    if program.cells is None:
                        continue
                    cells = {key: value for key, value in program.cells(folder).items() if value}
                agreed = agreed or (program, cells)
                stop_if_different(*agreed, program, cells)

    def lines(self):
        """Returns the title and a line for each comparison, and for each program without one."""
        lines = [[self.title]]
        for program in self.programs:
            most = program.most_memory
            memory = mebibytes(program.memory)
            if most is not None:
                memory += f" ≤ {mebibytes(most)}" + (" MISSED" if program.memory > most else "")
            seconds = min(program.seconds)
            cells = [program.name, str(program.threads), f"{seconds:.3f}",
                     f"{statistics.median(program.cores):.2f}",
                     f"{seconds / program.rows * 1e9:.0f}", memory]
            mine = [each for each in self.comparisons if each.program is program]
            for comparison in mine:
                ratios = comparison.ratios
                figures = (min(ratios), statistics.median(ratios), max(ratios))
                against = f"{comparison.against.name}, {comparison.against.threads}"
                lines.append([*cells, against, *(f"{figure:.2f}" for figure in figures),
                              comparison.target])
                cells = [""] * 6
            if not mine:
                lines.append([*cells, "", "", "", "", ""])
        return lines


def stop_if_different(first, expected, second, found):
    """Ends the benchmark when two programs have computed different numbers."""
    different = [key for key in sorted(expected.keys() | found.keys())
                 if expected.get(key) != found.get(key)]
    for key in different[:10]:
        print(f"{key}: {first.name} {expected.get(key)}, {second.name} {found.get(key)}")
    if different:
        sys.exit(f"{len(different)} cells of {second.name} differ from those of {first.name}")


def print_table(contests):
    """Prints all contests as one table, with the least seconds of each program."""
    lines = [Contest.HEADER] + [line for contest in contests for line in contest.lines()]
    widths = [max(map(len, column)) for column in zip(*(line for line in lines if len(line) > 1))]
    for line in lines:
        if len(line) == 1:
            print(f"\n{line[0]}")
        else:
            print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def mebibytes(count):
    return f"{count / MEBIBYTE:.0f}"
