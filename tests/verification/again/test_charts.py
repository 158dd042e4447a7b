"""Charts drawn by other versions of a library: what may differ, and what is a finding."""

from __future__ import annotations

import pytest

from atreport.verification.again.charts import _are_marks, _Frame, _off, _tokens, compare_charts
from atreport.verification.again.page import _pieces, first_difference

FRAME = '<path d="M 10 20 L 110 20 L 110 70 L 10 70 z" style="fill: none" />'
CHART = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 120 80"><title id="t">Rates</title>'
    '<defs><clipPath id="c"><rect x="10" y="20" width="100" height="50" /></clipPath></defs>'
    f"<g>{FRAME}"
    '<path d="M 20 30 L 60 40" clip-path="url(#c)" style="stroke: #123456" /></g>'
    '<text x="5" y="75" style="font-size: 9px">Women</text></svg>'
)


def compared(*edits: tuple[str, str]) -> tuple[str | None, bool]:
    """The chart with some texts replaced beside itself: what is found, and whether every mark was compared."""
    found = CHART
    for old, new in edits:
        assert old in found
        found = found.replace(old, new)
    outcome = compare_charts(found, CHART)
    return outcome.finding, outcome.compared


def test_a_chart_drawn_alike_is_no_finding() -> None:
    """To the letter, with a hair's breadth between, or with other names for its parts."""
    assert compared() == (None, True)
    assert compared(("L 60 40", "L 60.4 39.8")) == (None, True)
    assert compared(('id="c"', 'id="d"'), ("url(#c)", "url(#d)")) == (None, True)


def test_a_mark_off_its_place_is_a_finding() -> None:
    """Clipped by the frame, so it shows a figure; a clip that is moved hides marks."""
    assert compared(("L 60 40", "L 60 45"))[0] == "has a mark 5 points off its place"
    assert compared(("L 60 40", "L 63 40"))[0] == "has a mark 3 points off its place"
    assert (
        compared(('x="10" y="20" width="100"', 'x="10" y="20" width="90"'))[0]
        == "has a mark 10 points off its place"
    )
    assert compared(('x="10" y="20" width="100"', 'x="10" y="20" width="103"')) == (None, False)


def test_a_chart_in_another_style_is_a_finding() -> None:
    """A line in another colour, a clip that is none of its own; in another order, a style is the same."""
    another = "is drawn in another way than the figures give"
    assert compared(("stroke: #123456", "stroke: #654321"))[0] == another
    assert compared(("font-size: 9px", "font-size: 90px"))[0] == another
    assert compared(('clip-path="url(#c)"', 'clip-path="url(#t)"'))[0] == another
    both = "stroke: #123456; fill: none", "fill: none; stroke: #123456"
    found, made = (CHART.replace("stroke: #123456", style) for style in both)
    assert compare_charts(found, made).finding is None


def test_a_label_off_its_place_is_not_compared_and_no_finding() -> None:
    """Libraries set labels differently; what it says is compared."""
    assert compared(('y="75"', 'y="78"')) == (None, False)
    assert compared(("Women", "Men"))[0] == "says “Men”"


def test_marks_are_taken_relative_to_the_frame_of_their_plot() -> None:
    """A frame that is a few points narrower moves its marks along; one that is far off moves nothing."""
    wider = FRAME.replace("110", "112").replace("70", "72")
    along = "M 20.2 30.2 L 61 40.4"
    assert compared((FRAME, wider), ("M 20 30 L 60 40", along)) == (None, True)
    assert (
        compared((FRAME, wider), ("M 20 30 L 60 40", "M 23 30 L 63 40"))[0]
        == "has a mark 3 points off its place"
    )
    far = FRAME.replace("110", "150")
    assert (
        compared((FRAME, far), ("M 20 30 L 60 40", "M 24 30 L 80 40"))[0]
        == "has a mark 20 points off its place"
    )


