"""``atreport doctor``: what is missing on this machine."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

from atreport.cli.talk import AsJson, print_json
from atreport.commands.doctor import Finding, examine
from atreport.errors import EXIT_FINDINGS, EXIT_FINE
from atreport.version import __version__


def doctor(as_json: AsJson = False) -> int:
    """Say what is missing on this machine, and what cannot be done without it."""
    findings = examine()
    broken = [each for each in findings if each.needed and not each.fine]
    if as_json:
        print_json(
            {"version": __version__, "ok": not broken, "findings": [asdict(each) for each in findings]}
        )
        return EXIT_FINDINGS if broken else EXIT_FINE
    print(f"atreport {__version__}")
    for each in findings:
        print(_line(each))
    absent = [each for each in findings if not each.needed and not each.fine]
    print()
    if broken:
        print("Reports cannot be made on this machine as it is.")
    elif absent:
        print("Reports can be made; what is marked with - cannot be done here, and is not needed for them.")
    else:
        print("Nothing is missing.")
    return EXIT_FINDINGS if broken else EXIT_FINE


def _line(finding: Finding) -> str:
    mark = "ok" if finding.fine else "NO" if finding.needed else "- "
    told = f"  {mark}  {finding.what}: {finding.detail}"
    if finding.fine or not finding.remedy:
        return told
    return f"{told}\n{textwrap.indent(textwrap.dedent(finding.remedy), ' ' * 8)}"
