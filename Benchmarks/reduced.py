"""The cells of the reduced set as `subreport report --by product` and as SQL write them.

A cell is (month, product, name); its value an exact decimal. Both must have the same cells, so that
the benchmark is also a test of our numbers by a second implementation.
"""

import collections
import csv
import decimal
import pathlib


def of_report(folder):
    """Returns the cells of a folder that `report --by product` wrote."""
    cells = collections.Counter()

    def add(row, name, text):
        cells[row["month"], row["product"], name] += decimal.Decimal(text or 0)

    for row in read(folder, "proceeds"):
        add(row, "charges", row["charges"])
        add(row, f"gross_proceeds {row['currency']}", row["gross_proceeds"])
    for row in read(folder, "renewals"):
        add(row, "due", row["due"])
        add(row, "renewed", row["renewed"])
    for row in read(folder, "refunds"):
        if row["dating"] == "refund":
            add(row, "refunds_full", row["refunds_full"])
    return cells


def of_query(path):
    """Returns the cells of a CSV with a line for each."""
    with open(path, newline="", encoding="utf-8") as file:
        return {(row["month"], row["product"], row["cell"]): decimal.Decimal(row["value"])
                for row in csv.DictReader(file)}


def read(folder, table):
    with open(pathlib.Path(folder) / f"{table}-by-product.csv", newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)
