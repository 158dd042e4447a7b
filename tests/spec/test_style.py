"""The section `style`: is every mistake named where it stands, with what to do, and no file read that should not be?"""

import re
from pathlib import Path

import pytest

from atreport.compose import in_language
from atreport.errors import InvalidInput
from atreport.pages.documents import lay_out
from atreport.private.prepare import prepare_spec
from atreport.spec.load import load_spec, spec_of
from atreport.spec.style import LEAST_CONTRAST, accent_grounds, band_texts, least_contrast
from tests.assessing import published
from tests.example import EXAMPLE
from tests.forms import FORM_SPECS
from tests.styled import ABOUT, LOGO, STYLE, png_logo, with_chunk, write_styled


def problems_of(path: Path) -> str:
    """Everything that is wrong with a spec, as it is told."""
    with pytest.raises(InvalidInput) as refused:
        load_spec(path)
    return str(refused.value)


def test_a_house_style_is_read_once_with_its_files(tmp_path: Path) -> None:
    """Broken: what is published could be another file than the one that was checked."""
    spec = load_spec(write_styled(tmp_path))
    (tmp_path / "logo.svg").write_bytes(b"other")
    public = spec.public
    assert public.style_files == {"style-logo.svg": LOGO}
    assert public.style is not None
    assert [section.text for section in public.style.sections] == [ABOUT.strip(), "Thanks to *all*."]
    (tmp_path / "logo.svg").write_bytes(LOGO)
    assert spec_of(spec).public.style_files == public.style_files


@pytest.mark.parametrize(
    ("key", "colour", "others"),
    [("accent", "#ff8800", accent_grounds(dark=False)), ("band", "#88bbff", band_texts())],
)
def test_a_colour_that_cannot_be_read_is_refused_with_the_nearest_that_can(
    tmp_path: Path, key: str, colour: str, others: tuple[str, ...]
) -> None:
    """Broken: readers would meet text that they cannot read, or publishers would have to guess."""
    told = problems_of(write_styled(tmp_path, f'style:\n  colours: {{{key}: "{colour}"}}\n'))
    assert re.search(r"styled\.yaml:\d+:\d+", told)
    nearest = re.findall(r"that passes is (#[0-9a-f]{6})", told)[0]
    assert least_contrast(nearest, others) >= LEAST_CONTRAST
    load_spec(write_styled(tmp_path, f'style:\n  colours: {{{key}: "{nearest.upper()}"}}\n'))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("logo.svg", "missing.svg", "there is no file"),
        ("logo.svg", "../logo.svg", "outside the spec's folder"),
        ("logo.svg", "/etc/logo.svg", "outside the spec's folder"),
        ("logo.svg", "logo.gif", "is no .svg or .png file"),
        ("logo.svg", "moving.png", "it is animated"),
        ("logo.svg", "half.png", "it is damaged"),
        ("logo.svg", "no.png", "it is no PNG file"),
        ("logo.svg", "bomb.png", "pixels"),
        ("  colours", "  fonts: {text: a.ttf, bold: b.ttf}\n  colours", "leave 'fonts' out"),
        ("  colours", "  fonts: Inter\n  colours", "leave 'fonts' out"),
        ("logo.svg", "link.svg", "a link to another place"),
        ("logo.svg", "linked/logo.svg", "a link to another place"),
        ("logo.svg", "folder.svg", "'folder.svg': a folder"),
        ("logo.svg", "large.svg", "bytes"),
        ("logo.svg", "hostile.svg", "attribute “onload”"),
        (", alt: Example Financial Authority", "", "alt"),
        ("about.md", "large.md", "bytes"),
        ("about.md", "latin.md", "not written in UTF-8"),
        ("about.md", "control.md", "control characters"),
        ("about.md", "empty.md", "empty"),
        ("file: about.md", "file: about.md, text: x", "either text or file"),
        (', text: "Thanks to *all*."', "", "either text or file"),
        ("after: summary", "after: cover", "is not allowed here"),
        ("accent:", "akcent:", "unknown key 'akcent'"),
        ('"#7a1f5c"', "purple", "is no colour"),
        ("cover: Published", f"cover: {'x' * 300} Published", "300 characters"),
    ],
)
def test_every_mistake_is_told_at_its_place(tmp_path: Path, old: str, new: str, says: str) -> None:
    """Broken: a publisher would not know what is wrong, or a file outside of the folder would be published."""
    assert old in STYLE
    path = write_styled(tmp_path, STYLE.replace(old, new, 1))
    (tmp_path / "link.svg").symlink_to("logo.svg")
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "logo.svg").write_bytes(LOGO)
    (tmp_path / "linked").symlink_to("real")
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "large.svg").write_bytes(LOGO + b" " * 200_000)
    (tmp_path / "hostile.svg").write_bytes(LOGO.replace(b"<circle", b"<circle onload='x'"))
    (tmp_path / "moving.png").write_bytes(with_chunk(png_logo(), b"acTL", bytes(8)))
    (tmp_path / "half.png").write_bytes(png_logo()[:-60])
    (tmp_path / "no.png").write_bytes(LOGO)
    (tmp_path / "bomb.png").write_bytes(png_logo()[:16] + b"\0\0\xff\xff" * 2 + png_logo()[24:])
    (tmp_path / "large.md").write_text("x" * 50_001, encoding="utf-8")
    (tmp_path / "latin.md").write_bytes("é".encode("latin-1"))
    (tmp_path / "control.md").write_bytes(b"a\x07b")
    (tmp_path / "empty.md").write_bytes(b" \n")
    told = problems_of(path)
    assert says in told
    assert re.search(r"styled\.yaml:\d+:\d+", told)


