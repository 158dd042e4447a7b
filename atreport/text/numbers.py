"""How numbers are written for readers: the only place where a figure becomes text, in the language that is spoken."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

from atreport.text.language import (
    count,
    get_locale,
    gettext,
    load_cldr,
    ngettext,
    signed_as_spoken,
    with_percent,
)

MINUS = "\N{MINUS SIGN}"


def digits(number: Decimal) -> str:
    """All printed digits of a figure."""
    return signed_as_spoken(f"{number:f}")


def figure(number: Decimal | None) -> str:
    """A figure with all its printed decimals, such as 0.6750."""
    return gettext("unbounded") if number is None else digits(number)


def short(number: Decimal) -> str:
    """A figure without trailing zeros, such as 0.675."""
    return signed_as_spoken(_without_zeros(number))


def _without_zeros(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(number: Decimal) -> str:
    """A share in percent, exactly as many digits as the figure carries: 0.6750 is 67.5%."""
    return with_percent(short(number.scaleb(2)))


def points(number: Decimal) -> str:
    """A difference between two shares, in percentage points."""
    amount = number.scaleb(2)
    return ngettext(
        _for_plural(amount), "{amount} percentage point", "{amount} percentage points", amount=short(amount)
    )


def few_points(number: Decimal) -> str:
    """The same in short: 16.5 points."""
    amount = number.scaleb(2)
    return ngettext(_for_plural(amount), "{amount} point", "{amount} points", amount=short(amount))


def _for_plural(amount: Decimal) -> int:
    """The whole number whose plural an amount takes: itself, or that of many for a fraction, as in 0.5 points."""
    return int(amount) if amount == int(amount) else 2


def factor(number: Decimal) -> str:
    """How many times something is, without trailing zeros, thousands set apart: 2,025 or 1.9."""
    return signed_as_spoken(f"{Decimal(_without_zeros(number)):,f}")


def out_of(*rates: Decimal) -> tuple[str, list[str]]:
    """Rates as so many out of 100; of 1,000 and so on where the smallest above 0 would be less than one: 5.3 of 1,000."""
    smallest = min((rate for rate in rates if rate > 0), default=Decimal(1))
    places = max(2, -smallest.adjusted())
    return count(10**places), [factor(rate.scaleb(places)) for rate in rates]


def points_between(low: Decimal, high: Decimal) -> str:
    """An interval of differences in a sentence: between 18 and 26 points; exactly 20 points."""
    if low == high:
        return gettext("exactly {amount}", amount=few_points(high))
    return gettext("between {low} and {high}", low=short(low.scaleb(2)), high=few_points(high))


def interval(low: Decimal, high: Decimal) -> str:
    """An interval of figures, such as 0.1800 to 0.5000."""
    return gettext("{low} to {high}", low=digits(low), high=digits(high))


def counted(number: int, one: str, many: str | None = None) -> str:
    """A whole number and the thing counted, in English: 1 group, 2 groups. For the annex and the command line.

    What is published says `ngettext` of :mod:`atreport.text.language`, with the whole sentence.
    """
    return f"{count(number)} {one if number == 1 else many or one + 's'}"


def full_percent(number: Decimal | None) -> str:
    """A share in percent with every printed digit, so that a column lines up: 0.6750 is 67.50%."""
    return gettext("unbounded") if number is None else with_percent(digits(number.scaleb(2)))


def full_points(number: Decimal | None) -> str:
    """A difference in percentage points with every printed digit: 0.1650 is 16.50 points."""
    return (
        gettext("unbounded")
        if number is None
        else gettext("{amount} points", amount=digits(number.scaleb(2)))
    )


def full_percent_interval(low: Decimal, high: Decimal) -> str:
    """An interval in percent with every printed digit, the unit once: 18.00 to 50.00%."""
    return gettext("{low} to {high}", low=digits(low.scaleb(2)), high=with_percent(digits(high.scaleb(2))))


def full_points_interval(low: Decimal, high: Decimal) -> str:
    """An interval in percentage points with every printed digit, the unit once: 18.00 to 50.00 points."""
    return gettext("{low} to {high} points", low=digits(low.scaleb(2)), high=digits(high.scaleb(2)))


def hundredths(number: Decimal) -> str:
    """A share or difference in hundredths, the unit of which a heading names: 0.1240 is 12.40."""
    return digits(number.scaleb(2))


def hundredths_interval(low: Decimal, high: Decimal) -> str:
    """An interval in hundredths, the unit of which stands beside it: 18.00 to 50.00."""
    return gettext("{low} to {high}", low=hundredths(low), high=hundredths(high))


def signed(number: Decimal) -> str:
    """A figure that adds or takes away, with its sign: +0.1240, −0.0475, 0.0000."""
    text = digits(abs(number))
    return text if not number else f"{'+' if number > 0 else MINUS}{text}"


def signed_hundredths(number: Decimal) -> str:
    """What is added or taken away, in percentage points that a heading names: 0.0475 less is −4.75."""
    return signed(number.scaleb(2))


def signed_points(number: Decimal) -> str:
    """A difference in percentage points with its sign and every printed digit: 0.0475 less is −4.75 points."""
    return gettext("{amount} points", amount=signed(number.scaleb(2)))


def signed_points_interval(low: Decimal, high: Decimal) -> str:
    """An interval of the same, the unit once: −13.75 to +5.25 points."""
    return gettext("{low} to {high} points", low=signed(low.scaleb(2)), high=signed(high.scaleb(2)))


def signed_hundredths_interval(low: Decimal, high: Decimal) -> str:
    """An interval of the same: −13.75 to +5.25."""
    return gettext("{low} to {high}", low=signed(low.scaleb(2)), high=signed(high.scaleb(2)))


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
    """A date in words: 15 January 2026, whatever the locale of the machine."""
    if get_locale() != "en":
        written: str = load_cldr().date_in_words(day, get_locale())
        # CLDR has no ordinals, and in French the first of a month is always one.
        return written.replace("1 ", "1er ", 1) if get_locale() == "fr" and day.day == 1 else written
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


# How an exact number becomes a printed one: to the nearest step, or to the safe side.


def nearest(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the nearest printed step, halves to even."""
    whole, rest = divmod(number.numerator * 10**decimals, number.denominator)
    up = 2 * rest > number.denominator or (2 * rest == number.denominator and whole % 2)
    return Decimal(whole + bool(up)).scaleb(-decimals)


def rounded_down(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or below."""
    return Decimal(number.numerator * 10**decimals // number.denominator).scaleb(-decimals)


def rounded_up(number: Fraction, decimals: int) -> Decimal:
    """Rounded to the printed step at or above."""
    return Decimal(-(-number.numerator * 10**decimals // number.denominator)).scaleb(-decimals)


def shortest_decimal(number: float) -> Fraction:
    """The fraction that the shortest decimal naming this double stands for."""
    return Fraction(Decimal(repr(float(number))))
