"""Kim's controlled contact in the digest's reduced form: flexible arm, rigid payload, a spring between them.

S.-W. Kim, McGill 1999, section 6.5. One clamped-free mode a link with 1 % damping, payload 35,530 kg with a flat face
without friction, 5e4 N/m, the spacecraft's centre of mass held, its attitude free and driven; no orbit.
"""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.study.published import rerun, theory

QUICK = ("numbers_poles", "numbers_force")
LENGTH = 8.13


def arm(name: str, mass: float = 163.0) -> jd.System:
    """Craft, two links and the tip; `mass` of a link [kg]."""
    system = jd.System(name)
    craft = jd.RigidBody("craft", 1e5, inertia=(8e5, 8e5, 8e5), frames={"shoulder": (1, 0, 0)})
    system.add(craft, jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        modes = {"modes": jd.Modes(bending_y=1), "basis": "clamped-free", "damping": 0.01}
        link = jd.Beam(f"link{i}", LENGTH, mass / LENGTH, 1e8, 88.1e3, 1e5, **modes)
        system.add(link, jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(jd.RigidBody("tip", 2.3), jd.Weld("grip"), to="link2.tip")
    return system


def plant() -> jd.Model:
    """The arm, the payload and the spring between them."""
    system = arm("arm and payload")
    payload = jd.RigidBody("payload", 35530.0, inertia=(1.01e6, 1.01e6, 1.01e6))
    system.add(payload, jd.Planar("drift", normal="z"), position=(1, 8.63, 0))
    ball, face = jd.Sphere(0.05).at("tip.origin"), jd.Plane((0, -1, 0), -0.05).at("payload.origin")
    system.contact("touch", ball, face, normal=jd.contact.LinearContact(stiffness=5e4))
    return system.compile()


START = {"joint1": np.radians(30.0), "joint2": np.radians(120.0)}
_REACH = np.hypot(8.8175, 0.5)
FINAL = {
    "joint1": np.arctan2(8.8175, 0.5) - np.arccos(_REACH / (2 * LENGTH)),
    "joint2": 2 * np.arccos(_REACH / (2 * LENGTH)),
}


def path() -> jd.control.Sequence:
    """Relative to the payload: 2 mm behind its face after 6 s, pressing until 14 s, 0.5 m along it at 20 s.

    The wanted force moves it on by force / stiffness, to 0.1875 m at 15 N.
    """
    Line = jd.control.Line
    return jd.control.Sequence(
        Line((0, -0.5, 0), (0, 0.002, 0), duration=6.0),
        Line((0, 0.002, 0), (0, 0, 0), duration=8.0),
        Line((0, 0, 0), (0.5, 0, 0), duration=6.0),
    )


def controller(
    model: jd.Model, R: float | None = None, control: jd.Model | None = None, **options
) -> jd.control.Controller:
    """Impedance of 80 kg, 100 N s/m and 80 N/m; with R the fast loop, gains frozen at the final pose."""
    slow = jd.control.Impedance(
        arm("arm").compile() if control is None else control,
        "tip.origin",
        80.0,
        100.0,
        80.0,
        path(),
        directions="xy",
        contact="touch",
        force={"y": jd.Cycloid(15.0, 8.0, start=6.0)},
        frame="payload.origin",
        start=START,
        **options,
    )
    return slow if R is None else jd.control.Composite(slow, 1.0, R, scale=1e4, schedule=[FINAL])


def run(model: jd.Model, control: jd.control.Controller, until: float, step: float = 1e-3) -> jd.Run:
    """From the start, with fixed steps."""
    options = {"step": step, "method": "rk4", "output": 0.01, "progress": False}
    return jd.simulate(model, model.state(START), until=until, controller=control, **options)


def force(found: jd.Run) -> np.ndarray:
    """Force of the tip on the payload along y [N]."""
    return -found.contact["touch"].force.values[:, 1]


def at(found: jd.Run, time: float) -> float:
    """The force at a time [N]."""
    return float(force(found)[np.searchsorted(found.time.values, time - 1e-9)])


POLES = {1.0: [(-1.04, 15.7), (-1.04, 20.6)], 0.01: [(-8.6, 18.2), (-9.8, 22.2)]}
PRESSED = {None: (19.9, 13.4, 5.35), 1.0: (19.9, 13.4, 5.35), 0.01: (19.8, 13.7, 5.3)}
"""By R of the fast loop, None without: when the force is read [s], the force [N], first touch [s]."""
DIVERGES = {None: 2.8, 1.0: 4.6, 0.01: 9.2}
"""By R: when feedback of the true tip diverges [s]."""


def _named(R: float | None) -> str:
    return "no fast loop" if R is None else f"R = {R:g}"


def numbers_poles():
    """Kim 1999, 6.5: poles of the fast loop at the final pose, Q = I, k = 1e4."""
    model = plant()
    for R, poles in POLES.items():
        found = [p for p in controller(model, R).poles(model, FINAL) if p.imag > 0.0]
        for i, (ours, theirs) in enumerate(zip(sorted(found, key=lambda p: p.imag), poles, strict=True), start=1):
            parts = "real part", "imaginary part"
            yield rerun(f"{_named(R)}: pole {i}", "1/s", theirs, [ours.real, ours.imag], 0.06, at=parts)


def numbers_force():
    """Kim 1999, 6.5: force, first touch and where things are, rigid feedback."""
    model = plant()
    for R, (time, newtons, touch) in PRESSED.items():
        found = run(model, controller(model, R), 20.0)
        name, moved = _named(R), found.frame("payload.origin").position.values[-1]
        along = (found.frame("tip.origin").position.values[-1] - moved)[0]
        first = found.time.values[np.argmax(force(found) > 0.0)]
        yield rerun(f"{name}: force at {time:g} s", "N", newtons, at(found, time), 0.06)
        yield rerun(f"{name}: first touch", "s", touch, first, 0.05)
        yield rerun(f"{name}: payload moves", "mm", 23.5, 1e3 * (moved[1] - 8.63), 1.0)
        yield rerun(f"{name}: tip along the payload", "m", 0.55, along, 0.01)


def numbers_correction():
    """Kim 1999, eq. 6.9: the integrated correction brings the force that was asked."""
    model = plant()
    for R in (None, 0.01):
        right = run(model, controller(model, R, correction=0.3, correction_from=14.0, correction_limit=0.1), 35.0)
        yield theory(f"{_named(R)}: force with it at 35 s, as asked", "N", 15.0, at(right, 35.0), 0.03)


def numbers_true_tip():
    """Kim 1999, 6.5: feedback of the true tip, not collocated with the torques, diverges."""
    model = plant()
    for R, when in DIVERGES.items():
        try:
            run(model, controller(model, R, feedback="tip"), 20.0)
            stopped = float("nan")
        except jd.errors.SimulationError as error:
            stopped = float(error.time)
        yield rerun(f"{_named(R)}: stops at", "s", when, stopped, 0.1)
