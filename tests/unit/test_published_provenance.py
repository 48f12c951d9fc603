"""No row of a published case compares a formula with itself, the package with itself, or what was asked for with it."""

from __future__ import annotations

import re

import pytest
from provenance import CLAMPED, PACKAGE, SOUGHT, rows_of

from jourdain.study.published import find_cases

CASES = find_cases()
EXPECTED_FROM_THE_RUN = {
    # the closed form is taken at the age of the contact when it breaks away, which a run tells
    ("gonthier_friction: rest", "f'coefficient of friction after {rest:g} s'"),
    # the closed form takes the half axes of the patch, which the case of wheel and rail holds against theirs
    ("nato_vehicles: critical speed", "'wheelset that nowhere slips: two equations with slopes in closed form'"),
}
"""Rows whose theirs needs a number of the package, and why they are no comparison with itself."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_where_the_numbers_of_a_case_come_from(case):
    rows = rows_of(case.path, case.function)
    assert rows, "it yields no row that can be read"
    for row in rows:
        where = f"{case.path.name}, line {row.line}: {row.text}"
        assert PACKAGE in row.ours, f"{where}: ours is not computed by the package"
        assert CLAMPED not in row.ours, f"{where}: ours goes through min or max with a constant, and hides a change"
        assert SOUGHT not in row.ours, f"{where}: a root finder looked for ours"
        if PACKAGE in row.theirs:
            assert (case.name, row.text) in EXPECTED_FROM_THE_RUN, f"{where}: theirs is computed by the package"


def test_exceptions_are_still_there():
    texts = {(case.name, row.text) for case in CASES for row in rows_of(case.path, case.function)}
    assert EXPECTED_FROM_THE_RUN <= texts


def test_the_source_of_a_case_has_a_year():
    for case in CASES:
        assert re.search(r"\b(1[89]|20)[0-9]{2}\b", case.source), f"{case.name}: {case.source}"


HEAD = "import numpy as np\nimport jourdain as jd\nfrom scipy.optimize import brentq\n"
CALL = "\ndef numbers():\n    '''Somebody 2002: a case.'''\n"


def marks(tmp_path, body, before=""):
    """Marks of theirs and of ours in the one row of a case."""
    path = tmp_path / f"case{len(list(tmp_path.iterdir()))}.py"
    path.write_text(HEAD + before + CALL + "".join(f"    {line}\n" for line in body.splitlines()))
    (row,) = rows_of(path, "numbers")
    return set(row.theirs), set(row.ours)


RUN = "run = jd.simulate(jd.model(), None, until=1.0)\n"


@pytest.mark.parametrize(
    ("body", "theirs", "ours"),
    [
        (RUN + "yield theory('x', '', 1.0, run.q['x'][-1], 1)", set(), {PACKAGE}),
        ("yield theory('x', '', 1.0, np.sqrt(2.0), 1)", set(), set()),
        ("c = 3.0\nyield theory('x', '', c**2, c * c, 1)", set(), set()),
        (RUN + "yield theory('x', '', run.q['x'], run.v['x'], 1)", {PACKAGE}, {PACKAGE}),
        (RUN + "yield rerun('x', '', 10, min(10, len(run.steps)), 0)", set(), {PACKAGE, CLAMPED}),
        (RUN + "yield rerun('x', '', 10, np.min(run.q['x']), 0)", set(), {PACKAGE}),
        ("yield theory('x', '', 1, brentq(lambda u: jd.simulate(u).q, 0, 1), 0)", set(), {PACKAGE, SOUGHT}),
        (RUN + "a, b = 1.0, run.q\nyield theory('x', '', a, b, 1)", set(), {PACKAGE}),
        (RUN + "a, b = 1.0, run.q\nyield theory('x', '', b, a, 1)", {PACKAGE}, set()),
        (RUN + "for a, b in zip([1.0], run.q):\n    yield theory('x', '', a, b, 1)", set(), {PACKAGE}),
        ("for a, (b, c) in T.items():\n    yield theory('x', '', b, c.hz, 1)", set(), {PACKAGE}),
        ("yield theory('x', '', literal(5), system(5).mass, 1)", set(), {PACKAGE}),
        ("yield each('x', 1.0, jd.pose().x)", set(), {PACKAGE}),
        ("yield each('x', 1.0, literal(2))", set(), set()),
        ("try:\n    y = jd.simulate(1)\nexcept Exception as error:\n    y = error.time\nyield theory('x', '', 1, y, 0)",
         set(), {PACKAGE}),
        ("yield theory('x', '', 1, 2.0 if jd.simulate(1).trusted else 3.0, 0)", set(), {PACKAGE}),
    ],
)  # fmt: skip
def test_what_it_tells_apart(tmp_path, body, theirs, ours):
    before = (
        "T = {1: (2.0, jd.model(3)), 4: (5.0, jd.model(6))}\n"
        "def literal(n):\n    A = np.eye(n)\n    return np.linalg.eigvals(A).max()\n"
        "def system(n):\n    out = jd.System('x')\n    out.add(n)\n    return out\n"
        "def each(what, theirs, ours):\n    return theory(what, '', theirs, ours, 1)\n"
    )
    assert marks(tmp_path, body, before) == (theirs, ours)


def test_modules_and_stories_are_followed(tmp_path, monkeypatch):
    """What an example typed and what it computed; a function of a module beside it."""
    import provenance

    monkeypatch.setattr(provenance, "EXAMPLES", tmp_path)
    (tmp_path / "nato").mkdir()
    (tmp_path / "nato" / "told.py").write_text(
        "import jourdain as jd\ntheory = 2.0 * 3.0\nfound = {'a': jd.simulate(1).q}\nboth = [jd.simulate(2).q, 1.0]\n"
    )
    (tmp_path / "beside.py").write_text("import numpy as np\ndef shape(x):\n    return np.sin(x)\n")
    left = "found = found or example('nato/told')\n"
    cases = {
        "yield theory('x', '', 6.0, found['theory'], 1)": set(),
        "yield theory('x', '', 6.0, found['found']['a'], 1)": {PACKAGE},
        "(one,) = (found[name] for name in ('theory',))\nyield theory('x', '', 6.0, one, 1)": set(),
        "yield theory('x', '', 6.0, beside.shape(1.0), 1)": set(),
    }
    for body, ours in cases.items():
        given = "import beside\nfound = None\n"
        assert marks(tmp_path, left + body, given)[1] == ours, body
