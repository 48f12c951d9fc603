"""Draw the figures of the documentation again: `python docs/figures.py`.

A page that shows `../images/NAME.png` makes it itself, by `savefig("NAME.png")` in its Python. This runs every page
that does so in an empty folder, and puts what it drew into docs/images.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

SNIPPET = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def draw(page: Path, images: Path) -> list[str]:
    """The names of the figures that the Python of a page draws, put into a folder."""
    program = "\n".join(SNIPPET.findall(page.read_text(encoding="utf-8")))
    wanted = re.findall(r'savefig\("(\w+\.png)"', program)
    if not wanted:
        return []
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            exec(compile(program, str(page), "exec"), {"__name__": "__main__"})
            for name in wanted:
                shutil.copyfile(name, images / name)
        finally:
            os.chdir(here)
    return wanted


if __name__ == "__main__":
    import matplotlib

    matplotlib.use("Agg")
    docs = Path(__file__).resolve().parent
    for page in sorted(docs.glob("[a-z]*/*.md")):
        for name in draw(page, docs / "images"):
            print(f"{page.relative_to(docs)}: {name}")
