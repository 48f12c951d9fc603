"""A slender beam spun up about its root: the case that tells apart how bending and axial force are coupled.

Damaren & Sharf, J. Dyn. Sys. Meas. Control 117 (1995), section 4.1, with the torque that would spin the rigid beam up;
Simo & Vu-Quoc, J. Sound Vib. 119 (1987), with the angle prescribed. The nonlinear truth is a chain of rigid segments.
"""

import math
from functools import cache

import numpy as np
from finite_segments import add_segments, seen_from

import jourdain as jd
from jourdain.study.published import paper, rerun, theory

QUICK = ("numbers_models", "numbers_drift", "numbers_rotating_cantilever")
LENGTH, DENSITY, EA, EI = 10.0, 1.2, 3.1724e7, 1.4004e4
PAPER = {"modes": jd.Modes(bending_y=2, axial=1), "basis": "clamped-free"}
ELEMENT = {"modes": jd.Modes(bending_y=2, axial=1), "basis": "finite-element"}


@jd.law
def drive(t, q, v, z, s, p, effort, dz):
    """The torque that spins the rigid beam up to 6 rad/s in 15 s."""
    if t < 15.0:
        effort[0] += 400.0 * 6.0 / 15.0 * (1.0 - math.cos(2.0 * math.pi * t / 15.0))


def angle() -> jd.Table:
    """6/15 (t^2/2 + (15/2pi)^2 (cos(2 pi t/15) - 1)) up to 15 s, then 6 t - 45."""
    t = np.arange(0.0, 24.01, 0.05)
    rising = 0.4 * (t**2 / 2 + (7.5 / np.pi) ** 2 * (np.cos(2 * np.pi * t / 15) - 1))
    return jd.Table(t, np.where(t < 15.0, rising, 6 * t - 45))


BY_TORQUE = {"controller": drive()}
BY_ANGLE = {"motions": {"hinge": angle()}}


def spin(model: jd.Model, how: dict, until: float = 20.0) -> jd.Run:
    """A run by torque or by angle."""
    return jd.simulate(model, model.state(), until, output=0.02, rtol=1e-7, atol=1e-9, progress=False, **how)


def beam(EA: float = EA, EI: float = EI, **options) -> jd.Beam:
    """The beam of the paper."""
    return jd.Beam("b", LENGTH, DENSITY, EA, EI, GJ=1e4, **options)


def arm(**options) -> jd.Model:
    """It on its hinge."""
    system = jd.System("spin-up")
    system.add(beam(**options), jd.Revolute("hinge", axis="z"))
    return system.compile()


def lag(run: jd.Run) -> tuple[np.ndarray, np.ndarray]:
    """Tip displacement along and across the beam, in the frame of its root [m]."""
    d = seen_from(run, "b.root", "b.tip")
    return d[:, 0] - LENGTH, d[:, 1]


def drift(run: jd.Run) -> float:
    """e_RMS of the paper's eqs. 30 to 32: energy balance over the largest energy [%]."""
    balance, total = run.energy["balance"].values, run.energy["total"].values
    return 100.0 * float(np.sqrt(np.mean(balance**2)) / np.max(np.abs(total)))


@cache
def reference(how: str) -> np.ndarray:
    """Tip of the segment chain in its root frame, Richardson-extrapolated from 20 and 40 segments."""
    tips = []
    for count in (20, 40):
        system = jd.System("segments")
        tip = add_segments(system, "b", jd.Revolute("hinge", axis="z"), LENGTH, DENSITY, EI, count)
        run = spin(system.compile(), {"torque": BY_TORQUE, "angle": BY_ANGLE}[how], until=9.0)
        tips.append(seen_from(run, "b0.origin", tip))
    return tips[1] + (tips[1] - tips[0]) / 3.0


def numbers_truth():
    """Damaren & Sharf 1995, 4.1: the truth, geometrically exact: a chain of segments, by torque and by angle."""
    torque, angle = reference("torque"), reference("angle")
    yield rerun("by torque: largest lag of the tip", "m", -0.5680, torque[:, 1].min(), "0.1 %")
    yield rerun("by torque: when", "s", 6.97, 0.02 * np.argmin(torque[:, 1]), 0.03)
    yield rerun("by angle: largest lag of the tip", "m", -0.5736, angle[:, 1].min(), "0.1 %")
    yield rerun("by angle: when", "s", 6.76, 0.02 * np.argmin(angle[:, 1]), 0.03)
    _, v = lag(spin(arm(modes=jd.Modes(bending_y=3)), BY_TORQUE, until=9.0))
    yield rerun("default of three static shapes, by torque: largest lag", "m", -0.5680, v.min(), "1 %")
    _, v = lag(spin(arm(modes=jd.Modes(bending_y=3)), BY_ANGLE, until=9.0))
    yield rerun("default of three static shapes, by angle: largest lag", "m", -0.5736, v.min(), "1 %")


