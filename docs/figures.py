"""Draws the figures of docs/explanation.md: `python docs/figures.py` writes docs/images/*.svg, the same bytes every time."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
INK, MUTED, ACCENT, WARNING = "#1a2b4a", "#667085", "#0b5fa5", "#b3261e"

WOMEN = {"under 100k": 12, "100k to 200k": 5, "over 200k": 3}
"""The women of specs/credit_card.yaml, by income."""

TRUE = (Fraction(0), Fraction(0), Fraction(1))
ANNOUNCED = (Fraction(10, 100), Fraction(2, 100), Fraction(90, 100))
"""The probability of being approved, by income: as it is, and as that report announces it."""

SHARES, PROBABILITIES = (Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 2), Fraction(1, 2))
"""The smallest group for which three terms are not enough."""


def belief(people: Sequence[int], probabilities: Sequence[Fraction]) -> list[Fraction]:
    """How sure of each value somebody is who sees the outcome and believes these probabilities (Bayes' rule)."""
    joint = [count * probability for count, probability in zip(people, probabilities, strict=True)]
    return [each / sum(joint) for each in joint]


def terms(delta: Fraction) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """The four terms of the theorem for the smallest group: two of outcomes, both together, and the population alone."""
    low = [max(Fraction(0), true - 1 + delta) for true in PROBABILITIES]
    high = [min(Fraction(1), true + 1 - delta) for true in PROBABILITIES]
    a = max(share * least for share, least in zip(SHARES, low, strict=True))
    b = max(share * (1 - most) for share, most in zip(SHARES, high, strict=True))
    favourable = sum(min(share * most, a) for share, most in zip(SHARES, high, strict=True))
    other = sum(min(share * (1 - least), b) for share, least in zip(SHARES, low, strict=True))
    return (
        a / favourable if a else a,
        b / other if b else b,
        (a + b) / sum(SHARES),
        max(SHARES) / sum(SHARES),
    )


def belief_figure() -> str:
    """What somebody concludes about a woman with the card: before, from the true rule, from the announced one."""
    people = list(WOMEN.values())
    beliefs = {
        "Before any report": [Fraction(count, sum(people)) for count in people],
        "The true rule is published": belief(people, TRUE),
        "The announced rule is published": belief(people, ANNOUNCED),
    }
    parts = []
    for row, (title, shares) in enumerate(beliefs.items()):
        top = 40 + 110 * row
        parts.append(_text(20, top, title, weight="bold"))
        for place, (value, share) in enumerate(zip(WOMEN, shares, strict=True)):
            y = top + 12 + 24 * place
            colour = WARNING if share == 1 else ACCENT
            parts.append(_text(20, y + 14, value, colour=MUTED))
            parts.append(
                f'<rect x="130" y="{y}" width="{float(share) * 400:.1f}" height="18" fill="{colour}"/>'
            )
            parts.append(_text(138 + float(share) * 400, y + 14, f"{float(share):.1%}"))
    said = (
        "Three rows of bars. Before any report 60, 25 and 15 per cent for the three incomes. From the true rule 100 per "
        "cent for over 200k. From the announced rule 30, 2.5 and 67.5 per cent."
    )
    return _svg(620, 350, "How sure somebody is of the income of a woman who was approved", said, parts)


def terms_figure() -> str:
    """The optimum and the largest of the first three terms along the fidelity, for the smallest counterexample."""
    steps = [Fraction(step, 100) for step in range(60, 101)]
    best = [(delta, max(terms(delta))) for delta in steps]
    three = [(delta, max(terms(delta)[:3])) for delta in steps]
    parts = list(_axes())
    parts.append(_curve(three, WARNING, "6 4"))
    parts.append(_curve(best, ACCENT, ""))
    parts.append(
        _text(_x(Fraction(65, 100)), _y(Fraction(92, 100)), "all four terms: the optimum", colour=ACCENT)
    )
    parts.append(
        _text(_x(Fraction(76, 100)), _y(Fraction(62, 100)), "the first three terms only", colour=WARNING)
    )
    said = "The optimum stays at 0.9 for every fidelity. The first three terms fall below it, to 0.857 at delta 0.9."
    return _svg(620, 350, "Two values of 90 and 10 per cent, both decided by a coin", said, parts)


def _x(delta: Fraction) -> float:
    return 70 + float(delta - Fraction(6, 10)) * 1300


def _y(beta: Fraction) -> float:
    return 300 - float(beta) * 260


def _axes() -> Iterator[str]:
    for step in range(0, 11, 2):
        beta = Fraction(step, 10)
        yield f'<line x1="70" x2="590" y1="{_y(beta):.1f}" y2="{_y(beta):.1f}" stroke="#d0d5dd"/>'
        yield _text(40, _y(beta) + 4, f"{float(beta):.1f}", colour=MUTED)
    for step in range(6, 11):
        delta = Fraction(step, 10)
        yield _text(_x(delta) - 10, 318, f"{float(delta):.1f}", colour=MUTED)
    yield _text(20, 28, "β", colour=MUTED)
    yield _text(300, 340, "fidelity δ", colour=MUTED)


def _curve(points: Sequence[tuple[Fraction, Fraction]], colour: str, dashes: str) -> str:
    places = " ".join(f"{_x(delta):.1f},{_y(beta):.1f}" for delta, beta in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2.5"{dashed}/>'


def _text(x: float, y: float, words: str, colour: str = INK, weight: str = "normal") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-weight="{weight}">{words}</text>'


def _svg(width: int, height: int, title: str, said: str, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="14">\n<title>{title}</title>\n<desc>{said}</desc>\n'
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n'
    )


FIGURES = {"belief.svg": belief_figure, "terms.svg": terms_figure}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (IMAGES / name).write_text(draw(), encoding="utf-8")
