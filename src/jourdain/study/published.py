"""Published numbers beside ours: what a case is, where cases are found, and how one is run.

A case is a function `numbers`, or one whose name begins with `numbers_`, of a file of the examples. The first line of
its docstring says whose numbers they are: "paper, year, section: what is done". It yields rows: lists that `paper`,
`rerun` or `theory` make, or plain tuples in the order of `PublishedNumber`, the kind among them. Nothing registers it:
a file that has one is found. A module names in `QUICK` those of its cases that take few seconds, and in `SEED` whose
they are where its folder does not say.
"""

from __future__ import annotations

import ast
import importlib.util
import math
import re
import runpy
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..basics.errors import JourdainError
from .gallery import examples_folder, present_name

SEEDS = {
    "gonthier": "Gonthier 2007: contact",
    "damaren_sharf": "Damaren & Sharf 1995: flexible links",
    "kim": "Kim 1999: contact of finite elements, and control",
    "chen": "Chen 1999: deployable manipulators in orbit",
    "nato": "NATO ASI 2002: virtual nonlinear multibody systems",
}
"""Whose numbers: the name that the command knows, and what it is."""
KINDS = {"printed": "printed in a source", "re-run": "independent re-runs", "theory": "theory"}
"""What a number of ours is held against. Printed: in the paper or thesis. Re-run: the case of the source run by an
independent formulation that shares no code with the package. Theory: a closed form, a conservation law, a count."""
MET, DIFFERS, OTHER, FAILED = "met", "differs", "another case", "failed"
VERDICTS = (MET, DIFFERS, OTHER, FAILED)


@dataclass(frozen=True)
class PublishedNumber:
    """One number beside ours.

    quantity   what it is of
    unit       of both; "" where it has none
    theirs     the number that ours is held against
    ours       what was computed now
    within     how far apart they may be: in their unit, or a share of theirs, such as "0.5 %"
    kind       what theirs is, one of `KINDS`
    reason     why they differ, where they do and it is known
    known      ours as it was found when the reason was written: it must stay there, within the same bound
    other      in what ours is another case than theirs, where the source leaves out what it would take: it can be
               neither met nor missed, and ours must stay at `known`
    """

    quantity: str
    unit: str
    theirs: float
    ours: float
    within: float | str
    kind: str
    reason: str = ""
    known: float | None = None
    other: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"{self.quantity}: a number is one of {', '.join(KINDS)}; got {self.kind!r}")
        if not math.isfinite(self.theirs):
            raise ValueError(f"{self.quantity}: theirs is {self.theirs}; leave out what the source does not give")
        if isinstance(self.within, str) and not re.fullmatch(r"[0-9.]+(e[-+]?[0-9]+)? %", self.within):
            raise ValueError(f'{self.quantity}: got {self.within!r}; a share is written as "0.5 %"')
        if isinstance(self.within, str) and self.theirs == 0.0:
            raise ValueError(f"{self.quantity}: {self.within} of 0 is nothing; say in its unit how far off it may be")
        if not 0.0 <= self.bound < math.inf:
            raise ValueError(f"{self.quantity}: may be off by {self.bound}; give a bound that it can miss")
        if self.reason and self.other:
            raise ValueError(f"{self.quantity}: it differs for a reason or is another case, not both")
        if (self.known is not None) != bool(self.reason or self.other):
            raise ValueError(
                f"{self.quantity}: `reason` or `other` and `known` come together: without the value that was found a "
                "change could not be seen"
            )
        if self.known is not None and not math.isfinite(self.known):
            raise ValueError(f"{self.quantity}: known is {self.known}; give the value that was found")

    @property
    def bound(self) -> float:
        """How far apart they may be, in their unit."""
        if isinstance(self.within, str):
            return abs(self.theirs) * float(self.within.rstrip(" %")) / 100.0
        return self.within

    @property
    def verdict(self) -> str:
        """Met; differs, for a reason that is known; of another case; or failed."""
        stays = self.known is not None and abs(self.ours - self.known) <= self.bound
        if self.other:
            return OTHER if stays else FAILED
        if abs(self.ours - self.theirs) <= self.bound:
            return MET
        return DIFFERS if stays else FAILED


