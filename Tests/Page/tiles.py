"""Compares tiles with headlines.csv, and the figures beside sentences with their tables."""

import re
from fractions import Fraction

from facts import MONEY, RATES
from spelling import (
    amount, change, count, earlier, may_be_chance, percent, points, short, sign, signed, visible, word)

IS_GOOD_UP = {"churn_rate": False, "refund_rate": False}


def tile_problems(tile, facts):
    """Compares a tile with its row of headlines.csv."""
    label = tile["label"].split(",")[0]
    figure = {"Active subscriptions": "active", "Net new": "net_change", "Churn": "churn_rate",
              "Net proceeds": "net_proceeds", "Recurring revenue": "mrr", "Trials that paid": "conversion_rate"}[label]
    currency = facts.currency(figure) if figure in MONEY else None
    row = facts.head(figure, currency)
    if not row and facts.app:
        return []
    if not row or not row["value"]:
        return [] if tile["number"] == "no data" else [f"{label}: {tile['number']}, and headlines.csv has nothing"]
    wrong = []
    is_rate = figure in RATES
    if is_rate:
        now = (int(row["numerator"]), int(row["denominator"]))
        then = facts.counts(figure, earlier(row["month"]), row["source"])
        wanted = rate_text(row["value"], now)
    else:
        write = signed if figure == "net_change" else count
        wanted = {f"{text} {currency}" for text in amount(row["value"], currency)} if currency else write(row["value"])
    shown = re.sub(r"^at (most|least) | so far$| on \d+ \w{3}$", "", tile["number"])
    if shown not in wanted:
        wrong.append(f"{label}: {tile['number']} is {wanted}")
    if row["month"] != facts.month and not tile["label"].endswith(word(row["month"])):
        wrong.append(f"{tile['label']} is of {row['month']}")
    limit = ""
    if row["source"] == "subscribers":
        limit = {"churn_rate": "at most ", "net_proceeds": "", "mrr": ""}.get(figure, "at least ")
    is_limit = tile["verdict"] == "incomplete"
    # Months at the left edge are compared with nothing either.
    if tile["verdict"] == "not all seen yet":
        return wrong
    if is_limit and not facts.lacks_days(row["source"], row["month"]):
        return wrong + [f"{label}: incomplete, but no report of {row['source']} of {row['month']} is missing"]
    prefix = re.match(r"(at \w+ )?", tile["number"])[0]
    if prefix != (limit if is_limit else ""):
        wrong.append(f"{label}: {tile['number']}, {tile['verdict']}, from {row['source']}")
    before = row["before_same_age" if is_rate else "before"]
    if facts.app and not before:
        return wrong
    if is_limit and row["state"] == "final" or before and is_limit:
        wrong.append(f"{label}: incomplete, but its state is {row['state']}, before is {before}")
    if before and not is_limit:
        verdicts = rate_verdicts(figure, row, now, then) if is_rate else change_verdicts(figure, row, currency)
        if figure == "mrr" and facts.priced(row)[1] > facts.priced(row)[0]:
            verdicts = {"Too few to compare"}
        if tile["verdict"] not in verdicts:
            wrong.append(f"{label}: {tile['verdict']!r} is {sorted(verdicts)}")
    elif tile["verdict"] not in ("", "incomplete"):
        wrong.append(f"{label}: {tile['verdict']!r}, and nothing is before")
    for line in tile["lines"]:
        wrong += line_problems(label, line, figure, row, facts, currency)
    return wrong


def rate_text(value, counts):
    """A rate of fewer than 30 is written as its counts."""
    if counts and counts[1] < 30:
        return {f"{counts[0]:,} of {counts[1]:,}"}
    return percent(Fraction(*counts)) if counts else percent(value)


def change_verdicts(figure, row, currency):
    difference = Fraction(row["value"]) - Fraction(row["before"])
    if difference == 0:
        return {"no change"}
    shares = change(row["value"], row["before"])
    if currency:
        sizes = shares or amount(abs(difference), currency)
    else:
        (size,) = count(abs(difference))
        sizes = {f"{size} ({share})" for share in shares} if figure == "active" and shares else {size}
    return {f"{sign(difference, 0)} {size}, {'better' if difference > 0 else 'worse'}" for size in sizes}


def rate_verdicts(figure, row, now, then):
    difference = Fraction(row["value"]) - Fraction(row["before_same_age"])
    texts = points(difference)
    if now[1] < 30 or then and then[1] < 30:
        return {"Too few to compare"}
    is_better = (difference > 0) == IS_GOOD_UP.get(figure, True)
    by_chance = {f"≈ {text} points, may be chance" for text in texts}
    tone = "better" if is_better else "worse"
    clear = {f"{sign(difference, 0)} {text} points, {tone}" for text in texts} | {"no change"}
    if not then or row["before"] != row["before_same_age"]:
        return by_chance | clear
    return by_chance if may_be_chance(now, then) else clear


