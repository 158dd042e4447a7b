"""The table of measures says what people of unknown group could change."""

from tests.documents import make_report
from tests.example import example_spec
from tests.measures.test_unknowns import UNKNOWN_INCOME


def test_the_table_of_measures_shows_what_the_unknown_could_change() -> None:
    """A column of its own."""
    report = make_report(example_spec(*UNKNOWN_INCOME))
    assert report.context.measures is not None
    assert "Announced, whoever the unknown are" in [
        column.heading for column in report.context.measures.columns
    ]