def _dual(count: int) -> dict:
    return {"modes": jd.Modes(bending_y=count), "basis": "clamped-free", "axial": "dual"}


RICH = {"modes": jd.Modes(bending_y=3, axial=4), "basis": "clamped-free", "fidelity": "consistent"}
MODELS = {  # largest lag [m], when [s], shortest [m], stretch in the end [m]
    "exact, modes (locks)": ({**PAPER, "axial": "modes"}, -0.1413, 7.44, -8.2e-4, 4.473e-4),
    "exact, one element (locks)": ({**ELEMENT, "axial": "modes"}, -0.1514, 7.20, -1.2e-3, 4.539e-4),
    "exact, dual axial functions, 1 mode": (_dual(1), -0.5738, None, -0.0190, None),
    "exact, dual axial functions, 2 modes": (_dual(2), -0.5690, None, -0.0185, None),
    "exact, dual axial functions, 3 modes": (_dual(3), -0.5700, None, -0.0185, None),
    "consistent, modes": ({**PAPER, "fidelity": "consistent"}, -0.5819, 7.06, None, 4.48e-4),
    "consistent, one element": ({**ELEMENT, "fidelity": "consistent"}, -0.4997, 6.26, None, 4.55e-4),
    "consistent, 3 bending and 4 stretch modes": (RICH, -0.5688, None, None, None),
}


def numbers_models():
    """Damaren & Sharf 1995, 4.1: the models of the paper, locked ones too, by torque."""
    for name, (options, peak, when, shortest, steady) in MODELS.items():
        run = spin(arm(**options), BY_TORQUE, until=20.0 if steady else 9.0)
        u, v = lag(run)
        yield rerun(f"{name}: largest lag of the tip", "m", peak, v.min(), "1 %")
        if when is not None:
            yield rerun(f"{name}: when", "s", when, run.record.time[np.argmin(v)], 0.06)
        if shortest is not None:
            yield rerun(f"{name}: shortest", "mm", 1e3 * shortest, 1e3 * u.min(), "5 %")
        elif options.get("fidelity") == "consistent":
            yield theory(f"{name}: shortening, there is none", "mm", 0.0, 1e3 * u.min(), 1e-3)
        if steady is not None:
            yield rerun(f"{name}: stretch in the end", "mm", 1e3 * steady, 1e3 * u[-1], "1 %")


def numbers_drift():
    """Damaren & Sharf 1995, Table 1: energy drift of the models that do not conserve; the ruthless one bends as
    statics say."""
    why = "An independent re-run has 3.58e-3 and 2.99e-3 as we do; the paper does not say how it defines this energy."
    chosen = "over how long is not said, nor what this energy is; 20 s and a definition were chosen as they come near"
    for name, options, consistent, found, own, re_run in (
        ("modes", PAPER, 0.220, 0.2167, 3.32e-3, 3.58e-3),
        ("one element", ELEMENT, 0.159, 0.1595, 2.47e-3, 2.99e-3),
    ):
        ours = drift(spin(arm(**options, fidelity="consistent"), BY_TORQUE))
        yield rerun(f"consistent, {name}: energy drift, as re-run", "%", found, ours, "0.5 %")
        yield paper(f"consistent, {name}: energy drift", "%", consistent, ours, "3 %", other=chosen, known=found)
        run = spin(arm(**options, fidelity="ruthless"), BY_TORQUE)
        v = run.record.q[:, 1:] @ beam(**options).shapes(np.array([LENGTH])).v[:, 0]
        yield theory(f"ruthless, {name}: largest lag, 11 ρA θ'' l⁵ / 120 EI", "m", -0.6284, v.min(), "1 %")
        yield rerun(f"ruthless, {name}: when", "s", 7.5, run.record.time[np.argmin(v)], 0.06)
        yield theory(f"ruthless, {name}: rate in the end, as commanded", "rad/s", 6.0, run.record.v[-1, 0], 0.01)
        yield rerun(f"ruthless, {name}: energy drift, as re-run", "%", re_run, drift(run), "1 %")
        yield paper(f"ruthless, {name}: energy drift", "%", own, drift(run), "1 %", reason=why, known=re_run)