def test_texts_of_the_style_may_be_translated(tmp_path: Path) -> None:
    """Broken: the publisher's own sections, and what stands for the logo, would stay in one language."""
    text = EXAMPLE.replace("  date: 2026-01-15\n", "  date: 2026-01-15\n  languages: [en, fr]\n")
    further = (
        "translations:\n  fr:\n    About us: À propos\n    Thanks to *all*.: Merci à *tous*.\n"
        "    Example Financial Authority: Autorité\n"
    )
    spec = load_spec(write_styled(tmp_path, STYLE + further, text))
    french = in_language(published(prepare_spec(spec)), "fr")
    page = lay_out(french, spec.public.style_files).html()
    assert ". À propos</h2>" in page
    assert "Merci à <em>tous</em>." in page
    assert 'alt="Autorité"' in page


@pytest.mark.parametrize(
    ("text", "most"), [("About us", 60), ("Published under our promise of openness.", 300)]
)
def test_what_must_fit_into_its_place_fits_in_every_language(tmp_path: Path, text: str, most: int) -> None:
    """Broken: the translation of a title could push the contents off the cover."""
    example = EXAMPLE.replace("  date: 2026-01-15\n", "  date: 2026-01-15\n  languages: [en, fr]\n")
    for length in (most, most + 1):
        style = f"{STYLE}translations:\n  fr:\n    {text}: {'x' * length}\n"
        path = write_styled(tmp_path, style, example)
        if length == most:
            load_spec(path)
        else:
            told = problems_of(path)
            assert f"may have {most} characters, and this one has {length}" in told
            assert re.search(r"styled\.yaml:\d+:\d+", told)


def test_a_form_has_no_place_for_own_sections(tmp_path: Path) -> None:
    """Broken: a publisher's sections would silently be missing from a regulator's form."""
    form = FORM_SPECS["atrs"].read_text(encoding="utf-8")
    sections = STYLE[STYLE.index("  sections:") :]
    told = problems_of(write_styled(tmp_path, text=form))
    assert "a regulator's form has no place for sections of your own" in told
    assert load_spec(write_styled(tmp_path, STYLE.replace(sections, ""), form)).style is not None
