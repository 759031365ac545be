"""Compares the numbers of bullets and leads with the CSV files beside the page.

A number of a known sentence must be that of its place, such as the rate of the headline month. Any other number must
be somewhere in the files of its section.
"""

import datetime
import re
from fractions import Fraction

import tiles
from facts import CAME, RATES, WENT, names
from spelling import (
    MONTHS, NO_DECIMALS, amount, change, count, earlier, fixed, percent, points, short, signed, signed_amount,
    visible, word)

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
SUBJECTS = {
    "Churn": "churn_rate", "Renewals": "renewal_rate", "Trials that paid": "conversion_rate",
    "Refunds": "refund_rate"}
DURATIONS = {
    "weekly": ["7 Days", "1 Week"], "monthly": ["1 Month"], "two-month": ["2 Months"], "quarterly": ["3 Months"],
    "half-yearly": ["6 Months"], "yearly": ["1 Year"]}
# Changes of prices that may be an increase.
RISES = ["increase", "overlap", "at_data_edge", "unconfirmed", "new_customers_only"]
PAYMENTS = {"first": "1", "third": "3", "sixth": "6", "twelfth": "12"}
FILES = {
    "bullets": ["headlines", "churn", "movement", "renewals", "trials", "refunds", "proceeds", "drivers"],
    "movement": ["headlines", "movement"], "churn": ["headlines", "churn", "renewals"],
    "retention": ["retention", "retention-by-duration"], "trials": ["headlines", "trials"],
    "refunds": ["headlines", "refunds"], "money": ["headlines", "proceeds"],
    "prices": ["price_impact", "price_changes"], "settlement": ["settlement", "verdicts", "payments_due"], "health": [],
}


class Text:
    """A sentence whose numbers are compared one after the other; `left` is what nothing has compared."""

    def __init__(self, where, text):
        self.where, self.text, self.left = where, text, text
        self.problems, self.compared = [], 0

    def compare(self, pattern, answer):
        """Compares the groups of each match with what `answer` returns for it: a set of texts for each group, None for
        a group that is no number. Without an answer the match is left for others."""
        for match in re.finditer(pattern, self.text):
            answers = answer(match)
            if answers is None:
                continue
            for shown, texts in zip(match.groups(), answers):
                if shown is None or texts is None:
                    continue
                self.compared += 1
                if shown not in texts:
                    wanted = " or ".join(sorted(texts)) or "unknown"
                    self.problems.append(f"{self.where}: {shown} in {match[0]!r} is {wanted}")
            self.left = self.left.replace(match[0], " ", 1)

    def numbers(self, names):
        """Returns the numbers that nothing has compared, without dates and the numbers of fixed sentences."""
        left = self.left
        for name in names:
            left = left.replace(name, " ")
        left = re.sub(r"\b20\d\d-\d\d(-\d\d)?\b|\b\d{1,2} to (?=\d{1,2} [A-Z])|\d+ more (days?|kinds?)", " ", left)
        left = re.sub(rf"(\d{{1,2}} )?({'|'.join(MONTHS)})( \d{{4}})?|FY\d{{4}}-P\d\d", " ", left)
        left = re.sub(r"\b(60 days|365 days|30 are needed|95%|100 who|12 (times|weeks|years))\b", " ", left)
        left = re.sub(r"(\d{1,2} )?\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b( \d{4})?", " ", left)
        return [text.rstrip(".,") for text in re.findall(r"[+\u2212]?\d[\d,]*(?:\.\d+)?%?", left)]


def problems(page, facts):
    """Returns what differs, and how many numbers were compared by their place, and how many were only searched for."""
    found, exact, loose = [], 0, 0
    for tile in page["tiles"]:
        found += tiles.tile_problems(tile, facts)
        exact += 1
    found += tiles.figure_problems(page, facts)
    found += status_problems(page["status"], facts)
    texts = [("bullets", Text(f"bullet {number}", bullet["text"])) for number, bullet in enumerate(page["bullets"], 1)]
    texts += [(section["id"], Text(section["id"], lead)) for section in page["sections"]
              for lead in section["leads"] if section["id"] in FILES]
    all_names = names(facts.folder)
    for place, text in texts:
        if facts.heads or place == "health":
            CLAIMS[place](text, facts)
        if facts.app:
            # Drivers and lengths of plan of an app are in no file.
            text.compare(r"(?:Biggest (?:change|driver)|Of 100 who began) .*", lambda match: ())
        others = text.numbers(all_names)
        spelled = facts.spellings(FILES[place]) if others else set()
        unknown = [number for number in others if not {number, number.lstrip("+\u2212")} & spelled]
        if unknown:
            text.problems.append(f"{text.where}: no cell is {', '.join(unknown)} in {text.text[:300]!r}")
        loose += len(others)
        exact += text.compared
        found += text.problems
    return found, exact, loose


