#!/usr/bin/env python3
"""Measures Spark/subreport_spark.py with two local cores beside `report` on the same files.

Processor time is divided into that of the steps, of Python (driver and workers), and of Java. A run of Spark that only
starts and ends is measured too, because Java's start has nothing to do with the rows. Bytes of shuffle are Spark's own, from
its log of events. The folder must be the one of `report`. Needs /proc (Linux) and GNU time.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import data
from measuring import Program, mebibytes
from steps import differences, rows_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
CORES = 2
TICKS = os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=lambda text: text.split(","), default=["M"], help="such as M,L")
    parser.add_argument("--partitions", help="such as 121 (as Spark/subreport_spark.py has them without it)")
    parser.add_argument("--tasks", help="the same of tasks")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--environment", required=True, type=os.path.abspath, help="with PySpark, as make spark makes it")
    options = parser.parse_args()
    print(f"local[{CORES}]; seconds are processor time, but for those that have passed")
    for size in options.sizes:
        folder = data.subscribers(size, options.subreport)
        with tempfile.TemporaryDirectory(prefix="subreport-spark-") as work:
            measure(options, size, folder, pathlib.Path(work))


def measure(options, size, folder, work):
    paths = sorted(folder.iterdir())
    rows = rows_of(paths)
    (work / "start.py").write_text("from pyspark import SparkContext\nSparkContext.getOrCreate().stop()\n")
    start = Watch(submit(options, work, [work / "start.py"]))
    script = [ROOT / "Spark/subreport_spark.py", "--program", timed(options.subreport, work), "--input", folder,
              "--output", work / "out"]
    for name in ("partitions", "tasks"):
        if value := getattr(options, name):
            script += [f"--{name}", value]
    run = Watch(submit(options, work, script, events=True))
    _, usage = Program.start([options.subreport, "report", str(folder), "-o", str(work / "expected"), "-j", "1",
                              "--no-progress", "-q"], str(work))
    if different := differences(work / "expected", work / "out"):
        sys.exit(f"other bytes than report: {different[:5]}")
    alone = usage.ru_utime + usage.ru_stime

    steps = [line.split(" ", 3) for line in (work / "steps").read_text().splitlines() if line[0].isdigit()]
    step_seconds = sum(float(user) + float(system) for user, system, *_ in steps)
    step_memory = max(int(memory) for _, _, memory, _ in steps) * 1024
    after = step_seconds + sum(run.seconds.values()) - sum(start.seconds.values())
    print(f"\nsize {size}: {len(paths)} files, {rows:,} rows; the same bytes as report")
    print(f"start and end of Spark alone: {start.passed:.1f} s passed; Java {start.seconds['java']:.1f} s, "
          f"Python {start.seconds['python']:.1f} s")
    print(f"run: {run.passed:.1f} s passed; {len(steps)} steps {step_seconds:.1f} s, Java {run.seconds['java']:.1f} s, workers of "
          f"Python {run.seconds['worker']:.1f} s, the driver's Python {run.seconds['python']:.1f} s")
    print(f"report, 1 thread: {alone:.1f} s; {mebibytes(usage.ru_maxrss * 1024)} MiB")
    print(f"after its start / report: {after / alone:.2f}, at most 3; steps alone / report: {step_seconds / alone:.2f}")
    print(f"peak memory: a step {mebibytes(step_memory)} MiB, a worker of Python {mebibytes(run.memory['worker'])} MiB, "
          f"the driver's Python {mebibytes(run.memory['python'])} MiB, Java {mebibytes(run.memory['java'])} MiB")
    written, results = of_events(work / "events")
    print(f"shuffle: {written:,} bytes written, {written / rows:.1f} a row; results to the driver: {results:,} bytes", flush=True)


def submit(options, work, script, events=False):
    """Returns the words that run a script on Spark."""
    settings = ["spark.ui.enabled=false", "spark.log.level=ERROR"]
    if events:
        (work / "events").mkdir()
        settings += ["spark.eventLog.enabled=true", f"spark.eventLog.dir=file://{work}/events", "spark.eventLog.compress=false",
                     "spark.eventLog.rolling.enabled=false"]
    words = ["env", f"PYSPARK_PYTHON={options.environment}/bin/python3", "PYTHONDONTWRITEBYTECODE=1",
             f"PATH={options.environment}/bin:{os.environ['PATH']}", f"{options.environment}/bin/spark-submit",
             "--master", f"local[{CORES}]"]
    return [*words, *(word for setting in settings for word in ("--conf", setting)), *map(str, script)]


def timed(program, work):
    """Writes a script that runs the program and notes what it has cost."""
    path = work / "subreport"
    path.write_text(f"#!/bin/sh\nexec time -a -q -o {work}/steps -f '%U %S %M %C' {program} \"$@\"\n")
    path.chmod(0o755)
    return path


class Watch:
    """Runs a command, and reads all the while what the kernel says of its processes."""

    def __init__(self, words):
        self.used, self.memory = {}, collections.Counter()
        begin = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(words, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            while process.poll() is None:
                self.read(process.pid)
                time.sleep(0.1)
            self.passed = time.monotonic() - begin
            if process.returncode != 0:
                output.seek(0)
                sys.exit(output.read().decode(errors="replace")[-3000:])
        self.seconds = collections.Counter()
        for kind, seconds in self.used.values():
            self.seconds[kind] += seconds

    def read(self, root):
        """Notes the time and the memory of all processes below one, but for the steps, which `timed` measures."""
        parents, found = {}, {}
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                stat = pathlib.Path(f"/proc/{entry}/stat").read_text()
                status = pathlib.Path(f"/proc/{entry}/status").read_text()
                words = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue  # It has ended.
            name, fields = stat[stat.index("(") + 1:stat.rindex(")")], stat[stat.rindex(")") + 2:].split()
            parents[int(entry)] = int(fields[1])
            peak = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
            found[int(entry)] = (name, words, (int(fields[11]) + int(fields[12])) / TICKS, int(peak[0]) * 1024 if peak else 0)
        for process, (name, words, seconds, peak) in found.items():
            if not is_below(process, root, parents):
                continue
            kind = "java" if name == "java" else None
            if name.startswith("python"):
                kind = "worker" if b"pyspark.daemon" in words else "python"
            if kind:
                self.used[process] = kind, seconds
                self.memory[kind] = max(self.memory[kind], peak)


def is_below(process, root, parents):
    while process > 1:
        if process == root:
            return True
        process = parents.get(process, 0)
    return False


def of_events(folder):
    """Returns the bytes of shuffle that all tasks have written, and the bytes of their results."""
    written = results = 0
    for path in folder.iterdir():
        with open(path, encoding="utf-8") as file:
            for line in file:
                event = json.loads(line)
                if event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                    written += event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                    results += event["Task Metrics"]["Result Size"]
    return written, results


if __name__ == "__main__":
    main()
