"""How the page writes the numbers of a CSV file, worked out anew from the CSV's digits.

A CSV rounds rates to six decimals; where that leaves a tie, both neighbours are right.
"""

import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_UP, Decimal, InvalidOperation

NO_DECIMALS = set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split())
THREE_DECIMALS = set("BHD IQD JOD KWD LYD OMR TND".split())


def percentages(number):
    """Returns how a fraction of 1 may be written as a percentage."""
    value = Decimal(number) * 100
    rounded = {value.quantize(Decimal("0.01"), ROUND_HALF_EVEN)}
    if abs(value * 1000) % 10 == 5:
        rounded |= {value.quantize(Decimal("0.01"), mode) for mode in (ROUND_DOWN, ROUND_UP)}
    return {f"{number + 0:,}%" for number in rounded}


def amounts(number, currency):
    """Returns how an amount is written: with its currency's decimals; in tables with more where it has a smaller part."""
    value = Decimal(number)
    usual = 0 if currency in NO_DECIMALS else 3 if currency in THREE_DECIMALS else 2
    decimals = usual
    while decimals < 3 and value % Decimal(1).scaleb(-decimals):
        decimals += 1
    rounded = value.quantize(Decimal(1).scaleb(-usual), ROUND_HALF_EVEN)
    return {f"{value:,.{decimals}f}", f"{rounded + 0:,.{usual}f}"}


def spellings(text, shown, currency):
    """Returns the texts that a cell of the CSV may have on the page, where it is shown as `shown`."""
    try:
        Decimal(text)
    except InvalidOperation:
        return {text}
    if shown.endswith("%"):
        return percentages(text)
    if re.fullmatch(r"-?[0-9]+", text):
        return {text, f"{int(text):,}"}
    return amounts(text, currency)


def matches(shown, text, currency=""):
    """Whether a cell on the page may be a cell of the CSV. An identifier or a year may have no comma."""
    return shown in spellings(text, shown, currency)
