"""The elastica of a pole between two pins, and the screw at its end from its shape (Tofan, Vlase & Micu 2002; digest
part B, section 14)."""

from __future__ import annotations

import numpy as np
import pytest
from example_files import beside
from scipy.optimize import brentq
from scipy.special import ellipe, ellipk

import jourdain as jd

with beside("vaulting"):
    from vaulting import elastica, screw

ALPHA, LENGTH, EI = np.radians(60.0), 5.0, 1200.0
MODULUS = np.sin(0.5 * ALPHA)


def test_a_pole_between_two_pins(elements=16):
    """P / P_cr, shortening and deflection of the middle over the length: 1.1517, 0.2590, 0.2966 at 60 degrees.

    The half from the middle is clamped there. Errors fall with the fourth power: the angle is off by 2.5e-4, 5.0e-5 and
    1.7e-5 rad with 8, 12 and 16 elements.
    """
    K, E = ellipk(MODULUS**2), ellipe(MODULUS**2)
    over, short, middle = (2.0 * K / np.pi) ** 2, 2.0 - 2.0 * E / K, MODULUS / K
    assert (over, short, middle) == pytest.approx((1.1517, 0.2590, 0.2966), abs=5e-5)
    push = over * np.pi**2 * EI / LENGTH**2
    system = jd.System("half a pole")
    line = jd.Cable("half", length=0.5 * LENGTH, mass_per_length=0.45, EA=1e9, EI=EI, elements=elements)
    system.add(line, joint=jd.Weld("middle"))
    system.force("push", at="half.tip", force=(-push, 0.0, 0.0))
    model = system.compile()
    # begun from the shape without stretching: a pin at the origin and the middle at half the length
    s = np.linspace(0.0, 0.5 * LENGTH, elements + 1)
    places, angles, _ = elastica(ALPHA, (-push / EI, 0.0), 0.5 * LENGTH, s)
    places, angles = (places[-1] - places[::-1]) * (1.0, -1.0), -angles[::-1]
    assert angles[0] == pytest.approx(0.0, abs=1e-8)  # level in the middle
    q = {}
    for k in range(elements + 1):
        node = {"x": places[k, 0] - s[k], "y": places[k, 1], "dx": np.cos(angles[k]) - 1.0, "dy": np.sin(angles[k])}
        q |= {f"half.{c}[{k}]": x for c, x in node.items() if f"half.{c}[{k}]" in model.index.q}
    rest = model.equilibrium(model.state(q=q))
    tip = model.pose("half.tip", rest.state.q)
    assert abs(np.arctan2(tip.rotation[1, 0], tip.rotation[0, 0])) == pytest.approx(ALPHA, abs=2e-5)
    assert 1.0 - 2.0 * tip.position[0] / LENGTH == pytest.approx(short, abs=1e-5)
    assert abs(tip.position[1]) / LENGTH == pytest.approx(middle, abs=5e-6)


@pytest.mark.parametrize("moment", [-300.0, 100.0, 250.0])
def test_the_screw_of_the_hands_from_the_shape(moment):
    """Force and moment that bend a pole are found again from eleven points of it, also with a negative moment; with
    1 mm of noise to some percent."""
    pin, force = 1.9, np.array([500.0, -700.0])
    s = np.linspace(0.0, LENGTH, 11)

    def end(first):
        return 2500.0 * elastica(first, force / 2500.0, LENGTH, s)[2][-1] - moment

    grid = np.linspace(pin - 1.2, pin + 1.2, 25)
    values = [end(one) for one in grid]
    k = next(i for i in range(24) if values[i] * values[i + 1] < 0.0)
    first = brentq(end, grid[k], grid[k + 1], xtol=1e-13)
    points = elastica(first, force / 2500.0, LENGTH, s)[0]
    found, couple = screw(points, 2500.0)
    assert found == pytest.approx(force, rel=1e-5) and couple == pytest.approx(moment, abs=0.01)
    noisy = points + 1e-3 * np.random.default_rng(0).standard_normal(points.shape)
    found, couple = screw(noisy, 2500.0)
    assert found == pytest.approx(force, rel=0.1)
