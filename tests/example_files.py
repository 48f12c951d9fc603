"""The examples for tests: found by their names, and run as programs."""

import runpy
import sys
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "examples"


def example_file(name: str) -> Path:
    """The file of an example, or of what examples share, by its name without folder and ending."""
    (path,) = FOLDER.glob(f"*/{name}.py")
    return path


def is_example(path: Path) -> bool:
    """Whether a file is an example: it ends with a figure. Others are what examples share, and published cases."""
    return path.read_text(encoding="utf-8").rstrip().endswith("plt.show()")


def examples_in(folder: str) -> list[str]:
    """Names of the examples in a folder, sorted."""
    return sorted(path.stem for path in (FOLDER / folder).glob("*.py") if is_example(path))


@contextmanager
def beside(name: str):
    """What an example shares with others is imported from beside it meanwhile, and forgotten after it."""
    folder, places = example_file(name).parent, list(sys.path)
    shared = [path.stem for path in folder.glob("*.py")]
    hidden = {one: sys.modules.pop(one) for one in shared if one in sys.modules}  # tests have modules of such names too
    sys.path.insert(0, str(folder))
    try:
        yield folder
    finally:
        sys.path[:] = places
        for one in shared:
            sys.modules.pop(one, None)
        sys.modules.update(hidden)


def run_example(name: str) -> dict:
    """The names that an example leaves behind."""
    with beside(name):
        return runpy.run_path(str(example_file(name)))
