#!/usr/bin/env python3
"""Writes the folder of `subreport report` with Apache Spark: the same bytes as on one machine.

    spark-submit Spark/subreport_spark.py --input URI... --output FOLDER [--partitions N] [-- OPTIONS OF REPORT]

Python only moves frames from step to step (docs/scale.md): no number is computed here.
"""

import argparse
import math
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import zlib

from pyspark import SparkContext, SparkFiles

FAILED = "a step failed: "


# MARK: Frames

def frames(data):
    """Returns the frames in bytes, each with its length before it."""
    found, start = [], 0
    while start < len(data):
        (length,) = struct.unpack_from("<Q", data, start)
        end = start + 8 + length
        found.append(data[start:end])
        start = end
    return found


def label(frame):
    """Returns the kind of a frame, its partition or None, and the number of partitions or None."""
    kind, place, _ = frame[8:400].split(b"\n", 3)[2].decode().split(" ")
    own, _, count = place.partition("/")
    return kind, None if own == "-" else int(own), int(count) if count else None


def file_frame(name, shown, data):
    """Returns a file of the input as a frame, which has no checksum: extract compares it with what scout has seen."""
    lines = "".join(line + "\n" for line in ("subreport file", name, shown)).encode()
    return struct.pack("<Q", len(lines) + len(data)) + lines + data


# MARK: Steps

