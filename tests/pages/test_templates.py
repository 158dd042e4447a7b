"""What templates do with the words they are given."""

from markupsafe import Markup

from atreport.pages import layout


def test_very_long_words_of_tables_may_break() -> None:
    """A label of a hundred letters without a blank ran off the printed page, and the check of the PDF called it hidden text."""
    assert layout._breakable("Annual income <100k") == "Annual income <100k"
    broken = layout._breakable("x " + "W" * 30)
    assert str(broken).count("<wbr>") == 3
    assert Markup(str(broken)).striptags() == "x " + "W" * 30
    assert "<b>" not in str(layout._breakable("<b>" + "W" * 30))
