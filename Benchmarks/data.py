"""Makes the data of the benchmarks with `subreport simulate`, once.

They are kept in ${XDG_CACHE_HOME:-~/.cache}/subreport-bench until the simulation's sources change.
"""

import gzip
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Subscribers and days of each size: about 0.3, 3, 30 and 100 million rows of SUBSCRIBER.
SIZES = {
    "S": ("170000", "2025-01-01", "2025-03-31"),
    "M": ("725000", "2025-01-01", "2025-12-31"),
    "L": ("5370000", "2025-01-01", "2026-12-31"),
    "XL": ("17900000", "2025-01-01", "2026-12-31"),
}
AGGREGATES = ["subscription-event", "subscription", "sales"]
RECEIPTS = ("20000", "2025-01-01", "2025-12-31")


def subscribers(size, subreport):
    """Returns the folder with a size's SUBSCRIBER reports, a file a day."""
    return simulated(size, subreport, *SIZES[size], ["subscriber"]) / "subscriber"


def aggregates(size, subreport):
    """Returns the folder with a size's SUBSCRIPTION_EVENT, SUBSCRIPTION and SALES reports."""
    return simulated(f"aggregates-{size}", subreport, *SIZES[size], AGGREGATES)


def all_but_last_day(size, subreport):
    """Returns a folder with a size's SUBSCRIBER reports without the last one."""
    days = subscribers(size, subreport)

    def write(partial):
        for path in sorted(days.iterdir())[:-1]:
            os.link(path, partial / path.name)

    return made(days.parent / "all-but-last-day", write)


def one_file(size, subreport):
    """Returns a folder with one SUBSCRIBER report that holds the rows of all days."""
    days = subscribers(size, subreport)

    def write(partial):
        paths = sorted(days.iterdir())
        with gzip.open(partial / paths[-1].name, "wb", compresslevel=6) as packed:
            for number, path in enumerate(paths):
                with gzip.open(path) as day:
                    header = day.readline()
                    if number == 0:
                        packed.write(header)
                    shutil.copyfileobj(day, packed, 1 << 20)

    return made(days.parent / "one-file", write)


def receipts(subreport):
    """Returns a folder with captures of verifyReceipt as plain text, which DuckDB reads as we do."""
    data = simulated("receipts", subreport, *RECEIPTS, ["receipts"])

    def write(partial):
        for path in sorted((data / "receipts").glob("verify-receipt_*.gz")):
            with gzip.open(path) as packed, open(partial / path.stem, "wb") as plain:
                shutil.copyfileobj(packed, plain, 1 << 20)

    return made(data / "plain", write)


def simulated(name, subreport, count, first, last, kinds):
    """Returns the folder of a clean world, simulated if it is not there yet."""
    digest = hashlib.sha256(repr((count, first, last, ",".join(kinds))).encode())
    for source in sorted((ROOT / "Sources/Simulation").rglob("*.swift")):
        digest.update(source.read_bytes())
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    cache /= "subreport-bench"
    data = cache / f"{name}-{digest.hexdigest()[:12]}"
    if data.exists():
        return data
    cache.mkdir(parents=True, exist_ok=True)
    for stale in cache.glob(f"{name}-*"):
        shutil.rmtree(stale)

    def write(partial):
        print(f"simulating {count} subscribers from {first} to {last} …", file=sys.stderr)
        subprocess.run(
            [subreport, "simulate", "-o", str(partial), "--subscribers", count, "--from", first,
             "--to", last, "--seed", "1", "--clean", *(f"--kind={kind}" for kind in kinds)],
            check=True, stdout=subprocess.DEVNULL)
        # The right answers are no reports.
        shutil.rmtree(partial / "truth")

    return made(data, write)


def made(folder, write):
    """Returns a folder that `write` fills, as a whole or not at all, if it is not there yet."""
    if not folder.exists():
        partial = pathlib.Path(tempfile.mkdtemp(prefix="partial-", dir=folder.parent))
        try:
            write(partial)
            partial.rename(folder)
        except BaseException:
            shutil.rmtree(partial)
            raise
    return folder
