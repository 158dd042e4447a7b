"""PNG logos: is what is published the picture and nothing else, and is every other file refused?"""

import io

import pytest
from PIL import Image

from atreport.spec.house_style import MOST_GIVEN, NotAPicture, png_problem, published_png
from tests.styled import LOGO, png_logo, with_chunk


def saved(picture: Image.Image, **options: object) -> bytes:
    """A picture as PNG."""
    buffer = io.BytesIO()
    picture.save(buffer, format="PNG", **options)
    return buffer.getvalue()


def test_what_is_published_is_the_picture_on_white_and_nothing_else() -> None:
    """Broken: a report would tell who drew the logo and where, or show another picture than the publisher's."""
    made = published_png(png_logo())
    assert b"Jane Maker" in png_logo()
    assert b"Jane Maker" not in made
    assert png_problem(made) is None
    with Image.open(io.BytesIO(made)) as read, Image.open(io.BytesIO(png_logo())) as given:
        assert (read.mode, read.size) == ("RGB", given.size)
        assert read.getpixel((0, 0)) == (255, 255, 255)
        assert read.getpixel((60, 60)) == (0x7A, 0x1F, 0x5C)
    assert published_png(made) == made


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "RGBA", "LA", "I;16"])
def test_every_kind_of_pixels_is_read(mode: str) -> None:
    """Broken: a logo with a palette, in grey, or with 16 bits could not be published."""
    assert png_problem(published_png(saved(Image.new(mode, (40, 20))))) is None


@pytest.mark.parametrize(
    "content",
    [
        b"",
        LOGO,
        png_logo()[:40],
        png_logo()[: len(png_logo()) // 2],
        published_png(png_logo())[:60] + b"x" + published_png(png_logo())[61:],
        saved(Image.new("RGB", (2001, 2000))),
        saved(Image.new("RGB", (2000, 20))),
        saved(Image.new("RGB", (20, 20)), save_all=True, append_images=[Image.new("RGB", (20, 20), "red")]),
        saved(Image.effect_noise((800, 800), 200)),
        b"\x89PNG\r\n\x1a\n" + b" " * MOST_GIVEN,
    ],
    ids=["empty", "SVG", "head", "half", "damaged", "wide", "flat", "animated", "noise", "large"],
)
def test_other_files_are_refused(content: bytes) -> None:
    """Broken: a build would end in a traceback, take all memory, or publish what cannot be shown."""
    with pytest.raises(NotAPicture):
        published_png(content)
    assert png_problem(content)


@pytest.mark.parametrize(
    "content",
    [
        png_logo(),
        with_chunk(published_png(png_logo()), b"tEXt", b"Comment\0hidden"),
        published_png(png_logo()) + b"more",
        published_png(png_logo())[:-1] + b"x",
        saved(Image.new("RGBA", (40, 20))),
        saved(Image.new("P", (40, 20))),
    ],
    ids=["as_given", "text", "appended", "checksum", "alpha", "palette"],
)
def test_a_published_logo_hides_nothing(content: bytes) -> None:
    """Broken: a file could carry words or a second picture that a check does not see."""
    assert png_problem(content)
