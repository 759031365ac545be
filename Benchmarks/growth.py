#!/usr/bin/env python3
"""Counts the instructions of runs on inputs of two sizes, and fails when ten times the input takes more than twelve
times the instructions.

Each case makes one thing numerous: the rows of a subscriber, the values of a dimension, the subscriptions of a customer,
files, line feeds. What a run takes on the smallest input is subtracted from both counts. Counted are all instructions
under `valgrind --tool=callgrind`, on one thread; they do not depend on the machine's load.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_TIMES = 12
START = datetime.date(2026, 1, 1)
SUBSCRIBER = """Event Date|App Name|App Apple ID|Subscription Name|Subscription Apple ID|Subscription Group ID
|Standard Subscription Duration|Subscription Offer Name|Promotional Offer ID|Subscription Offer Type
|Subscription Offer Duration|Marketing Opt-In Duration|Customer Price|Customer Currency|Developer Proceeds
|Proceeds Currency|Preserved Pricing|Proceeds Reason|Client|Device|Country|Subscriber ID|Subscriber ID Reset|Refund
|Purchase Date|Units""".replace("\n", "").split("|")
HOUR = 3_600_000
FIRST_PURCHASE = 1_767_225_600_000


def charge(day, subscriber, product=0, currency="USD", duration="1 Month"):
    """Returns a row of a SUBSCRIBER report."""
    cells = dict.fromkeys(SUBSCRIBER, "") | {
        "Event Date": day, "App Name": "App", "App Apple ID": 1450000101,
        "Subscription Name": f"Product {product}", "Subscription Apple ID": 1460000001 + product,
        "Subscription Group ID": 20450101, "Standard Subscription Duration": duration,
        "Customer Price": "9.99", "Customer Currency": currency, "Developer Proceeds": "6.99",
        "Proceeds Currency": currency, "Device": "iPhone", "Country": "US",
        "Subscriber ID": 100_000_000_000_000 + subscriber, "Units": 1,
    }
    return "\t".join(map(str, cells.values()))


def write_day(folder, number, rows, vendor=80012345, after=""):
    day = START + datetime.timedelta(number)
    path = folder / f"Subscriber_{vendor}_{day:%Y%m%d}_V1_3.txt"
    path.write_text("\n".join(["\t".join(SUBSCRIBER), *(charge(day, **row) for row in rows)]) + "\n" + after)


def write_days(folder, count, rows):
    """Writes a report for each of some days; `rows` returns those of a day, given its number."""
    for number in range(count):
        write_day(folder, number, rows(number))


def write_values(folder, size, row):
    """Writes four months of monthly charges of subscribers who each have a value of their own."""
    write_days(folder, 95, lambda day: [
        {"subscriber": number} | row(number) for number in range(day % 30, size, 30)])


def transaction(number, **fields):
    """Returns a transaction of a customer, as the Server API has it."""
    start = FIRST_PURCHASE + number * 2 * HOUR
    return {
        "transactionId": str(400_000_000_000 + number), "originalTransactionId": "400000000000",
        "webOrderLineItemId": str(900_000_000_000 + number), "bundleId": "com.example.app",
        "productId": "com.example.month", "subscriptionGroupIdentifier": "20450101",
        "purchaseDate": start, "originalPurchaseDate": FIRST_PURCHASE, "expiresDate": start + 2 * HOUR,
        "quantity": 1, "type": "Auto-Renewable Subscription", "inAppOwnershipType": "PURCHASED",
        "signedDate": FIRST_PURCHASE + 80_000 * HOUR, "environment": "Production", "storefront": "USA",
        "price": 9990, "currency": "USD", "appTransactionId": "700000001",
    } | fields


def write_customer(folder, size, fields):
    """Writes one customer's transactions; `fields` returns what is special about one, given its number."""
    lines = [json.dumps(transaction(number, **fields(number))) for number in range(size)]
    (folder / "receipts.ndjson").write_text("\n".join(lines) + "\n")


# Each case writes an input of some size into a folder.

