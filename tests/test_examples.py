"""Every example runs, and a number from each is held."""

import re
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import FOLDER, is_example, run_example

import jourdain as jd


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    found = run_example(name)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines or panel.collections for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def two_link_arm(found):
    elbow = 9.81 * (1.6 * 1.0 + 20.0 * 2.0) * np.cos(1.5)
    assert found["holding"] == pytest.approx([-elbow - 9.81 * (5.0 * 0.5 + 21.6) * np.cos(0.6), -elbow], rel=1e-12)
    assert np.max(np.abs(found["residual"])) < 1e-10
    assert found["balance"] < 1e-10
    assert found["braked"] == pytest.approx(679.3511, abs=1e-3)
    P = found["momentum"]
    slope = (8.0 * (P[3:-1] - P[1:-3]) - (P[4:] - P[:-4])) / (12.0 * 0.01)  # to 0.9 N, to 2e-3 N over 2 ms
    assert found["bearing"].values[2:-2] == pytest.approx(slope + [0.0, 0.0, 26.6 * 9.81], abs=1e-3 * found["peak"])


def planar_free_floater(found):
    assert found["momentum"] < 1e-10
    assert found["predicted"] == pytest.approx(0.17095436, abs=1e-8)
    assert found["turned"] == pytest.approx(found["predicted"], abs=1e-7)
    assert found["attitude"][240] == pytest.approx(3 * found["predicted"], abs=1e-6)


def four_r_chain(found):
    assert found["residual"] < 1e-12
    assert np.max(found["apart"]) < 1e-8
    assert np.max(found["energy"]) < 1e-9


def georgiev_ivanova(found):
    assert found["symmetry"] < 1e-12 and found["wrench_error"] < 1e-11
    assert found["round_trip"] < 1e-10
    assert found["effort_error"] < 1e-10


def triple_pendulum_momenta(found):
    """Values of the Hamiltonian system computed by an independent program."""
    assert found["apart"] < 1e-9
    assert found["final_q"] == pytest.approx([-2.08929486, -0.95546018, -1.1953873], abs=1e-8)
    assert found["final_p"] == pytest.approx([12.65089596, 5.20057023, -0.76263658], abs=1e-8)


def heavy_top(found):
    assert found["published"] < 1.3e-6
    assert [found["orders"][m] for m in ("heun", "rk3", "rk4", "rk5")] == pytest.approx([2, 3, 4, 5], abs=0.1)


def dzhanibekov(found):
    assert found["deviation"] < 1e-8 and found["drift"] < 1e-10
    assert found["period"] == pytest.approx(21.4036657, abs=1e-6)
    assert np.diff(found["turns"]) == pytest.approx(found["period"] / 2, abs=0.2)


CHECKS = {
    "two_link_arm": two_link_arm,
    "free_floating_robot": planar_free_floater,
    "four_link_chain": four_r_chain,
    "six_axis_arm": georgiev_ivanova,
    "canonical_momenta": triple_pendulum_momenta,
    "heavy_top": heavy_top,
    "dzhanibekov": dzhanibekov,
}


@pytest.mark.parametrize("name", CHECKS)
def test_example(name):
    CHECKS[name](run(name))


EXAMPLES = sorted(path for path in FOLDER.glob("*/*.py") if is_example(path))


def test_every_example_is_held_by_a_number():
    """Tests that run examples, or published cases, name it."""
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.rglob("*.py")]
    texts = [text for text in texts if re.search(r"\b(?:run_example|example)\(", text)]
    texts += [path.read_text(encoding="utf-8") for path in (FOLDER / "published").glob("*.py")]
    named = {name for text in texts for name in re.findall(r'"(?:\w+/)?(\w+)"', text)}
    assert [path.stem for path in EXAMPLES if path.stem not in named] == []


def test_names_of_examples_are_their_own():
    """So that the folder may be left out, and what examples share is found by its name."""
    names = [path.stem for path in FOLDER.glob("*/*.py") if path.parent.name != "published"]
    names += [path.stem for path in (Path(jd.__file__).parent / "scenarios").glob("*.yaml")]
    assert sorted(set(names)) == sorted(names)


LONGER = {"predictive_parallel_robot": 110, "flexible_arm_force_control": 80}
"""Lines of examples that have a plant and two controllers of their own."""


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short(path):
    """A title in the docstring, as the gallery wants it, and under eighty lines, but for two."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == '"""' and len(lines[1]) == len(lines[2]) and set(lines[2]) == {"="}
    assert len(lines) <= LONGER.get(path.stem, 79)


def test_what_examples_import_has_a_title_too():
    """Sphinx-Gallery makes a page of every file but the published cases."""
    files = [path for path in FOLDER.glob("*/*.py") if path.parent.name != "published" and path.stem != "conftest"]
    heads = {path.name: path.read_text(encoding="utf-8").splitlines()[:3] for path in files}
    assert [name for name, head in heads.items() if head[0] != '"""' or set(head[2]) != {"="}] == []
