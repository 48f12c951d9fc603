"""Linear partners of flexible bodies: deformations on a known motion (Vlase, Tofan & Goia 2002) and critical loads
(Zanevskyy 2002, an arrow on its bow; Euler). Numbers are those of the digest, part B, sections 17 and 21.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import jourdain as jd


def spinning(modes=8, **told):
    """A beam of unit numbers on a hub that turns about z."""
    system = jd.System("rotor")
    system.add(jd.RigidBody("hub", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute("hub", axis="z"))
    numbers = {"EI": (1.0, 1.0), "modes": jd.Modes(bending=modes), "inertia_per_length": 1e-9} | told
    beam = jd.Beam("beam", length=1.0, mass_per_length=1.0, EA=1e6, GJ=1.0, **numbers)
    system.add(beam, joint=jd.Weld("root"), to="hub.origin")
    return system.compile()


def on_hub(model, speed, **told):
    return model.elastodynamics({"hub": jd.Polynomial(0.0, speed)}, model.state(v={"hub": speed}), **told)


def test_frequencies_of_a_rotating_cantilever():
    """First and second across the plane and first in it, where it is the root of the first squared less the speed's."""
    model = spinning()
    digest = {
        0.0: (3.5160, 22.034, 3.5160),
        3.0: (4.7973, 23.320, 3.7435),
        6.0: (7.3604, 26.809, 4.2632),
        12.0: (13.1702, 37.603, 5.4271),
    }
    for speed, (first, second, inside) in digest.items():
        found = on_hub(model, speed).frequencies()
        across = np.array(["bending_z" in name for name in found.names])
        kind = np.abs(found.shapes[across]).max(axis=0) > np.abs(found.shapes[~across]).max(axis=0)
        if speed == 0.0:
            assert found.rad[:4] == pytest.approx([first, first, second, second], abs=1e-3)
            continue
        assert found.rad[kind][:2] == pytest.approx([first, second], abs=1e-3)
        assert found.rad[~kind][0] == pytest.approx(inside, abs=1e-4)
        whole = model.frequencies(model.state(v={"hub": speed}), hold=("hub",))
        assert found.rad == pytest.approx(whole.rad, rel=1e-9)


def test_without_geometric_stiffness_a_rotating_beam_gives_way():
    """The spurious softening: in the plane w^2 = w0^2 - W^2, so that it vanishes at W = 3.516."""
    model = spinning(4)
    still = on_hub(model, 0.0).frequencies().rad[0]
    below = on_hub(model, 3.0, geometric=False).frequencies()
    assert below.rad[0] == pytest.approx(np.sqrt(still**2 - 9.0), rel=1e-9)
    assert np.all(below.eigenvalues.real < 1e-9)
    above = on_hub(model, 3.52, geometric=False).frequencies()
    assert still == pytest.approx(3.516, abs=1e-4) and np.max(above.eigenvalues.real) > 0.1


def test_small_deformations_are_those_of_the_whole_equations():
    """A slew whose deflection is a part d of the length: what is left out is of third order in d."""
    errors = []
    for size in (0.2, 0.1):
        model = spinning(2)
        slew = {"hub": jd.Cycloid(to=size, duration=2.0)}
        linear = model.elastodynamics(slew).integrate(3.0, 1e-3)
        run = jd.simulate(model, model.state(), until=3.0, output=1e-2, motions=slew)
        exact = run.q["beam.bending_y[0]"].values
        errors.append(np.max(np.abs(linear["beam.bending_y[0]"][::10] - exact)))
    assert errors[0] < 2e-3 and errors[0] / errors[1] == pytest.approx(8.0, rel=0.15)


def arrow(push, basis="polynomial", modes=8):
    """Zanevskyy's arrow in units of its shaft, pushed by an acceleration: the nock slides across on the string's
    spring, which the limb carries; in axes that move with it the acceleration is gravity."""
    system = jd.System("arrow", gravity=(-push, 0.0, 0.0))
    small = {"inertia": (1e-9, 1e-9, 1e-9)}
    system.add(jd.RigidBody("limb", mass=2.5, inertia=(1, 1, 1)), joint=jd.Prismatic("limb", axis="y"))
    string = jd.Prismatic("string", axis="y", stiffness=20.0)
    system.add(jd.RigidBody("nock", mass=0.2, **small), joint=string, to="limb.origin")
    shape = {"modes": jd.Modes(bending_y=modes, bending_z=0), "basis": basis, "inertia_per_length": 1e-9}
    shaft = jd.Beam("shaft", length=1.0, mass_per_length=1.0, EA=1e6, EI=(1.0, 1.0), GJ=1.0, **shape)
    system.add(shaft, joint=jd.Revolute("turn", axis="z"), to="nock.origin")
    system.add(jd.RigidBody("head", mass=0.25, **small), joint=jd.Weld("head"), to="shaft.tip")
    return system.compile()


