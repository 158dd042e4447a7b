"""What ``make_report`` returns: the report, and what is needed to write it with its annex, or to save its spec."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from atreport.commands.build import BuildResult, warnings_of, write_report
from atreport.commands.frames.frame_spec import FrameSpec
from atreport.confidential.publishable import Publishable
from atreport.errors import InvalidInput, Location, OutputError, Problem
from atreport.pages.measures_frame import cells_frame, measures_frame, rates_frame
from atreport.pages.notebook import notebook_view
from atreport.publish import write_private
from atreport.report.model import Report


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class MadeReport:
    """A report that may be published. What it shows of itself is public; what it was made from stays inside it.

    Do not pickle it for others: it holds the recorded decisions.
    """

    report: Report
    _publishable: Publishable = field(repr=False)
    _wanted: FrameSpec = field(repr=False)

    def __repr__(self) -> str:
        about, privacy = self.report.report, self.report.privacy
        return f"MadeReport({about.title!r}, version {about.version!r}, β = {privacy.beta})"

    def _repr_html_(self) -> str:
        """The public view, for a notebook: the answers of the report's summary."""
        return notebook_view(self.report)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the publisher should know before publishing. Not for others."""
        return (*warnings_of(self._publishable), *self._publishable.cautions)

    def figures(self) -> pd.DataFrame:
        """Every fairness measure, one row each, with its certified interval and verdict."""
        return measures_frame(self.report.fairness)

    def rates(self) -> pd.DataFrame:
        """The favourable rate of every group that is compared, and every error rate."""
        return rates_frame(self.report.fairness)

    def cells(self) -> pd.DataFrame:
        """The announced rule: every cell with its share, and the announced probability of each outcome."""
        return cells_frame(self.report)

    def write(
        self, folder: str | Path, formats: Sequence[str] | None = None, *, with_verifier: bool = False
    ) -> BuildResult:
        """Write the report into a folder (``public/``), and its annex beside it (``confidential/``).

        Args:
            folder: Gets the two. A report that is there already is replaced in one step.
            formats: Any of html, pdf, json, ods, xlsx. When left out, those of the first three that this machine can make.
            with_verifier: Put ``verify.py`` beside the report: a verifier that needs nothing but Python.
        """
        return write_report(self._publishable, Path(folder), formats, with_verifier=with_verifier)

    def save_spec(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the spec that this report stands for, and its rows beside it as CSV, readable by their owner only.

        ``atreport build`` of it gives the public files that :meth:`write` gives, byte for byte. The rows are confidential:
        they hold the columns that the report needs, and no others.
        """
        path = Path(path)
        if path.suffix.lower() not in {".yaml", ".yml"}:
            message, hint = f"'{path.name}' is not the name of a spec", "choose one that ends in .yaml"
            raise InvalidInput([Problem(location=Location("path"), message=message, hint=hint)])
        data = path.with_suffix(".csv")
        standing = [file for file in (path, data) if os.path.lexists(file)]
        if standing and not overwrite:
            raise OutputError(
                f"{standing[0]}: there is such a file already, and it may have been edited since.\n"
                "  Choose another name, or say overwrite=True."
            )
        write_private(
            path.parent, {data.name: self._wanted.data, path.name: self._wanted.text(data.name).encode()}
        )
        return path
