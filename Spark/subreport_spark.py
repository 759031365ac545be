#!/usr/bin/env python3
"""Writes the folder of `subreport report` with Apache Spark: the same bytes as on one machine.

    spark-submit Spark/subreport_spark.py --input URI... --output FOLDER [--conf report.toml] [-- OPTIONS OF REPORT]

Python only moves frames from step to step (docs/scale.md): no number is computed here.

Whatever ends a run leaves one line, the last of its output: `subreport_spark: error: ` and the step, the machine or the file.
"""

import argparse
import math
import os
import re
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import traceback
import urllib.parse
import zlib

from py4j.protocol import Py4JError
from pyspark import SparkContext, SparkFiles

# Marks our message inside the text of an exception that Spark passes on from an executor.
FAILED = "a step failed: "
MORE_MEMORY = "if memory is too little, use more --tasks and --partitions, or fewer cores for each executor"
# The exit code for what no step has given one: as when report cannot read an input or write an output.
UNUSABLE = 2


# MARK: Frames

def frames(stream):
    """Yields the frames of a stream, each with its length before it; the last may be cut off."""
    while start := stream.read(8):
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        yield start + stream.read(length)


def label(frame):
    """Returns the kind of a frame, its partition or None, and the number of partitions or None."""
    kind, place = frame[8:400].split(b"\n", 3)[2].decode().split(" ")[:2]
    own, _, count = place.partition("/")
    return kind, None if own == "-" else int(own), int(count) if count else None


def made_by(frame):
    """Returns the program that has written a frame, such as "subreport 0.1.0"; empty where it is no frame."""
    lines = frame[8:400].split(b"\n", 2)
    return lines[1].decode(errors="replace").rpartition(", ")[2] if len(lines) == 3 else ""


def file_frame(name, shown, data):
    """Returns a file of the input as a frame, which has no checksum: extract compares it with what scout has seen."""
    lines = "".join(line + "\n" for line in ("subreport file", name, shown)).encode()
    return struct.pack("<Q", len(lines) + len(data)) + lines + data


# MARK: Steps

class StepFailed(RuntimeError):
    """A step that has no result: one line."""

    def __init__(self, words, message):
        super().__init__(f"{FAILED}step {words[0]}{message}")


class Step:
    """A running step, which reads frames on its standard input."""

    def __init__(self, program, words, parts, host=""):
        """Starts a step; `host` names its machine in messages."""
        self.words, self.host, self.parts = words, f" on {host}" if host else "", parts
        self.errors, self.messages = [], []
        try:
            self.process = subprocess.Popen([program, "step", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.PIPE)
        except OSError as error:  # No file, no right to run it, or made for another kind of machine.
            raise StepFailed(words, f"{self.host}: cannot run {program}: {error.strerror}") from None
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.feed, self.listen)]
        for thread in self.threads:
            thread.start()

    def feed(self):
        try:
            for part in self.parts:
                self.process.stdin.write(part)
        except BrokenPipeError:
            pass  # The step has ended; its message says why.
        except BaseException as error:  # What keeps the parts from being read must not look like their end.
            self.errors.append(error)
            self.process.kill()
        finally:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass

    def listen(self):
        self.messages.append(self.process.stderr.read())

    def frames(self, version=None):
        """Yields the frames that the step writes, as they come; raises when it ends with an error, after the last.

        Frames of another version than `version` are not passed on: a later step would refuse them, and not know the machine.
        """
        try:
            for frame in frames(self.process.stdout):
                if version and (found := made_by(frame)) != version:
                    raise StepFailed(self.words, f"{self.host}: {found} is there, and {version} on the driver's machine")
                yield frame
            status, message = self.end()
            if status != 0:
                raise StepFailed(self.words, f"{self.host} {ending(status, message)}")
        finally:
            self.process.kill()  # Where nothing more is read of it. Else it has ended.

    def end(self):
        """Waits for the end; returns the exit code and all messages."""
        for thread in self.threads:
            thread.join()
        status = self.process.wait()
        if self.errors:
            raise self.errors[0]
        return status, b"".join(self.messages).decode(errors="replace")


