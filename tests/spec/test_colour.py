"""Colours that a publisher may choose: is the contrast that of WCAG, and does the nearest colour pass?"""

import colorsys
import random

import pytest

from atreport.spec.style import (
    LEAST_CONTRAST,
    accent_grounds,
    band_texts,
    contrast,
    least_contrast,
    nearest_readable,
    page_colours,
)


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#777777", "#ffffff", 4.478),
        ("#767676", "#ffffff", 4.542),
        ("#7a1f5c", "#7a1f5c", 1.0),
    ],
)
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    """Broken: colours would be refused or let through by another measure than the standard's."""
    assert contrast(one, other) == pytest.approx(ratio, abs=0.001)
    assert contrast(other, one) == contrast(one, other)


def test_the_nearest_colour_passes_and_keeps_its_hue() -> None:
    """Broken: the colour that an error message offers would be refused again, or be another hue."""
    rng = random.Random(21)
    for _ in range(300):
        colour = f"#{rng.randrange(1 << 24):06x}"
        for grounds in (accent_grounds(dark=False), accent_grounds(dark=True), band_texts()):
            found = nearest_readable(colour, grounds)
            assert least_contrast(found, grounds) >= LEAST_CONTRAST
            hues = [
                colorsys.rgb_to_hls(*(int(each[i : i + 2], 16) / 255 for i in (1, 3, 5)))
                for each in (colour, found)
            ]
            if min(hue[2] for hue in hues) > 0.5 and all(0.2 < hue[1] < 0.8 for hue in hues):
                assert abs((hues[0][0] - hues[1][0] + 0.5) % 1 - 0.5) < 0.02


def test_the_colours_of_every_report_pass_too() -> None:
    """Broken: a publisher would be held to more than the reports themselves."""
    for dark in (False, True):
        assert least_contrast(page_colours(dark=dark)["accent"], accent_grounds(dark=dark)) >= LEAST_CONTRAST
    assert least_contrast(page_colours(dark=False)["navy"], band_texts()) >= LEAST_CONTRAST
