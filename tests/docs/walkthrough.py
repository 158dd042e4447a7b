"""Walks through a page of the documentation as a reader does: runs its blocks in order, in an empty folder.

- ```sh: one command a line, which must succeed; a comment ``# exit code 2`` says that it must end so instead.
- ```text: what the ```sh block before it shows on a terminal. A line ``…`` stands for any lines, ``…`` in a line for any words.
- ```python: run, with the names that earlier blocks left.
- a block with a title, as ```yaml title="report.yaml", is written to that file.

Pages are written for a checkout, so the folder has its `specs/`. A quick walk makes no PDF, and looks past lines about PDFs.
A walk with another installation takes its commands, and its `specs/`, from there.
"""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.command_line import ROOT, atreport

_BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.M | re.S)
_EXIT_CODE = re.compile(r"#.*\bexit code (\d)")
_NEEDS_A_SHELL = re.compile(r"[|<>&;*$`]")


@dataclass
class Walkthrough:
    """A reader in a folder: what the last commands showed, and the names that Python blocks left.

    `installation` is another environment whose programs are run, and `examples` its `specs/`.
    """

    folder: Path
    with_pdf: bool = False
    installation: Path | None = None
    examples: Path = ROOT / "specs"
    shown: str = ""
    transcript: str = ""
    names: dict[str, Any] = field(default_factory=dict)

    def read(self, page: Path) -> None:
        """Do what the page says, block by block; an assertion names the block that is not true."""
        shutil.copytree(self.examples, self.folder / "specs", dirs_exist_ok=True)
        for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
            language, title, text = block[1], block[2], block[3]
            if title:
                (self.folder / title).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / title).write_text(text, encoding="utf-8")
            elif language == "sh":
                self.shown = "".join(map(self.run, text.replace("\\\n", " ").splitlines()))
            elif language == "text":
                self._compare(text)
            elif language == "python":
                with contextlib.chdir(self.folder):
                    exec(compile(text, str(page), "exec"), self.names)

    def run(self, line: str) -> str:
        """Run one line, and give what it shows."""
        words = shlex.split(line, comments=True)
        if not words:
            return ""
        if self.installation:
            done = self._run_in_shell(line, {"PATH": f"{self.installation / 'bin'}{os.pathsep}{os.defpath}"})
        elif words[0] == "atreport" and not _NEEDS_A_SHELL.search(line.partition(" #")[0]):
            done = atreport(*words[1:], *self._formats(words), cwd=self.folder, mixed=True)
        else:
            path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
            done = self._run_in_shell(line, {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT)})
        self.transcript += f"$ {line}\n{done.stdout}"
        expected = _EXIT_CODE.search(line)
        assert done.returncode == int(expected[1] if expected else 0), f"{line}\n{done.stdout}"
        return done.stdout

    def _run_in_shell(self, line: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", line], cwd=self.folder, env={**environment, "COLUMNS": "80"}, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def _formats(self, words: list[str]) -> tuple[str, ...]:
        """Without PDF, what takes most of the time of a build is left out."""
        without_pdf = {"build": "html,json", "letter": "html"}.get(words[1], "")
        return () if self.with_pdf or "--formats" in words or not without_pdf else ("--formats", without_pdf)

    def _compare(self, text: str) -> None:
        expected, shown = self._lines(text), self._lines(self.shown)
        pattern = "".join(
            r"(?:.*\n)*" if line == "…" else re.escape(line).replace("…", ".*") + "\n" for line in expected
        )
        assert re.fullmatch(pattern, "".join(f"{line}\n" for line in shown)), (
            f"the page says\n{text}\nand what is shown is\n{self.shown}"
        )

    def _lines(self, text: str) -> list[str]:
        lines = (line.rstrip() for line in text.splitlines())
        return [line for line in lines if line and (self.with_pdf or "pdf" not in line.lower())]