def test_frames_map_coordinates_by_direction() -> None:
    """Even places are x, odd ones y; too few numbers, another number of them, or no width give no frame."""
    frame = _Frame.between("M 0 0 L 104 0 L 104 52 L 0 52", "M 2 1 L 102 1 L 102 51 L 2 51")
    assert frame is not None
    assert frame.moved(104, 0) == pytest.approx(102)
    assert frame.moved(52, 1) == pytest.approx(51)
    assert frame.moved(52, 0) == pytest.approx(52)
    assert frame.moved(0, 2) == pytest.approx(2)
    assert frame.moved(0, 3) == pytest.approx(1)
    assert _Frame.between("M 0 0", "M 0 0") is None
    assert _Frame.between("M 0 0 L 1 1 L 2 2", "M 0 0 L 1 1") is None
    assert _Frame.between("M 0 0 L 0 9", "M 0 0 L 0 9") is None
    assert _Frame.between("M 0 0 L 104.1 5", "M 0 0 L 100 5") is None
    assert _Frame.between("M 0 0 L 4 3", "M 0 0 L 4 3") == _Frame.same()


def test_a_y_is_moved_as_a_y() -> None:
    """A lone coordinate has its direction from its name; in a path, directions alternate."""
    frame = _Frame((1.0, 0.0), (1.0, 3.0))
    assert _off({"y": "7"}, {"y": "10"}, frame) == 0.0
    assert _off({"x": "7"}, {"x": "10"}, frame) == 3.0
    assert _off({"d": "M 7 7"}, {"d": "M 7 10"}, frame) == 0.0
    assert _off({"d": "M 7 7"}, {"d": "L 7 7"}, frame) is None
    assert _off({"width": "7"}, {"width": "10"}, frame) == 3.0


def test_what_is_clipped_shows_a_figure() -> None:
    """The clip itself, whatever refers to one, and all inside either."""
    tokens = list(
        _tokens('<svg><g clip-path="url(#c)"><path d="M 0 0" /></g><g><path d="M 1 1" /></g></svg>')
    )
    named = [(t.kind + t.name, mark) for t, mark in zip(tokens, _are_marks(tokens), strict=True)]
    assert named == [
        ("<svg", False), ("<g", True), ("<path", True), ("/path", True), ("/g", False),
        ("<g", False), ("<path", False), ("/path", False), ("/g", False), ("/svg", False),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "edit",
    [
        ("<title", "<script></script><title"),
        ("<title", '<image href="x" /><title'),
        ("</svg>", "<svg></svg></svg>"),
        ("<g>", '<g onload="x">'),
        ("url(#c)", "url(http://x)"),
        ("stroke: #123456", "fill: url(#c)"),
        ("stroke: #123456", "display: none"),
        ("<text", "<!-- x --><text"),
    ],
)
def test_anything_foreign_is_a_finding(edit: tuple[str, str]) -> None:
    """Another element, attribute, style, address, drawing or comment."""
    assert compared(edit)[0] is not None


def test_a_drawing_begins_with_its_own_tag() -> None:
    """The first tag is read, texts are read whole, and another form is not compared mark by mark."""
    words = [token.name for token in _tokens("<svg>some words<g /> more</svg>") if not token.kind]
    assert words == ["some words", "more"]
    assert compared(('<g><path d="M 10', '<g></g><g><path d="M 10')) == (None, False)


def test_the_first_difference_is_shown_with_what_stands_before_it() -> None:
    """Thirty characters before and what follows, or that there are more or fewer lines."""
    line = "a" * 50 + "X" + "b" * 60
    said = first_difference("f", ["same", line], ["same", line.replace("X", "Y")])
    assert said == f"f: says “{'a' * 30}X{'b' * 39}” where the figures give “{'a' * 30}Y{'b' * 39}”"
    assert first_difference("f", ["ab"], ["abc"]) == "f: says “ab” where the figures give “abc”"
    assert first_difference("f", ["a", "b"], ["a"]) == "f: has more lines than the figures give"
    assert first_difference("f", ["a"], ["a", "b"]) == "f: has fewer lines than the figures give"


def test_a_page_is_cut_at_its_charts() -> None:
    """Every letter is in a piece or a hole, in order."""
    page = f"<p>one</p>{CHART}<p>two</p>{CHART}<p>three</p>"
    assert list(_pieces(page)) == [("<p>one</p>", CHART), ("<p>two</p>", CHART), ("<p>three</p>", "")]
    assert list(_pieces("plain")) == [("plain", "")]
