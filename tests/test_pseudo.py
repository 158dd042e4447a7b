"""The language that exists only in tests finds what nobody could translate."""

from atreport.text.language import gettext, ngettext
from tests.pseudo import pseudo_language, untold, untold_words


def test_messages_stand_in_brackets() -> None:
    """Otherwise every text would seem to be told."""
    with pseudo_language():
        assert gettext("At most {share} of people", share="5%") == "⟦At most 5% of people⟧"
        assert ngettext(1, "one", "{number} of them") == "⟦one⟧"
        assert ngettext(2000, "one", "{number} of them") == "⟦2,000 of them⟧"
    assert gettext("plain") == "plain"


def test_what_is_no_message_is_found() -> None:
    """In a text, an attribute that is read out, a heading; not in a script, a number, the publisher's own words."""
    page = (
        "<html><head><title>⟦Report on Loans⟧</title><style>b {top: 0}</style><meta name='description' content='About'>"
        "</head><body><h1>Loans</h1><p>⟦Half of <b>them</b> got it⟧: 12.5%</p><p>⟦x⟧ glued</p>"
        "<img alt='a drawing'><td aria-label='⟦told⟧'>yes</td><script>var text</script></body></html>"
    )
    assert untold(page, publisher={"Loans"}) == ["About", "⟦x⟧ glued", "a drawing", "yes"]


def test_brackets_may_stand_in_one_another() -> None:
    """A message fills a place of another; what follows the inner one is still told."""
    assert untold_words("⟦between ⟦5 points⟧ and more⟧") == []
    assert untold_words("⟦between ⟦5 points⟧⟧ and more") == ["and", "more"]
