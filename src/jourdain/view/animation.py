"""Films of a run: mp4, webm, gif or webp, drawn without a browser and without a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..basics.storage import atomic_write
from ..basics.values import suggestion
from .drawing import Painter
from .scene import scene
from .staging import stage, visible

if TYPE_CHECKING:
    from PIL.Image import Image

    from ..results.run import Run

HINT = 'films are written with PyAV: pip install "jourdain[video]"; a .gif or .webp needs nothing'
_MOST = 20_000
"""Pictures of a film at most."""
_CODECS = {".mp4": ("libx264", {"crf": "20", "preset": "veryfast"}), ".webm": ("libvpx-vp9", {"crf": "32", "b": "0"})}


def animate(
    run: Run,
    path: str | Path,
    *,
    size: tuple[int, int] = (1280, 720),
    frames_per_second: float = 30.0,
    speed: float = 1.0,
    label: bool = True,
    settings: Mapping[str, Any] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Write a film of a run: `.mp4`, `.webm`, `.gif` or `.webp`, by the name of the file.

    size                 width and height, even numbers [px]
    frames_per_second    pictures a second of the film; a gif shows at most 50
    speed                seconds of the run in a second of the film
    label                whether name and time stand in the picture
    settings             as under `replay:` in a scenario: magnify, follow, earth; None: those of the run's scenario
    progress             called with the pictures drawn and all pictures
    """
    kind = Path(path).suffix.lower()
    kinds = (*_CODECS, ".gif", ".webp")
    if kind not in kinds:
        raise JourdainError(f'animate: no film of kind "{kind}"; {suggestion(kind, kinds)}')
    width, height = (int(n) for n in size)
    if min(width, height) < 16 or width % 2 or height % 2:
        raise JourdainError(f"animate: size {size}; give two even numbers of 16 or more [px]")
    if not (frames_per_second > 0.0 and speed > 0.0):
        raise JourdainError("animate: frames_per_second and speed must be above 0")
    film = {".gif": _gif, ".webp": _webp}.get(kind, _video)
    if film is _video:
        _av()
    count = int(round(run.duration / speed * frames_per_second)) + 1
    if count > _MOST:
        least = run.duration * frames_per_second / _MOST
        raise JourdainError(f"animate: {count} pictures; {_MOST} are written at most. Give speed={least:.3g} or more")
    times = np.linspace(float(run.record.time[0]), float(run.record.time[-1]), max(count, 1))
    given = settings if settings is not None else (run.options.get("scenario") or {}).get("replay") or {}
    shown = visible(scene(run, times=times))
    painter = Painter(shown, stage([shown], given), width, height)
    with atomic_write(path) as temporary:
        film(_pictures(painter, run.model.name if label else None, progress), temporary, kind, frames_per_second)
    return Path(path)


def _pictures(painter: Painter, name: str | None, progress: Callable[[int, int], None] | None) -> Iterator[np.ndarray]:
    """Pictures (height, width, 3), labelled."""
    times = painter.scene.time
    ink = (235, 240, 248) if painter.staged["orbit"] is not None else (51, 65, 85)
    digits = max(1, int(np.ceil(-np.log10(max(times[-1] - times[0], 1e-9) / 100.0))))
    for i, time in enumerate(times):
        picture = painter.draw(i)
        yield picture if name is None else _labelled(picture, f"{name}   {time:.{digits}f} s", ink)
        if progress is not None:
            progress(i + 1, len(times))


def _labelled(picture: np.ndarray, text: str, ink: tuple[int, int, int]) -> np.ndarray:
    from PIL import Image, ImageDraw

    image = Image.fromarray(picture)
    height = image.height
    ImageDraw.Draw(image).text((0.03 * height, 0.93 * height), text, fill=ink, font=_font(max(10, height // 32)))
    return np.asarray(image)


def _font(size: int) -> Any:
    from matplotlib import get_data_path
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"), size)


def _av() -> Any:
    try:
        import av
    except ImportError:
        raise JourdainError(HINT) from None
    return av


def _video(pictures: Iterator[np.ndarray], path: Path, kind: str, rate: float) -> None:
    from fractions import Fraction

    av = _av()
    codec, options = _CODECS[kind]
    with av.open(str(path), "w", format=kind[1:]) as film:
        stream = None
        for picture in pictures:
            if stream is None:
                stream = film.add_stream(codec, rate=Fraction(rate).limit_denominator(1001), options=dict(options))
                stream.height, stream.width = picture.shape[:2]
                stream.pix_fmt = "yuv420p"
            film.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        assert stream is not None  # there is one picture or more
        film.mux(stream.encode(None))


def _gif(pictures: Iterator[np.ndarray], path: Path, _kind: str, rate: float) -> None:
    from PIL import Image

    wait = max(2, round(100.0 / rate)) * 10  # a gif counts hundredths of a second [ms]
    first, *rest = (_reduced(Image.fromarray(one)) for one in pictures)
    first.save(path, format="GIF", save_all=True, append_images=rest, duration=wait, loop=0)


def _webp(pictures: Iterator[np.ndarray], path: Path, _kind: str, rate: float) -> None:
    from PIL import Image

    first, *rest = (Image.fromarray(one) for one in pictures)
    wait = max(1, round(1000.0 / rate))  # [ms]
    first.save(path, format="WEBP", save_all=True, append_images=rest, duration=wait, loop=0, quality=60, method=4)


def _reduced(image: Image) -> Image:
    """With the 256 colours that a gif has."""
    from PIL import Image as Kinds

    return image.quantize(256, method=Kinds.Quantize.FASTOCTREE, dither=Kinds.Dither.NONE)
