"""Beams: what they take, what they refuse, and that they come back from a description."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.bodies import body_from_dict

GOOD = dict(length=2.0, mass_per_length=0.8, EA=2e6, EI=(900.0, 1100.0), GJ=700.0)


def beam(**changes):
    return jd.Beam("fore", **(GOOD | changes))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"length": 0.0}, "length"),
        ({"length": -1.0}, "length"),
        ({"length": np.nan}, "length"),
        ({"mass_per_length": 0.0}, "mass_per_length is 0.0"),
        ({"EA": -2e6}, "EA is -2"),
        ({"EI": (900.0, 0.0)}, r"EI\[1\] is 0.0"),
        ({"GJ": np.nan}, "GJ is nan"),
        ({"inertia_per_length": -1.0}, "inertia_per_length is -1.0"),
        ({"mass_per_length": ((0.0, 0.7), (1.0, 2.0))}, "they must rise from 0 to 1"),
        ({"basis": "wavelets"}, 'basis is "wavelets"; allowed are polynomial'),
        ({"fidelity": "good"}, 'fidelity is "good"'),
        ({"axial": "none"}, 'axial is "none"'),
        ({"tip_rotation": "quaternion"}, 'tip_rotation is "quaternion"'),
        ({"modes": jd.Modes(bending=9)}, 'bending_y is 9; the basis "polynomial" gives 0 to 8'),
        ({"modes": jd.Modes(torsion=-1)}, "torsion is -1"),
        ({"modes": jd.Modes(bending=3), "basis": "finite-element"}, "give an even number"),
        ({"damping": -0.1}, "damping is -0.1"),
        ({"tip_mass": -1.0}, "tip_mass"),
        ({"frames": {"camera": 1.5}}, "camera: is at 1.5 of the length"),
        ({"frames": {"tip": 0.5}}, "the beam's own"),
    ],
)
def test_refused(changes, says):
    system = jd.System("arm")
    system.add(beam(**changes), jd.Revolute("elbow", axis="y"))
    with pytest.raises(jd.errors.ModelError, match="fore.*" + says):
        system.compile()


def test_held_only_where_its_shapes_vanish():
    system = jd.System("arm")
    system.add(beam(), jd.Revolute("elbow", axis="y"), at="tip")
    with pytest.raises(jd.errors.ModelError, match='fore: at="tip".*"origin", "root"'):
        system.compile()


@pytest.mark.parametrize("bad", [{"modes": 3}, {"EA": "stiff"}, {"frames": [0.5]}, {"EI": ((1, 2), (3, 4), (5, 6))}])
def test_refused_at_once(bad):
    with pytest.raises(jd.errors.ModelError, match="fore"):
        beam(**bad)


def test_names():
    assert beam(modes=jd.Modes(bending=2, torsion=1)).internal == (
        "bending_y[0]",
        "bending_y[1]",
        "bending_z[0]",
        "bending_z[1]",
        "torsion[0]",
    )
    assert beam(modes=jd.Modes(bending_z=1, axial=2)).internal == ("bending_z[0]", "axial[0]", "axial[1]")
    assert beam(modes=jd.Modes()).internal == ()


@pytest.mark.parametrize("basis", ["polynomial", "clamped-free", "pinned-free", "free-free", "finite-element"])
def test_shapes_vanish_where_the_joint_holds(basis):
    one = beam(basis=basis, modes=jd.Modes(bending=4, axial=2, torsion=2))
    here, slope = one.shapes(0.0), one.shapes(0.0, 1)
    for values in (here.u, here.v, here.w, here.twist, slope.v, slope.w):
        np.testing.assert_allclose(values, 0.0, atol=1e-12)
    x = np.linspace(one.start, one.start + 2.0, 2001)
    shapes = one.shapes(x)
    largest = np.max(np.abs(shapes.u + shapes.v + shapes.w + shapes.twist), axis=1)
    if basis != "finite-element":
        np.testing.assert_allclose(largest, 1.0, atol=1e-4)
    for d in (1, 2):
        numeric = np.gradient(one.shapes(x, d - 1).v, x, axis=1)[:, 3:-3]
        exact = one.shapes(x, d).v[:, 3:-3]
        if basis != "finite-element":
            np.testing.assert_allclose(numeric, exact, atol=2e-4 * np.max(np.abs(exact)))


@pytest.mark.parametrize(
    ("basis", "roots"), [("clamped-free", (1.8751041, 4.6940911, 7.8547574)), ("polynomial", (1.8751041, 4.6940911))]
)
def test_cantilever_frequencies(basis, roots):
    one = beam(basis=basis, EI=900.0, modes=jd.Modes(bending_y=6 if basis == "polynomial" else 3))
    theory = np.array(roots) ** 2 * np.sqrt(900.0 / 0.8 / 2.0**4)
    np.testing.assert_allclose(one.clamped_frequencies()[: len(roots)], theory, rtol=2e-5)


def test_a_first_amplitude_is_the_tip_in_metres():
    system = jd.System("arm")
    system.add(beam(basis="clamped-free"), jd.Weld("root"))
    model = system.compile()
    tip = model.pose("fore.tip", model.state(q={"fore.bending_y[0]": 0.02})).position
    assert tip[1] == pytest.approx(0.02, rel=1e-9)


def test_description_round_trip():
    full = beam(
        mass_per_length=((0.0, 0.4, 1.0), (1.0, 0.8, 0.7)),
        modes=jd.Modes(bending_y=2, bending_z=1, axial=1, torsion=1),
        basis="clamped-free",
        damping=(0.1, 1e-4),
        tip_mass=3.0,
        frames={"camera": 0.5},
        tip_rotation="euler-321",
    )
    again = body_from_dict(full.to_dict())
    assert again.to_dict() == full.to_dict()
    np.testing.assert_array_equal(again.data(jd.Pose()).floats, full.data(jd.Pose()).floats)
    with pytest.raises(jd.errors.ModelError, match="unknown key"):
        body_from_dict(full.to_dict() | {"colour": "red"})


def test_static_tip_force_of_the_polynomial_basis_is_exact():
    """A tip force bends a uniform cantilever by P L^3 / 3 EI, which the first static shape is."""
    system = jd.System("arm")
    system.add(beam(modes=jd.Modes(bending=1)), jd.Weld("root"))
    model = system.compile()
    K = model.bias(model.state(q={"fore.bending_y[0]": 1e-6}).q, np.zeros(2))[0] / 1e-6
    assert pytest.approx(3.0 * 900.0 / 2.0**3, rel=1e-9) == K


def test_a_step_that_the_fastest_mode_cannot_bear_is_explained():
    system = jd.System("arm")
    system.add(beam(modes=jd.Modes(bending=2, axial=1)), jd.Weld("root"))
    model = system.compile()
    fastest = beam(modes=jd.Modes(bending=2, axial=1)).clamped_frequencies()[-1]
    state = model.state(q={"fore.axial[0]": 1e-4})
    with pytest.raises(
        jd.errors.SimulationError, match='the fastest mode of "fore" has .* rad/s .*"rk4" then bears'
    ) as caught:
        jd.simulate(model, state, until=10.0, step=0.01)
    text = str(caught.value)
    assert float(text.split('"rk4" then bears ')[1].split(" s")[0]) * fastest == pytest.approx(2.82, rel=0.02)
    advised = float(text.split("give step=")[1].split(",")[0])
    assert advised * fastest < 2.83 and jd.simulate(model, state, until=advised * 100, step=advised).trusted