def status_problems(status, facts):
    """The status counts the missing reports of the headline month; of snapshots those at its ends."""
    first = datetime.date.fromisoformat(f"{facts.month}-01")
    ends = {str(first - datetime.timedelta(1)), str((first + datetime.timedelta(31)).replace(day=1) - datetime.timedelta(1))}
    missing = {(row["kind"], row["day"]) for row in facts.days() if row["state"] == "missing" and (
        row["day"] in ends if row["kind"] == "subscription" else row["day"][:7] == facts.month)}
    shown = re.search(r"is incomplete(?:: (\S+) reports? missing)?", status["first"])
    if shown and shown[1] and shown[1] not in count(len(missing)) or not shown and missing and not facts.app:
        return [f"status: {status['first']}, {len(missing)} reports of {facts.month} are missing"]
    return []


def of_rate(facts, figure):
    """The numbers of a rate: now and before as texts, and its counts now and before."""
    row = facts.head(figure)
    if not row or not row["value"]:
        return None
    now = (int(row["numerator"]), int(row["denominator"]))
    return row, now, facts.counts(figure, earlier(row["month"]), row["source"])


def rate_bullet(text, facts):
    def whole(match):
        known = of_rate(facts, SUBJECTS[match[1]])
        if SUBJECTS[match[1]] == "refund_rate":
            found = settled_refunds(facts, text.text)
            return found and (None, None, percent(Fraction(*found[0])), percent(Fraction(*found[1])))
        if not known:
            return None
        row, now, _ = known
        verb = "rose" if Fraction(row["value"]) > Fraction(row["before_same_age"] or 0) else "fell"
        return None, {verb}, percent(Fraction(*now)), percent(row["before_same_age"] or "0")

    subject = re.match(r"(\w[\w ]*?) (?:rose|fell) to", text.text)
    figure = SUBJECTS.get(subject[1]) if subject else None
    text.compare(r"^([A-Z][\w ]*?) (rose|fell) to (\S+%) from (\S+%),", whole)
    known = of_rate(facts, figure) if figure else None
    if known and figure != "refund_rate":
        row, now, then = known
        at_same_age = row["before"] == row["before_same_age"]
        before = count(then[0]) if then and at_same_age else None
        text.compare(r"(\S+) of (\S+) left, (\S+) in \w+(?: at the same age)?", lambda match: (
            count(now[0]), count(now[1]), before))
        text.compare(r"(\S+) of (\S+) due were renewed, (\S+) of (\S+) in", lambda match: (
            count(now[0]), count(now[1]), before, None))
        text.compare(r"(\S+) of (\S+) begun in \w+ became paying, (\S+) of (\S+) in", lambda match: (
            count(now[0]), count(now[1]), before, None))
        driver_sentence(text, facts, figure, Fraction(row["value"]) - Fraction(row["before_same_age"] or 0))
    elif known:
        found = settled_refunds(facts, text.text)
        text.compare(
            r"(\S+) of the (\S+) charges of \w+ were refunded, (\S+) of (\S+) in \w+",
            lambda match: found and [count(number) for counts in found for number in counts])
    else:
        text.compare(r"At most (\S+) of (\S+) left \((\S+?%)\)", churn_counts(facts))


def settled_refunds(facts, sentence):
    """The counts of the month that a sentence names, and of the month before: sums over currencies."""
    row, named = facts.head("refund_rate"), re.search(r"charges of (\w+)", sentence)
    months = [earlier(row["month"], back) for back in range(12)] if row and named else []
    month = next((month for month in months if word(month) == named[1]), None)
    counts = [facts.counts("refund_rate", one, row["source"]) for one in (month, earlier(month))] if month else [None]
    return None if None in counts else counts


def churn_counts(facts):
    def answer(match):
        known = of_rate(facts, "churn_rate")
        return known and (count(known[1][0]), count(known[1][1]), percent(Fraction(*known[1])))
    return answer


