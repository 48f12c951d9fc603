"""Machines with loops of the NATO ASI, Prague 2002: Kuebler & Eberhard, Talaba, Stroe, Aghili & Piedboeuf."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import jourdain as jd
from jourdain.study.published import example, rerun, theory

QUICK = ("numbers_slider_crank", "numbers_six_bar", "numbers_four_bar")
machines = SimpleNamespace(**runpy.run_path(str(Path(__file__).resolve().parents[1] / "loops" / "machines.py")))
SIX_BAR = {
    0: (0.296000, 0.199960, 0.161335, 0.266030, 0.469448),
    60: (0.306050, 0.199908, 0.174874, 0.272660, 0.479322),
    120: (0.213797, 0.180469, 0.063867, 0.185044, 0.403378),
    180: (0.148000, 0.129985, 0.009104, 0.073346, 0.358088),
    240: (None, None, None, None, 0.351731),
    300: (None, None, None, None, 0.381079),
}
"""By angle of the crank [deg]: C, E and x of F [m]."""


def numbers_slider_crank(found=None):
    """Kuebler & Eberhard 2002 (A 19): the spatial slider-crank with Haug's data."""
    found = found or example("loops/spatial_slider_crank")
    units = {"crank": "rad", "rate of the crank": "rad/s", "slider": "m", "speed of the slider": "m/s"}
    for i, (time, row) in enumerate(found["TABLE"].items()):
        ours = found["ours"][found["rows"][i]]
        for (what, unit), theirs, own in zip(units.items(), row, ours, strict=True):
            close = 5e-6 if "rate" in what or "speed" in what else 1e-6
            yield rerun(f"{what} at {time:g} s", unit, theirs, float(own), close)
    yield rerun("energy", "J", 0.5743, found["energy"][-1], 5e-5)


def numbers_six_bar():
    """Talaba 2002 (B 11): positions of a six-bar over a turn of its crank."""
    model = machines.six_bar().compile()
    drivers = {"crank_angle": jd.Polynomial([0.0, 1.0])}
    guess = model.state(q=machines.six_bar_guess())
    found = jd.mechanism.positions(model, drivers, np.radians(list(SIX_BAR)), guess)
    C, E, F = (found.position(frame)[:, :2] for frame in ("coupler.tip", "ternary.E", "slider.origin"))
    names = ("x of C", "y of C", "x of E", "y of E", "x of F")
    for i, (angle, row) in enumerate(SIX_BAR.items()):
        for name, theirs, ours in zip(names, row, (*C[i], *E[i], F[i, 0]), strict=True):
            if theirs is not None:
                yield rerun(f"{name} at {angle} deg", "m", theirs, ours, 1e-6)
    yield theory("degrees of freedom", "", 1, model.mobility(found.state(0)).degrees, 0)


def numbers_hinged_rods(found=None):
    """Stroe 2002 (B 10): two hinged rods on the vertical in orbit; frequencies over that of the orbit."""
    found = found or example("loops/hinged_rods")
    yield theory("together, √3", "", np.sqrt(3.0), found["swing"], "0.001 %")
    yield theory("in opposition, √12", "", np.sqrt(12.0), found["fold"], "0.001 %")


def numbers_four_bar(found=None):
    """Aghili & Piedboeuf 2002 (A 1): forces of the ground on a four-bar at 1 s."""
    found = found or example("loops/four_bar")
    yield rerun("on the crank", "N", [-2.40180, 4.00815], found["on_crank"][:2], 2e-5, at="xy")
    yield rerun("on the rocker", "N", [-2.55988, 8.91096], found["on_rocker"][:2], 2e-5, at="xy")


def numbers_ellipsograph(found=None):
    """Dmitrotchenko 2002 (A 9): the ellipsograph of a line of eight beams, with a pendulum."""
    found = found or example("loops/ellipsograph")
    names = ("x of A", "y of B", "x of the middle", "y of the middle", "angle", "strain energy")
    units, within = ("m", "m", "m", "m", "rad", "J"), (2e-4, 1e-4, 2e-4, 1e-4, 1e-4, 4e-3)
    for i, row in enumerate(found["TABLE"]):
        ours = found["found"]["8 beams"][found["rows"][i]]
        for name, unit, theirs, own, close in zip(names, units, row[1:], ours, within, strict=True):
            yield rerun(f"{name} at {row[0]:g} s", unit, theirs, own, close)


def numbers_branches(found=None):
    """Fraczek 2002 (A 12): a turning point, and the slopes of branches where they cross."""
    found = found or example("loops/branches")
    yield theory("turning point, √3.75", "", np.sqrt(3.75), found["turning"].time, 1e-10)
    yield theory("where a machine locks, √3.75", "", np.sqrt(3.75), found["locked"].time, 1e-9)
    yield theory("slope of a branch", "", [1.0, -3.0], found["slopes"], 1e-6)
