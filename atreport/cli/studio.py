"""``atreport studio``: write a spec and see its report, in a browser on this machine."""

import webbrowser
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from atreport.cli.talk import SpecPath, say, with_run_options
from atreport.errors import EXIT_FINE, UsageError
from atreport.private.data.run_options import RunOptions
from atreport.resources import load_library

Port = Annotated[int, typer.Option(min=0, max=65535, help="Port of 127.0.0.1; 0 takes one that is free.")]
Open = Annotated[
    bool, typer.Option("--open", help="Open the page in the browser of this machine, instead of by the link.")
]


on_this_machine = partial(with_run_options, cluster=False)


@on_this_machine
def studio(
    spec: SpecPath,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder that gets one folder a spec, when you build.")
    ] = Path("output"),
    port: Port = 0,
    open_page: Open = False,
    *,
    options: RunOptions,
) -> int:
    """Edit a spec in a browser on this machine, with its report, its policy and attacks beside it. Confidential."""
    return open_studio(spec, output, port, options, open_page=open_page, editor=True)


def open_studio(
    spec: Path, output: Path, port: int, options: RunOptions, *, open_page: bool, editor: bool
) -> int:
    """Serve the page until Ctrl-C."""
    if not spec.is_file():
        raise UsageError(f"{spec}: no such file. Start a spec with: atreport init DIR")
    for library in ("starlette", "uvicorn"):
        load_library(library, "studio", "the studio's pages")
    # Here and not above: the message must come before what needs the libraries.
    from atreport.studio.app import Setting, serve

    def opened(link: str) -> None:
        say(f"{spec}: open this link, once, in a browser on this machine; Ctrl-C ends the studio.\n  {link}")
        say("What it shows is confidential: it depends on the true rule.")
        if open_page:
            webbrowser.open(link)

    serve(
        Setting(spec=spec.absolute(), output=output.absolute(), options=options, editor=editor), port, opened
    )
    return EXIT_FINE


# ``atreport preview``: the report of a spec in a browser on this machine, made again whenever the file is
# saved.


@on_this_machine
def preview(spec: SpecPath, port: Port = 0, open_page: Open = False, *, options: RunOptions) -> int:
    """Show the report of a spec in a browser on this machine, made again at every save. Confidential; writes nothing."""
    return open_studio(spec, Path("output"), port, options, open_page=open_page, editor=False)
