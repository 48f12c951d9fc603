"""The Space Shuttle arm: Damaren & Sharf 1995, section 4.2, beside re-runs by an independent code.

Of the stiffnesses the paper's table keeps one row; what was taken for the rest is in `shuttle_arm.py`.
"""

from functools import cache

import numpy as np
from scipy.linalg import eigh
from shuttle_arm import JOINTS, PAPER, boom_tip, drift, joint_angles, manoeuvre, rigid_torques, shuttle_arm

import jourdain as jd
from jourdain.study.published import paper, rerun

QUICK = ("numbers_torques", "numbers_frequencies")
COUNT = 6
"""Segments a boom."""
CONSISTENT = {"fidelity": "consistent", "tip_rotation": "linear"}
RUTHLESS = {"fidelity": "ruthless"}
INCONSISTENT = {"fidelity": "inconsistent"}


@cache
def truth(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Joint angles at the end and largest deflections of the first boom's tip, by segments."""
    run = manoeuvre(shuttle_arm("segments", count=COUNT), name)
    return joint_angles(run)[-1], np.max(np.abs(boom_tip(run, COUNT)), axis=0)


def ends(name: str, **options) -> tuple[np.ndarray, np.ndarray, jd.Run]:
    """Joint angles at the end, largest deflections of the first boom's tip, and the run."""
    run = manoeuvre(shuttle_arm(**options), name)
    return joint_angles(run)[-1], np.max(np.abs(boom_tip(run)), axis=0), run


def frequencies(model: jd.Model, locked: bool = False) -> np.ndarray:
    """Elastic frequencies of the straight arm at rest, its joints free or locked [rad/s]."""
    n = model.nv
    K = np.zeros((n, n))
    for j in range(n):
        step = np.zeros(n)
        step[j] = 1e-6
        K[:, j] = (model.bias(step, np.zeros(n)) - model.bias(-step, np.zeros(n))) / 2e-6
    M = model.mass_matrix(np.zeros(n))
    if locked:
        keep = [j for j, name in enumerate(model.names.v) if name not in JOINTS]
        K, M = K[np.ix_(keep, keep)], M[np.ix_(keep, keep)]
    squares = eigh(0.5 * (K + K.T), M, eigvals_only=True)
    return np.sqrt(squares[squares > 1e-3])


def numbers_torques():
    """Damaren & Sharf 1995, 4.2: the rigid arm in the fast profile."""
    peaks = np.max(np.abs(rigid_torques()), axis=0) / 1e3
    yield rerun("largest torque", "kN m", [56.1, 81.4, 56.7, 29.6, 18.2, 0.22], peaks, "1 %", at=JOINTS)


def numbers_frequencies():
    """Damaren & Sharf 1995, 4.2: frequencies of the arm with its payload."""
    ours = frequencies(shuttle_arm())
    near = [ours[np.argmin(np.abs(ours - one))] for one in (82.6, 99.6)]
    yield rerun("joints free, default", "rad/s", 20.25, ours[0], "0.1 %")
    yield rerun("joints free, default, higher", "rad/s", [82.6, 99.6], near, "1 %")
    yield rerun("joints free, the paper's modes", "rad/s", 22.03, frequencies(shuttle_arm(**PAPER))[0], "0.1 %")
    two = frequencies(shuttle_arm(modes=jd.Modes(2, torsion=1)))[0]
    yield rerun("joints free, two static shapes", "rad/s", 20.31, two, "0.1 %")
    segments = frequencies(shuttle_arm("segments", count=COUNT))[0]
    yield rerun("joints free, segments", "rad/s", 20.24, segments, "0.5 %")
    ours = frequencies(shuttle_arm(**PAPER), locked=True)[:5]
    yield rerun("joints locked, the paper's modes", "rad/s", [0.31, 0.31, 2.5, 5.8, 5.8], ours, "3 %")


def _angles(name: str, angles: list, ours: np.ndarray, within: float = 0.01) -> list:
    return rerun(f"{name}: angle in the end", "rad", angles, ours, within, at=JOINTS)


def numbers_fast_profile():
    """Damaren & Sharf 1995, 4.2, I-f: the profile in 20 s, models of the paper; two codes, one model: 10 mrad."""
    integrated, axes = {"tip_rotation": "integrated"}, "uvw"
    for name, options, angles in (
        ("exact, 3-2-1", {**PAPER, "tip_rotation": "euler-321"}, [0.398, 0.969, -0.563, 0.681, 0.408, 0.472]),
        ("exact", {**PAPER, **integrated}, [0.416, 0.277, 0.767, 0.022, 0.366, 0.488]),
        ("inconsistent", {**PAPER, **INCONSISTENT, **integrated}, [0.405, 0.292, 0.785, -0.039, 0.386, 0.494]),
    ):
        yield _angles(name, angles, ends("I-f", **options)[0])
    largest = ends("I-f", **PAPER)[1]
    yield rerun("exact (locks): deflection", "m", [0.0025, 0.121, 0.183], largest, "3 %", at=axes)
    largest = ends("I-f", EA=2.79e9, **PAPER)[1][1:]
    yield rerun("exact, EA 2.79e9 N (locks): deflection", "m", [0.067, 0.098], largest, "3 %", at=axes[1:])


def numbers_static_shapes():
    """Damaren & Sharf 1995, 4.2, I-f: the profile in 20 s with static shapes, and the truth by segments."""
    for name, scheme, angles in (
        ("3-2-1", "euler-321", [0.468, 1.673, -1.191, -0.010, 0.250, 0.763]),
        ("1-2-3", "euler-123", [0.418, 0.266, 0.793, 0.017, 0.359, 0.486]),
        ("integrated", "integrated", [0.562, 1.598, -1.253, 0.282, 0.080, 0.718]),
    ):
        yield _angles(f"inconsistent, {name}", angles, ends("I-f", tip_rotation=scheme, **INCONSISTENT)[0])
    expected = [0.0200, 0.241, 0.372]
    yield rerun("default: deflection", "m", expected, ends("I-f")[1], "3 %", at="uvw")
    angles, largest = truth("I-f")
    yield rerun("segments: deflection", "m", expected, largest, "3 %", at="uvw")


def numbers_slow_profile():
    """Damaren & Sharf 1995, 4.2, I-s: the profile in 60 s."""
    yield _angles("exact", [0.406, 0.326, 0.565, 0.277, 0.385, 0.419], ends("I-s", **PAPER)[0])
    inconsistent = ends("I-s", **PAPER, **INCONSISTENT)[0]
    yield _angles("inconsistent", [0.406, 0.329, 0.560, 0.281, 0.385, 0.418], inconsistent)
    run = manoeuvre(shuttle_arm(**PAPER, **CONSISTENT), "I-s", step=2.5e-4)
    yield _angles("consistent", [0.406, 0.330, 0.558, 0.282, 0.385, 0.418], joint_angles(run)[-1], 5e-3)
    yield rerun("consistent: energy drift, as re-run", "%", 1.2e-3, drift(run), "10 %")
    yield paper("consistent: energy drift, Table 3", "%", 1.57e-4, drift(run), 1.2e-4, known=1.2e-3,
                reason="An independent re-run has 1.2e-3 as we do; how the paper defines "
                       "this model's energy is not stated.")  # fmt: skip
    run = manoeuvre(shuttle_arm(**PAPER, **RUTHLESS), "I-s", step=5e-4)
    chosen = "what the ruthless model leaves out of T' is not printed; of four readings this one comes near"
    yield paper("ruthless: energy drift, Table 3", "%", 12.2, drift(run), "1 %", other=chosen, known=12.27)


def numbers_fast_steps():
    """Damaren & Sharf 1995, 4.2, II-f: torques that step, 20 s."""
    yield _angles("segments", [0.157, 0.939, -1.159, -0.056, -0.291, -0.013], truth("II-f")[0], 5e-3)
    inconsistent = ends("II-f", **PAPER, **INCONSISTENT)[0]
    yield _angles("inconsistent", [0.157, 0.935, -1.155, -0.048, -0.290, -0.012], inconsistent)
    exact = ends("II-f", EA=2.79e9, **PAPER)[0]
    yield _angles("exact, EA 2.79e9 N", [0.157, 0.926, -1.144, -0.052, -0.291, -0.008], exact)


def _stops(name: str, **options) -> float:
    """When a run breaks off [s]; rk4 of 0.25 ms, since an adaptive method would follow with ever shorter steps."""
    try:
        manoeuvre(shuttle_arm(**options), name, step=2.5e-4)
    except jd.errors.SimulationError as error:
        return float(error.time)
    return float("nan")


def numbers_overflow():
    """Damaren & Sharf 1995, Table 3: what overflows, and when."""
    matrix = ("The paper's tip rotation 1 - θ~ is no rotation; ours is the quaternion (1, θ / 2), normalised. With "
              "the paper's matrix the same equations stop at 5.57 s, and an independent re-run at 5.6 s.")  # fmt: skip
    yield paper("I-f, consistent: stops at", "s", 6.1, _stops("I-f", **PAPER, **CONSISTENT), 0.1, reason=matrix,
                known=12.4)  # fmt: skip
    yield rerun("II-f, consistent: stops at", "s", 6.4, _stops("II-f", **PAPER, **CONSISTENT), 0.15)
    form = ("What the paper's ruthless model leaves out of T' is not printed; of four readings this one has all four "
            "entries of Table 3 as they are, but not this time.")  # fmt: skip
    yield paper("I-f, ruthless: stops at", "s", 18.5, _stops("I-f", **PAPER, **RUTHLESS), 0.1, reason=form, known=13.1)
