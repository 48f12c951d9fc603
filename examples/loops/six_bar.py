"""
A planar six-bar
================

The planar six-bar of Talaba (NATO ASI, part B, section 11) as particles and as bodies, and any body as particles in
space.
"""

import numpy as np

import jourdain as jd

MASSES = {
    "A": 0.1, "B1": 0.1, "B2": 0.2, "C1": 0.2, "C2": 0.2, "D": 0.2, "E1": 0.2, "E2": 0.25, "F1": 0.25,
    "F2": 0.2, "G": 0.15, "H": 0.15,
}  # fmt: skip
LINE, WIDE = 0.10, 0.05
"""Height of F, and how far G and H are beside and below it [m]; three particles on one line would not be rigid."""
RODS = ("A B1", "B2 C1", "C2 D", "C2 E1", "D E1", "E2 F1", "F2 G", "F2 H", "G H")
ROWS = {
    "A x": 0.0, "A y": 0.0, "B x": "B1 x, B2 x", "B y": "B1 y, B2 y", "C x": "C1 x, C2 x", "C y": "C1 y, C2 y",
    "D x": 0.3, "D y": 0.0, "E x": "E1 x, E2 x", "E y": "E1 y, E2 y", "F x": "F1 x, F2 x", "F y": "F1 y, F2 y",
    "G y": LINE - WIDE, "H y": LINE - WIDE,
}  # fmt: skip
"""The fourteen rows of the joints: what is at rest, and what is in one place."""


def six_bar_places(angle: float) -> dict[str, float]:
    """Coordinates of all particles, by circles that cross: C left of the ray from B to D, E right of that from C."""
    A, D = np.zeros(2), np.array([0.3, 0.0])
    B = 0.1 * np.array([np.cos(angle), np.sin(angle)])
    C = _crossing(B, 0.28, D, 0.20)
    E = _crossing(D, 0.30, C, 0.15)
    F = np.array([E[0] + np.sqrt(0.35**2 - (E[1] - LINE) ** 2), LINE])
    G, H = F + (-WIDE, -WIDE), F + (WIDE, -WIDE)
    at = dict(A=A, B1=B, B2=B, C1=C, C2=C, D=D, E1=E, E2=E, F1=F, F2=F, G=G, H=H)
    return {f"{name} {c}": float(place[k]) for name, place in at.items() for k, c in enumerate("xy")}


def _crossing(first, radius, second, other):
    """Where two circles cross, left of the ray from the first centre to the second."""
    across = second - first
    d = np.hypot(*across)
    along = (radius**2 - other**2 + d**2) / (2 * d)
    return first + (along * across + np.sqrt(radius**2 - along**2) * np.array([-across[1], across[0]])) / d


def particle_six_bar() -> jd.System:
    """Twelve particles, each with two coordinates, nine distances and fourteen rows of joints."""
    system = jd.System("six-bar of particles", gravity=(0, -9.81, 0))
    places = six_bar_places(0.0)
    for name, mass in MASSES.items():
        _particle(system, name, mass, "xy")
    for rod in RODS:
        a, b = rod.split()
        length = np.hypot(*(places[f"{a} {c}"] - places[f"{b} {c}"] for c in "xy"))
        system.connect(jd.constraints.Rod(f"rod {rod}", length=length), f"{a}.origin", f"{b}.origin")
    for name, row in ROWS.items():
        if isinstance(row, str):
            first, second = row.split(", ")
            system.couple(f"joint {name}", {first: 1.0, second: -1.0})
        else:
            system.couple(f"joint {name}", {name: 1.0}, row)
    return system


def body_six_bar() -> jd.System:
    """The same as five bodies, each with the mass, centre and inertia of its particles."""
    system = jd.System("six-bar of bodies", gravity=(0, -9.81, 0))
    across = (0.30**2 + 0.20**2 - 0.15**2) / (2 * 0.20)
    ternary = {"C2": (0.2, 0.0, 0.0), "D": (0, 0, 0), "E1": (across, np.sqrt(0.30**2 - across**2), 0.0)}
    system.add(_body("crank", {"A": (0, 0, 0), "B1": (0.1, 0, 0)}), jd.Revolute("crank"))
    system.add(_body("coupler", {"B2": (0, 0, 0), "C1": (0.28, 0, 0)}), jd.Revolute("coupler"), to="crank.B1")
    system.add(_body("ternary", ternary), jd.Revolute("ternary"), position=(0.3, 0, 0))
    system.add(_body("link", {"E2": (0, 0, 0), "F1": (0.35, 0, 0)}), jd.Revolute("link"), to="ternary.E1")
    slider = _body("slider", {"F2": (0, 0, 0), "G": (-WIDE, -WIDE, 0), "H": (WIDE, -WIDE, 0)})
    system.add(slider, jd.Prismatic("slide", axis="x"), position=(0, LINE, 0))
    system.connect(jd.Revolute("C"), "coupler.C1", "ternary.C2")
    system.connect(jd.Revolute("F"), "link.F1", "slider.F2")
    return system


def particle_system(masses, places) -> jd.System:
    """Particles in space, all distances kept."""
    system = jd.System("particles")
    for k, (mass, place) in enumerate(zip(masses, places)):
        _particle(system, f"p{k}", mass, "xyz", tuple(place))
    for a in range(len(masses)):
        for b in range(a + 1, len(masses)):
            system.connect(jd.constraints.Rod(f"rod{a}{b}"), f"p{a}.origin", f"p{b}.origin")
    return system


def _particle(system: jd.System, name: str, mass: float, axes: str, place=(0.0, 0.0, 0.0)) -> None:
    """A mass on sliders without mass, with the coordinates "name x", ..."""
    to = "world"
    for axis in axes:
        body = jd.RigidBody(name, mass) if axis == axes[-1] else jd.RigidBody(f"{name} along {axis}", 0.0)
        where = place if to == "world" else (0.0, 0.0, 0.0)
        system.add(body, jd.Prismatic(f"{name} {axis}", axis=axis), to=to, position=where)
        to = f"{body.name}.origin"


def _body(name: str, frames: dict) -> jd.RigidBody:
    """A rigid body with the mass, centre and inertia of the particles that its frames are."""
    masses, places = np.array([MASSES[one] for one in frames]), np.array(list(frames.values()), float)
    com = masses @ places / masses.sum()
    r = places - com
    J = np.einsum("k,kij->ij", masses, np.einsum("kl,kl,ij->kij", r, r, np.eye(3)) - np.einsum("ki,kj->kij", r, r))
    return jd.RigidBody(name, masses.sum(), com, J, frames=frames)