def driver_sentence(text, facts, figure, difference):
    """The driver of a rate is the largest whose own interval leaves 0 out."""
    def clear(dimension):
        rows = [row for row in facts.drivers(figure, dimension) if row["low"] and row["total"]
                and not Fraction(row["low"]) <= 0 <= Fraction(row["high"])
                and (Fraction(row["total"]) > 0) == (difference > 0)]
        return sorted(rows, key=lambda row: -abs(Fraction(row["total"])))

    def named(match):
        rows = clear("product") or clear("country")
        if not rows:
            return {"no driver"}, None, None, None, None
        row, others = rows[0], clear("country")
        by_country = set(), set()
        if clear("product") and others:
            by_country = {visible(others[0]["value"])}, points(others[0]["total"])
        return ({visible(row["value"])}, points(row["total"]), points(difference), percent(row["after"]),
                percent(row["before"]), *by_country)

    text.compare(
        r"Biggest driver(?: by country)?: (.+?), (\S+) of the (\S+) points(?: \((\S+%)(?: left)?, (\S+%) in \w+\))?"
        r"(?:; by country (\S+), (\S+) points)?\.", named)
    if "No product or country stands out" in text.text and (clear("product") or clear("country")):
        text.problems.append(f"{text.where}: a driver is in drivers.csv: {(clear('product') or clear('country'))[0]}")


def active_bullet(text, facts):
    row, net, movement = facts.head("active"), facts.head("net_change"), facts.movement()
    if not row or not row["value"]:
        return
    if row["before"]:
        difference = int(row["value"]) - int(row["before"])
        verb = "stayed at" if difference == 0 else "grew by" if difference > 0 else "fell by"
        size = count(abs(difference)) if difference else count(row["value"])
        text.compare(
            r"Active subscriptions (?:still )?(grew by|fell by|stayed at) (\S+)(?: to ([\d,]+))?",
            lambda match: ({verb}, size, count(row["value"])))
        if net and net["before"]:
            text.compare(r"\(\w+: ([+\u2212\d,]+)\)", lambda match: (signed(net["before"]) | count(net["before"]),))
    text.compare(r"(?:At least )?([\d,]+) subscriptions? (?:is|are) active", lambda match: (count(row["value"]),))
    came_and_went(text, movement)
    drivers = sorted(facts.drivers("active", "product"), key=lambda row: -abs(int(row["total"])))

    def biggest(match):
        by_name = {visible(driver["value"]): driver for driver in drivers}
        answers = []
        for name, size in [match.groups()[:2], match.groups()[2:]]:
            driver = by_name.get(name)
            answers += [None, signed(driver["total"]) if driver else {f"unknown product {name}"}]
        if facts.app:
            return answers
        sizes = [int(by_name[name]["total"]) for name in match.groups()[::2] if name in by_name]
        if sizes and abs(sizes[0]) != abs(int(drivers[0]["total"])):
            answers[1] = signed(drivers[0]["total"])
        opposite = [int(driver["total"]) for driver in drivers if int(driver["total"]) * int(drivers[0]["total"]) < 0]
        if opposite and (len(sizes) < 2 or abs(sizes[1]) != abs(opposite[0])):
            answers[3] = signed(opposite[0])
        return answers

    text.compare(r"Biggest change: (.+?), ([+\u2212]?[\d,]+)(?:; (.+?), ([+\u2212]?[\d,]+))?\.", biggest)
    snapshot = facts.rows("movement", source="events", month=facts.month)
    if snapshot and snapshot[0]["close_observed"]:
        close, start = snapshot[0]["close_observed"], snapshot[0]["open"]
        text.compare(r"snapshot counts ([\d,]+)(?:, (\S+) (?:more|fewer) than)?", lambda match: (
            count(close), count(abs(int(close) - int(start))) if start else set()))


def came_and_went(text, row):
    if not row or "" in [row[column] for column in CAME + WENT]:
        return
    came, went = (sum(int(row[column]) for column in columns) for columns in (CAME, WENT))
    text.compare(r"(\S+) came(?:,| and) (\S+) went", lambda match: (count(came), count(went)))


