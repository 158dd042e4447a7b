"""The command line: a module a command, registered here.

stdout is data, stderr is talk. Every error a user can meet becomes a message and an exit code here, never a traceback.
Commands import what they need when they run, so that ``--help`` answers at once.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from atreport.cli.audit import audit
from atreport.cli.build import build
from atreport.cli.check import check
from atreport.cli.demo import demo
from atreport.cli.diff import diff
from atreport.cli.letter import letter
from atreport.cli.sign import sign
from atreport.cli.start import init, schema
from atreport.cli.talk import say
from atreport.cli.tradeoff import tradeoff
from atreport.cli.verify import verify
from atreport.errors import EXIT_COULD_NOT_RUN, EXIT_FINE, AtreportError

EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="atreport",
    help="Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report.",
    epilog="Exit codes: 0 fine · 1 findings · 2 could not run · 3 refused: publishing would break the policy.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (demo, init, check, build, letter, tradeoff, audit, verify, diff, sign, schema):
    app.command()(command)


def _version(wanted: bool) -> None:
    if wanted:
        from atreport import __version__

        print(f"atreport {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report."""


def main() -> NoReturn:
    """Run the command line. No exception but SystemExit leaves this function."""
    gc.disable()  # the process ends with the command; looking for garbage takes a tenth of the time and finds next to none
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # it would look for some in every installed package
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == EXIT_INTERRUPTED:  # what the library makes of a keyboard interrupt
            say("interrupted: nothing was written")
        raise SystemExit(code if isinstance(code, int) else EXIT_FINE)
    except AtreportError as error:
        say(str(error))
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        say("interrupted: nothing was written")
        raise SystemExit(EXIT_INTERRUPTED) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(EXIT_FINE) from None
    except Exception as error:
        _handle_unexpected(error)


def _handle_unexpected(error: Exception) -> NoReturn:
    """Usage errors of the command-line library as they are; anything else as one line without confidential detail."""
    if hasattr(error, "exit_code") and hasattr(error, "show"):
        error.show()
        raise SystemExit(EXIT_COULD_NOT_RUN) from None
    if type(error).__name__ == "Abort":
        raise SystemExit(130) from None
    if os.environ.get("ATREPORT_DEBUG"):
        raise error
    where = error.__traceback__
    while where and where.tb_next:
        where = where.tb_next
    place = f"{Path(where.tb_frame.f_code.co_filename).name}:{where.tb_lineno}" if where else "unknown place"
    say(
        f"internal error ({type(error).__name__} at {place}). This is a bug in atreport, not in your spec.\n"
        "  Nothing was written. Set ATREPORT_DEBUG=1 to see the details, which may be confidential."
    )
    raise SystemExit(EXIT_COULD_NOT_RUN) from None
