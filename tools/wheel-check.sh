#!/bin/sh
# Install a wheel in a brand-new environment, far from the source tree, and build a report with it there.
#
#   tools/wheel-check.sh PYTHON WHEEL SPEC
set -eu

python=$1
wheel=$2
spec=$3

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
trap 'exit 130' INT TERM

"$python" -m venv "$place/venv"
"$place/venv/bin/python" -m pip --disable-pip-version-check --no-input -qq install "$wheel"
cp "$spec" "$place/"

# From here on nothing of the source tree is in reach.
cd "$place"
unset PYTHONPATH
name=$(basename "$spec" .yaml)
venv/bin/atreport build "$name.yaml" -o out
venv/bin/python - "out/$name/public" <<'END'
import hashlib
import pathlib
import sys

import atreport

public = pathlib.Path(sys.argv[1])
wanted = ["report.html", "report.pdf", "report.json", "cells.csv", "measures.csv", "dcat.jsonld", "SHA256SUMS"]
missing = [name for name in wanted if not (public / name).is_file() or not (public / name).stat().st_size]
if missing:
    sys.exit(f"wheel-check: missing or empty in {public}: {', '.join(missing)}")
listed = dict(reversed(line.split(maxsplit=1)) for line in (public / "SHA256SUMS").read_text().splitlines())
for name, digest in listed.items():
    if hashlib.sha256((public / name.lstrip("*")).read_bytes()).hexdigest() != digest:
        sys.exit(f"wheel-check: {name} is not what SHA256SUMS says")
unlisted = set(wanted) - {"SHA256SUMS"} - {name.lstrip("*") for name in listed}
if unlisted:
    sys.exit(f"wheel-check: not in SHA256SUMS: {', '.join(sorted(unlisted))}")
print(f"wheel-check: atreport {atreport.__version__} from the wheel built {len(wanted)} public files, sums match")
END
