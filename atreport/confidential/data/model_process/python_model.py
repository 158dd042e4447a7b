"""Ask a Python function; run as ``python -m atreport.confidential.data.model_process.python_model FOLDER``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from atreport.confidential.data.model_process.answer import Answer, CannotAnswer, answer_request, first_line


def ask_python(_folder: Path, request: dict[str, Any], columns: dict[str, Any]) -> Answer:
    """What a Python function answers to a pandas frame of inputs."""
    target = request["python"]
    sys.path.insert(0, request["search"])
    module, function = target.split(":", 1)
    try:
        call = getattr(importlib.import_module(module), function)
        answer = call(pd.DataFrame(columns))
    except Exception as error:
        raise CannotAnswer(f"{target} failed: {type(error).__name__}: {first_line(error)}") from None
    classes = [str(name) for name in answer.columns] if isinstance(answer, pd.DataFrame) else None
    return Answer(array=np.asarray(answer), classes=classes)


if __name__ == "__main__":
    answer_request(Path(sys.argv[1]), ask_python)
