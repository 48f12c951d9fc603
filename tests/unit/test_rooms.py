"""Imports point one way: from a room to those below it, and in a room never in a circle. Lazy imports count."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import jourdain as jd

SOURCE = Path(jd.__file__).parent
ROOMS = ("basics", "kernels", "describe", "model", "compile", "results", "run", "control", "methods", "export", "files",
         "cosimulation", "live", "view", "study", "train", "commands")  # fmt: skip
"""From the bottom to the top. What lies in the package itself are doors, above all of them."""
REACHING_UP = {"describe/system.py", "model/model.py", "results/run.py"}
"""`System`, `Model` and `Run` offer as methods what higher rooms do, by `basics.door.above`."""
LAYING = {"describe", "model", "compile", "run", "results", "control", "methods", "export"}
"""Rooms that lay the kernels' tables, or read what kernels wrote into them."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = ("jourdain", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(name: str) -> set[str]:
    """Modules of the package that one imports, those for types alone left out."""
    path = MODULES[name]
    here = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()

    def visit(node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):  # nothing is imported within one
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                continue
            if isinstance(child, ast.ImportFrom):
                base = here[: len(here) - child.level + 1] if child.level else []
                module = ".".join([*base, *([child.module] if child.module else [])])
                for one in child.names:
                    whole = f"{module}.{one.name}"
                    found.add(whole if whole in MODULES else module)
            elif isinstance(child, ast.Import):
                found.update(one.name for one in child.names)
            visit(child)

    visit(ast.parse(path.read_text(encoding="utf-8")))
    return {one for one in found if one in MODULES and one != name}


@cache
def graph() -> dict[str, set[str]]:
    """What every module imports; read when a test asks, since all workers collect this file."""
    return {name: imported(name) for name in MODULES}


def floor(name: str) -> int:
    """Height of a module: that of its room, or above all rooms."""
    words = name.split(".")
    return ROOMS.index(words[1]) if len(words) > 1 and words[1] in ROOMS else len(ROOMS)


def test_no_import_points_up():
    assert sorted(set(ROOMS) - {path.name for path in SOURCE.iterdir() if path.is_dir()}) == []
    upward = [
        f"{name} -> {other}" for name, others in graph().items() for other in others if floor(other) > floor(name)
    ]
    assert upward == []


def test_no_import_goes_round_in_a_circle():
    left = {name: set(others) for name, others in graph().items()}
    while free := [name for name, others in left.items() if not others & left.keys()]:
        for name in free:
            del left[name]
    assert sorted(left) == []


def test_only_what_a_user_holds_reaches_up():
    found = {
        str(path.relative_to(SOURCE))
        for path in MODULES.values()
        if re.search(r"\babove\(\"", path.read_text(encoding="utf-8"))
    }
    assert found == REACHING_UP
    for name in REACHING_UP:
        for address in re.findall(r"above\(\"([\w.:]+)\"", (SOURCE / name).read_text(encoding="utf-8")):
            module, _, function = address.partition(":")
            assert f"jourdain.{module}" in MODULES, address
            assert re.search(rf"^def {function}\(", MODULES[f"jourdain.{module}"].read_text(encoding="utf-8"), re.M), (
                address
            )


def test_tables_of_the_kernels_are_read_only_where_they_are_laid():
    layouts = {
        name for name in MODULES if name.startswith("jourdain.kernels.") and name.endswith(("layout", "columns"))
    }
    readers = {name.split(".")[1] for name, others in graph().items() if others & layouts} - {"kernels"}
    assert readers <= LAYING


def test_the_front_door():
    assert len([name for name in jd.__all__ if not isinstance(getattr(jd, name), type(jd))]) <= 66
    assert not {"Any", "importlib", "annotations", "TYPE_CHECKING"} & set(dir(jd))
    for shelf in (
        "constraints",
        "contact",
        "control",
        "cosimulation",
        "errors",
        "export",
        "implicit",
        "mechanism",
        "shapes",
        "study",
        "worksites",
    ):
        module = getattr(jd, shelf)
        assert dir(module) == sorted(module.__all__)
        for name in module.__all__:
            assert getattr(module, name).__name__ == name
