"""The source and the documentation speak the language of the field: standard algorithms are found by their standard
names, and words that only this project used are gone."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "jourdain"
DOCS = ROOT / "docs"

FOUND = {
    "articulated-body algorithm": ("kernels/tree/articulated.py", "simulate/theory.md"),
    "ABA": ("kernels/tree/articulated.py", "reference/glossary.md"),
    "composite rigid body algorithm": ("kernels/tree/composite.py", "simulate/theory.md"),
    "CRBA": ("kernels/tree/composite.py", "reference/glossary.md"),
    "recursive Newton-Euler": ("kernels/tree/newton_euler.py", "simulate/theory.md"),
    "RNEA": ("kernels/tree/newton_euler.py", "reference/glossary.md"),
    "LCP": ("kernels/surface_contact/complementarity.py", "reference/glossary.md"),
    "complementarity": ("kernels/surface_contact/complementarity.py", "contact/surfaces.md"),
    "mortar": ("kernels/surface_contact/mortar_3d.py", "contact/surfaces.md"),
    "ANCF": ("kernels/bodies/ancf_cable.py", "reference/glossary.md"),
    "ALE": ("kernels/bodies/ale_cable.py", "reference/glossary.md"),
    "Craig-Bampton": ("describe/bodies/floating_frame/craig_bampton.py", "build/flexible.md"),
    "KKT": ("kernels/optimal/multifrontal.py", "reference/glossary.md"),
    "Jacobian": ("kernels/constraints/constraint_jacobian.py", "simulate/jacobians.md"),
    "Hessian": ("kernels/derivatives/hessian.py", "reference/glossary.md"),
    "sparse": ("kernels/linalg/supernodal_cholesky.py", "build/solids.md"),
    "GPU": ("run/gpu/cases.py", "simulate/many.md"),
    "thread pool": ("kernels/parallel/thread_pool.py", "reference/glossary.md"),
    "time step": ("run/contact_steps.py", "contact/points.md"),
    "co-simulation": ("cosimulation/master.py", "simulate/cosimulation.md"),
    "floating frame of reference": ("kernels/bodies/lumped_beam.py", "build/flexible.md"),
    "Schur complement": ("kernels/constraints/schur_complement.py", "reference/glossary.md"),
    "broad phase": ("kernels/contact/broad_phase.py", "reference/glossary.md"),
    "narrow phase": ("kernels/contact/narrow_phase/__init__.py", "contact/points.md"),
    "active set": ("kernels/surface_contact/active_set.py", "contact/surfaces.md"),
}
"""What an engineer of the field searches for, the file that does it and the page that explains it."""

GONE = {
    "shelf, shelves of names": r"\b(?:on|front) shel(?:f|ves)\b",
    "front door": r"\bfront door\b",
    "rules of the house": r"\brules of the house\b",
    "graphics card": r"\bgraphics cards?\b|\bNVIDIA card\b|\bon a card\b|\bthe card's\b",
    "against the clock": r"\bagainst the clock\b",
    "laws of one's own": r"\blaws? of (?:one's|your) own\b",
    "freedoms": r"(?<!degrees of )\bfreedoms\b",
    "give way": r"\bg(?:ives?|iving) way\b",
    "heaps, fleets": r"\b(?:heaps|fleets)\b",
    "mended": r"\b[Mm]ended\b",
    "trajectories that cost least": r"\btrajectories that cost least\b",
    "kept for later runs": r"\bkept for later runs\b",
    "a step that a contact does not bear": r"\bthat a contact does not bear\b",
    "story": r"\b[Ss]tor(?:y|ies)\b",
    "steered": r"\bsteered\b",
    "begun anew": r"\bbegun anew\b",
    "teller": r"\b[Tt]ellers?\b",
    "without a word": r"\bwithout a word\b",
    "by its word": r"\bby (?:its|their) words?\b",
}
"""Phrases of before, and how they are found, in the source, its messages and the documentation."""

IDENTIFIERS = re.compile(
    r"(?:^|_)(?:books?|crew|doors?|failing|fleets?|flats|freedoms|gates?|giving|glue|heaps?|mended|mockup|news|parted"
    r"|passing|rolls|shel(?:f|ves)|sink|skins|slopes|steered|stor(?:y|ies)|strands|teller|begun_)(?:_|$)",
    re.I,
)
"""Names of before."""


def texts() -> dict[str, str]:
    """The source, the documentation and the examples by their names."""
    files = [*SOURCE.rglob("*.py"), *DOCS.rglob("*.md"), *(ROOT / "examples").rglob("*.py"), *ROOT.glob("*.md")]
    built = (DOCS / "_build", DOCS / "gallery")
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in files
        if not any(path.is_relative_to(one) for one in built)
    }


@pytest.mark.parametrize("term", FOUND)
def test_a_search_for_the_term_leads_to_the_file_and_the_page(term):
    for home, name in zip((SOURCE, DOCS), FOUND[term]):
        text = " ".join((home / name).read_text(encoding="utf-8").split())
        assert re.search(rf"\b{re.escape(term)}\b", text, re.IGNORECASE if term[1:].islower() else 0), name


def test_words_that_nobody_else_speaks_are_gone():
    wrong = []
    for name, text in texts().items():
        flat = " ".join(text.split())
        wrong += [f"{name}: {what}" for what, pattern in GONE.items() if re.search(pattern, flat)]
    assert wrong == []


def test_names_that_nobody_else_knows_are_gone():
    wrong = []
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        names |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        names |= {path.stem}
        wrong += [f"{path.relative_to(SOURCE)}: {name}" for name in names if IDENTIFIERS.search(name)]
    assert wrong == []


def test_no_name_of_a_module_occurs_more_than_twice():
    stems = Counter(path.stem for path in SOURCE.rglob("*.py") if path.stem != "__init__")
    assert {stem: count for stem, count in stems.items() if count > 2} == {}


REFERENCE = re.compile(
    r"(?:`(?:jourdain\.)?|\bjourdain\.|\}\.)"
    r"((?:basics|compile|cosimulation|describe|export|files|kernels|methods|study)(?:\.\w+)+)"
)
"""A module, or a name in one, in a docstring or in a string of the source."""


def exists(name: str) -> bool:
    """Whether there is such a module, or a module that has such a name."""
    place, (*parts, last) = SOURCE, name.split(".")
    for i, part in enumerate((*parts, last)):
        if (place / part).is_dir():
            place /= part
        elif (place / f"{part}.py").is_file():
            rest = name.split(".")[i + 1 :]
            return not rest or re.search(rf"\b{rest[0]}\b", (place / f"{part}.py").read_text("utf-8")) is not None
        else:
            return re.search(rf"\b{part}\b", (place / "__init__.py").read_text("utf-8")) is not None
    return True


def test_modules_that_the_source_names_exist():
    """`kernels.kind_registry.ADDED_JOINTS` in a docstring, or the name of a module in a string."""
    wrong = [
        f"{name}: {found}"
        for name, text in texts().items()
        if name.endswith(".py")
        for found in REFERENCE.findall(text)
        if not exists(found)
    ]
    assert wrong == []


def test_files_that_docstrings_name_exist():
    """`kernels/tree/rates.py` in a docstring is a file of the package, of the tests or of the tools."""
    wrong = []
    for name, text in texts().items():
        if not name.endswith(".py"):
            continue
        for one in re.findall(r"`((?:[a-z_]+/)+[a-z_0-9]+\.py)`", text):
            homes = (SOURCE, SOURCE / "kernels", ROOT, (ROOT / name).parent, (ROOT / name).parent.parent)
            if not any((home / one).is_file() for home in homes):
                wrong.append(f"{name}: {one}")
    assert wrong == []
