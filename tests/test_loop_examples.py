"""Every example of loops runs, and a number from each is held."""

import matplotlib.pyplot as plt
import nato_machines
import nato_reductions
import numpy as np
import pytest
from example_files import run_example

from jourdain.study.published import FAILED


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    found = run_example(name)
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
    "four_bar": four_bar,
    "double_four_bar": double_four_bar,
    "forty_four_bars": forty_four_bars,
    "slider_crank": slider_crank,
    "spatial_slider_crank": spatial_slider_crank,
    "flexible_rod": flexible_rod,
    "bricard": bricard,
    "andrews_squeezer": andrews_squeezer,
    "flyball_governor": flyball_governor,
    "parallel_robot": parallel_robot,
    "hexapod": hexapod,
    "rolling_disk": rolling_disk,
    "ellipsograph": ellipsograph,
    "hinged_rods": hinged_rods,
    "branches": branches,
}
QUICK = {"four_bar", "slider_crank", "spatial_slider_crank", "rolling_disk"}


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=() if one in QUICK else pytest.mark.slow) for one in EXAMPLES]
)
def test_example(name):
    EXAMPLES[name](run(name))
