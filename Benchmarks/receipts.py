#!/usr/bin/env python3
"""Times `subreport refunds` on simulated verifyReceipt answers against DuckDB's JSON reader.

Both count the same: paid charges by product and month, each once however often it was captured. Their
counts must be equal. The files are inflated before: DuckDB and we read the same plain NDJSON.
"""

import argparse
import collections
import csv
import gzip
import os
import pathlib
import shutil
import sys
import tempfile

from bench import Runs, make_data, mebibytes, verdict

SUBSCRIBERS, FIRST, LAST = "20000", "2025-01-01", "2025-12-31"
# The target: DuckDB's seconds against ours.
RATIO_TARGET = 5.0

QUERY = """
SET threads = {threads};
COPY (
  WITH copies AS (
    SELECT unnest(latest_receipt_info) AS t
    FROM read_json('{files}', format = 'newline_delimited', maximum_object_size = 16777216,
      columns = {{latest_receipt_info: 'STRUCT(product_id VARCHAR, purchase_date_ms VARCHAR,
        web_order_line_item_id VARCHAR, is_trial_period VARCHAR)[]'}})
  ), charges AS (
    SELECT DISTINCT t.product_id AS product, t.web_order_line_item_id AS item,
      t.purchase_date_ms::BIGINT // 1000 AS second
    FROM copies WHERE t.is_trial_period = 'false'
  )
  SELECT strftime(make_timestamp(second * 1000000), '%Y-%m') AS month, product, count(*) AS charges
  FROM charges GROUP BY ALL ORDER BY ALL
) TO '{output}' (HEADER);
"""


def main():
    options = parse_options()
    data = make_data("receipts", options.subreport, SUBSCRIBERS, FIRST, LAST, "receipts")
    folder = inflated(data)
    size = sum(path.stat().st_size for path in folder.iterdir())
    print(f"{SUBSCRIBERS} subscribers, {mebibytes(size)} MiB of JSON; {options.runs} runs")
    verdicts = []
    for threads in options.threads:
        ours, theirs = Runs(), Runs()
        for _ in range(options.runs):
            with tempfile.TemporaryDirectory(dir=data.parent, prefix="run-") as run:
                ours.add([options.subreport, "refunds", str(folder), "--source", "receipts", "--by",
                          "product", "--all-months", "-j", str(threads), "-q", "-o",
                          run + "/ours.csv"], run)
                query = QUERY.format(threads=threads, files=folder / "*", output=run + "/theirs.csv")
                theirs.add([sys.executable, "-c", "import duckdb, sys; duckdb.sql(sys.argv[1])",
                            query], run)
                compare(run + "/ours.csv", run + "/theirs.csv")
        ratio = min(theirs.seconds) / min(ours.seconds)
        print(f"{threads} thread(s): subreport {min(ours.seconds):.3f} s, "
              f"{size / 1e6 / min(ours.seconds):.0f} MB/s, {mebibytes(ours.memory)} MiB; "
              f"DuckDB {min(theirs.seconds):.3f} s, {mebibytes(theirs.memory)} MiB")
        verdicts.append(verdict(
            f"{threads} thread(s): {ratio:.2f} times faster than DuckDB, at least {RATIO_TARGET}",
            ratio >= RATIO_TARGET))
    print("\n".join(verdicts))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=lambda text: [int(word) for word in text.split(",")],
                        default=[1, 2], help="such as 1,2")
    parser.add_argument("--subreport", required=True, type=os.path.abspath, help="the program")
    return parser.parse_args()


def inflated(data):
    """Returns a folder with the captures of verifyReceipt as plain text."""
    folder = data / "plain"
    if not folder.exists():
        partial = pathlib.Path(tempfile.mkdtemp(prefix="partial-", dir=data))
        for path in sorted((data / "receipts").glob("verify-receipt_*.gz")):
            with gzip.open(path) as packed, open(partial / path.stem, "wb") as plain:
                shutil.copyfileobj(packed, plain, 1 << 20)
        partial.rename(folder)
    return folder


def compare(ours, theirs):
    """Stops when the two programs count differently."""
    mine, others = collections.Counter(), collections.Counter()
    with open(ours, newline="") as file:
        for row in csv.DictReader(file):
            if row["dating"] == "refund" and int(row["charges"]):
                mine[row["month"], row["product"]] += int(row["charges"])
    with open(theirs, newline="") as file:
        for row in csv.DictReader(file):
            others[row["month"], row["product"]] += int(row["charges"])
    if mine != others:
        sys.exit(f"the counts differ: {dict((mine - others) + (others - mine))}")


if __name__ == "__main__":
    main()
