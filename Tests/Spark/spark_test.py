#!/usr/bin/env python3
"""Runs report on Apache Spark and compares each folder with that of the program alone.

    spark_test.py PROGRAM ENVIRONMENT [CASE...]

Cases: two executors with processes of their own; steps that are killed or run twice at random; input and output on
webhdfs; a damaged file; a program of another version on one executor.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile

from webhdfs import WebHDFS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# A program that fails one step in four, after it has read its input, and runs another one in four twice. A step that Spark
# repeats has other luck, because chance depends on the process.
FLAKY = """#!/usr/bin/env python3
import os, random, signal, subprocess, sys
words = sys.argv[1:]
with open(f"/proc/{os.getppid()}/cmdline", "rb") as parent:
    is_executor = b"subreport_spark.py" not in parent.read()
# Spark repeats only the steps of executors.
if words[:1] != ["step"] or not is_executor:
    os.execv("{program}", ["{program}", *words])
data = sys.stdin.buffer.read()
luck = random.Random(os.getpid()).random()
if luck < 0.25:
    os.kill(os.getpid(), signal.SIGKILL)
runs = [subprocess.run(["{program}", *words], input=data, capture_output=True) for _ in range(2 if luck < 0.5 else 1)]
if any(run.stdout != runs[0].stdout for run in runs):
    sys.exit("another run of the step gave other bytes")
