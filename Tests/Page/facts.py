"""The CSV files beside a page, read anew."""

import csv
import datetime
import re
from fractions import Fraction

from spelling import NO_DECIMALS, amount, count, earlier, fixed, percent, points, visible, wilson

CAME = ["started", "first_seen", "converted", "reactivated", "recovered"]
WENT = ["churned", "entered_retry"]
# The daily reports of a source, as days.csv has them.
KINDS = {
    "subscribers": ["subscriber"], "events": ["subscription", "subscription-event"], "sales": ["sales"]}
# The table of a rate, what is above and what is below its line.
RATES = {
    "churn_rate": ("churn", ["churned"], "active_start"), "renewal_rate": ("renewals", ["renewed"], "due"),
    "conversion_rate": ("trials", ["converted"], "trials"),
    "refund_rate": ("refunds", ["refunds_full"], "charges"),
}
# The table of an amount and its column.
MONEY = {"net_proceeds": ("proceeds", "net_proceeds"), "mrr": ("recurring", "mrr")}


def read(path):
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def names(folder):
    """Returns the names of apps, products and countries, the longest first; they may have any words."""
    found = {visible(row[column]) for path in folder.glob("*-by-*.csv") for row in read(path)
             for column in ("app", "product") if row.get(column)}
    return sorted(found, key=len, reverse=True)