def money_bullet(text, facts):
    main = facts.currency()
    row = facts.head("net_proceeds", main)
    if not row or not row["value"]:
        return
    now, before = row["value"], row["before"]
    text.compare(
        r"Net proceeds (?:were|stayed at|so far are) ([\d,.]+\d) ([A-Z]{3})", lambda match: (amount(now, main), {main}))
    if before:
        verb = "rose" if Fraction(now) > Fraction(before) else "fell"
        text.compare(r"Net proceeds (rose|fell) by (\S+%) to ([\d,.]+\d) ([A-Z]{3})", lambda match: (
            {verb}, change(now, before), amount(now, main), {main}))
    rows = [one for one in facts.heads if one["figure"] == "net_proceeds" and one["before"] and one["value"]]
    rising = [one for one in rows if Fraction(one["value"]) > Fraction(one["before"])]
    falling = [one for one in rows if Fraction(one["value"]) < Fraction(one["before"])]
    text.compare(r"rose in (\d+) of (\d+) currencies", lambda match: (count(len(rising)), count(len(rows))))
    text.compare(r"(rose|fell) in all (\d+) currencies", lambda match: (
        {"rose" if len(rising) == len(rows) else "fell" if len(falling) == len(rows) else ""}, count(len(rows))))

    def one_currency(match):
        one = facts.head("net_proceeds", match[1])
        if not one or not one["before"]:
            return None, {"unknown"}, None, None
        is_more = Fraction(one["value"]) > Fraction(one["before"])
        return (None, amount(one["value"], match[1]), {"+" if is_more else "\u2212"},
                change(one["value"], one["before"]))

    text.compare(r"\b([A-Z]{3}),? ([\d,.]+) \(([+\u2212])(\S+?%)\)", one_currency)
    shares = {one["currency"]: Fraction(one["value"]) / Fraction(one["before"]) for one in rows
              if Fraction(one["before"]) > 0}
    fallen = [code for code in shares if shares[code] < 1]
    text.compare(r"they fell most in ([A-Z]{3})", lambda match: ({min(fallen, key=shares.get)} if fallen else set(),))
    money_drivers(text, facts, main, before and Fraction(now) > Fraction(before))


def money_drivers(text, facts, main, is_up):
    def largest(dimension):
        rows = [row for row in facts.drivers("net_proceeds", dimension, main)
                if row["total"] and (Fraction(row["total"]) > 0) == is_up]
        return max(rows, key=lambda row: abs(Fraction(row["total"])), default=None)

    def named(match):
        if facts.app:
            rows = {visible(row["value"]): row for row in facts.drivers("net_proceeds", "product", main)}
            return None, signed_amount(rows[match[1]]["total"], main) if match[1] in rows else {"no driver"}, None, None
        product, country = largest("product"), largest("country")
        first, second = (product, country) if product else (country, None)
        answers = []
        for row in (first, second):
            answers += [{visible(row["value"])}, signed_amount(row["total"], main)] if row else [set(), set()]
        return answers

    text.compare(
        r"Biggest driver(?: in [A-Z]{3})?(?: by country)?: (.+?), ([+\u2212][\d,.]*\d)"
        r"(?:; by country (\S+), ([+\u2212][\d,.]*\d))?\.", named)


def bullets(text, facts):
    if text.text.startswith(("Active subscriptions", "At least")) or re.match(r"[\d,]+ subscription", text.text):
        active_bullet(text, facts)
    elif text.text.startswith("Net proceeds"):
        money_bullet(text, facts)
    else:
        rate_bullet(text, facts)


def movement(text, facts):
    row = facts.movement()
    if not row:
        return
    came_and_went(text, row)
    left = int(row["unexplained"] or 0)
    text.compare(r"(\S+) (?:is|are) unexplained", lambda match: (count(abs(left)),))
    if row["open"] and row["close_observed"]:
        difference = int(row["close_observed"]) - int(row["open"])
        text.compare(r": (\S+) (more|fewer) subscriptions? than at the end of", lambda match: (
            count(abs(difference)), {"more" if difference > 0 else "fewer"}))
    if row["close_observed"]:
        text.compare(r"([\d,]+) subscriptions? at the end of", lambda match: (count(row["close_observed"]),))
    switched = int(row["switched_in"] or 0) - int(row["switched_out"] or 0)
    text.compare(r"changes of plan (added|took away) ([\d,]+)", lambda match: (
        {"added" if switched > 0 else "took away"}, count(abs(switched))))
    if not [column for column in WENT if not row[column]]:
        text.compare(r"the (\S+) counted as gone", lambda match: (count(sum(int(row[column]) for column in WENT)),))
    churned = facts.counts("churn_rate", facts.month, facts.source)
    text.compare(r"Churn below counts (\S+):", lambda match: churned and (count(churned[0]),))


