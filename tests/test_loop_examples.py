"""Every example of loops runs, and a number from each is held."""

import runpy
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import nato_machines
import nato_reductions
import numpy as np
import pytest

from jourdain.study.published import FAILED

LOOPS = Path(__file__).resolve().parents[1] / "examples" / "loops"


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    sys.path.insert(0, str(LOOPS))
    try:
        found = runpy.run_path(str(LOOPS / f"{name}.py"))
    finally:
        sys.path.remove(str(LOOPS))
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines or panel.collections or panel.images for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def hold(rows) -> None:
    """Published numbers, by their own bounds."""
    assert [row for many in rows for row in many if row.verdict == FAILED] == []


def four_bar(found):
    """Digest of Aghili & Piedboeuf: all printed digits."""
    ours = [found["crank"]["pin"][200], *(found[name] for name in ("speed", "coupler", "rocker", "energy"))]
    assert ours == pytest.approx(list(nato_reductions.FOUR_BAR.values()), abs=1e-6)
    hold(nato_machines.numbers_four_bar(found))
    assert found["apart"] < 1e-8 and found["gap"] < 1e-10


def double_four_bar(found):
    assert found["off"] < 1e-7 and found["published"] < 2e-6 and found["drift"] < 1e-7
    assert found["crossing"].kind == "bifurcation" and found["crossing"].time == pytest.approx(np.pi / 2, abs=1e-6)


def forty_four_bars(found):
    assert found["drift"] < 1e-3 and found["off"] < 1e-3


def slider_crank(found):
    assert found["off"] < 1e-10
    assert len(found["modes"]) == 1 and found["rocking"] < 1e-2
    history = found["rest"].history
    assert len(history) < 12 and history[-1] < 1e-9


def spatial_slider_crank(found):
    hold(nato_machines.numbers_slider_crank(found))
    assert found["apart"] < 1e-7
    assert {name: (one.degrees, one.velocities, one.rows) for name, one in found["mobility"].items()} == {
        "mixed": (2, 7, 5),
        "cartesian": (2, 18, 16),
    }


def flexible_rod(found):
    assert found["differs"][20.0] < found["differs"][2.0] < 0.1
    assert found["converged"] < 0.1 * found["differs"][2.0]
    assert found["drift"] < 1e-5


def bricard(found):
    assert found["mobility"].degrees == 1
    assert found["drift"] < 1e-7 and found["off"] < 1e-3


def andrews_squeezer(found):
    assert found["gap"] < 1e-12 and found["mobility"].degrees == 1
    assert np.max(found["off"]) < 1e-7


def flyball_governor(found):
    assert found["off"] < 1e-4 and found["differ"] < 1e-2
    assert np.ptp(found["momentum"]) < 1e-7 * found["momentum"][0]


def parallel_robot(found):
    assert found["off"] < 1e-10 and found["agree"] < 1e-2
    assert found["least"][3] < 0.01 < 0.08 < found["least"][4]
    assert np.max(np.linalg.norm(found["torques"][4], axis=1)) < np.max(np.linalg.norm(found["torques"][3], axis=1))


def hexapod(found):
    assert found["off"] < 1e-9 and found["agree"] < 1e-5


def rolling_disk(found):
    assert found["slip"] < 1e-14 and found["off"] < 1e-7 and found["energy"] < 1e-8
    assert found["across"] == pytest.approx(found["centripetal"] + 0 * found["across"], rel=1e-6)
    assert found["force"][:, 2] == pytest.approx(2.0 * 9.81 + 0 * found["across"], rel=1e-6)
    assert found["modes"].rad[0] == pytest.approx(found["wobble"], rel=1e-7)


def ellipsograph(found):
    assert np.all(found["off"]["20 pieces"] < [2e-4, 6e-4, 4e-4, 7e-4, 2e-4, 6e-3]), found["off"]
    hold(nato_machines.numbers_ellipsograph(found))


def hinged_rods(found):
    hold(nato_machines.numbers_hinged_rods(found))
    assert found["gap"] < 1e-12 and found["off"] < 3.0 * found["tilt"] ** 2


def branches(found):
    hold(nato_machines.numbers_branches(found))
    assert len(found["modes"]) == 2


EXAMPLES = {
    "ex01_four_bar": four_bar,
    "ex02_double_four_bar": double_four_bar,
    "ex03_forty_four_bars": forty_four_bars,
    "ex04_slider_crank": slider_crank,
    "ex05_spatial_slider_crank": spatial_slider_crank,
    "ex06_flexible_rod": flexible_rod,
    "ex07_bricard": bricard,
    "ex08_andrews_squeezer": andrews_squeezer,
    "ex09_flyball_governor": flyball_governor,
    "ex10_parallel_robot": parallel_robot,
    "ex11_hexapod": hexapod,
    "ex12_rolling_disk": rolling_disk,
    "ex13_ellipsograph": ellipsograph,
    "ex14_hinged_rods": hinged_rods,
    "ex15_branches": branches,
}
QUICK = {"ex01_four_bar", "ex04_slider_crank", "ex05_spatial_slider_crank", "ex12_rolling_disk"}


def test_none_is_forgotten():
    assert {path.stem for path in LOOPS.glob("ex*.py")} == set(EXAMPLES)


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in EXAMPLES]
)
def test_example(name):
    EXAMPLES[name](run(name))
