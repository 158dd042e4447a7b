"""How numbers are written for readers: the only place where a figure becomes text."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

TIMES = "\N{MULTIPLICATION SIGN}"
NARROW_SPACE = "\N{NARROW NO-BREAK SPACE}"
EN_DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"


def figure(number: Decimal | None) -> str:
    """A figure with all its printed decimals, such as 0.6750."""
    return "unbounded" if number is None else f"{number:f}"


def short(number: Decimal) -> str:
    """A figure without trailing zeros, such as 0.675."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(number: Decimal) -> str:
    """A share in percent, exactly as many digits as the figure carries: 0.6750 is 67.5%."""
    return f"{short(number.scaleb(2))}%"


def points(number: Decimal) -> str:
    """A difference between two shares, in percentage points."""
    amount = short(number.scaleb(2))
    return f"{amount} percentage point" + ("" if amount == "1" else "s")


def factor(number: Decimal) -> str:
    """How many times something is, without trailing zeros, thousands set apart: 2,025 or 1.9."""
    return f"{Decimal(short(number)):,f}"


def out_of(*rates: Decimal) -> tuple[str, list[str]]:
    """Rates as so many out of 100; of 1,000 and so on where the smallest above 0 would be less than one: 5.3 of 1,000."""
    smallest = min((rate for rate in rates if rate > 0), default=Decimal(1))
    digits = max(2, -smallest.adjusted())
    return count(10**digits), [factor(rate.scaleb(digits)) for rate in rates]


def points_between(low: Decimal, high: Decimal) -> str:
    """An interval of differences in a sentence: between 18 and 26 points; exactly 20 points."""
    if low == high:
        return f"exactly {_points(high)}"
    return f"between {short(low.scaleb(2))} and {_points(high)}"


def _points(number: Decimal) -> str:
    amount = short(number.scaleb(2))
    return f"{amount} point" + ("" if amount == "1" else "s")


def interval(low: Decimal, high: Decimal) -> str:
    """An interval of figures, such as 0.1800 to 0.5000."""
    return f"{figure(low)} to {figure(high)}"


def percent_interval(low: Decimal, high: Decimal) -> str:
    """An interval in percent, such as 18% to 50%."""
    return f"{percent(low)} to {percent(high)}"


def count(number: int) -> str:
    """A whole number with thousands set apart by commas."""
    return f"{number:,}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A whole number and the thing counted: 1 group, 2 groups."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def full_percent(number: Decimal | None) -> str:
    """A share in percent with every printed digit, so that a column lines up: 0.6750 is 67.50%."""
    return "unbounded" if number is None else f"{number.scaleb(2):f}%"


def full_points(number: Decimal | None) -> str:
    """A difference in percentage points with every printed digit: 0.1650 is 16.50 points."""
    return "unbounded" if number is None else f"{number.scaleb(2):f} points"


def full_percent_interval(low: Decimal, high: Decimal) -> str:
    """An interval in percent with every printed digit, the unit once: 18.00 to 50.00%."""
    return f"{low.scaleb(2):f} to {high.scaleb(2):f}%"


def full_points_interval(low: Decimal, high: Decimal) -> str:
    """An interval in percentage points with every printed digit, the unit once: 18.00 to 50.00 points."""
    return f"{low.scaleb(2):f} to {high.scaleb(2):f} points"


def hundredths(number: Decimal) -> str:
    """A share or difference in hundredths, the unit of which a heading names: 0.1240 is 12.40."""
    return f"{number.scaleb(2):f}"


def signed(number: Decimal) -> str:
    """A figure that adds or takes away, with its sign: +0.1240, −0.0475, 0.0000."""
    text = f"{abs(number):f}"
    return text if not number else f"{'+' if number > 0 else MINUS}{text}"


def signed_hundredths(number: Decimal) -> str:
    """What is added or taken away, in percentage points that a heading names: 0.0475 less is −4.75."""
    return signed(number.scaleb(2))


def signed_hundredths_interval(low: Decimal, high: Decimal) -> str:
    """An interval of the same: −13.75 to +5.25."""
    return f"{signed(low.scaleb(2))} to {signed(high.scaleb(2))}"


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def long_date(day: dt.date) -> str:
    """A date in words, the same in every locale: 15 January 2026."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"
