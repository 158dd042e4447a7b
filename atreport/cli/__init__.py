"""The command line: a module a command, imported when the command is called.

stdout is data, stderr is talk. Every error a user can meet becomes a message and an exit code here, never a traceback.
This is the one place that puts an import off: modules of commands import all they need at their top, and ``--help``
answers without any of it.
"""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from atreport.cli.talk import say
from atreport.errors import EXIT_COULD_NOT_RUN, EXIT_FINE, EXIT_INTERRUPTED, AtreportError, unexpected
from atreport.processes import prestart
from atreport.version import __version__

GARBAGE_THRESHOLDS = (100_000, 20, 50)
"""Python looks for garbage rarely: at its usual pace that takes an eighth of the time of a build and finds next to none.

Measured on specs/credit_card.yaml: 1.95 s of processor time for JSON and 3.4 s with the page; with these figures 1.75 and
3.0 s, the same as without any collection. Commands that take many specs collect after each, so memory does not grow with
their number.
"""

COMMANDS = {
    "demo": "Show on a small example how a transparency report leaks, and what atreport does about it.",
    "init": "Write a commented spec and data to start from.",
    "check": "Say whether each spec can be published, what it would say, and what stands in the way.",
    "build": "Build the report of each spec into its own folder.",
    "studio": "Edit a spec in a browser on this machine, with its report, its policy and attacks beside it.",
    "preview": "Show the report of a spec in a browser on this machine, made again at every save.",
    "letter": "Write letters to persons about a decision.",
    "tradeoff": "Show what each fidelity costs in privacy, and what every verdict would be.",
    "audit": "Attack the draft of a report as an adversary would.",
    "verify": "Check a published report without any confidential data.",
    "diff": "Show what changed between two versions of a report, and what the pair reveals.",
    "register": "Write a register of published reports: a page to search, a feed and a catalogue.",
    "sign": "Sign a published report with an ed25519 key.",
    "stamp": "Have an authority stamp the time of a published report (RFC 3161).",
    "ledger": "Show the recorded releases, the head of the ledger, or the proof of one release.",
    "doctor": "Say what is missing on this machine, and what cannot be done without it.",
    "schema": "Print the JSON Schema of the spec (draft-07), for editors and other tools.",
}
"""Every command in the order of ``--help``, with the first sentence of its function: `name` in the module of that name."""

ELSEWHERE = {
    "preview": "studio",
    "ledger": "publish",
    "sign": "publish",
    "stamp": "publish",
    "schema": "doctor",
}
"""Commands that stand in the file of another, of which they are a part."""


def load_command(name: str) -> Any:
    """A command with its arguments and options. Imports its module, and so all it needs."""
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(getattr(import_module(f"{__name__}.{ELSEWHERE.get(name, name)}"), name))
    return typer.main.get_command(alone)


class CommandsOnCall(TyperGroup):
    """Commands that are listed by name and first sentence, and imported when called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that was called, in place of its entry in the list."""
        name, entry, rest = super().resolve_command(ctx, args)
        return name, entry if name is None else load_command(name), rest


app = typer.Typer(
    name="atreport",
    cls=CommandsOnCall,
    help="Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report.",
    epilog="Exit codes: 0 fine · 1 findings · 2 could not run · 3 refused: publishing would break the policy.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _entry() -> None:
    """Stands for a command in the list of ``--help``."""


for _name, _sentence in COMMANDS.items():
    app.command(_name, help=_sentence)(_entry)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"atreport {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Turn a YAML spec into a publishable, privacy-certified algorithmic transparency report."""


def _head_start(arguments: Sequence[str]) -> AbstractContextManager[None]:
    """Where one spec is to be built with its PDF, the process that will set it starts before anything is imported here.

    It would start anyway, 0.7 s later. Several specs are built in processes of their own.
    """
    asked_otherwise = any(each.startswith(("--formats", "--help", "-h")) for each in arguments)
    specs = [each for each in arguments if each.endswith((".yaml", ".yml"))]
    if arguments[:1] != ["build"] or asked_otherwise or len(specs) != 1:
        return nullcontext()
    return prestart("atreport.export.files", "make_wanted")


def main() -> NoReturn:
    """Run the command line. No exception but SystemExit leaves this function."""
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"  # it would look for some in every installed package
    try:
        with _head_start(sys.argv[1:]):
            code = app(prog_name="atreport", standalone_mode=False)
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
        raise SystemExit(EXIT_INTERRUPTED) from None
    if os.environ.get("ATREPORT_DEBUG"):
        raise error
    say(str(unexpected(error)))
    raise SystemExit(EXIT_COULD_NOT_RUN) from None
