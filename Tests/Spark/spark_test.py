#!/usr/bin/env python3
"""Runs report on Apache Spark and compares each folder with that of the program alone.

    spark_test.py PROGRAM ENVIRONMENT [CASE...]

Cases: two executors with processes of their own, and a config file; steps that are killed or run twice at random; input and
output on webhdfs; a damaged file among two thousand; a cache that Spark fills. Then what must end a run with one line, an exit
code, and the old folder as it was: an executor without the program, or with another version; too little memory; a file that is
gone or cannot be read.
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
        self.small = self.work + "/small"
        self.simulate(self.small, "400", "2026-01-01", "2026-01-31")

    def simulate(self, folder, subscribers, first, last):
        """Writes Subscriber reports, one a day."""
        subprocess.run([self.program, "simulate", "-o", folder, "--subscribers", subscribers, "--from", first, "--to", last,
                        "--seed", "1", "--clean", "--kind", "subscriber"], check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(folder + "/truth")

    def wrapper(self, name, text):
        """Writes a shell script that is used in place of the program; $executor is empty on the driver's machine."""
        path = f"{self.work}/{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nprogram={self.program}\nexecutor=yes; [ \"$0\" != {path} ] || executor=\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def expect_refusal(self, name, *texts, wrapped=None, reports=None, code=None, **more):
        """Runs Spark, which must fail: its last line has the texts, and the folder of an earlier run is as it was."""
        kept, copy = self.work + "/kept", self.work + "/kept-copy"
        if not os.path.isdir(copy):
            self.alone(self.small, kept)
            shutil.copytree(kept, copy)
        program = None if wrapped is None else self.wrapper(name.replace(" ", "-"), wrapped)
        # With Spark's own log lines, as users have them.
        done = self.spark(reports or self.small, kept, program=program, log="INFO", **more)
        lines = done.stdout.rstrip("\n").split("\n")
        wrong = [text for text in ("subreport_spark: error: ", *texts) if text not in lines[-1]]
        if sum(line.startswith("subreport_spark: ") for line in lines) != 1 or len(lines[-1]) > 500:
            wrong.append("one short line")
        if done.returncode != (code or done.returncode) or done.returncode == 0:
            wrong.append(f"exit code {code or 'that is not 0'}")
        if differences(copy, kept) or sorted(os.listdir(self.work + "/kept")) != sorted(os.listdir(copy)):
            wrong.append("the old folder")
        if wrong:
            sys.exit(f"{name}: expected {wrong}, exit code {done.returncode}\n{done.stdout[-4000:]}")
        print(f"{name}: exit code {done.returncode}, {lines[-1]}", flush=True)

    def alone(self, reports, output, *options, quiet=True):
        return subprocess.run([self.program, "report", reports, "-o", output, *(["-q"] if quiet else []), *options],
                              cwd=self.work, capture_output=True, text=True)

    def spark(self, reports, output, *more, options=(), master="local[2]", program=None, settings=(), partitions=3, log="ERROR"):
        command = [self.environment + "/bin/spark-submit", "--master", master, "--conf", "spark.ui.enabled=false",
                   "--conf", f"spark.log.level={log}"]
        for setting in settings:
            command += ["--conf", setting]
        command += [ROOT + "/Spark/subreport_spark.py", "--program", program or self.program, "--input", reports,
                    "--output", output, "--partitions", str(partitions), "--tasks", "3", *options, *more]
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
    """Two executors, each a process of its own; options from a config file, with planned prices, a table of receipts, a ledger."""
    texts = {"report.toml": 'by = ["country"]\nfiscal = true\nas_of = "2026-09-10"\nplan = "plan.csv"\nledger = "runs.jsonl"\n'
                            '[receipts.columns]\noriginal_transaction_id = "id"\npurchase_date = "bought"\nexpires_date = "ends"\n',
             "plan.csv": "product,country,currency,date,new_price\nPro Monthly,US,USD,2026-11-15,24.99\n",
             "own/own.csv": "id,bought,ends\n1,2026-05-01T08:00:00Z,2026-06-01T08:00:00Z\n"}
    shutil.copytree(bench.reports, bench.work + "/own")
    for name, text in texts.items():
        with open(f"{bench.work}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    bench.alone(bench.work + "/own", "expected", "--config", "report.toml")
    os.rename(bench.work + "/runs.jsonl", bench.work + "/expected/runs.jsonl")
    done = bench.spark(bench.work + "/own", "processes", "--conf", "report.toml", master="local-cluster[2,1,1024]")
    os.rename(bench.work + "/runs.jsonl", bench.work + "/processes/runs.jsonl")
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
    """A damaged file among two thousand: the same folder, messages and exit code as the program alone."""
    reports = bench.work + "/damaged"
    bench.simulate(reports, "300", "2020-07-01", "2025-12-31")
    path = reports + "/subscriber/" + sorted(os.listdir(reports + "/subscriber"))[1000]
    with open(path, "r+b") as file:
        file.truncate(os.path.getsize(path) - 10)
    alone = bench.alone("damaged", "expected-d", quiet=False)
    done = bench.spark(reports, "found-d", log="INFO")
    bench.expect_same("a damaged file", bench.work + "/found-d", bench.work + "/expected-d", done)
    # Spark's names of files begin below the input.
    messages = alone.stderr.replace("damaged/", "").replace("expected-d", "found-d")
    if done.returncode != alone.returncode or not done.stdout.endswith(messages):
        sys.exit(f"a damaged file: exit code {done.returncode}, expected {alone.returncode} and\n{messages}\n{done.stdout[-2000:]}")
    print(f"a damaged file: exit code {done.returncode}, the same messages:\n{messages}", flush=True)


def cache(bench):
    """Spark fills a cache, with which report then reads no file. A cache that others can write to is refused."""
    bench.alone(bench.reports, "expected-c")
    done = bench.spark(bench.reports, "found-c", options=("--cache", "cache"))
    bench.expect_same("run that fills a cache", bench.work + "/found-c", bench.work + "/expected-c", done)
    entries = bench.work + "/cache/extracts"

    def found():
        # A file that is read gets its entry again, which is another file then.
        return {name: os.stat(f"{entries}/{name}").st_ino for name in os.listdir(entries)}
    before = found()
    done = bench.alone(bench.reports, "cached", "--cache", "cache")
    bench.expect_same("report with the cache", bench.work + "/cached", bench.work + "/expected-c", done)
    if len(before) < 1000 or found() != before:
        sys.exit(f"a cache: {len(before)} entries, {len(found().items() ^ before.items())} others after report")
    os.chmod(entries, 0o770)
    bench.expect_refusal("a cache of others", "step cache ended with 64", "other users can write to this", code=64,
                         options=("--cache", "cache"))


def program(bench):
    """Executors on which the program is gone, or is something else, after the first step."""
    bench.expect_refusal("program is gone", " on ", "cannot run", "No such file", wrapped='''
"$program" "$@" || exit
[ -z "$executor" ] || [ "$2" != scout ] || rm -f "$0"''')
    bench.expect_refusal("program is a text", " on ", "cannot run", "Exec format error", wrapped='''
"$program" "$@" || exit
[ -z "$executor" ] || [ "$2" != scout ] || { echo text >"$0.new" && mv "$0.new" "$0"; }''')
    bench.expect_refusal("no program", "--program", "it is no subreport", wrapped="echo hello")


def other_version(bench):
    """The program of one executor is of another version. Spark must not repeat the step on the other executor, which can do it."""
    bench.expect_refusal("another version", "step ", "subreport 0.0.9 is there", master="local-cluster[2,1,1024]",
                         settings=("spark.task.maxFailures=1",), wrapped='''
case $0 in
*/0/*) "$program" "$@" | sed "s/subreport 0[.]1[.]0/subreport 0.0.9/" ;;
*) exec "$program" "$@" ;;
esac''')


def memory(bench):
    """Steps with too little memory, and processes that are killed because of it."""
    bench.expect_refusal("little address space", "step fold on ", "ended with 2", "not enough memory", code=2, wrapped='''
[ "$2" != fold ] || ulimit -v 60000
exec "$program" "$@"''')
    bench.expect_refusal("killed step", "step extract on ", "SIGKILL", "memory", wrapped='''
[ "$2" != extract ] || kill -KILL $$
exec "$program" "$@"''')
    bench.expect_refusal("killed worker", "Python worker", "memory", wrapped='''
[ "$2" != extract ] || kill -KILL $PPID
exec "$program" "$@"''')
    # The parent of the step is a worker, the parent of the worker is Spark's daemon, whose parent is the executor.
    bench.expect_refusal("killed executor", "executor", "memory", master="local-cluster[2,1,1024]", wrapped='''
[ "$2" != extract ] || kill -KILL $(ps -o ppid= -p $(ps -o ppid= -p $PPID))
exec "$program" "$@"''')


def gone(bench):
    """A file is gone when extract reads the files for the second time."""
    reports = bench.work + "/vanishing"
    shutil.copytree(bench.small, reports)
    name = sorted(os.listdir(reports + "/subscriber"))[10]
    bench.expect_refusal("vanished file", name, reports=reports, wrapped=f'''
[ "$2" != plan ] || rm -f {reports}/subscriber/{name}
exec "$program" "$@"''')


def refused(bench):
    """A file that its server refuses to read; a config file that is wrong; an input that is not there."""
    store = bench.work + "/refusing"
    shutil.copytree(bench.small, store + "/reports")
    name = sorted(os.listdir(store + "/reports/subscriber"))[10]
    with WebHDFS(store) as server:
        server.refused.add(name)
        bench.expect_refusal("unreadable file", name, "Permission denied", reports=server.uri + "/reports")
    bench.expect_refusal("no input", "/nowhere", reports=bench.work + "/nowhere")
    bench.expect_refusal("no config file", "nowhere.toml", code=64, options=("--conf", "nowhere.toml"))


CASES = {"processes": processes, "kills": kills, "webhdfs": webhdfs, "damaged": damaged, "cache": cache, "program": program,
         "other-version": other_version, "memory": memory, "gone": gone, "refused": refused}


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
