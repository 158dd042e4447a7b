"""How many random cases a property test tries: some in the quick suite, all of them in the slow one."""

import os

THOROUGH = bool(os.environ.get("ATREPORT_THOROUGH"))
"""Set by ``make test-slow``, which runs every property test again with all its cases."""


def examples(number: int, part: int = 5) -> int:
    """The ``max_examples`` of a property test that takes seconds with all: a fifth, or another part, in the quick suite."""
    return number if THOROUGH else number // part