def test_frequencies_of_an_accelerated_arrow():
    """lambda = w^2 of the digest; the turning is unstable, and bow and arrow drift together without a frequency."""
    digest = {
        0.0: (6.6352, 15.6632, 45.956, 95.943),
        5.0: (-10.704, 6.0431, 12.6014, 43.624),
        10.0: (-28.006, 5.4624, 8.6283, 41.165),
    }
    for push, numbers in digest.items():
        model = arrow(push)
        found = model.frequencies(model.state())
        assert found.rigid == (2 if push == 0.0 else 1)
        squares = np.sort(-(found.eigenvalues**2).real)
        if push > 0.0:
            assert squares[:2] == pytest.approx([numbers[0]] * 2, abs=1e-3)  # grows, and decays
            squares, numbers = squares[2:], numbers[1:]
        assert np.sqrt(squares[: len(numbers)]) == pytest.approx(numbers, rel=5e-4)


def test_critical_accelerations_of_an_arrow():
    """The digest's 14.7957 and 56.4660; the text says 14 to 15 and 56 to 57."""
    model = arrow(2.0)
    found = model.buckling(model.state(), "gravity")
    assert 2.0 * found.factors[:2] == pytest.approx([14.7957, 56.4660], rel=2e-5)
    assert not len(found.reversed)  # pulled by the head it is stable


def column(load=-1.0, **told):
    system = jd.System("column")
    system.add(jd.Cable("line", length=2.0, mass_per_length=1.0, EA=3e4, EI=3.0, **told), joint=jd.Weld("foot"))
    system.force("push", at="line.tip", force=(load, 0.0, 0.0))
    return system.compile()


@pytest.mark.parametrize("load", [pytest.param(-1.0), pytest.param(-1e4, marks=pytest.mark.slow)])
def test_a_column_that_shortens_before_it_buckles(load):
    """Of an extensible column P (1 - P / EA) = pi^2 EI / 4 L^2; linear buckling is off by a part P / EA, following the
    path is not. Eight elements, whose curvature is off by (k l)^4 / 1440 = 2e-6."""
    euler = np.pi**2 * 3.0 / 16.0
    exact = brentq(lambda p: p * (1.0 - p / 3e4) - euler, 1.0, 4.0)
    model = column(load, elements=8)
    linear = model.buckling(model.state())
    followed = model.buckling(model.state(), "push", exact=True)
    assert -load * linear.factors[:2] == pytest.approx([exact] * 2, rel=1e-4)
    assert -load * followed.factors[:2] == pytest.approx([exact] * 2, rel=5e-6)
    assert np.argmax(np.abs(linear.shapes[:, 0])) in [model.index.v[f"line.{one}[8]"] for one in "yz"]


@pytest.mark.parametrize(("gravity", "stands"), [(1.0, True), (10.0, False)])
def test_a_mast_under_its_own_weight(gravity, stands):
    """Greenhill 1881: m g L = 7.8373 EI / L^2; under a roof, of a mast that stands by itself or does not."""
    system = jd.System("mast", gravity=(-gravity, 0.0, 0.0))
    modes = jd.Modes(bending_y=6, bending_z=0)
    beam = jd.Beam("beam", length=1.0, mass_per_length=1.0, EA=1e6, EI=1.0, GJ=1.0, modes=modes)
    system.add(beam, joint=jd.Weld("foot"))
    bare = system.compile()
    assert gravity * bare.buckling(bare.state()).factors[0] == pytest.approx(7.8373, abs=1e-4)
    system.force("roof", at="beam.tip", force=(-1.0, 0.0, 0.0))
    model = system.compile()
    roof = model.buckling(model.state(), "roof")
    assert roof.stable is stands and ("not stable" in repr(roof)) is not stands


def test_columns_of_euler():
    """Clamped and free, 1/4; pinned and pinned, 1; clamped and pinned, 2.045748; clamped and clamped, 4."""
    beam = {"length": 1.0, "mass_per_length": 1.0, "EA": 1e8, "EI": (1.0, 1.0), "GJ": 1.0}
    modes = jd.Modes(bending_y=8, bending_z=0)
    for foot, end, factor in (
        (jd.Weld("foot"), None, 0.25),
        (jd.Revolute("foot", axis="z"), "pinned", 1.0),
        (jd.Weld("foot"), "pinned", 2.045748),
        (jd.Weld("foot"), "clamped", 4.0),
    ):
        system = jd.System("column")
        system.add(jd.Beam("beam", **beam, modes=modes), joint=foot)
        if end is not None:
            system.add(
                jd.RigidBody("slide", mass=0.1, inertia=(1, 1, 1)), jd.Prismatic("x", axis="x"), position=(1, 0, 0)
            )
            joint = jd.Revolute("end", axis="z") if end == "pinned" else jd.Weld("end")
            system.connect(joint, "beam.tip", "slide.origin")
        system.force("push", at="beam.tip" if end is None else "slide.origin", force=(-1.0, 0.0, 0.0))
        model = system.compile()
        found = model.buckling(model.state())
        assert found.factors[0] == pytest.approx(factor * np.pi**2, rel=1e-5), end
