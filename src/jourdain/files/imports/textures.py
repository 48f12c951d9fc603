"""Pictures that surfaces are painted with, read without trusting them and made small."""

from __future__ import annotations

import base64
import io
import warnings

from ...basics.errors import ModelError

SIDE = 512
"""Longest side of a picture as it is kept [px]."""
MAX_PIXELS = 64 * 2**20
"""Pixels of the largest picture that is read."""
QUALITY = 82
FORMATS = ("PNG", "JPEG", "BMP", "TGA", "GIF", "WEBP", "TIFF")


def small_picture(raw: bytes, name: str) -> str:
    """A picture file as JPEG, or PNG where it is transparent, at most `SIDE` wide and high, in base 64."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Image.Image = Image.open(io.BytesIO(raw), formats=FORMATS)
            if found.width * found.height > MAX_PIXELS:
                raise ModelError.at(name, f"picture has more than {MAX_PIXELS} pixels; make it smaller")
            found.load()
            clear = found.mode in ("RGBA", "LA", "PA") or "transparency" in found.info
            found = found.convert("RGBA" if clear else "RGB")
            if clear and found.getchannel("A").getextrema() == (255, 255):
                found, clear = found.convert("RGB"), False
            found.thumbnail((SIDE, SIDE))
            out = io.BytesIO()
            if clear:
                found.save(out, "PNG", optimize=True)
            else:
                found.save(out, "JPEG", quality=QUALITY, optimize=True)
    except ModelError:
        raise
    except Exception as error:  # what a broken picture makes its reader raise is not told anywhere
        raise ModelError.at(name, f"cannot be read as a picture: {type(error).__name__}") from None
    return base64.b64encode(out.getvalue()).decode("ascii")
