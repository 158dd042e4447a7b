"""``python -m atreport``, and the command ``atreport``."""

import os
import sys
from typing import NoReturn

from atreport.cli import main


def run() -> NoReturn:
    """Run the command line, and end as soon as all is said.

    Python would take the process apart object by object, which after a build is half a second for nothing: whatever has to
    be closed or ended, commands close and end themselves.
    """
    try:
        main()
    except SystemExit as end:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(end.code or 0))


if __name__ == "__main__":
    run()
