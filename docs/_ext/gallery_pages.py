"""What the gallery has beside what Sphinx-Gallery makes: moving pictures, and links at the top that open the example.

`film` is a scraper of Sphinx-Gallery. The first run with something to see that a block leaves is drawn small, without
a browser, into a looped WebP beside the example's thumbnail. Once the pages are written, cards have it beside the still
thumbnail; the style sheet shows the film, and the thumbnail to readers who ask for less motion.
"""

import re
from pathlib import Path

import numpy as np

_TO_THE_END = re.compile(r":ref:`Go to the end <sphx_glr_download_\S+>`\s+to download the full example code[^\n]*")

SIZE = (320, 224)
"""Of a film [px], with the sides of Sphinx-Gallery's thumbnails."""
PICTURES = 24
RATE = 10.0
"""Pictures a second."""
LARGEST = 150_000
"""Of a film [bytes]; a larger one is drawn again with half of its pictures."""
COVERING = 0.25
"""Cube root of the volume of a box of inertia, over the size of the scene, beyond which it hides the machine."""
_FILMED: set[Path] = set()
"""Those of this build: an example has one."""


def film(block, block_vars, gallery_conf) -> str:
    """The page's picture of the run that this block left, or nothing."""
    from jourdain.errors import JourdainError
    from jourdain.results.run import Run

    place = Path(str(block_vars["image_path_iterator"].image_path)).parent / "thumb"
    path = place / f"sphx_glr_{Path(block_vars['src_file']).stem}_film.webp"
    runs = [one for one in block_vars["example_globals"].values() if isinstance(one, Run)]
    if not runs or path in _FILMED or hidden(runs[0]):
        return ""
    _FILMED.add(path)
    place.mkdir(parents=True, exist_ok=True)
    try:
        write_film(runs[0], path)
    except JourdainError:  # a run with one sample, or without anything to draw
        path.unlink(missing_ok=True)
        return ""
    shown = path.relative_to(gallery_conf["src_dir"]).as_posix()
    return f"\n.. image:: /{shown}\n   :alt: the run, moving\n   :class: film\n\n{_still(shown)}\n\n"


def hidden(run) -> bool:
    """Whether the box of inertia of a body without a shape hides the machine: then the figure shows more."""
    from jourdain.view.scene import Builder, _bounds

    builder = Builder(run, run.record.time[:1])
    for name in run.model.bodies:
        builder.add_body(name)
    bones, parts = builder.bones(), builder.body_parts(1.0)
    low, high = _bounds(bones.poses, bones.bound, [(part.vertices, part.bones) for part in parts])
    boxes = [np.ptp(part.vertices, axis=0) for part in parts if builder.bodies[part.body].likeness == "none"]
    return any(np.cbrt(np.prod(sides)) > COVERING * np.linalg.norm(high - low) for sides in boxes)


def _still(film: str) -> str:
    """The thumbnail beside a film: the style sheet shows one of them, the other where motion is not wanted."""
    return f".. image:: /{film.replace('_film.webp', '_thumb.png')}\n   :alt: the run\n   :class: still"


def write_film(run, path: Path) -> None:
    """A looped film of a run, below `LARGEST`."""
    count = PICTURES
    while True:
        speed = run.duration * RATE / (count - 1)
        run.animate(path, size=SIZE, frames_per_second=RATE, speed=speed, label=False)
        if path.stat().st_size < LARGEST or count <= 3:
            return
        count //= 2


class ExamplesFirst:
    """Examples by their names, then the modules that they import, which end without a figure."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __repr__(self):
        return "<examples first>"

    def __call__(self, filename):
        text = (self.folder / filename).read_text(encoding="utf-8")
        return (not text.rstrip().endswith("plt.show()"), filename)


def use_films(app) -> None:
    """Let the cards of the gallery show films where there are some."""
    for gallery in app.config.sphinx_gallery_conf["gallery_dirs"]:
        folder = Path(app.srcdir) / gallery
        films = [path.relative_to(app.srcdir).as_posix() for path in folder.rglob("thumb/*_film.webp")]
        for page in folder.rglob("index.rst"):
            text = before = page.read_text(encoding="utf-8")
            for name in films:
                text = with_film(text, name)
            if text != before:
                page.write_text(text, encoding="utf-8")


def with_film(text: str, film: str) -> str:
    """The page of a gallery with a film before the still thumbnail of one card."""
    still = re.escape(film.replace("_film.webp", "_thumb.png"))
    card = re.compile(rf"^( *)\.\. image:: /{still}\n *:alt:.*\n(?! *:class:)", re.MULTILINE)
    pictures = ((film, "film"), (film.replace("_film.webp", "_thumb.png"), "still"))
    both = [rf"\1.. image:: /{name}\n\1  :alt:\n\1  :class: {look}\n" for name, look in pictures]
    return card.sub("\n".join(both), text)


def _get_sg_image_scraper():
    """What Sphinx-Gallery asks a module for."""
    return film


def open_at_the_top(app, docname, source) -> None:
    """In place of the way to the links at the end of a page, the links."""
    name = docname.rsplit("/", 1)[-1]
    links = f":download:`Open this example <{name}.py>`, or :download:`as a notebook <{name}.ipynb>`."
    source[0] = _TO_THE_END.sub(links, source[0], count=1)


def setup(app):
    app.connect("source-read", open_at_the_top)
    app.connect("builder-inited", use_films, priority=900)  # after Sphinx-Gallery wrote its pages
    return {"parallel_read_safe": True}
