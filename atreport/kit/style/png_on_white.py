"""Make the PNG file of a logo that is published of any other: what the process runs that `png_logo.py` starts for it."""

from __future__ import annotations

import io

from PIL import Image


def png_on_white(content: bytes) -> bytes:
    """The same picture on white, and nothing else; no bytes where it is damaged."""
    try:
        with Image.open(io.BytesIO(content), formats=["PNG"]) as given:
            seen = given.convert("RGBA")
    except MemoryError:
        raise
    except Exception:  # a reader of pictures ends in as many ways as files can be damaged
        return b""
    whole = Image.new("RGB", seen.size, "#ffffff")
    whole.paste(seen, mask=seen.getchannel("A"))
    written = io.BytesIO()
    whole.save(written, format="PNG", optimize=True)
    return written.getvalue()