def _rows(
    kind: str, quantity: str, unit: str, theirs: Any, ours: Any, within: Any, **more: Any
) -> list[PublishedNumber]:
    """Rows of numbers; those of a list are told apart by the words of `at`, or counted."""
    given = {name: more.pop(name, None) for name in ("reason", "other", "known", "at")}
    if more:
        raise TypeError(f"a published number has no {', '.join(more)}; reason, other, known and at are what there is")
    theirs_all, ours_all = np.ravel(np.asarray(theirs, dtype=float)), np.ravel(np.asarray(ours, dtype=float))
    if theirs_all.shape != ours_all.shape:
        raise ValueError(f"{quantity}: {theirs_all.size} numbers are published and {ours_all.size} computed")
    at = range(1, theirs_all.size + 1) if given["at"] is None else given["at"]
    labels = [""] if np.ndim(theirs) == 0 else [f", {one}" for one in at]
    knowns = [None] * theirs_all.size if given["known"] is None else [float(one) for one in np.ravel(given["known"])]
    reason, other = given["reason"] or "", given["other"] or ""
    parts = zip(labels, theirs_all.tolist(), ours_all.tolist(), knowns, strict=True)
    return [PublishedNumber(f"{quantity}{mark}", unit, a, b, within, kind, reason, k, other) for mark, a, b, k in parts]


def paper(quantity: str, unit: str, theirs: Any, ours: Any, within: Any, **more: Any) -> list[PublishedNumber]:
    """Numbers that the source prints; lists give a row each, `at` what tells them apart."""
    return _rows("printed", quantity, unit, theirs, ours, within, **more)


def rerun(quantity: str, unit: str, theirs: Any, ours: Any, within: Any, **more: Any) -> list[PublishedNumber]:
    """Numbers of the source's case, run by an independent formulation that shares no code with the package."""
    return _rows("re-run", quantity, unit, theirs, ours, within, **more)


def theory(quantity: str, unit: str, theirs: Any, ours: Any, within: Any, **more: Any) -> list[PublishedNumber]:
    """Numbers of a closed form, of a conservation law, or a count that follows from the definition."""
    return _rows("theory", quantity, unit, theirs, ours, within, **more)


@dataclass(frozen=True)
class Case:
    """A case: its file, its function, whose it is, and whether it is of the quick half."""

    path: Path
    function: str
    seed: str
    stated: str
    quick: bool

    @property
    def name(self) -> str:
        """Short: the file and the function, such as "gonthier_impacts: older laws"."""
        what = self.function.removeprefix("numbers").strip("_").replace("_", " ")
        return f"{self.path.stem}: {what}" if what else self.path.stem

    @property
    def source(self) -> str:
        """Paper and section."""
        return self.stated.partition(": ")[0]

    @property
    def title(self) -> str:
        """What is done."""
        return self.stated.partition(": ")[2]