sys.stdout.buffer.write(runs[0].stdout)
sys.stderr.buffer.write(runs[0].stderr)
sys.exit(runs[0].returncode)
"""


class Bench:
    """A folder with the input, in which Spark runs."""

    def __init__(self, program, environment):
        self.program, self.environment = os.path.abspath(program), os.path.abspath(environment)
        self.work = tempfile.mkdtemp(prefix="subreport-spark-")
        self.reports = self.work + "/reports"
        shutil.copytree(ROOT + "/sample-reports", self.reports)

    def alone(self, reports, output, *options):
        return subprocess.run([self.program, "report", reports, "-o", output, "-q", *options], cwd=self.work,
                              capture_output=True, text=True)

    def spark(self, reports, output, *options, master="local[2]", program=None, settings=(), partitions=3):
        command = [self.environment + "/bin/spark-submit", "--master", master, "--conf", "spark.ui.enabled=false",
                   "--conf", "spark.log.level=ERROR"]
        for setting in settings:
            command += ["--conf", setting]
        command += [ROOT + "/Spark/subreport_spark.py", "--program", program or self.program, "--input", reports,
                    "--output", output, "--partitions", str(partitions), "--tasks", "3", *options]
        variables = {**os.environ, "PYSPARK_PYTHON": self.environment + "/bin/python3", "PYTHONDONTWRITEBYTECODE": "1",
                     "PATH": self.environment + "/bin:" + os.environ["PATH"]}
        # spark-submit joins the standard error of Python to its standard output.
        return subprocess.run(command, cwd=self.work, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def expect_same(self, name, found, expected, done):
        difference = differences(expected, found)
        if difference:
            sys.exit(f"{name}: {difference}; exit code {done.returncode}\n{done.stdout[-3000:]}")
        print(f"{name}: the same bytes", flush=True)


def differences(expected, found):
    """Returns what differs between two folders; empty for none."""
    if not os.path.isdir(found):
        return f"{found} was not written"
    names = [sorted(os.path.relpath(os.path.join(folder, file), root) for folder, _, files in os.walk(root) for file in files)
             for root in (expected, found)]
    if names[0] != names[1]:
        return f"other files: {sorted(set(names[0]) ^ set(names[1]))[:5]}"
    other = [name for name in names[0] if not filecmp.cmp(f"{expected}/{name}", f"{found}/{name}", shallow=False)]
    return f"other bytes: {other[:5]}" if other else ""


# MARK: Cases

def processes(bench):
    """Two executors, each a process of its own."""
    bench.alone(bench.reports, "expected")
    done = bench.spark(bench.reports, "processes", master="local-cluster[2,1,1024]")
    bench.expect_same("two executor processes", bench.work + "/processes", bench.work + "/expected", done)


def kills(bench):
    """Steps are killed and repeated at random; Spark runs each again."""
    bench.alone(bench.reports, "expected-k")
    flaky = bench.work + "/flaky"
    with open(flaky, "w", encoding="utf-8") as file:
        file.write(FLAKY.replace("{program}", bench.program))
    os.chmod(flaky, 0o755)
    done = bench.spark(bench.reports, "killed", master="local[2,16]", program=flaky, partitions=5)
    if "SIGKILL" not in done.stdout and "ended with -9" not in done.stdout:
        sys.exit("killed and repeated steps: no step was killed")
    bench.expect_same("killed and repeated steps", bench.work + "/killed", bench.work + "/expected-k", done)


def webhdfs(bench):
    """Input from webhdfs, output back to it: staged, then renamed over the last one."""
    store = bench.work + "/store"
    shutil.copytree(bench.reports, store + "/reports")
    bench.alone("reports", "expected-w", "--by", "country")
    with WebHDFS(store) as server:
        for _ in range(2):
            done = bench.spark(server.uri + "/reports", server.uri + "/out", "--", "--by", "country")
        # The folder's name in the manifest and on the pages is its path: /reports there, reports here.
        left = sorted(name for name in os.listdir(store) if name not in ("reports", "out"))
        if left:
            sys.exit(f"webhdfs: left behind: {left}")
        found = differences(bench.work + "/expected-w", store + "/out")
        named = {"index.html", "summary.md", "manifest.json"}
        if "other files" in found or any(name not in named for name in changed(bench.work + "/expected-w", store + "/out")):
            sys.exit(f"webhdfs: {found}; exit code {done.returncode}\n{done.stdout[-3000:]}")
        os.makedirs(store + "/foreign")
        open(store + "/foreign/letter.txt", "w", encoding="utf-8").close()
        refused = bench.spark(server.uri + "/reports", server.uri + "/foreign")
        if refused.returncode == 0 or "did not write this folder" not in refused.stdout:
            sys.exit(f"webhdfs: a foreign folder was not refused\n{refused.stdout[-2000:]}")
    print("webhdfs: the same tables, staged and renamed", flush=True)


def changed(expected, found):
    """Returns the names of files that differ."""
    return [name for name in os.listdir(expected)
            if os.path.isfile(f"{expected}/{name}") and not filecmp.cmp(f"{expected}/{name}", f"{found}/{name}", shallow=False)]


def damaged(bench):
    """A damaged file among a thousand: the same folder, messages and exit code as the program alone."""
    reports = bench.work + "/damaged"
    shutil.copytree(bench.reports, reports)
    path = reports + "/subscriber/" + sorted(os.listdir(reports + "/subscriber"))[100]
    with open(path, "r+b") as file:
        file.truncate(100)
    alone = bench.alone(reports, "expected-d")
    done = bench.spark(reports, "found-d")
    bench.expect_same("a damaged file", bench.work + "/found-d", bench.work + "/expected-d", done)
    if done.returncode != alone.returncode or os.path.basename(path) not in done.stdout:
        sys.exit(f"a damaged file: exit code {done.returncode}, expected {alone.returncode}\n{done.stdout[-2000:]}")


def other_version(bench):
    """An executor whose program is of another version: one message, and the old output stays."""
    wrapper = bench.work + "/other"
    with open(wrapper, "w", encoding="utf-8") as file:
        file.write(f'''#!/bin/sh
# As a program of another version would write its frames, in steps of executors.
if [ "$2" = extract ]; then "{bench.program}" "$@" | sed 's/0\\.1\\.0/0.0.9/'; else exec "{bench.program}" "$@"; fi
''')
    os.chmod(wrapper, 0o755)
    os.makedirs(bench.work + "/kept")
    bench.alone(bench.reports, "kept")
    before = os.stat(bench.work + "/kept/manifest.json").st_mtime_ns
    done = bench.spark(bench.reports, "kept", program=wrapper)
    if done.returncode == 0 or "version" not in done.stdout or "Traceback" in done.stdout:
        sys.exit(f"another version: exit code {done.returncode}\n{done.stdout[-3000:]}")
    if os.stat(bench.work + "/kept/manifest.json").st_mtime_ns != before:
        sys.exit("another version: the old output was replaced")
    print("another version: refused in one line, the old output stays", flush=True)


CASES = {"processes": processes, "kills": kills, "webhdfs": webhdfs, "damaged": damaged, "other-version": other_version}


def main():
    program, environment, *names = sys.argv[1:]
    bench = Bench(program, environment)
    try:
        for name in names or CASES:
            CASES[name](bench)
    finally:
        shutil.rmtree(bench.work, ignore_errors=True)


if __name__ == "__main__":
    main()
