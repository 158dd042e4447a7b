"""Turn a census file (side information about the population) into people by cell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from atreport.confidential.data.cells_file import file_placer, read_file
from atreport.errors import InvalidInput
from atreport.population.cells import IntArray
from atreport.spec.models.process import Process
from atreport.spec.rows import TextColumns, check_population


def read_census(path: Path, process: Process) -> tuple[NDArray[np.int32], IntArray]:
    """The cells that occur and the people in each; without a column `population`, each row is a person."""
    columns: TextColumns = read_file(path)
    codes, people, problems = check_population(columns, process, file_placer(path))
    if problems:
        raise InvalidInput(problems)
    distinct, row = np.unique(codes[people > 0], axis=0, return_inverse=True)
    sums = np.zeros(len(distinct), dtype=np.int64)
    np.add.at(sums, row.ravel(), people[people > 0])
    return distinct.astype(np.int32), sums
