"""Give bytes that atheris makes up, led by the branches they reach, to the loader, the report reader or the verifier.

    pip install atheris
    python tools/fuzz_bytes.py loader CORPUS -max_total_time=600

CORPUS is a folder with examples to start from (specs, or report.json files). What a reader may raise is what users can
meet; anything else stops the run and leaves the bytes beside it.
"""

import contextlib
import importlib.util
import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import atheris

ROOT = Path(__file__).parents[1]

with atheris.instrument_imports(include=["atreport", "yaml"]):
    from atreport.errors import AtreportError
    from atreport.report.reader import read_report
    from atreport.spec.load import parse_spec


def _standalone() -> ModuleType:
    found = importlib.util.spec_from_file_location("shipped_verifier", ROOT / "templates" / "verify.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def loader(content: bytes) -> None:
    """A spec."""
    parse_spec(content.decode("utf-8", errors="replace"))


def reader(content: bytes) -> None:
    """A report.json."""
    read_report(content, "report.json")


def standalone(content: bytes, verifier: ModuleType = _standalone()) -> None:  # noqa: B008  read once
    """A report.json, by the verifier that is shipped beside reports: the errors are those it answers in words."""
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            verifier.Report(verifier.read_json(content)).check()
    except (ValueError, LookupError, TypeError, ArithmeticError, AttributeError, RecursionError):
        pass


TARGETS: dict[str, Callable[[bytes], None]] = {"loader": loader, "reader": reader, "standalone": standalone}


def main() -> None:
    """Run the target that is named first; the rest are options of libFuzzer."""
    target = TARGETS[sys.argv[1]]

    def one_input(content: bytes) -> None:
        with contextlib.suppress(AtreportError):
            target(content)

    atheris.Setup([sys.argv[0], *sys.argv[2:]], one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