def churn(text, facts):
    known = of_rate(facts, "churn_rate")
    if known:
        row, now, _ = known
        text.compare(r"(\S+) of (\S+) left in \w+(?:: | \()(\S+?%)", churn_counts(facts))
        text.compare(r"\((\S+) to (\S+%)\), (?:which may be|more than)", lambda match: (
            {one[:-1] for one in percent(row["low"])}, percent(row["high"])))
        before = row["before_same_age"]
        if before:
            text.compare(r"explains after \w+’s (\S+%)|be chance after \w+’s (\S+%)", lambda match: (
                percent(before) if match[1] else None, percent(before) if match[2] else None))
            text.compare(r"stood at (\S+%) at this age and is at (\S+%) now", lambda match: (
                percent(before), percent(row["before"])))
        shown = [one for one in facts.rows("churn", source=row["source"])
                 if one["churn_rate"] and one["state"] != "partial"
                 and earlier(facts.month, 24) < one["month"] <= facts.month]
        rates = [Fraction(one["churn_rate"]) for one in shown]
        words = {NUMBERS[len(rates)] if len(rates) < len(NUMBERS) else str(len(rates))}
        place = "highest" if Fraction(row["value"]) == max(rates, default=0) else "lowest"
        text.compare(r"the (highest|lowest) of (\w+) months", lambda match: ({place}, words))
    renewals = of_rate(facts, "renewal_rate")
    if renewals:
        row, now, _ = renewals
        pattern = r"(\S+) of (\S+) due(?: were renewed)?, (\S+?%)(?: \((\S+%) in \w+(?: at this age)?\))?"
        text.compare(pattern, lambda match: (
            count(now[0]), count(now[1]), percent(Fraction(*now)),
            percent(row["before_same_age"]) if row["before_same_age"] else set()))


def retention(text, facts):
    # The headline source where 30 are at risk after the first payment, else the first other one.
    sizes = {row["source"]: int(row["at_risk"]) for row in facts.table("retention") if row["k"] == "1"}
    others = [source for source in ("subscribers", "receipts", "events") if source in sizes]
    source = facts.source if sizes.get(facts.source, 0) >= 30 else others[0] if others else ""
    found = re.search(r"who began an? (\S+) plan", text.text)
    if found:
        rows = [row for row in facts.rows("retention-by-duration", source=source)
                if row["duration"] in DURATIONS.get(found[1], [found[1]])]
    else:
        rows = facts.rows("retention", source=source)

    def share(match):
        own = [row for row in rows if row["k"] == PAYMENTS[match[2]] and row["survival"] and int(row["at_risk"]) >= 30]
        return ({one for row in own for one in fixed(Fraction(row["survival"]) * 100, 0, Fraction(1, 20_000))}, None)

    text.compare(r"(\d+)(?: stay)? after the (first|third|sixth|twelfth)", share)


def trials(text, facts):
    decided, so_far = of_rate(facts, "conversion_rate"), facts.head("conversion_rate_so_far")
    if decided:
        row, now, _ = decided
        text.compare(
            r"Of the (\S+) trials? begun in (\w+), the last month that is decided, (\S+) became",
            lambda match: (count(now[1]), {word(row["month"])}, count(now[0])))
    if so_far and so_far["numerator"]:
        own = facts.rows("trials", source=so_far["source"], month=so_far["month"])
        text.compare(r"(\w+) stands at (\S+) of ([\d,]+)(?: with (\S+) undecided)?", lambda match: (
            {word(so_far["month"])}, count(so_far["numerator"]), count(so_far["denominator"]),
            count(own[0]["pending"]) if own else set()))


def refunds(text, facts):
    row = facts.head("refund_rate")
    if not row:
        return

    def settled(match):
        months = [earlier(row["month"], back) for back in range(12)]
        month = next((month for month in months if word(month) == match[2]), row["month"])
        counts = facts.counts("refund_rate", month, row["source"])
        return counts and (count(counts[1]), None, count(counts[0]), percent(Fraction(*counts)))

    text.compare(
        r"Of the (\S+) charges? of (\w+), the last month that is nearly settled, "
        r"(\S+) (?:was|were) refunded \((\S+%)\)",
        settled)
    text.compare(r"(\w+): (\S+) of (\S+) so far", lambda match: (
        {word(row["month"])}, count(row["numerator"]), count(row["denominator"])))