def line_problems(label, line, figure, row, facts, currency):
    """Compares a line below a verdict: the month before, the year before, further currencies, trials so far."""
    found = re.fullmatch(r"(\S+) more currenc(?:y|ies)", line)
    if found:
        others = len(facts.currencies(figure) - {currency})
        return [] if found[1] in count(others) else [f"{label}: {line}, {others} are in headlines.csv"]
    found = re.fullmatch(r"of (\S+) of (\S+) whose price is known", line)
    if found:
        known, unknown = facts.priced(row)
        wanted = (f"{known:,}", f"{known + unknown:,}")
        return [] if found.groups() == wanted else [f"{label}: {line} is {wanted}"]
    found = re.fullmatch(r"(\w{3}) so far (\S+) of (\S+)", line)
    if found:
        so_far = facts.head("conversion_rate_so_far")
        wanted = so_far and (
            word(so_far["month"])[:3], f"{int(so_far['numerator']):,}", f"{int(so_far['denominator']):,}")
        return [] if found.groups() == wanted else [f"{label}: {line} is {wanted}"]
    for month, name, column in [(earlier(row["month"]), word(earlier(row["month"])), "before"),
                                (earlier(row["month"], 12), short(earlier(row["month"], 12)), "year_before")]:
        if not line.startswith(name + " "):
            continue
        if column == "year_before" and line.endswith("no data") and facts.begins(figure, row["source"]) > month:
            return [f"{label}: {line!r}, but {row['source']} begin in {facts.begins(figure, row['source'])}"]
        text = line[len(name) + 1:]
        value = row[column + ("_same_age" if figure in RATES else "")]
        known = row[column] and row[column] == row[column + "_same_age"]
        table, column_of = MONEY.get(figure, ("movement", "close_observed"))
        if figure in RATES:
            counts = facts.counts(figure, month, row["source"])
            wanted = rate_text(value, counts if known or not value else None) if value or counts else set()
            if not known and counts and counts[1] < 30:
                wanted = {text} if re.fullmatch(r"[\d,]+ of [\d,]+", text) else set()
        elif value:
            wanted = amount(value, currency) if currency else (signed if figure == "net_change" else count)(value)
            if column == "year_before" and figure != "net_change":
                shares = change(row["value"], value)
                wanted = {f"{one} {sign(row['value'], value)} {share}" for one in wanted for share in shares} | (
                    wanted if Fraction(row["value"]) == Fraction(value) else set())
        else:
            # The month is compared with nothing; its own number stands in its table.
            rows = [one for one in facts.rows(table, source=row["source"], month=month)
                    if one.get("basis", "price") == "price"]
            column = None if figure == "net_change" else column_of
            if currency and currency == facts.target:
                rows = [{"all": sum(Fraction(one[f"{column}_{currency}"] or 0) for one in rows)}] if rows else []
                column = "all"
            elif currency:
                rows = [one for one in rows if one["currency"] == currency]
            wanted = {text for one in rows if column and one[column] != ""
                      for text in (amount(one[column], currency) if currency else count(one[column]))}
            if figure == "net_change":
                wanted = {text}
            if facts.app:
                # The year before of an app is in no file: only its number is compared.
                text = re.split(" [▲▼] ", text)[0]
        # A month that is compared with nothing may say so in words.
        return [] if text in wanted or text in ("no data", "incomplete", "not all seen yet") and not (value and known) else [
            f"{label}: {line} is {sorted(wanted)}"]
    return [f"{label}: {line!r} is of no known month"] if re.search(r"\d", line) else []


def label_problems(sections, facts):
    """The labels of rates and money are those of their months."""
    wanted = {}
    for place, figure in [("churn", "churn_rate"), ("refunds", "refund_rate")]:
        row = facts.head(figure)
        months = {one["month"] for one in facts.rows(RATES[figure][0], source=row["source"])} if row else ()
        counts = [facts.counts(figure, month, row["source"]) for month in months]
        wanted[place] = {text for one in counts if one and one[1] for text in percent(Fraction(*one))}
    currency = facts.currency()
    row = facts.head("net_proceeds", currency)
    sums = {}
    for one in facts.rows("proceeds", source=row["source"]) if row else ():
        if facts.target or one["currency"] == currency:
            column = f"net_proceeds_{facts.target}" if facts.target else "net_proceeds"
            sums[one["month"]] = sums.get(one["month"], 0) + Fraction(one[column] or 0)
    # The mock-up has no decimals above columns.
    wanted["money"] = {text for value in sums.values() for text in amount(value, currency) | count(value)}
    for place, texts in wanted.items():
        labels = [re.sub("^[≤≥] ", "", text) for text in sections.get(place, {"labels": []})["labels"]]
        wrong = [text for text in labels if re.match(r"[\d\u2212]", text) and text not in texts]
        if wrong:
            yield f"{place}: labels {', '.join(wrong)} are of no month"


def figure_problems(page, facts):
    """The waterfall ends in the tile's number; its side table has the drivers, which add up to what is net new."""
    found = {section["id"]: section for section in page["sections"]}
    movement, tiles = found.get("movement"), {tile["label"]: tile["number"] for tile in page["tiles"]}
    wrong = list(label_problems(found, facts))
    if not movement or not movement["values"]:
        return wrong
    first, *flows, last = [int(re.sub(r"[≥≤,+ ]", "", text).replace("\u2212", "-")) for text in movement["values"]]
    if first + sum(flows) != last:
        wrong.append(f"movement: {first} and {flows} are {first + sum(flows)}, not {last}")
    number = re.sub(r"\D", "", tiles.get("Active subscriptions", ""))
    if number != str(last):
        wrong.append(f"movement: the waterfall ends in {last}, the tile is {number}")
    drivers = {visible(row["value"]): row for row in facts.drivers("active", "product")}
    for side in movement["sides"]:
        for cells in [cells for rows in side["tables"] for cells in rows]:
            row = drivers.get(cells[0])
            if row and (cells[1] not in count(row["after"]) or cells[-1] not in signed(row["total"])):
                wrong.append(f"movement: {cells} is {row['after']} and {row['total']} in drivers.csv")
    churn = found.get("churn")
    for cells in [cells for side in churn["sides"] for rows in side["tables"] for cells in rows] if churn else []:
        columns = {"Canceled by the customer": "churned_voluntary", "Payment failed": "churned_billing"}
        if cells[0] in columns and not any(
                cells[2] in count(row[columns[cells[0]]]) for row in facts.rows("churn", month=facts.month)
                if row[columns[cells[0]]]):
            wrong.append(f"churn: {cells} is not in churn.csv")
    return wrong
