"""``atreport preview``: the report of a spec in a browser on this machine, made again whenever the file is saved."""

from __future__ import annotations

from pathlib import Path

from atreport.cli.studio import Open, Port, open_studio
from atreport.cli.talk import AllowPythonModel, MemoryLimit, SpecPath, TimeLimit


def preview(
    spec: SpecPath,
    port: Port = 0,
    open_page: Open = False,
    memory_limit: MemoryLimit = None,
    time_limit: TimeLimit = 600,
    allow_python_model: AllowPythonModel = False,
) -> int:
    """Show the report of a spec in a browser on this machine, made again at every save. Confidential; writes nothing."""
    return open_studio(
        spec,
        Path("output"),
        port,
        memory_limit,
        time_limit,
        allow_python_model,
        open_page=open_page,
        editor=False,
    )