def step(program, words, parts):
    """Runs a step with frames on its standard input; returns its frames."""
    process = subprocess.Popen([program, "step", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    errors = []

    def feed():
        try:
            for part in parts:
                process.stdin.write(part)
        except BrokenPipeError:
            pass  # The step has ended; its message says why.
        except Exception as error:  # What keeps the parts from being read must not look like their end.
            errors.append(error)
            process.kill()
        finally:
            try:
                process.stdin.close()
            except BrokenPipeError:
                pass

    def listen():
        messages.append(process.stderr.read())

    messages = []
    threads = [threading.Thread(target=feed), threading.Thread(target=listen)]
    for thread in threads:
        thread.start()
    output = process.stdout.read()
    for thread in threads:
        thread.join()
    status = process.wait()
    message = b"".join(messages).decode(errors="replace")
    if errors:
        raise errors[0]
    if status != 0 and words[0] != "finish":
        raise RuntimeError(f"{FAILED}step {words[0]} ended with {status}: {message.strip()}")
    return frames(output), status, message


def shipped(name):
    """Returns the path of the program on this machine."""
    path = SparkFiles.get(name)
    mode = os.stat(path).st_mode
    if not mode & stat.S_IXUSR:
        os.chmod(path, mode | stat.S_IXUSR)
    return path


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
        base = root.toUri().getPath().rstrip("/")
        iterator = system.listFiles(root, True)
        while iterator.hasNext():
            path = iterator.next().getPath()
            name = path.toUri().getPath()[len(base) + 1:]
            if name in found:
                sys.exit(f"{given}: two inputs have the file {name}")
            found[name] = path.toString()
    return found


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
    shown = context.broadcast(by_path)
    seen = sorted(path for path, name in by_path.items() if not is_hidden(name))
    rest = [file_frame(name, name, whole(context, path)) for path, name in sorted(by_path.items()) if is_hidden(name)]

    def frame(entry):
        name = shown.value[entry[0]]
        return file_frame(name, name, entry[1])

    rdd = context.parallelize(rest, 1)
    if seen:
        folders = ",".join(sorted({path.rsplit("/", 1)[0] for path in seen}))
        rdd = context.binaryFiles(folders, tasks).map(frame).union(rdd)
    # Spark reads small files in few tasks, whatever minimum is given.
    return rdd if rdd.getNumPartitions() >= tasks else rdd.repartition(tasks), len(names)


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
    program = options.program
    context.addFile(program)
    name = os.path.basename(program)
    files, count = file_frames(context, options.input, options.tasks)

    def local(words, parts):
        return step(program, words, parts)

    def distributed(words, before):
        before = context.broadcast(before)

        def task(given):
            given = iter(given)
            first = next(given, None)
            if first is None:
                return []
            return step(shipped(name), words, chain(before.value, first, given))[0]
        return task

    paths = [urllib.parse.urlparse(given).path for given in options.input]
    scouted = files.mapPartitions(distributed(["scout"], b"")).collect()
    if len(scouted) != count:
        sys.exit(f"Spark has read {len(scouted)} of {count} files")
    wanted = ["--partitions", str(options.partitions)] if options.partitions else []
    cores = ["--cores", str(max(context.defaultParallelism, 1))]
    plan = b"".join(local(["plan", *wanted, *cores, *paths, *options.report], scouted)[0])
    partitions = label(plan)[2]

    # Charges go to their partition, frames with files to one more, and responses of receipts to further ones.
    def place(frame):
        kind, partition, _ = label(frame)
        if kind == "responses":
            return partitions + 1 + zlib.crc32(frame) % tasks
        return partitions if partition is None else partition

    def is_shuffled(index):
        return index > partitions

    def of_partition(index):
        return index < partitions

    tasks = options.tasks
    count = partitions + 1 + tasks
    pieces = (files.mapPartitions(distributed(["extract"], plan)).map(lambda frame: (place(frame), frame))
              .partitionBy(count, int))
    read = pieces.filter(lambda piece: piece[0] == partitions).values().collect()
    complete = b"".join(local(["plan", "--complete"], [plan, *read])[0])

    def of_each(pieces, chosen, words, before):
        """Runs a step on the frames of each chosen partition of Spark's."""
        before = context.broadcast(before)

        def task(index, given):
            if not chosen(index):
                return []
            named = [word.format(index) for word in words]
            return step(shipped(name), named, chain(before.value, (piece[1] for piece in given)))[0]
        return pieces.mapPartitionsWithIndex(task)

    def reduced(frames, words, before):
        """Runs a step on groups of frames, and then on its results."""
        if frames.getNumPartitions() > 8:
            groups = frames.coalesce(math.isqrt(frames.getNumPartitions()))
            frames = groups.mapPartitions(distributed(words, before))
        return b"".join(local(words, [before, *frames.collect()])[0])

    responses = pieces.filter(lambda piece: piece[0] > partitions)
    divided = pieces
    if not responses.isEmpty():
        joins = reduced(of_each(responses, is_shuffled, ["join"], complete), ["join"], complete)
        receipts = of_each(responses, is_shuffled, ["divide"], complete + joins)
        divided = pieces.union(receipts.map(lambda frame: (label(frame)[1], frame)).partitionBy(count, int))
        divided = divided.partitionBy(count, int)

    def fold(pieces, words, before):
        folded = of_each(pieces, of_partition, ["fold", "--partition", "{}", *words], complete + before)
        return reduced(folded, ["merge"], complete)

    instalments = fold(pieces, ["--instalments"], b"")
    tally = fold(divided, [], instalments)
    results = [complete, *read, instalments, tally]
    prices = b"".join(local(["finish", "--prices"], results)[0])
    if not prices:
        sys.exit(local(["finish", "--prices"], results)[2].strip())
    impact = fold(divided, ["--prices"], instalments + prices)
    _, status, message = local(["finish", "-o", target.local, *options.finish], [*results, prices, impact])
    sys.stderr.write(message)
    target.publish()
    return status


def chain(*parts):
    """Returns bytes one after another; a part is bytes or an iterator of them."""
    for part in parts:
        if isinstance(part, (bytes, bytearray)):
            yield part
        else:
            yield from part


def message_of(error):
    """Returns the message of a failing step, without the stack trace around it."""
    for line in str(error).splitlines():
        if FAILED in line:
            return line[line.index(FAILED):]
    return None


def main():
    parser = argparse.ArgumentParser(description="Write the folder of subreport report with Apache Spark.")
    parser.add_argument("--input", action="append", required=True, metavar="URI", help="a folder of reports; repeatable")
    parser.add_argument("--output", required=True, metavar="URI",
                        help="the folder to write: a path of the driver's machine, or on a file system of Hadoop")
    parser.add_argument("--partitions", type=int, help="partitions of subscribers and customers (2 for each core, or one for 250,000 charges)")
    parser.add_argument("--tasks", type=int, help="tasks that read files (2 for each core)")
    parser.add_argument("--program", default="subreport", metavar="PATH", help="the program, which is sent to all machines")
    parser.add_argument("--force", action="store_true", help="replace a folder with files that subreport did not write")
    parser.add_argument("report", nargs="*", help="options of report, after --")
    options = parser.parse_args()
    options.finish = ["--force"] if options.force else []
    options.program = os.path.abspath(options.program)
    if not os.access(options.program, os.X_OK):
        sys.exit(f"--program {options.program}: no program is there")
    context = SparkContext.getOrCreate()
    context._jsc.hadoopConfiguration().set("mapreduce.input.fileinputformat.input.dir.recursive", "false")
    options.tasks = options.tasks or 2 * max(context.defaultParallelism, 1)
    target = None
    try:
        target = Target(context, options)
        status = run(context, options, target)
    except Exception as error:
        text = message_of(error)
        if text is None:
            raise
        sys.exit(text)
    finally:
        if target is not None:
            target.close()
        context.stop()
    sys.exit(status)


if __name__ == "__main__":
    main()
