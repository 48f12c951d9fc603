"""The source and the documentation speak the language of the field: standard algorithms are found by their standard
names, and words that only this project used are gone."""

from __future__ import annotations

import ast
import builtins
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
    "freedoms": r"(?<!degrees of )(?<!`)\bfreedoms\b",
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
    r"(?:^|_)(?:books?|crew|doors?|failing|felt|fleets?|flats|freedoms|gates?|giving|glue|heaps?|mended|mockup|news|parted"
    r"|passing|press|reeled|rolls|rooms?|shel(?:f|ves)|shots?|sink|skins|sliced|slopes|steered|stor(?:y|ies)|strands|teller|told"
    r"|begun_|sunk|crowded)(?:_|$)",
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


TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py")}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ELSEWHERE = {"np", "numpy", "scipy", "numba", "math", "xr", "xarray", "ir", "os", "json", "control", "matplotlib"}
"""Libraries whose names docstrings may use."""
FOREIGN = {"interconnect", "websockets", "brake", "modelDescription.xml", "jd_step", "jd_get", "turn_l"} | {
    "JOURDAIN_CACHE_DIR",
    "rope",
    "address_Wc",
    "SEED",
}
"""Names of other programs and formats, of exported C code, of joints, of the environment, of examples, and of those in
docstrings."""


def docstrings(tree: ast.Module):
    """Docstrings of a module, its classes, functions, attributes and constants, with their lines."""
    for node in ast.walk(tree):
        for one in getattr(node, "body", None) or () if not isinstance(node, (ast.Lambda, ast.IfExp)) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str):
                yield one.lineno, one.value


class Names:
    """What the package gives names to.

    modules    addresses of modules by every ending of them: "run.plan" and "plan"
    inside     names in each module
    members    methods, attributes and arguments of each class, and `bases` of it
    words      every identifier, and words of strings that are no sentences: keys, C names, joints
    """

    def __init__(self) -> None:
        self.modules: dict[str, set[str]] = {}
        self.inside: dict[str, set[str]] = {}
        self.members: dict[str, set[str]] = {}
        self.bases: dict[str, set[str]] = {}
        self.words: set[str] = set(dir(builtins))
        self.attributes: set[str] = set()
        for path, tree in TREES.items():
            parts = ("jourdain", *path.relative_to(SOURCE).with_suffix("").parts)
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            for i in range(len(parts)):
                self.modules.setdefault(".".join(name.split(".")[i:]), set()).add(name)
            self.read(tree, self.inside.setdefault(name, set()))
        self.words |= set(self.modules)
        self.functions = {one.name for tree in TREES.values() for one in tree.body if isinstance(one, FUNCTIONS)}
        self.constants = set().union(*self.inside.values(), *self.members.values())

    def read(self, tree: ast.Module, inside: set[str]) -> None:
        """Takes in a module."""
        said = {id(value) for _, value in docstrings(tree)}
        for node in ast.walk(tree):
            found = own_names(node)
            self.words |= found
            if not isinstance(node, ast.Name):
                self.attributes |= found
            if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.alias)) or isinstance(
                getattr(node, "ctx", None), ast.Store
            ):
                inside |= found
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                self.words |= {one for one in re.findall(r"\w+", node.value) if "_" in one or " " not in node.value}
            if isinstance(node, ast.ClassDef):
                own = self.members.setdefault(node.name, set())
                own |= {name for one in ast.walk(node) for name in own_names(one)}
                self.bases.setdefault(node.name, set()).update(
                    re.findall(r"\w+", " ".join(map(ast.unparse, node.bases)))
                )
        self.attributes |= inside

    def has(self, owner: str, name: str, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a class has a member; one whose base is not of the package may have any."""
        if owner not in self.members:
            return True
        if owner in seen:
            return False
        return name in self.members[owner] or any(self.has(one, name, seen | {owner}) for one in self.bases[owner])

    def know(self, chain: list[str]) -> bool:
        """Whether `a.b.c` means something: strict for modules, classes and constants, lenient for lower-case words."""
        root, *rest = chain = ["jourdain", *chain[1:]] if chain[0] == "jd" else chain
        if not rest:
            return root in (self.constants if root.isupper() and len(root) > 2 else self.words) or len(root) < 3
        if root in ELSEWHERE:
            return True
        for k in range(len(chain), 0, -1):
            module, behind = ".".join(chain[:k]), chain[k:]
            if module not in self.modules:
                continue
            if not behind:
                return True
            if any(behind[0] in self.inside[one] for one in self.modules[module]) or module == "jourdain":
                return len(behind) < 2 or self.has(behind[0], behind[1])
            if k > 1 or behind[0][0].isupper():
                return False
        if root not in self.words and rest[0] in self.functions:
            return False  # a module of before
        if root[0].isupper() or rest[-1].isupper() and len(rest[-1]) > 2:
            return root in self.members and self.has(root, rest[0])
        return all(name in self.attributes for name in rest)


def own_names(node: ast.AST) -> set[str]:
    """Names that one node of a tree brings."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).split(".")[0]}
    return {name for name in (getattr(node, key, None) for key in ("id", "attr", "arg")) if name}


def chains(text: str):
    """The names `a.b.c` in an expression; none where it is a formula or anything else but Python."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return
    if isinstance(tree.body, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
        inner = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in inner:
                chain = []
                while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
                    chain += [node.attr] if isinstance(node, ast.Attribute) else []
                    node = node.func if isinstance(node, ast.Call) else node.value
                if isinstance(node, ast.Name):
                    yield [node.id, *reversed(chain)]


def test_what_docstrings_refer_to_exists():
    """Names in backticks: `package.module:Name`, `module.function`, `Class.method`, `UPPER_CASE` constants, files."""
    names, wrong = Names(), []
    for path, tree in TREES.items():
        for line, value in docstrings(tree):
            for said in re.findall(r"``?([^`]+?)``?", " ".join(value.value.split())):
                address = re.fullmatch(r"([\w.]+):(\w+)", said)
                if said in FOREIGN:
                    good = True
                elif re.fullmatch(r"[\w./-]+\.(py|md)", said):
                    good = any((home / said).exists() for home in (SOURCE, ROOT, path.parent))
                elif address and address[1] in names.modules:
                    good = any(address[2] in names.inside[one] for one in names.modules[address[1]])
                else:
                    good = all(chain[0] in FOREIGN or names.know(chain) for chain in chains(said))
                if not good:
                    wrong.append(f"{path.relative_to(SOURCE)}:{line}: `{said}`")
    assert wrong == []