def numbers_inconsistent():
    """Damaren & Sharf 1995, 4.1: the inconsistent model folds, and levels off early."""
    for name, options, peak, rate in (("modes", PAPER, -8.79, 3.797), ("one element", ELEMENT, -8.82, 3.815)):
        run = spin(arm(**options, fidelity="inconsistent"), BY_TORQUE, until=30.0)
        _, v = lag(run)
        yield rerun(f"{name}: largest lag", "m", peak, v.min(), "1 %")
        yield paper(f"{name}: largest lag, in the figure", "m", -9.0, v.min(), 0.5)
        yield rerun(f"{name}: rate in the end", "rad/s", rate, run.record.v[-1, 0], "1 %")
    run = spin(arm(**PAPER, fidelity="inconsistent"), BY_ANGLE, until=16.0)
    late = run.record.time > 15.2
    grows = np.polyfit(run.record.time[late], np.log(np.abs(lag(run)[1][late])), 1)[0]
    yield theory("held at 6 rad/s it grows by, √(Ω² - ω₁²)", "1/s", 4.64, grows, "1 %")


def numbers_simo_vu_quoc():
    """Simo & Vu-Quoc 1987: their beam, by angle, against geometrically exact elements."""
    run = spin(arm(EA=2.8e7, EI=1.4e4, modes=jd.Modes(bending_y=3, axial=1)), BY_ANGLE)
    u, v = lag(run)
    time = run.record.time
    yield rerun("largest lag", "m", -0.5736, v.min(), "0.5 %")
    yield rerun("when", "s", 6.76, time[np.argmin(v)], 0.03)
    yield rerun("what is left after 15 s, at most", "m", 3.6e-3, np.max(np.abs(v[time >= 15.0])), "5 %")
    yield theory("stretch in the end, ρA Ω² l³ / 3 EA", "mm", 0.5143, 1e3 * u[time > 18.0].mean(), "0.5 %")


def spinning_frequencies(rate: float, axis: str) -> np.ndarray:
    """Frequencies about steady spin [rad/s], from central differences of the bias force; the hinge's rate is held."""
    modes = jd.Modes(bending_y=5) if axis == "z" else jd.Modes(bending_z=5)
    system = jd.System("rotor")
    across = "bending_y" if axis == "z" else "bending_z"
    system.add(beam(modes=modes), jd.Revolute("hinge", axis="z"))
    model = system.compile()
    v = model.state(v={"hinge": rate}).v
    at = [model.index.q[f"b.{across}[{i}]"] for i in range(5)]
    M = model.mass_matrix(np.zeros(model.nq))[np.ix_(at, at)]
    K, G = np.zeros((5, 5)), np.zeros((5, 5))
    for column, j in enumerate(at):
        step = np.zeros(model.nq)
        step[j] = 1e-4
        K[:, column] = (model.bias(step, v) - model.bias(-step, v))[at] / 2e-4
        G[:, column] = (model.bias(0 * step, v + step) - model.bias(0 * step, v - step))[at] / 2e-4
    top = np.concatenate([np.zeros((5, 5)), np.eye(5)], axis=1)
    A = np.concatenate([top, -np.linalg.solve(M, np.concatenate([K, G], axis=1))])
    return np.sort(np.linalg.eigvals(A).imag)[5:]


FLAP = [3.5160, 3.6816, 4.1373, 4.7973, 5.5850, 6.4495, 7.3604, 11.2023]
LAG = [3.5160, 3.5432, 3.6218, 3.7435, 3.8977, 4.0739, 4.2632, 5.0490]
SPINS = (0, 1, 2, 3, 4, 5, 6, 10)


def numbers_rotating_cantilever():
    """Damaren & Sharf 1995, digest 3.1: first frequency of a rotating cantilever over its spin, both without unit."""
    unit = math.sqrt(EI / DENSITY) / LENGTH**2
    for name, axis, expected in (("flap", "y", FLAP), ("lag", "z", LAG)):
        ours = [spinning_frequencies(gamma * unit, axis)[0] / unit for gamma in SPINS]
        yield theory(name, "", expected, ours, "0.5 %", at=[f"spin {gamma}" for gamma in SPINS])
