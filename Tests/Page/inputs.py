"""Makes inputs and reports for the tests of the page."""

import gzip
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".build" / "release" / "subreport"

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


def report(program, folder, out):
    """Writes a report; the exit code 1 only says that something in the inputs needs a look."""
    code = subprocess.run([program, "report", folder, "-q", "-o", out]).returncode
    if code not in (0, 1):
        raise SystemExit(f"report ended with {code}")


def rewrite(source, target, change):
    """Copies reports; `change` gets the cells of each row by their columns' names."""
    target.mkdir(parents=True)
    for path in sorted(source.glob("*.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
            head, *rows = file.read().split("\n")
        names = head.split("\t")
        lines = [head]
        for row in filter(None, rows):
            cells = dict(zip(names, row.split("\t")))
            change(cells)
            lines.append("\t".join(cells[name] for name in names))
        with gzip.open(target / path.name, "wt", encoding="utf-8", newline="\n") as file:
            file.write("\n".join(lines) + "\n")


def hostile(target):
    """Writes the sample's reports with the names of HOSTILE for products, and one for an app."""
    names = {}

    def change(cells):
        product = cells["Subscription Name"]
        names.setdefault(product, HOSTILE[len(names) % len(HOSTILE)])
        cells["Subscription Name"] = names[product]
        if cells["App Apple ID"].endswith("202"):
            cells["App Name"] = HOSTILE[3]

    for kind in ["subscriber", "subscription-event"]:
        rewrite(ROOT / "sample-reports" / kind, target / kind, change)
    return list(names.values())


def finance(program, folder):
    """Writes reports with a price increase that many met, and with finance files: a page with every kind of figure."""
    world = folder / "finance"
    subprocess.run(
        [program, "simulate", "-o", world, "--subscribers", "6000", "--finance",
         "--price-increase", "Pro Monthly,US,2026-05-26,13.99,0.15"], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return world


def large(program, folder):
    """Writes reports of 40 apps, 50 countries and 24 months, of few subscribers."""
    world = folder / "world"
    subprocess.run(
        [program, "simulate", "-o", world, "--subscribers", "4000", "--from", "2024-10-01",
         "--to", "2026-09-30", "--kind", "subscriber", "--clean"], check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    countries = """AE AR AT AU BE BR CA CH CL CN CO CZ DE DK EG ES FI FR GB GR HK HU ID IE IL IN IT JP
        KR MX MY NG NL NO NZ PE PH PL PT RO SA SE SG TH TR TW UA US VN ZA""".split()
    assert len(countries) == 50

    def change(cells):
        number = int(cells["Subscriber ID"] or 0)
        app, country = number % 40, number // 40 % 50
        cells["App Name"] = f"Application {app + 1}"
        cells["App Apple ID"] = str(1_450_000_000 + app)
        cells["Subscription Apple ID"] = str(int(cells["Subscription Apple ID"]) + 1000 * (app + 1))
        cells["Subscription Group ID"] = str(20_460_000 + app)
        cells["Subscription Name"] += f" {app + 1}"
        cells["Country"] = countries[country]

    (source,) = {path.parent for path in world.rglob("Subscriber_*.gz")}
    rewrite(source, folder / "large", change)
    return folder / "large"
