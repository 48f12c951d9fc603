"""Vehicles of the NATO ASI, Prague 2002: Tobolar, Yazykov, Yoo, Kim & Kim."""

import sys
from pathlib import Path

import numpy as np

import jourdain as jd
from jourdain.describe.contact.hertz import contact_ellipse, ellipse_stiffness
from jourdain.study.published import example, paper, rerun, theory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "vehicles"))
import railway

QUICK = ("numbers_wheel_and_rail",)
CREEP = {5e-4: 8269.8, 1e-3: 14310.2, 2e-3: 21221.5, 5e-3: 24000.0}
"""Force [N] by creepage: the digest's closed form on the paper's patch."""


def numbers_wheel_and_rail():
    """Yazykov 2002 (B 19): the patch under a given load, and FASTSIM on it."""
    patch = jd.contact.rolling_patch(
        lambda y: y**2 / 0.6, 0.46, 80e3, within=(-0.03, 0.03), flexibility=6.88657e-14, strips=48
    )
    yield theory("depth", "m", 7.80475e-5, patch.depth, 1e-10)
    yield theory("half length", "m", 8.4737e-3, patch.half_length, 6e-8)
    yield theory("half width", "m", 6.8431e-3, patch.half_width, 8e-8)
    yield theory("largest pressure", "Pa", 8.783e8, patch.peak, 1e5)
    star = 2.1e11 / (2 * (1 - 0.28**2))
    yield rerun("depth by Hertz, for comparison", "m", 9.049e-5,
                (80e3 / ellipse_stiffness(1 / 0.46, 1 / 0.30, star)) ** (2 / 3), 6e-9)  # fmt: skip
    hertz = contact_ellipse(1 / 0.46, 1 / 0.30, star, 80e3)
    yield rerun("half length by Hertz", "m", 6.676e-3, hertz[0], 6e-7)
    yield rerun("half width by Hertz", "m", 5.022e-3, hertz[1], 6e-7)
    yield rerun("largest pressure by Hertz", "Pa", 1.139e9, hertz[2], 6e5)
    ball = jd.contact.rolling_patch(lambda y: y**2 / 0.92, 0.46, 80e3, within=(-0.03, 0.03)).depth
    yield rerun("ball: depth over that of Hertz", "", 0.862,
                ball / (80e3 / ellipse_stiffness(1 / 0.46, 1 / 0.46, star)) ** (2 / 3), 6e-4)  # fmt: skip
    yield theory("slope of the force by creepage, 8 a^2 b / 3 L", "N", 1.90269e7,
                 patch.creep_force(1e-9, friction=0.3)[0] / 1e-9, "0.001 %")  # fmt: skip
    yield theory("slope of the force by spin, pi a^3 b / 4 L", "N m", 47485.7,
                 patch.creep_force(0, 0, 1e-7, friction=0.3)[1] / 1e-7, "0.02 %")  # fmt: skip
    for xi, force in CREEP.items():
        ours = [patch.creep_force(*both, friction=0.3, steps=400)[i] for i, both in enumerate(((xi, 0.0), (0.0, xi)))]
        yield theory(f"force at a creepage of {xi:g}", "N", [force, force], ours, "0.001 %", at=("along", "across"))
    again = jd.contact.rolling_patch(
        lambda y: y**2 / 0.6, 0.46, 80e3, within=(-0.03, 0.03), start=1.01 * patch.depth
    ).iterations
    other = "theirs is the mean along a ride, to a tolerance that is not printed; ours to 1e-12 from a depth 1 % off"
    yield paper("iterations for the depth", "", 2.63, again, 0, other=other, known=1)


def numbers_critical_speed():
    """Yazykov 2002 (B 19): the wave of a free wheelset, and the critical speed of one that nowhere slips."""
    free = railway.vehicle(False, guide=1e-9)
    values = np.linalg.eigvals(free.linearize(railway.rolling(free, 0.5)).A)
    wave = 2 * np.pi * np.sqrt(railway.RADIUS * railway.GAUGE / railway.CONE)
    yield theory("wheelset without guidance, at 0.5 m/s: Klingel's wavelength", "m", wave,
                 np.pi / np.max(values.imag), "0.3 %")  # fmt: skip
    patch = jd.contact.rolling_patch(
        lambda y: y**2 / (2 * railway.HEAD), railway.RADIUS, railway.LOAD, within=(-0.02, 0.02)
    )
    a, b, (along, across, spin) = patch.half_length, patch.half_width, patch.flexibility
    closed = railway.two_equations(
        8 * a**2 * b / (3 * along), 8 * a**2 * b / (3 * across), np.pi * a**3 * b / (4 * spin)
    )
    stuck = railway.vehicle(False, friction=30.0)
    speed = railway.critical(lambda v: railway.growth(stuck, v)[0], 100.0, 200.0, 1e-5)
    yield theory("wheelset that nowhere slips: two equations with slopes in closed form", "m/s", closed, speed, "0.1 %")


def numbers_virtual_road(found=None):
    """Yoo, Kim & Kim 2002 (B 20): the road for a linear tyre."""
    found = found or example("vehicles/virtual_road")
    yield theory("linear tyre, one pass: error of the spectrum", "", 0.0, found["virtual"].errors[1], 1e-10)
