"""Bring docs/gallery/index.md up to date with its specs: ``python -m docs.gallery.page``.

What a report says is taken from the report. ``--pictures output/gallery`` also makes the pictures anew, from reports that
`make gallery` built; it needs Chromium and playwright.
"""

import html
import io
import shutil
import sys
from pathlib import Path

from atreport.api.check import check
from atreport.compose import in_language
from atreport.pages.sections.fairness import verdict_summary
from atreport.pages.sections.summary import headlines
from atreport.report.model import Report, translated
from docs import made_parts

HERE = Path(__file__).parent
PAGE = HERE / "index.md"
SPECS = [*sorted((HERE / "specs").glob("*.yaml")), HERE.parents[1] / "specs" / "credit_card.yaml"]
"""Every report of the gallery. The last is that of the paper, which the rest of the documentation uses too."""

WIDTH, HEIGHT, SCALE = 1280, 900, 0.55
"""The window in which a picture is taken, and how much smaller it is shown."""


def says(report: Report) -> str:
    """What a report says to somebody who reads English: who is worse off, the verdicts, the promise."""
    shown = translated(in_language(report, "en"))
    fair, _, learn = headlines(shown)
    lines = (fair.answer[0], verdict_summary(shown.fairness), learn.answer[0])
    return "\n".join(f"- {html.escape(line, quote=False)}" for line in lines)


def take_pictures(built: Path) -> None:
    """The first screen of every report, small enough for a page."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    with sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        for spec in SPECS:
            opened.goto((built / spec.stem / "public" / "report.html").resolve().as_uri())
            picture = Image.open(io.BytesIO(opened.screenshot()))
            small = picture.resize((int(WIDTH * SCALE), int(HEIGHT * SCALE)), Image.Resampling.LANCZOS)
            small.convert("P", palette=Image.Palette.ADAPTIVE, colors=64).save(
                HERE / "images" / f"{spec.stem}.png", optimize=True
            )
        browser.close()


def main() -> None:
    """Write the made parts of the page and, if asked for, its pictures."""
    if "--pictures" in sys.argv:
        take_pictures(Path(sys.argv[-1]))
    made_parts.write(PAGE, {spec.stem: says(check(spec).report) for spec in SPECS})


if __name__ == "__main__":
    main()