@dataclass(frozen=True)
class CaseOutcome:
    """What a case gave: its rows, what went wrong if something did, and how long it took [s]."""

    case: Case
    rows: list[PublishedNumber]
    error: str = ""
    seconds: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether it broke off, or a number of it failed."""
        return bool(self.error) or any(one.verdict == FAILED for one in self.rows)


def find_cases(seed: str | None = None, word: str | None = None, quick: bool = False) -> list[Case]:
    """Cases of the examples, by seed and file; of one seed, with a word in their name or title, of the quick half."""
    folder = examples_folder()
    if folder is None:
        raise JourdainError("the examples did not come with this package, and the published cases are among them")
    if seed is not None and seed not in SEEDS:
        raise JourdainError(f"there is no seed {seed!r}; there are {', '.join(SEEDS)}")
    found = [case for path in sorted(folder.glob("*/*.py")) for case in _cases_of(path)]
    found.sort(key=lambda case: list(SEEDS).index(case.seed))
    found = [case for case in found if seed in (None, case.seed) and (case.quick or not quick)]
    if word is not None:
        found = [case for case in found if word.lower() in f"{case.name} {case.stated}".lower()]
    if not found:
        raise JourdainError("no case of published numbers fits; `jourdain reproduce --list` lists them all")
    return found


def _cases_of(path: Path) -> list[Case]:
    """The cases of a file, from its text: nothing is run."""
    text = path.read_text(encoding="utf-8")
    if "def numbers" not in text:
        return []
    tree = ast.parse(text)
    constants = {
        target.id: ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name) and target.id in ("SEED", "QUICK")
    }
    seed = constants.get("SEED") or next(
        (one for one in SEEDS if path.parent.name == one or path.stem.startswith(one)), None
    )
    if not isinstance(seed, str) or seed not in SEEDS:
        raise JourdainError(f"{path}: SEED says whose the published numbers are, one of {', '.join(SEEDS)}")
    quick, found = constants.get("QUICK", ()), []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (node.name == "numbers" or node.name.startswith("numbers_")):
            stated = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split()).rstrip(".")
            if not all(stated.partition(": ")):
                raise JourdainError(
                    f"{path.name}: the docstring of {node.name} begins with whose numbers they are, "
                    '"paper, year, section: what is done"'
                )
            found.append(Case(path, node.name, seed, stated, node.name in quick))
    return found


def run_case(case: Case) -> CaseOutcome:
    """Run a case; what goes wrong in it is told, not raised. Rows that came before are kept."""
    began, error = time.perf_counter(), ""
    rows: list[PublishedNumber] = []
    try:
        with _beside(case.path), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for one in getattr(_module(case.path), case.function)():
                rows += (
                    [one]
                    if isinstance(one, PublishedNumber)
                    else one
                    if isinstance(one, list)
                    else [PublishedNumber(*one)]
                )
    except Exception as fault:
        where = traceback.extract_tb(fault.__traceback__)[-1]
        error = f"{type(fault).__name__}: {fault} ({Path(where.filename).name}, line {where.lineno})"
    return CaseOutcome(case, rows, error, time.perf_counter() - began)


_LOADED: dict[Path, Any] = {}


def _module(path: Path) -> Any:
    """The module of a file, loaded once; an example draws its figure without a window."""
    if path not in _LOADED:
        _without_windows()
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)  # type: ignore[union-attr]
        _close_figures()
        _LOADED[path] = module
    return _LOADED[path]


def example(name: str, close: bool = True, **constants: Any) -> dict[str, Any]:
    """The names that an example leaves behind, such as "contact/restitution".

    close       False: its figure stays
    constants   values for constants that the example assigns in capitals: it is run with these instead
    """
    folder = examples_folder()
    assert folder is not None
    path = folder / f"{present_name(name)}.py"
    _without_windows()
    with _beside(path):
        found = _changed(path, constants) if constants else runpy.run_path(str(path))
    if close:
        _close_figures()
    return found


class _Changed(ast.NodeTransformer):
    """Puts other values behind names that a module assigns."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values, self.met = values, set[str]()

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        target, value = node.targets[0], node.value
        pair = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
        for i, name in enumerate(target.elts if pair else [target]):  # type: ignore[attr-defined]
            if isinstance(name, ast.Name) and name.id in self.values:
                new = ast.parse(repr(self.values[name.id]), mode="eval").body
                self.met.add(name.id)
                if pair:
                    value.elts[i] = new  # type: ignore[attr-defined]
                else:
                    node.value = new
        return node


def _changed(path: Path, constants: dict[str, Any]) -> dict[str, Any]:
    changed = _Changed(constants)
    tree = ast.fix_missing_locations(changed.visit(ast.parse(path.read_text(encoding="utf-8"))))
    if missing := set(constants) - changed.met:
        raise JourdainError(f"{path.name} has no {', '.join(sorted(missing))}")
    found: dict[str, Any] = {"__name__": "__main__", "__file__": str(path)}
    exec(compile(tree, str(path), "exec"), found)
    return found


@contextmanager
def _beside(path: Path) -> Iterator[None]:
    """Modules that a file of the examples shares with others are found beside it, and forgotten after it: another
    folder may have others of these names."""
    places, known = list(sys.path), set(sys.modules)
    sys.path.insert(0, str(path.parent))
    try:
        yield
    finally:
        sys.path[:] = places
        for name in set(sys.modules) - known:
            if Path(getattr(sys.modules[name], "__file__", None) or "").parent == path.parent:
                del sys.modules[name]


def _without_windows() -> None:
    import matplotlib

    matplotlib.use("Agg")


def _close_figures() -> None:
    import matplotlib.pyplot as plt

    plt.close("all")
