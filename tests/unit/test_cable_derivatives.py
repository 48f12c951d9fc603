"""Strings of cubic elements: a warning where nothing holds their slopes, and its remedy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.linear.strings import SlopesWarning

TENSION, LENGTH, LINE = 100.0, 1.0, 0.01


def string(EI: float, elements: int = 10) -> jd.Model:
    """A string between two walls."""
    system = jd.System("string")
    line = jd.Cable("line", LENGTH, LINE, 1e5, EI, elements=elements, pretension=TENSION, root="pinned")
    system.add(line, joint=jd.Weld("wall"))
    system.add(jd.RigidBody("end", 1.0, inertia=(1, 1, 1)), joint=jd.Weld("other wall"), position=(LENGTH, 0, 0))
    system.connect(jd.Spherical("pin"), "line.tip", "end.origin")
    return system.compile()


def test_a_string_without_stiffness_to_bending_says_what_it_needs():
    """Its lowest mode is 0.206 of the fundamental; with the EI that is told the first three are those of a string."""
    model = string(0.0)
    with pytest.warns(SlopesWarning, match='slopes of "line" .*under 100 N .*give EI=0.000401') as told:
        found = model.frequencies(model.state())
    assert told[0].filename == __file__
    fundamental = np.pi / LENGTH * np.sqrt(TENSION / LINE)
    assert found.rad[0] / fundamental < 0.25
    with pytest.warns(SlopesWarning):
        model.equilibrium(model.state())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = string(0.000401)
        found = model.frequencies(model.state())
        model.equilibrium(model.state())
    assert found.rad[:6:2] / fundamental == pytest.approx([1.0, 2.0, 3.0], rel=2e-3)


def test_the_tension_is_that_of_the_state():
    """A rope that hangs by its own weight, and the same under a load of a hundred times that."""
    for load, limp in ((0.0, False), (300.0, True)):
        system = jd.System("rope", gravity=(9.81, 0.0, 0.0))
        rope = jd.Cable("rope", 2.0, 0.15, EA=1e5, EI=1e-3, elements=20, root="pinned")
        system.add(rope, joint=jd.Weld("hook"))
        if load:
            system.force("load", at="rope.tip", force=(load, 0.0, 0.0))
        model = system.compile()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            model.equilibrium(model.state())
        assert [one.category for one in told] == [SlopesWarning] * limp


def test_beams_and_lines_that_resist_bending_are_not_doubted():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for body in (
            jd.Cable("line", 1.0, 0.1, 1e4, 1e-3, elements=6),
            jd.NodalBeam("line", 1.0, 0.1, 1e4, 0.1, 0.1, elements=3),
        ):
            system = jd.System("line")
            system.add(body, joint=jd.Weld("wall"))
            model = system.compile()
            model.frequencies(model.state())


def test_a_slack_string_is_held_by_nothing_to_first_order():
    """Across it there is no stiffness at all, which modes cannot tell from a little; a pretension can be told."""
    for pretension, told in ((0.0, True), (10.0, False)):
        system = jd.System("line")
        system.add(jd.Cable("line", 1.0, 0.1, 1e4, 2e-3, elements=4, pretension=pretension), joint=jd.Weld("wall"))
        system.add(
            jd.Cable("slack", 1.0, 0.1, 1e4, 0.0, elements=4, pretension=pretension, root="pinned"), jd.Weld("w")
        )
        model = system.compile()
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            modes = model.frequencies(model.state())
        assert bool(modes.undecided) is told
        assert any("a slack line" in str(one.message) for one in found) is told