def money(text, facts):
    main = facts.currency()
    row = facts.head("net_proceeds", main)
    if not row or not row["value"]:
        return
    text.compare(r"^([\d,.]+\d) ([A-Z]{3}) (?:so far )?were left", lambda match: (amount(row["value"], main), {main}))
    if row["before"]:
        is_up = Fraction(row["value"]) > Fraction(row["before"])
        text.compare(r", (\S+%) (more|less) than in", lambda match: (
            change(row["value"], row["before"]), {"more" if is_up else "less"}))
        text.compare(r"in ([A-Z]{3})( they fell)? by (\S+%) to ([\d,.]+\d)", lambda match: (
            {main}, set() if is_up else {" they fell"}, change(row["value"], row["before"]), amount(row["value"], main)))
    money_bullet(text, facts)


def settlement(text, facts):
    paid = facts.rows("settlement", line="paid")
    if paid:
        bank = paid[0]["amount_currency"]
        exact = fixed(Fraction(paid[0]["amount"]), 0 if bank in NO_DECIMALS else 2)
        text.compare(r"Period (\S+) is the last verified and paid one: ([\d,.]+\d) ([A-Z]{3}) reached", lambda match: (
            {paid[0]["period"]}, exact, {bank}))
    verdicts = facts.table("verdicts")
    periods = {row["period"] for row in verdicts}
    others = {row["period"] for row in verdicts if row["verdict"] != "reconciled"}
    text.compare(r"(\d+) of (\d+) periods?", lambda match: (count(len(periods - others)), count(len(periods))))
    text.compare(r"(\d+) (?:lacks? (?:Sales|detail|Financial|payments)|cannot be compared)", lambda match: (None,))


def prices(text, facts):
    """How many prices rose where no increase is certain, and how many charges have no price."""
    rises = {(row["product"], row["country"], row["currency"], row["new_price"])
             for row in facts.table("price_changes") if row["class"] in RISES and row["old_price"]
             and Fraction(row["new_price"] or 0) > Fraction(row["old_price"])}
    text.compare(r"certain\. ([\d,]+) prices? rose and may be", lambda match: (count(len(rises)),))
    unpriced = sum(int(row["charges"]) for row in facts.rows("refunds", source="receipts", dating="sale", currency=""))
    text.compare(r"among ([\d,]+) charges? of receipts without a price", lambda match: (count(unpriced),))


def health(text, facts):
    days = {(row["kind"], row["day"]) for row in facts.days()}
    missing = {(row["kind"], row["day"]) for row in facts.days() if row["state"] == "missing" and row["day"]}
    text.compare(r"([\d,]+) of ([\d,]+) daily reports are there", lambda match: (
        count(len(days) - len(missing)), count(len(days))))
    text.compare(r"([\d,]+) of ([\d,]+) daily reports are missing", lambda match: (
        count(len(missing)), count(len(days))))
    text.compare(r"All ([\d,]+) daily reports", lambda match: (count(len(days)) if not missing else set(),))
    # Reports have a period, receipts have none.
    files = [row for row in facts.table("health") if row["path"] and not row["period"]]
    sums = [count(sum(int(row[f"rows_{name}"] or 0) for row in files))
            for name in ("read", "used", "rejected", "ignored")]
    text.compare(r"([\d,]+) rows in ([\d,]+) dumps, ([\d,]+) used, ([\d,]+) rejected, ([\d,]+) left aside",
                 lambda match: [sums[0], None, *sums[1:]])
    text.compare(r"All data are receipts: ([\d,]+) of ([\d,]+) rows?", lambda match: [sums[1], sums[0]])
    for kind, day in missing if 0 < len(missing) < 3 else ():
        texts = {f"{int(day[8:])} {word(day[:7])} {day[:4]}", f"{int(day[8:])} {short(day[:7])}"}
        if not texts & set(re.findall(r"\d+ \w+ \d{4}", text.text)):
            text.problems.append(f"{text.where}: {kind} of {day} is missing, and {text.text!r}")


CLAIMS = {
    "bullets": bullets, "movement": movement, "churn": churn, "retention": retention, "trials": trials,
    "refunds": refunds, "money": money, "prices": prices, "settlement": settlement, "health": health,
}