def ending(status, message):
    """Returns how a step has ended, in one line."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    # A line of ours has "error:". What a crash prints beside its first line does not help here.
    line = next((line for line in lines if " error: " in line), lines[0] if lines else "it has printed no message")
    if status >= 0:
        return f"ended with {status}: {line}"
    name = signal.Signals(-status).name
    if not lines and -status == signal.SIGKILL or "failed to allocate" in line:
        line += f"; {MORE_MEMORY}"
    return f"was ended by {name}: {line}"


def step(program, words, parts):
    """Runs a step on this machine; returns its frames as bytes."""
    return b"".join(Step(program, words, parts).frames())


def shipped(name):
    """Returns the path of the program on this machine. Whether it can be run shows when it is run."""
    path = SparkFiles.get(name)
    try:
        mode = os.stat(path).st_mode
        if not mode & stat.S_IXUSR:
            os.chmod(path, mode | stat.S_IXUSR)
    except OSError:
        pass
    return path


def version_of(program):
    """Returns what the program calls itself, such as "subreport 0.1.0"."""
    try:
        done = subprocess.run([program, "--version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except OSError as error:
        sys.exit(f"--program {program}: cannot run it: {error.strerror}")
    text = done.stdout.decode(errors="replace")
    first = text.partition("\n")[0]
    if done.returncode != 0 or not first.startswith("subreport "):
        sys.exit(f"--program {program}: it is no subreport: it {ending(done.returncode, text)}")
    return first


# MARK: Inputs

def listed(context, inputs):
    """Returns the files below the inputs, hidden ones too, each with its name below its input."""
    hadoop = context._jvm.org.apache.hadoop
    found = {}
    for given in inputs:
        root = hadoop.fs.Path(given)
        system = root.getFileSystem(context._jsc.hadoopConfiguration())
        root = system.makeQualified(root)
        if not system.getFileStatus(root).isDirectory():
            sys.exit(f"{given}: name a folder")
        base = root.toString().rstrip("/")
        # One call of Java for all files: each takes a millisecond.
        leaves = context._jvm.org.apache.spark.deploy.SparkHadoopUtil.get().listLeafStatuses(system, root).mkString("\0")
        for leaf in leaves.split("\0") if leaves else ():
            path = leaf[leaf.index("{path=") + len("{path="):leaf.rindex("; isDirectory=")]
            name = path[len(base) + 1:]
            if name in found:
                sys.exit(f"{given}: two inputs have the file {name}")
            found[name] = path
    return found


def refuse_names(names):
    """Ends the run for a name that a frame cannot carry, or a folder that Spark would take for several or for a pattern."""
    for path, name in names:
        if "\n" in name:
            sys.exit(f"{name!r}: a file name with a line feed; rename it")
        folder = path.rsplit("/", 1)[0]
        found = [character for character in ",[]{}*?\\" if character in folder]
        if found and not is_hidden(name):
            sys.exit(f"{folder!r}: Spark takes {' and '.join(found)} in the name of a folder for a list or a pattern; rename it")


def is_hidden(name):
    """Whether Hadoop's input formats leave a file out."""
    return any(part.startswith((".", "_")) for part in name.split("/"))


