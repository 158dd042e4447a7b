"""The manual page names all that the command line has, and nothing in it is taken for a command to the typesetter."""

import re

from atreport.cli import COMMANDS, load_command
from tools.man_page import PAGE, man_page

KNOWN_REQUESTS = {"TH", "SH", "SS", "TP", "B", "I"}


def test_the_page_names_every_command_and_option() -> None:
    """A command or an option that users could not find in the manual."""
    page = man_page().replace("\\-", "-")
    for name in COMMANDS:
        assert f'.SS "atreport {name}' in page
        for each in load_command(name).params:
            assert all(option in page for option in each.opts if option.startswith("-")), (name, each.name)


def test_only_known_requests_begin_a_line() -> None:
    """A help text that begins with a dot or an apostrophe would vanish from the page."""
    requests = re.findall(r"^[.'](\w*)", man_page(), re.M)
    assert set(requests) <= KNOWN_REQUESTS


def test_the_page_that_wheels_carry_is_up_to_date() -> None:
    """`man atreport` would not know an option. `make man` writes the page again."""
    assert PAGE.read_text(encoding="utf-8") == man_page()