class Facts:
    """The CSV files of a report, read by table, source and month."""

    def __init__(self, folder, currency="", app=None):
        self.folder, self.target, self.app = folder, currency, app
        self.tables = {}
        self.heads = read(folder / "headlines.csv")
        if app:
            self.heads = [row for head in self.heads for row in self.heads_of_app(head)]
        known = [row for row in self.heads if row["figure"] in ("active", "churn_rate", "net_proceeds")]
        self.month = known[0]["month"] if known else None
        self.source = next((row["source"] for row in self.heads if row["figure"] in ("active", "churn_rate")), None)

    def table(self, name):
        if name not in self.tables:
            path = self.folder / f"{name}{'-by-app' if self.app else ''}.csv"
            self.tables[name] = [row for row in read(path) if row.get("app", self.app) == self.app]
        return self.tables[name]

    def rows(self, name, **where):
        return [row for row in self.table(name) if all(row[key] == value for key, value in where.items())]

    def heads_of_app(self, head):
        """Returns a row of headlines.csv as it is for the app: worked out from the tables by app.

        A rate at the same age is in no table; it is today's where the whole has no other one either. Churn of a month that is
        not final may have another one all the same.
        """
        figure, source, month = head["figure"], head["source"], head["month"]
        if figure == "net_proceeds" and not self.rows("proceeds", source=source):
            # Sales reports name no app.
            source = "subscribers" if self.rows("proceeds", source="subscribers") else "receipts"
        if figure == "conversion_rate":
            decided = [row["month"] for row in self.rows("trials", source=source) if row["pending"] == "0"]
            month = max(decided, default=month)
        row = {**head, "month": month, "source": source}
        row.update(dict.fromkeys(["year_before", "year_before_same_age", "low", "high"], ""))
        if figure in RATES:
            now, then = self.counts(figure, month, source), self.counts(figure, earlier(month), source)
            is_old = (month == head["month"] and then and then[1] and head["before"] == head["before_same_age"] != ""
                      and (figure != "churn_rate" or head["state"] == "final"))
            row["numerator"], row["denominator"] = now or ("", "")
            row["value"] = f"{now[0] / now[1]:.6f}" if now and now[1] else ""
            row["low"], row["high"] = [f"{bound:.6f}" for bound in wilson(*now)] if row["value"] else ["", ""]
            row["before"] = row["before_same_age"] = f"{then[0] / then[1]:.6f}" if is_old else ""
            return [row] if row["value"] else []
        if figure == "conversion_rate_so_far":
            own = self.rows("trials", source=source, month=month)
            row.update(numerator=own[0]["converted"], denominator=own[0]["trials"]) if own else None
            return [row] if own else []
        if figure not in ("active", "net_change", *MONEY):
            return []
        table, column = MONEY.get(figure, ("movement", "close_observed"))
        for name, back in [("value", 0), ("before", 1), ("older", 2)]:
            own = [one for one in self.rows(table, source=source, month=earlier(month, back))
                   if one.get("currency", "") == head["currency"] and one.get("basis", "price") == "price"]
            row[name] = own[0][column] if own else "0" if table == "proceeds" and back == 1 and head["before"] else ""
        if figure == "net_change":
            values = [row["value"], row["before"], row["older"]]
            row["value"], row["before"] = [
                str(int(now) - int(then)) if now and then else "" for now, then in zip(values, values[1:])]
        return [row] if row["value"] else []

    def head(self, figure, currency=None):
        """A number of the headline month; of another than the old source where that is there too."""
        found = [row for row in self.heads if row["figure"] == figure and currency in (None, row["currency"])]
        return found[0] if found else None

    def currency(self, figure="net_proceeds"):
        """The currency of the money on the page: that with most charges or subscriptions."""
        row = self.head(figure)
        if self.target or not row:
            return self.target
        size = "charges" if figure == "net_proceeds" else "active"
        rows = [one for one in self.rows(MONEY[figure][0], source=row["source"], month=row["month"])
                if one["currency"] and one.get("basis", "price") == "price"]
        return min(rows, key=lambda row: (-int(row[size] or 0), row["currency"]))["currency"] if rows else ""

    def currencies(self, figure="net_proceeds"):
        return {row["currency"] for row in self.heads if row["figure"] == figure}

    def counts(self, figure, month, source):
        """What is above and below the line of a rate; None where that is not known."""
        table, above, below = RATES[figure]
        where = {"dating": "sale"} if table == "refunds" else {}
        rows = self.rows(table, source=source, month=month, **where)
        cells = [row[column] for row in rows for column in above + [below]]
        if not rows or "" in cells:
            return None
        return (sum(int(row[column]) for row in rows for column in above), sum(int(row[below]) for row in rows))

    def priced(self, head):
        """How many active subscriptions have a known price in the month of a row, and how many have none."""
        sums = [0, 0]
        for row in self.rows("recurring", source=head["source"], month=head["month"], basis="price"):
            sums[row["mrr"] == "" or not row["currency"]] += int(row["active"] or 0)
        return sums

    def begins(self, figure, source):
        """The first month of a source in the table of a number."""
        table = RATES[figure][0] if figure in RATES else MONEY.get(figure, ["movement"])[0]
        return min((row["month"] for row in self.rows(table, source=source)), default="")

    def lacks_days(self, source, month):
        """Whether a report of a source is missing in a month, or in the three days before and after it."""
        first = datetime.date(int(month[:4]), int(month[5:]), 1)
        last = (first + datetime.timedelta(days=31)).replace(day=1)
        near = datetime.timedelta(days=3)
        return any(
            str(first - near) <= row["day"] < str(last + near) for row in self.days()
            if row["state"] == "missing" and row["kind"] in KINDS.get(source, []))

    def days(self):
        return read(self.folder / "days.csv")

    def movement(self):
        rows = self.rows("movement", source=self.source, month=self.month)
        return rows[0] if rows else None

    def drivers(self, measure, dimension, currency=""):
        """The rows of drivers.csv; for an app those of all apps, because no CSV says whose a product is."""
        row = self.head(measure, currency or None)
        return [] if not row else [
            driver for driver in read(self.folder / "drivers.csv") if driver["measure"] == measure
            and driver["dimension"] == dimension and driver["currency"] == currency and driver["month"] == row["month"]
            and driver["against"] == earlier(row["month"]) and driver["source"] == row["source"]
            and driver["value"] not in ("", "(not in the view)")]

    def spellings(self, tables):
        """All numbers of some tables as the page may write them."""
        found = set()
        for row in [row for name in tables for row in self.table(name)]:
            for text in row.values():
                if not text or not re.fullmatch(r"-?\d+(\.\d+)?", text):
                    continue
                codes = {row.get(name) or "" for name in ("currency", "proceeds_currency", "amount_currency")}
                for code in codes:
                    found |= amount(text, code) | fixed(Fraction(text), 0 if code in NO_DECIMALS else 2)
                found |= count(text)
                if "." in text and abs(Fraction(text)) <= 10:
                    found |= percent(text) | points(text) | fixed(Fraction(text) * 100, 0)
        return found
