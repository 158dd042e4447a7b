"""Tables: one type for the page, the terminal and JSON."""

from collections.abc import Sequence

import numpy as np
import pytest

from atreport.cli.show import show_table
from atreport.text.tables import (
    ANNEX,
    TERMINAL,
    Cell,
    Column,
    Space,
    Table,
    Written,
    extremes,
    make_long_table,
    make_table,
    tabulate,
)

RECORDS = [
    {"group": "women", "beta": 0.675, "more": "not shown"},
    {"group": "men of a certain age", "beta": 0.5},
]


def _example() -> Table:
    return tabulate(
        "groups",
        "What each group gives away",
        [
            (Column("Group", names_row=True), lambda row: row["group"]),
            (Column("Confidence of an observer", numeric=True), lambda row: f"{row['beta']:.2%}"),
            (Column("Enough"), lambda row: Cell("Yes", "good") if row["beta"] < 0.6 else Cell("No", "bad")),
        ],
        RECORDS,
        "2 of 9 are shown.",
    )


def test_rows_and_records_come_from_the_same_data() -> None:
    """JSON has the records with all their keys, and each row is written from one of them."""
    made = _example()
    assert list(made.records) == RECORDS
    assert [[cell.text for cell in row] for row in made.rows] == [
        ["women", "67.50%", "No"],
        ["men of a certain age", "50.00%", "Yes"],
    ]


@pytest.mark.parametrize("columns", [30, 45, 200])
def test_a_terminal_shows_every_entry_and_breaks_no_figure(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Caption, headings, figures and what is left out; narrow terminals wrap words only."""
    monkeypatch.setenv("COLUMNS", str(columns))
    show_table(_example())
    shown = capsys.readouterr().out
    words = shown.split()
    for word in (
        "Group",
        "Confidence",
        "observer",
        "women",
        "certain",
        "67.50%",
        "50.00%",
        "Enough",
        "Yes",
        "No",
    ):
        assert word in words, shown
    assert " ".join(words).startswith("What each group gives away")
    assert " ".join(words).endswith("2 of 9 are shown.")


@pytest.mark.parametrize("space", [ANNEX, TERMINAL])
def test_long_lists_are_cut_to_their_largest(space: Space) -> None:
    """All items in their own order where they fit; else the largest, equal ones in the order of the list."""
    few = list(range(space.whole))
    assert space.choose(few, lambda item: -item) == few
    many = [5, 3, 5] + [1] * space.whole
    assert space.choose(many, float)[:4] == [5, 5, 3, 1]
    assert len(space.choose(many, float)) == space.cut


def test_text_alone_has_no_records() -> None:
    """A table made of text is shown, and gives a program nothing."""
    assert make_table("a", "A", [Column("x")], [["1"]]).records == ()


def test_what_all_rows_share_is_said_once() -> None:
    """A column with the same entry in every row moves into the caption; one row alone, or another entry, keeps it."""
    columns = [Column("Measure", said_once=True), Column("Group"), Column("Verdict", said_once=True)]
    rows: list[list[str | Cell]] = [
        ["Parity", "women", Cell("Meets", "good")],
        ["Parity", "men", Cell("Fails", "bad")],
    ]
    made = make_table("a", "A", columns, rows)
    assert made.caption == "A · Measure: Parity"
    assert [column.heading for column in made.columns] == ["Group", "Verdict"]
    assert [[cell.text for cell in row] for row in made.rows] == [["women", "Meets"], ["men", "Fails"]]
    assert len(make_table("a", "A", columns, rows[:1]).columns) == 3
    assert make_table("a", "A", columns, []).caption == "A"


def test_what_a_long_table_leaves_out_is_folded_away() -> None:
    """Every row is either shown or folded away, none twice; of too many, a page would be too heavy."""

    def write(rows: Sequence[int]) -> Written:
        return [Column("Row", names_row=True)], [[str(row)] for row in rows]

    cut = extremes(np.arange(70))
    made = make_long_table("a", "A", cut, write, "The rest is elsewhere.")
    assert made.left_out
    assert made.folded
    assert (made.folded.id, made.folded.caption) == ("a-rest", "A: the other rows")
    shown, folded = ([row[0].text for row in table.rows] for table in (made, made.folded))
    assert sorted(shown + folded, key=int) == [str(row) for row in range(70)]
    whole = make_long_table("a", "A", extremes(np.arange(60)), write, "The rest is elsewhere.")
    assert (whole.left_out, whole.folded) == ("", None)
    assert make_long_table("a", "A", extremes(np.arange(731)), write, "Elsewhere.").folded is None


def test_what_is_left_out_is_told() -> None:
    """A cut table says how many of how many it shows, a whole one nothing."""
    cut = extremes(np.arange(70), both_ends=False)
    assert cut.explained("{shown} of {total} {what}.", what="cells") == "30 of 70 cells."
    assert extremes(np.arange(60)).explained("{shown} of {total}.") == ""
    assert len(extremes(np.arange(31), both_ends=False, whole=30).rows) == 30
