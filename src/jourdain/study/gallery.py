"""The examples and the scenarios that come with Jourdain: finding, running and copying them.

They are in the repository's `examples` folder; a built package carries a copy of it in `jourdain/_examples`, and the
scenarios in `jourdain/scenarios`.
"""

from __future__ import annotations

import ast
import difflib
import re
import runpy
import shutil
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from ..basics.errors import JourdainError
from ..basics.storage import WriteError, atomic_write, make_folder
from ..basics.warn import warn
from .former_examples import FORMER

PACKAGE = Path(__file__).resolve().parents[1]
SCENARIO_ENDINGS = (".yaml", ".yml")


@dataclass(frozen=True)
class Example:
    """One example.

    name      folder and file, such as "dynamics/two_link_arm" or "vehicles/critical_speed"
    path      the file
    summary   one line
    picture   a picture of it; None where there is none
    """

    name: str
    path: Path
    summary: str
    picture: Path | None

    @property
    def folder(self) -> str:
        """The group it is listed in."""
        return self.name.partition("/")[0]

    @property
    def short(self) -> str:
        """The last part of its name."""
        return self.name.rpartition("/")[2]

    @property
    def is_scenario(self) -> bool:
        """Whether it is a scenario file, not a program."""
        return self.path.suffix in SCENARIO_ENDINGS


def examples_folder() -> Path | None:
    """Where the examples are: in the package as it was built, or in the repository; None where neither is."""
    for folder in (PACKAGE / "_examples", PACKAGE.parents[1] / "examples"):
        if (folder / "GALLERY_HEADER.rst").is_file():
            return folder
    return None


def find_examples() -> list[Example]:
    """Every example and every scenario that comes with Jourdain: scenarios first, then by folder and name."""
    found = [_scenario(path, "scenarios") for path in _scenario_files(PACKAGE / "scenarios")]
    folder = examples_folder()
    for one in sorted(folder.iterdir()) if folder is not None else ():
        if one.is_dir():
            found += [_scenario(path, one.name) for path in _scenario_files(one)]
            found += [_program(path) for path in sorted(one.glob("*.py")) if _draws(path)]
    return found


def folder_title(name: str) -> str:
    """What a folder of examples is about, in a line."""
    folder = examples_folder()
    header = None if folder is None else folder / name / "GALLERY_HEADER.rst"
    if header is not None and header.is_file():
        return header.read_text(encoding="utf-8").partition("\n")[0]
    return "Scenarios: run, judged and reported by one command" if name == "scenarios" else name


def example(name: str) -> Example:
    """The example of that name; its folder may be left out. Of a former name, with a warning that says the new one."""
    found = find_examples()
    wanted = re.sub(r"\.(?:py|ya?ml)$", "", name)
    for match in (lambda one: one.name, lambda one: one.short):
        fits = [one for one in found if match(one) == wanted]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise JourdainError(f"{name!r} may be {' or '.join(one.name for one in fits)}; give the folder too")
    now = present_name(wanted)
    if now != wanted:
        return next(one for one in found if one.name == now)
    close = difflib.get_close_matches(wanted, [text for one in found for text in (one.name, one.short)], n=1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    raise JourdainError(f"there is no example {name!r}; {hint}`jourdain examples` lists them all")


def present_name(wanted: str) -> str:
    """The name that an example has now, with a warning where a former one is given; the same name where none is.

    Of a former name the folder, and its number, may be left out where what is left is not the name of another one.
    """
    for short in (lambda old: old, lambda old: old.rpartition("/")[2], _without_number):
        fits = [new for old, new in FORMER.items() if short(old) == wanted]
        if len(fits) == 1:
            warn(f"the example {wanted} is now {fits[0]}")
            return fits[0]
    return wanted


def _without_number(former: str) -> str:
    return re.sub(r"^(?:ex|a|b)\d+_", "", former.rpartition("/")[2])


def run_program(one: Example, out: Path) -> list[Path]:
    """Run an example that is a program, without opening a window; its figures, saved in the folder `out`."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    make_folder(out)
    before = list(sys.path)
    sys.path.insert(0, str(one.path.parent))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=".*non-interactive.*")
            runpy.run_path(str(one.path), run_name="__main__")
    finally:
        sys.path[:] = before
    paths: list[Path] = []
    for number in plt.get_fignums():
        path = out / f"{one.short}{'' if not paths else f'-{len(paths) + 1}'}.png"
        with atomic_write(path) as temporary, open(temporary, "wb") as stream:
            plt.figure(number).savefig(stream, dpi=120, format="png")
        paths.append(path)
    plt.close("all")
    return paths


def copy_source(one: Example, to: Path) -> list[Path]:
    """Copy an example into a folder, with what it needs of its own folder; a file that is there already stays."""
    make_folder(to)
    needed = [one.path]
    if not one.is_scenario:
        needed += [path for path in one.path.parent.glob("*.py") if path.stem in _imports(one.path)]
    taken = [to / path.name for path in needed if (to / path.name).exists()]
    if taken:
        raise WriteError(taken[0], "it is there already; give another folder, or move it away")
    try:
        return [Path(shutil.copyfile(path, to / path.name)) for path in needed]
    except OSError as error:
        raise WriteError.because(to, error) from error


def _scenario_files(folder: Path) -> list[Path]:
    return sorted(path for ending in SCENARIO_ENDINGS for path in folder.glob(f"*{ending}"))


def _scenario(path: Path, folder: str) -> Example:
    import yaml

    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    summary = str(told.get("name", path.stem)) if isinstance(told, dict) else path.stem
    return Example(f"{folder}/{path.stem}", path, summary, _picture(path, path.stem))


def _program(path: Path) -> Example:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or path.stem
    name = f"{path.parent.name}/{path.stem}"
    return Example(name, path, text.partition("\n")[0], _picture(path, path.stem))


def _picture(path: Path, short: str) -> Path | None:
    places = (path.with_suffix(".png"), PACKAGE.parents[1] / "docs" / "images" / f"{short}.png")
    return next((place for place in places if place.is_file()), None)


def _draws(path: Path) -> bool:
    """Whether a file of the examples' folders is an example: it ends with a figure; others are what examples share."""
    return path.read_text(encoding="utf-8").rstrip().endswith("plt.show()")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found