def whole(context, path):
    """Returns the bytes of a small file."""
    hadoop = context._jvm.org.apache.hadoop
    path = hadoop.fs.Path(path)
    stream = path.getFileSystem(context._jsc.hadoopConfiguration()).open(path)
    try:
        return bytes(context._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
    finally:
        stream.close()


def file_frames(context, inputs, tasks):
    """Returns all files as frames, and their number."""
    names = listed(context, inputs)
    if not names:
        sys.exit("the inputs have no files")
    by_path = {path: name for name, path in names.items()}
    refuse_names((path, name) for path, name in by_path.items())
    shown = context.broadcast(by_path)
    seen = sorted(path for path, name in by_path.items() if not is_hidden(name))
    rest = [file_frame(name, name, whole(context, path)) for path, name in sorted(by_path.items()) if is_hidden(name)]

    def frame(entry):
        name = shown.value[entry[0]]
        return file_frame(name, name, entry[1])

    rdd = context.parallelize(rest, 1)
    if seen:
        # Else Spark counts a file as 4 MB more than it has, and reads small files in few tasks.
        context._jsc.sc().conf().set("spark.files.openCostInBytes", "0")
        folders = ",".join(sorted({path.rsplit("/", 1)[0] for path in seen}))
        rdd = context.binaryFiles(folders, tasks).map(frame).union(rdd)
    return rdd, len(names)


# MARK: Outputs

# File systems that copy instead of renaming, so that readers could see half a folder.
OBJECT_STORES = ("s3", "s3a", "gs", "abfs", "abfss", "wasb", "wasbs", "oss", "cosn")


class Target:
    """The output: a folder of the driver's machine, or one on a file system of Hadoop."""

    def __init__(self, context, options):
        self.scheme = urllib.parse.urlparse(options.output).scheme
        self.force = options.force
        if self.scheme in ("", "file"):
            self.local = urllib.parse.unquote(urllib.parse.urlparse(options.output).path)
            self.path = None
            return
        self.made = context._jvm.org.apache.hadoop.fs.Path
        self.path = self.made(options.output.rstrip("/"))
        self.system = self.path.getFileSystem(context._jsc.hadoopConfiguration())
        self.folder = tempfile.mkdtemp(prefix="subreport-")
        self.local = os.path.join(self.folder, "report")
        self.check()

    def check(self):
        """Refuses a folder that must not be replaced, before anything is read."""
        if not self.system.exists(self.path):
            return
        if self.scheme in OBJECT_STORES:
            sys.exit(f"{self.path}: it exists; on an object store the output is a new prefix, so name another one")
        if not self.force and not self.system.exists(self.made(self.path, "manifest.json")):
            sys.exit(f"{self.path}: subreport did not write this folder; name another one, or give --force, which removes it")

    def sibling(self, ending):
        return self.made(self.path.getParent(), f".{self.path.getName()}.{ending}")

    def publish(self):
        """Copies the folder, which the last step has written, to its file system."""
        if self.path is None or not os.path.isdir(self.local):
            return
        source = self.made("file://" + urllib.parse.quote(self.local))
        if self.scheme in OBJECT_STORES:
            self.system.copyFromLocalFile(False, True, source, self.path)
            self.system.create(self.made(self.path, "_SUCCESS"), True).close()
            print(f"{self.path}: complete when it has _SUCCESS", file=sys.stderr)
            return
        staging, old = self.sibling("staging"), self.sibling("old")
        for left in (staging, old):
            self.system.delete(left, True)
        self.system.copyFromLocalFile(False, True, source, staging)
        if self.system.exists(self.path) and not self.system.rename(self.path, old):
            sys.exit(f"{self.path}: cannot rename it; the new folder is {staging}")
        if not self.system.rename(staging, self.path):
            self.system.rename(old, self.path)
            sys.exit(f"{self.path}: cannot rename {staging}; the folder was left as it was")
        self.system.delete(old, True)

    def close(self):
        if self.path is not None:
            shutil.rmtree(self.folder, ignore_errors=True)


# MARK: The run

def run(context, options, target):
    """Writes the folder; returns the exit code of the last step and its messages, which are those of report."""
    program, version = options.program, version_of(options.program)
    context.addFile(program)
    name = os.path.basename(program)

    def local(words, parts):
        return step(program, words, parts)

    if options.cache:
        local(["cache", options.cache], [])  # A folder that is refused ends the run before anything is read.
    files, count = file_frames(context, options.input, options.tasks)

    def on_executor(words, parts):
        try:
            yield from Step(shipped(name), words, parts, socket.gethostname()).frames(version)
        except MemoryError:
            raise StepFailed(words, f" on {socket.gethostname()}: Python has too little memory; {MORE_MEMORY}") from None

    def distributed(words, before):
        before = context.broadcast(before)

        def task(given):
            given = iter(given)
            first = next(given, None)
            return () if first is None else on_executor(words, chain(before.value, first, given))
        return task

    paths = [urllib.parse.urlparse(given).path for given in options.input]
    scouted = files.mapPartitions(distributed(["scout"], b"")).collect()
    if len(scouted) != count:
        sys.exit(f"Spark has read {len(scouted)} of {count} files")
    wanted = ["--partitions", str(options.partitions)] if options.partitions else []
    plan = local(["plan", *wanted, "--cores", str(options.cores), *paths, *options.report], scouted)
    partitions = label(plan)[2]

    # A task of Spark's takes several times as long to start as a step, so it folds up to 16 partitions. Frames with
    # files have a group of their own, and responses of receipts as many as tasks have read them; so have entries.
    groups = min(partitions, max(4 * options.cores, math.ceil(partitions / 16)))
    tasks = options.tasks
    of_responses = range(groups + 1, groups + 1 + tasks)
    of_entries = range(of_responses.stop, of_responses.stop + (tasks if options.cache else 0))
    count = of_entries.stop

    def placed(frame):
        kind, partition, _ = label(frame)
        if kind in ("responses", "entries"):
            return (of_responses if kind == "responses" else of_entries)[zlib.crc32(frame) % tasks], frame
        return groups if partition is None else partition % groups, frame

    def shuffled(frames):
        return frames.map(placed).partitionBy(count, int)

    def of_groups(results, chosen):
        """Returns the results of some groups, without a task for each other one."""
        return context.runJob(results, list, chosen)

    def reduced(results, chosen, words):
        """Merges the results of some groups into one frame; those of many first on the executors."""
        if len(chosen) <= 64:
            return local(words, [complete, *of_groups(results, chosen)])
        results = results.coalesce(math.isqrt(count)).mapPartitions(distributed(words, complete))
        return local(words, [complete, *results.collect()])

    extract = ["extract", "--entries"] if options.cache else ["extract"]
    pieces = shuffled(files.mapPartitions(distributed(extract, plan)))
    read = of_groups(pieces.values(), [groups])
    if options.cache:
        # One group after another, so that the driver never holds all entries.
        local(["cache", options.cache], (frame for group in of_entries for frame in of_groups(pieces.values(), [group])))
    complete = local(["plan", "--complete"], [plan, *read])

    # Receipts go to the partition of their customer.
    responses = pieces.filter(lambda piece: piece[0] in of_responses).values()
    divided = pieces
    if sum(of_groups(responses.mapPartitions(lambda given: [sum(1 for _ in given)]), of_responses)) > 0:
        joins = reduced(responses.mapPartitions(distributed(["join"], complete)), of_responses, ["join"])
        receipts = responses.mapPartitions(distributed(["divide"], complete + joins))
        divided = pieces.union(shuffled(receipts)).partitionBy(count, int)

    def fold(pieces, words, before):
        before = context.broadcast(complete + before)

        def task(index, given):
            if index >= groups:
                return ()
            parts = {partition: [] for partition in range(index, partitions, groups)}
            for _, frame in given:
                parts[label(frame)[1]].append(frame)
            named = [word for partition in parts for word in ("--partition", str(partition))]
            return on_executor(["fold", *named, *words], chain(before.value, *parts.values()))
        return reduced(pieces.mapPartitionsWithIndex(task), range(groups), ["merge"])

    instalments = fold(pieces, ["--instalments"], b"")
    tally = fold(divided, [], instalments)
    results = [complete, *read, instalments, tally]
    prices = local(["finish", "--prices"], results)
    impact = fold(divided, ["--prices"], instalments + prices)
    # Findings, such as damaged files, give the last step an exit code too, and a folder.
    last = Step(program, ["finish", "-o", target.local, *options.finish], [*results, prices, impact])
    ended = last.end()
    target.publish()
    return ended


def chain(*parts):
    """Returns bytes one after another; a part is bytes or an iterator of them."""
    for part in parts:
        if isinstance(part, (bytes, bytearray)):
            yield part
        else:
            yield from part


def message_of(error):
    """Returns one line about an exception, without the stack trace around it."""
    text = str(error)
    for line in text.splitlines():
        if FAILED in line:
            return line[line.index(FAILED) + len(FAILED):].strip()
    # Spark's own: a file that is gone, an executor that was lost.
    if found := re.search(r"most recent failure: (.*?)(?:\n\s*Driver stacktrace|\Z)", text, re.DOTALL):
        text = re.sub(r"^Lost task .*? \(executor [^)]*?\): |^Lost task .*? executor \w+\): ", "", found[1])
    if found := re.search(r"Traceback \(most recent call last\):\n(.*?)(?:\n\s*\tat |\Z)", text, re.DOTALL):
        text = found[1].rstrip().rpartition("\n")[2]  # An exception of Python, in the last line of its own.
    lines = [line.strip(": ") for line in text.splitlines() if line.strip(": ") and not line.startswith("An error occurred")]
    # The last cause that names a file is what went wrong first.
    files = re.findall(r"^(?:Caused by: )?((?:java\.n?io|org\.apache\.hadoop)\.[\w.$()]+: .*)", text, re.MULTILINE)
    line = (files[-1:] or lines[:1] or [type(error).__name__])[0]
    line = re.sub(r"^[\w.$]+(?:Exception|Error)(?:\([\w.$]+\))?: (?=.)", "", line).split(". Consider setting")[0]
    if re.search(r"exited unexpectedly|ExecutorLostFailure|Memory", line):
        line += f"; {MORE_MEMORY}"
    return line[:400]


def exit_code_of(message):
    """Returns the exit code of the step that a message is about."""
    found = re.match(r"step .*? ended with (\d+): ", message)
    return int(found[1]) if found else UNUSABLE


def parsed():
    parser = argparse.ArgumentParser(description="Write the folder of subreport report with Apache Spark.")
    parser.add_argument("--input", action="append", required=True, metavar="URI", help="a folder of reports; repeatable")
    parser.add_argument("--output", required=True, metavar="URI",
                        help="the folder to write: a path of the driver's machine, or on a file system of Hadoop")
    parser.add_argument("--conf", metavar="PATH", help="a config file of report, on the driver's machine")
    parser.add_argument("--partitions", type=int,
                        help="partitions of subscribers and customers (2 for each core, or one for 250,000 charges)")
    parser.add_argument("--tasks", type=int, help="tasks that read files (2 for each core)")
    parser.add_argument("--cache", metavar="DIR", help="a cache of the driver's machine to fill, for a later report --cache DIR")
    parser.add_argument("--program", default="subreport", metavar="PATH", help="the program, which is sent to all machines")
    parser.add_argument("--force", action="store_true", help="replace a folder with files that subreport did not write")
    parser.add_argument("report", nargs="*", help="options of report, after --")
    options = parser.parse_args()
    options.finish = ["--force"] if options.force else []
    if options.conf is not None:
        options.report = ["--config", options.conf, *options.report]
    options.program = os.path.abspath(options.program)
    return options


def ended(options, context):
    """Runs everything; returns the exit code and the last lines of the output."""
    target = None
    try:
        context._jsc.hadoopConfiguration().set("mapreduce.input.fileinputformat.input.dir.recursive", "false")
        options.cores = max(context.defaultParallelism, 1)
        options.tasks = options.tasks or 2 * options.cores
        target = Target(context, options)
        return run(context, options, target)
    except SystemExit as error:
        message = str(error.code)
    except (StepFailed, Py4JError) as error:
        message = message_of(error)
    except Exception as error:
        traceback.print_exc()  # A mistake of this script, or of Spark.
        message = message_of(error)
    finally:
        if target is not None:
            target.close()
    return exit_code_of(message), f"subreport_spark: error: {message}\n"


def main():
    options = parsed()
    context = SparkContext.getOrCreate()
    try:
        status, message = ended(options, context)
        # Nothing of Spark's own log comes after our message.
        context.setLogLevel("OFF")
        context.stop()
    except Py4JError as error:
        status, message = UNUSABLE, f"subreport_spark: error: Spark has ended: {message_of(error)}\n"
    sys.stdout.flush()
    sys.stderr.write(message)
    sys.stderr.flush()
    sys.exit(status)


if __name__ == "__main__":
    main()
