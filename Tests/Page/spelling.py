"""How the page writes the numbers and months of the CSV files, worked out anew from their digits."""

import math
import re
from fractions import Fraction

MONTHS = """January February March April May June July August September October November December""".split()
NO_DECIMALS = set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
THREE_DECIMALS = set("BHD IQD JOD KWD LYD OMR TND".split())
Z = 1.959963984540054


def fixed(value, decimals, slack=Fraction(0)):
    """Returns how a number may be written; more than one text where its digits in the CSV allow two."""
    texts = set()
    for number in {value - slack, value, value + slack}:
        whole = round(number * 10 ** decimals)
        texts.add(("\u2212" if whole < 0 else "") + grouped(abs(whole), decimals))
    return texts


def grouped(digits, decimals):
    """Returns an integer with its last digits behind a point, such as 1234 with two as `12.34`."""
    whole, part = divmod(digits, 10 ** decimals)
    return f"{whole:,}" + (f".{part:0{decimals}}" if decimals else "")


def count(number):
    return fixed(Fraction(number), 0)


def signed(number):
    return {("+" if Fraction(number) > 0 else "") + text for text in count(number)}


def percent(text):
    """A share of the CSV, which has six decimals, or an exact fraction."""
    slack = Fraction(0) if isinstance(text, Fraction) else Fraction(1, 2_000_000)
    return {number + "%" for number in fixed(Fraction(text) * 100, 1, slack * 100)}


def points(text, slack=Fraction(1, 1_000_000)):
    return fixed(abs(Fraction(text)) * 100, 1, slack * 100)


def amount(text, currency):
    """An amount: from 1,000 on without decimals."""
    value = Fraction(text)
    usual = 0 if currency in NO_DECIMALS else 3 if currency in THREE_DECIMALS else 2
    return fixed(value, 0 if abs(value) >= 1000 else usual)


def signed_amount(text, currency):
    return {("+" if Fraction(text) > 0 else "") + number for number in amount(text, currency)}


def change(now, before):
    """How far an amount is from an earlier one in percent; nothing where that is not above 0."""
    now, before = Fraction(now), Fraction(before)
    return {text + "%" for text in fixed(abs(now - before) / before * 100, 1)} if before > 0 else set()


def sign(now, before):
    return "▲" if Fraction(now) > Fraction(before) else "▼"


def earlier(month, months=1):
    year, number = divmod(int(month[:4]) * 12 + int(month[5:]) - 1 - months, 12)
    return f"{year}-{number + 1:02}"


def word(month):
    return MONTHS[int(month[5:]) - 1]


def short(month):
    return f"{word(month)[:3]} {month[:4]}"


def wilson(above, below):
    """The interval of a rate."""
    share, weight = above / below, Z * Z / below
    centre = (share + weight / 2) / (1 + weight)
    half = Z * math.sqrt(share * (1 - share) / below + weight / below / 4) / (1 + weight)
    return centre - half, centre + half


def may_be_chance(now, then):
    """Whether Newcombe's interval of the difference of two rates holds 0."""
    (one, other) = (now[0] / now[1], then[0] / then[1])
    (low, high), (other_low, other_high) = wilson(*now), wilson(*then)
    difference = one - other
    return (difference - math.hypot(one - low, other_high - other) <= 0
            <= difference + math.hypot(high - one, other - other_low))


def visible(text):
    """Returns a name as a page shows it: with characters that are not seen as their numbers."""
    return re.sub(
        "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]",
        lambda mark: "\\u{%X}" % ord(mark.group()), text)
