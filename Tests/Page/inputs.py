"""Makes inputs and reports for the tests of the page."""

import dataclasses
import gzip
import pathlib
import shutil
import subprocess
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build" / "release" / "subreport"
SAMPLE = ROOT / "sample-reports"

# Each would do harm if it were not escaped. A quote with a combining mark is one letter to some programs.
HOSTILE = [
    "<script>window.harm=1</script>",
    "\"onfocus=window.harm=1 'single'",
    "\"\u0301 onload='\u0301window.harm=1",
    "</style></title></svg><img src=x onerror=window.harm=1>",
    "\u202etfel ot thgir\u2066 \u200f",
    "name " * 39 + "last!",
    "\U0001F469\u200D\U0001F469\u200D\U0001F467 \U0001F600 &amp; ]]> <!--",
    "a\x01\x1b[31mb\x7f\x85",
]

COUNTRIES = """AE AR AT AU BE BR CA CH CL CN CO CZ DE DK EG ES FI FR GB GR HK HU ID IE IL IN IT JP
    KR MX MY NG NL NO NZ PE PH PL PT RO SA SE SG TH TR TW UA US VN ZA""".split()

# What one unit is in euros, for reports with one currency.
RATES = {"USD": "0.92", "GBP": "1.17", "JPY": "0.0061", "CAD": "0.67", "AUD": "0.6", "BRL": "0.17"}


def run(program, *arguments):
    """Runs a command; the exit codes 1 and 4 only say that something in the inputs needs a look, or is damaged."""
    done = subprocess.run([program, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1, 4):
        raise SystemExit(f"subreport {arguments[0]} ended with {done.returncode}: {done.stderr[-500:]}")


def rewrite(source, target, change):
    """Copies reports; `change` gets the cells of each row by their columns' names, and leaves a row out with False."""
    target.mkdir(parents=True)
    for path in sorted(source.glob("*.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            head, *rows = file.read().split("\n")
        names = head.split("\t")
        lines = [head]
        for row in filter(None, rows):
            cells = dict(zip(names, row.split("\t")))
            if change(cells) is not False:
                lines.append("\t".join(cells[name] for name in names))
        with gzip.open(target / path.name, "wt", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(lines) + "\n")


def years(program, folder):
    """Two years of all kinds of report in one currency, with a price increase that many met and finance files."""
    run(program, "simulate", "-o", folder / "in", "--subscribers", 3000, "--finance", "--from", "2024-10-01",
        "--price-increase", "Pro Monthly,US,2026-05-26,13.99,0.15")
    rates = folder / "rates.csv"
    rates.write_text("date,from,to,rate\n" + "".join(
        f"{year}-{month:02}-01,{code},EUR,{rate}\n" for year in range(2015, 2027) for month in range(1, 13)
        for code, rate in RATES.items()))
    return folder / "in", "--currency", "EUR", "--rates", rates


def short(program, folder):
    """Three months of one product."""
    run(program, "simulate", "-o", folder / "all", "--subscribers", 800, "--from", "2026-07-01", "--clean")
    for kind in ["subscriber", "subscription", "subscription-event"]:
        rewrite(folder / "all" / kind, folder / "in" / kind, lambda cells: cells["Subscription Name"] == "Plus Monthly")
    return (folder / "in",)


def receipts(program, folder):
    """Receipts and no report."""
    run(program, "simulate", "-o", folder / "in", "--kind", "receipts", "--subscribers", 1000)
    return (folder / "in",)


def damaged(program, folder):
    """The sample without March, without a Subscriber report of September, and with a file that breaks off."""
    shutil.copytree(SAMPLE, folder / "in")
    for path in (folder / "in").rglob("*.gz"):
        if "_202603" in path.name or path.name.startswith("Subscriber_") and "_20260921" in path.name:
            path.chmod(0o644)
            path.unlink()
        elif path.name.startswith("S_D_") and "_20260510" in path.name:
            path.chmod(0o644)
            path.write_bytes(path.read_bytes()[:100])
    return (folder / "in",)


def hostile(program, folder):
    """The sample's reports with the names of HOSTILE for products, and one for an app."""
    names = {}

    def change(cells):
        product = cells["Subscription Name"]
        names.setdefault(product, HOSTILE[len(names) % len(HOSTILE)])
        cells["Subscription Name"] = names[product]
        if cells["App Apple ID"].endswith("202"):
            cells["App Name"] = HOSTILE[3]

    for kind in ["subscriber", "subscription-event"]:
        rewrite(SAMPLE / kind, folder / "in" / kind, change)
    return (folder / "in",)


def many(program, folder):
    """Forty apps, 50 countries and 24 months, of few subscribers."""
    run(program, "simulate", "-o", folder / "all", "--subscribers", 4000, "--from", "2024-10-01",
        "--kind", "subscriber", "--clean")

    def change(cells):
        # Ids of subscribers do not spread evenly over 40 remainders.
        number = zlib.crc32(cells["Subscriber ID"].encode())
        app, country = number % 40, number // 40 % 50
        cells["App Name"] = f"Application {app + 1}"
        cells["App Apple ID"] = str(1_450_000_000 + app)
        cells["Subscription Apple ID"] = str(int(cells["Subscription Apple ID"]) + 1000 * (app + 1))
        cells["Subscription Group ID"] = str(20_460_000 + app)
        cells["Subscription Name"] += f" {app + 1}"
        cells["Country"] = COUNTRIES[country]

    (source,) = {path.parent for path in (folder / "all").rglob("Subscriber_*.gz")}
    rewrite(source, folder / "in", change)
    return (folder / "in",)


@dataclasses.dataclass
class World:
    """An input, and what its page may be. `make` writes the input, and returns the arguments of `report`."""

    name: str
    what: str
    make: object = None
    currency: str = ""
    app_pages: int = 0
    most_bytes: int = 3_000_000
    # The heights at 1280 and 390 pixels.
    tallest: tuple = (9_000, 15_000)
    hostile: tuple = ()
    # A month without files, in full and in short.
    silent_month: tuple = ()

    def write(self, program, folder):
        """Writes the report, and returns its folder."""
        place = folder / f"{self.name}-input"
        place.mkdir()
        arguments = self.make(program, place) if self.make else (SAMPLE,)
        out = folder / self.name
        run(program, "report", *arguments, "-q", "-o", out)
        return out


WORLDS = [
    World("sample", "the sample, without finance", app_pages=1, most_bytes=200_000, tallest=(6_000, 10_000)),
    World("years", "two years, many currencies in one, prices and finance", years, currency="EUR", most_bytes=800_000),
    World("damaged", "a month without files, a missing and a damaged file", damaged,
          silent_month=("March 2026", "Mar 2026")),
    World("short", "one product, three months", short),
    World("receipts", "receipts only", receipts),
    World("hostile", "names that would do harm", hostile, app_pages=2, hostile=tuple(HOSTILE)),
    World("many", "forty apps", many, app_pages=1, most_bytes=800_000),
]
