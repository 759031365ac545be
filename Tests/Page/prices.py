"""Compares the numbers of price increases and settlements with their CSV files; each function returns a Boolean."""

import re
from decimal import Decimal

from spelling import amounts, matches, percentages

OUTCOMES = {
    "renewed at the new price": "renewed_new_price",
    "renewed at the old price": "renewed_old_price",
    "renewed at another price": "renewed_other_price",
    "changed the product or plan": "changed_product",
    "came back within 60 days": "recovered",
    "left": "lapsed",
    "not decided yet": "pending",
}


def increases(figure, rows):
    """Whether each row is an increase of the CSV."""

    def is_row(cells, row):
        known = dict(zip(figure["heads"], cells))
        shown = lambda name: known.get(name, "")
        product, country, day, price = (shown(name) for name in ("product", "country", "from", "price"))
        if country.endswith(" together"):
            country = "*"
        met, lost, money = shown("met it"), shown("lost renewals"), shown("money")
        bounds = re.fullmatch(r"(\S+) to (\S+)", shown("95 % interval"))
        observed = re.fullmatch(r"(\S+) \(95 %: (\S+) to (\S+)\)", shown("lost of expected"))
        return (
            (product, country, day) == (row["product"], row["country"], row["effective"])
            and price.endswith(row["currency"] if price else "") and matches(met, row["exposed"])
            and (lost in percentages(row["excess_churn"]) if lost else not row["excess_churn"])
            and (not bounds or bounds[1] in percentages(row["excess_low"])
                 and bounds[2] in percentages(row["excess_high"]))
            and (not shown("break-even") or shown("break-even") in percentages(row["break_even_loss"]))
            and (not observed or all(
                text in percentages(row["observed_loss" + end])
                for text, end in zip(observed.groups(), ("", "_low", "_high"))))
            and (not money or money.lstrip("+").removesuffix(" " + row["proceeds_currency"])
                 in amounts(row["net_effect"], row["proceeds_currency"])))

    return all(any(is_row(cells, row) for row in rows) for cells in figure["rows"])


def outcomes(figure, rows):
    """Whether there is an increase with these outcomes, and with their share of all that came to the renewal."""

    def is_row(cells, row):
        count = row[OUTCOMES[cells[0]]]
        share = f"{Decimal(count or 0) / Decimal(row['reached']):.9f}"
        return matches(cells[1], count) and cells[2] in percentages(share)

    return any(
        int(row["reached"] or 0) and all(is_row(cells, row) for cells in figure["rows"]) for row in rows)


def money(figure, rows):
    """Whether there is an increase with these amounts."""
    return any(
        all(row[line] and amount in amounts(row[line], currency) and currency == row["proceeds_currency"]
            for line, amount, currency in figure["rows"])
        for row in rows)


def bridge(figure, rows):
    """Whether each row is a line of the period, region and currency that the title names."""
    period, region, _ = figure["title"].split(", ")
    own = [row for row in rows if row["period"] == period and "region " + row["region"] == region]

    def is_row(cells, row):
        step, line, _, amount, currency, status = cells
        if (step, line, currency, status) != (row["step"], row["line"], row["amount_currency"], row["status"]):
            return False
        return amount in amounts(row["amount"], currency) if amount else not row["amount"]

    return all(any(is_row(cells, row) for row in own) for cells in figure["rows"])


# The comparison of figures with such a heading.
BY_HEADING = [
    ("what_they_did", outcomes), ("met_it", increases), ("step", bridge), ("amount", money)]
