"""Compares the numbers below figures with the CSV files beside the page."""

import csv
import fractions
from decimal import Decimal

import prices
from spelling import matches, percentages

READ = """
return Array.from(document.querySelectorAll('figure'), figure => {
  const cells = row => Array.from(row.cells, cell => cell.textContent);
  const table = figure.querySelector('table');
  return {
    title: figure.querySelector('h3').textContent,
    heads: table ? cells(table.tHead.rows[0]) : [],
    rows: table ? Array.from(table.tBodies[0].rows, cells) : [],
    files: Array.from(figure.querySelectorAll('.origin a'), a => a.getAttribute('href')),
  };
})"""


def read(folder, name):
    with open(folder / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


class Mismatch(Exception):
    pass


def compare(folder, figure, month, app=None):
    """Compares one figure; raises Mismatch with what differs, and returns how many cells it has compared."""
    heads = [head.replace(" ", "_") for head in figure["heads"]]
    if not heads or not figure["files"]:
        return 0
    rows = [row for name in figure["files"] for row in read(folder, name)]
    rows = [row for row in rows if not app or row.get("app", app) == app]
    special = next((compare for head, compare in prices.BY_HEADING if head in heads), None)
    if special:
        if not special(figure, rows):
            raise Mismatch(f"differs from {figure['files'][0]}")
        return sum(bool(cell) for cells in figure["rows"] for cell in cells)
    if heads[0] == "line":
        return pivot_lines(figure, heads, rows)
    if "1" in heads[1:] or "0" in heads[1:]:
        return pivot_months(figure, heads, rows)
    return listed(figure, heads, rows, month)


def pivot_lines(figure, heads, rows):
    """A column of the CSV on each row, perhaps with its meaning, and a month in each other column."""
    first = 2 if heads[1] == "meaning" else 1
    compared = 0
    sources = {row["source"] for row in rows}
    for source in sources:
        try:
            for cells in figure["rows"]:
                for month, shown in zip(heads[first:], cells[first:]):
                    (row,) = [r for r in rows if r["source"] == source and r["month"] == month]
                    name = cells[0].replace(" ", "_")
                    if not matches(shown, row[name], row.get("currency", "")):
                        raise Mismatch(f"{cells[0]} {month}: {shown} is {row[name]}")
                    compared += 1
            return compared
        except (Mismatch, ValueError, KeyError) as error:
            last = error
    raise Mismatch(f"no source has these lines: {last}")


def pivot_months(figure, heads, rows):
    """A month on each row, the periods or months since then in the columns."""
    key = heads[0]
    if "months_since" in rows[0]:
        column, value = "months_since", lambda row: row["cumulative_rate"]
    else:
        column = "k"
        value = lambda row: f"{Decimal(row['kept']) / Decimal(row['at_risk']):.9f}"
    groups = {(row["source"], row.get("duration", "")) for row in rows}
    last = "no rows"
    for source, duration in sorted(groups):
        known = {
            (row[key], row[column]): row for row in rows
            if row["source"] == source and row.get("duration", "") == duration}
        compared = 0
        for cells in figure["rows"]:
            for head, shown in zip(heads[1:], cells[1:]):
                row = known.get((cells[0], head))
                if not shown or shown == "–" and not row:
                    continue
                if not row or shown not in shares(row, value(row)):
                    last = f"{source} {duration} {cells[0]}, {head}: {shown}"
                    break
                compared += 1
            else:
                continue
            break
        else:
            return compared
    raise Mismatch(f"differs: {last}")


def shares(row, value):
    """How a share is written: in a heat map of fewer than 30 at risk in whole percent, with their number."""
    at_risk = int(row.get("at_risk", 30))
    if at_risk >= 30:
        return percentages(value)
    return {f"{round(fractions.Fraction(100 * int(row['kept']), at_risk))}% of {at_risk}"}


def listed(figure, heads, rows, month):
    """A row of the CSV on each row; what the rows have in common is not on the page, and is searched for."""
    fixed = [
        name for name in ("source", "measure", "dimension", "duration", "currency", "against", "vendor")
        if name in rows[0] and name not in heads]
    kinds = sorted({tuple(row.get(name, "") for name in fixed) for row in rows})
    last = "no rows"
    for kind in kinds:
        of_kind = [row for row in rows if tuple(row.get(name, "") for name in fixed) == kind]
        if "against" in fixed and "dimension" in fixed:
            if heads[0] != kind[fixed.index("dimension")]:
                continue
        found = [any(is_row(cells, heads, row, of_kind, month) for row in of_kind) for cells in figure["rows"]]
        wrong = [cells for cells, is_found in zip(figure["rows"], found) if not is_found]
        rest = [cells for cells in wrong if cells[0].startswith("the other ")]
        if len(wrong) == len(rest) <= 1 and all(is_rest(figure, heads, cells, of_kind) for cells in rest):
            return sum(bool(cell) for cells in figure["rows"] for cell in cells)
        if not last or len(wrong) < len(figure["rows"]):
            last = f"{kind}: {wrong[0]}"
    raise Mismatch(f"not in the CSV: {last}")


def is_row(cells, heads, row, rows, month):
    """Whether the cells are those of a row of the CSV."""
    is_undecided = "not decided yet" in cells and row.get("pending") == row.get("trials")
    for head, shown in zip(heads, cells):
        # The rate of trials of which none is decided is not known.
        if is_undecided and head in ("conversion_rate", "low", "high"):
            continue
        if head == "curve":
            text = row.get("product") or "all"
        elif head == "95_%_interval_of_rate":
            if not is_interval(shown, row):
                return False
            continue
        elif head.endswith(",_points"):
            if not is_points(shown, row[head.removesuffix(",_points")]):
                return False
            continue
        elif head == "total":
            if not matches(shown.lstrip("+"), row[head], row.get("currency", "")):
                return False
            continue
        elif head in row:
            text = row[head]
        elif "value" in row and head == row.get("dimension"):
            text = row["value"]
        elif head.endswith(("_before", "_change")):
            if not is_change(head, shown, row, rows):
                return False
            continue
        else:
            raise Mismatch(f"the CSV has no column {head}")
        if not matches(shown, text, row.get("currency", "")):
            # The whole is headed by a word of its own.
            return False
    if any(head.endswith("_change") for head in heads) and row.get("month") != month:
        return False
    return True


def is_points(shown, text):
    """Whether a difference of rates is written in points, with its sign."""
    if not shown or not text:
        return shown == text
    has_sign = shown.startswith("+") == (not shown.startswith("-") and Decimal(shown.replace(",", "")) != 0)
    return has_sign and shown.lstrip("+") + "%" in percentages(text)


def is_interval(shown, row):
    """Whether both bounds of `rate` are written, or neither."""
    if not shown:
        return not row["low"] and not row["high"]
    low, high = shown.split(" to ")
    return is_points(low, row["low"]) and is_points(high, row["high"])


def is_change(head, shown, row, rows):
    """Whether a cell is the number of the month before, or the difference from it."""
    name = head.rsplit("_", 1)[0]
    keys = [key for key in ("product", "country", "app", "offer", "currency") if key in row]
    year, number = map(int, row["month"].split("-"))
    before = f"{year - (number == 1)}-{(number - 2) % 12 + 1:02}"
    old = [
        other[name] for other in rows
        if other["month"] == before and all(other[key] == row[key] for key in keys)]
    if not shown:
        return not old or not old[0] or not row[name]
    if not old:
        return False
    if head.endswith("_before"):
        return matches(shown, old[0], row.get("currency", ""))
    change = Decimal(row[name]) - Decimal(old[0])
    return matches(shown.lstrip("+"), str(change), row.get("currency", ""))


def is_rest(figure, heads, cells, rows):
    """Whether the last row has the sum of those that are not shown."""
    shown = {row[0] for row in figure["rows"]}
    if "currency" in heads:
        own = figure["rows"][0][heads.index("currency")]
        rows = [row for row in rows if row["currency"] == own]
    is_rate = "total,_points" in heads
    place = heads.index("total,_points" if is_rate else "total")
    parts = [Decimal(row["total"]) for row in rows if row["value"] not in shown and row["dimension"]]
    scale = 100 if is_rate else 1
    given = Decimal(cells[place].replace(",", "").lstrip("+"))
    slack = Decimal("0.006") if is_rate else Decimal(0)
    return abs(sum(parts) * scale - given) <= slack