def rows_of_a_subscriber(folder, size):
    write_days(folder, 40, lambda day: [{"subscriber": 0, "duration": "7 Days"}] * max(1, size // 40))


def days_of_a_subscriber(folder, size):
    write_days(folder, size, lambda day: [{"subscriber": 0, "duration": "7 Days"}])


def products(folder, size):
    write_values(folder, size, lambda number: {"product": number})


def currencies(folder, size):
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    write_values(folder, size, lambda number: {
        "currency": letters[number // 676 % 26] + letters[number // 26 % 26] + letters[number % 26]})


def vendors(folder, size):
    for number in range(size):
        write_day(folder, number % 7, [{"subscriber": number}], vendor=80000000 + number)


def files(folder, size):
    for number in range(size):
        write_day(folder, -number, [{"subscriber": number % 50}])


def line_feeds(folder, size):
    write_day(folder, 0, [{"subscriber": 0}], after="\n" * size)


def groups_of_a_customer(folder, size):
    write_customer(folder, size, lambda number: {
        "subscriptionGroupIdentifier": str(20_000_000 + number),
        "originalTransactionId": str(500_000_000 + number), "productId": f"com.example.{number}"})


def content_of_groups(folder, size):
    groups_of_a_customer(folder, size)
    rows = [f"issue{number},2026-01-01,com.example.{number}" for number in range(size)]
    (folder.parent / "content.csv").write_text("\n".join(["id,published,product", *rows]) + "\n")


def overlapping_periods(folder, size):
    write_customer(folder, size, lambda number: {
        "expiresDate": FIRST_PURCHASE + 90_000 * HOUR, "productId": f"com.example.{number % 3}"})


def running_subscriptions(folder, size):
    write_customer(folder, size, lambda number: {
        "expiresDate": FIRST_PURCHASE + 90_000 * HOUR, "originalTransactionId": str(500_000_000 + number)})


def purchases(folder, size):
    write_customer(folder, size, lambda number: {})


REPORT = ["report", "in", "-o", "out"]
CASES = {
    "rows of a subscriber, its story": (rows_of_a_subscriber, 1000, ["explain", "--subscription", "100000000000000", "in"]),
    "days of a subscriber, its story": (days_of_a_subscriber, 60, ["explain", "--subscription", "100000000000000", "in"]),
    "products, the report": (products, 300, REPORT),
    "products, drivers": (products, 300, ["drivers", "in", "--month", "2026-03", "--by", "product"]),
    "currencies, the report": (currencies, 300, REPORT),
    "vendors, check": (vendors, 60, ["check", "in"]),
    "vendors, the report": (vendors, 60, REPORT),
    "files, the report": (files, 100, REPORT),
    "files, with a cache": (files, 100, [*REPORT, "--cache", "cache"]),
    "line feeds, the report": (line_feeds, 1_000_000, REPORT),
    "purchases of a customer, the report": (purchases, 1000, REPORT),
    "purchases of a customer, timeline": (purchases, 1000, ["timeline", "in", "--no-anonymize"]),
    "groups of a customer, eligibility": (groups_of_a_customer, 500, ["eligibility", "in", "--no-anonymize"]),
    "series of content, access": (
        content_of_groups, 500, ["access", "in", "--content", "content.csv", "--no-anonymize"]),
    "groups of a customer, chains": (groups_of_a_customer, 500, ["chains", "in", "--no-anonymize"]),
    "overlapping periods, the report": (overlapping_periods, 1000, REPORT),
    "running subscriptions, the report": (running_subscriptions, 1000, REPORT),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--only", default="", help="only cases with this in their names")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "subreport")
        subprocess.run(["strip", "-g", "-o", program, options.subreport], check=True)
        cases = {name: case for name, case in CASES.items() if options.only in name}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = dict(zip(cases, pool.map(lambda case: measured(program, *case), cases.values())))
    is_missed = False
    for name, (size, counts) in found.items():
        least, small, large = counts
        times = (large - least) / max(1, small - least)
        is_missed |= times > MOST_TIMES
        verdict = "ok" if times <= MOST_TIMES else f"MISSED, at most {MOST_TIMES}"
        print(f"{name}: {size:,} take {small / 1e6:,.0f} and {size * 10:,} take {large / 1e6:,.0f} million "
              f"instructions, {times:.1f} times as many: {verdict}", flush=True)
    sys.exit(is_missed)


def measured(program, write, size, words):
    return size, [instructions(program, write, number, words) for number in (1, size, size * 10)]


def instructions(program, write, size, words):
    """Returns how many instructions a run executes on an input of some size."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "in").mkdir()
        write(folder / "in", size)
        # Seeds of hashing differ from run to run otherwise, and with them the collisions.
        environment = {"HOME": str(folder), "LC_ALL": "C", "PATH": os.environ["PATH"],
                       "SWIFT_DETERMINISTIC_HASHING": "1"}
        command = [program, *words, "-j", "1", "--no-progress", "-q"]
        if "--cache" in words:
            subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/profile", *command],
            cwd=folder, env=environment, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        collected = re.search(r"Collected : ([0-9]+)", run.stderr)
        if run.returncode not in (0, 3) or collected is None:
            sys.exit(f"{' '.join(words)} ended with {run.returncode}: {run.stderr[-500:]}")
        return int(collected[1])


if __name__ == "__main__":
    main()
