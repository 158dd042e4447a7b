"""The manual page, made from the command line itself, so that it cannot fall behind it.

python -m tools.man_page     writes docs/atreport.1, which wheels carry; read it with: man -l docs/atreport.1
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from atreport.cli import COMMANDS, app, load_command
from tools.reference import EXIT_CODES

PAGE = Path(__file__).parents[1] / "docs" / "atreport.1"


def man_page() -> str:
    """The page atreport(1), in the macros of man(7). It has neither date nor version: it changes with the commands alone."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '.TH ATREPORT 1 "" "atreport" "User commands"'
    yield ".SH NAME"
    yield "atreport \\- turn a YAML spec into a publishable, privacy\\-certified algorithmic transparency report"
    yield ".SH SYNOPSIS"
    yield ".B atreport"
    yield ".I COMMAND"
    yield "[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]"
    yield ".SH DESCRIPTION"
    yield _text(str(app.info.help))
    yield "What is data goes to stdout, what is talk to stderr."
    yield ".SH COMMANDS"
    for name in COMMANDS:
        yield from _command(name)
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES.items():
        yield f".TP\n.B {code}\n{_text(meaning)}"
    yield ".SH SEE ALSO"
    yield "Every key of a spec, with examples: docs/spec.md of the source, or the documentation site that"
    yield ".B make docs"
    yield "writes."


def _command(name: str) -> Iterator[str]:
    command = load_command(name)
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    yield f'.SS "{_text(" ".join(["atreport", name, *map(_argument, arguments)]))}"'
    yield _text(inspect.cleandoc(command.help or ""))
    for each in command.params:
        if each.hidden or not getattr(each, "help", None):
            continue
        yield ".TP"
        yield _heading(each)
        yield _text(each.help)


def _argument(each: Any) -> str:
    return str(each.metavar or each.name.upper())


def _heading(each: Any) -> str:
    """An option with its value, or the name of an argument."""
    if each.param_type_name == "argument":
        return f".I {_text(_argument(each))}"
    names = ", ".join((*each.opts, *each.secondary_opts))
    value = "" if each.is_flag else f" \\fI{_text(each.metavar or each.name.upper())}\\fR"
    return f"\\fB{_text(names)}\\fR{value}"


def _text(text: str) -> str:
    """Text as it is: no sign of it is a command to the typesetter."""
    plain = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return f"\\&{plain}" if plain.startswith((".", "'")) else plain


if __name__ == "__main__":
    PAGE.write_text(man_page(), encoding="utf-8")
