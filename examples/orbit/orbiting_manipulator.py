"""
Model of Chen's orbiting manipulator
====================================

Y. Chen, "On the Dynamics and Control of Manipulators with Slewing and Deployable Links" (1999), section 4.1: a platform
of 120 t and 120 m, a free-free beam along the local vertical, carries a mobile base, and the base a chain of modules.
A module is a rotor and an arm that a torsional spring holds on it. Everything moves in the orbital plane.

The coordinates are those of the thesis: ``platform.x, .y, .angle`` (pitch psi), ``slew1`` (beta, of the rotor against
the section that it sits on), ``twist1`` (chi, of the arm against its rotor), ``module1.bending_y[0]``. Where the arms
deploy there is ``module1.length``, and where the base moves ``base``, from the platform's centre.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import jourdain as jd

ORBIT = jd.Orbit(altitude=400e3)
LENGTH, MASS, STIFFNESS, SLIMNESS = 120.0, 120e3, 5.5e8, 0.005
"""Of the platform [m, kg, N m^2]; its axial inertia over its transverse one."""
LARGE = {"rotor": (20.0, 10.0), "joint": 1e4, "mass": 400.0, "EI": 5.5e5, "reach": (7.5, 15.0)}
SMALL = {"rotor": (5.0, 2.5), "joint": 1e3, "mass": 100.0, "EI": 1e4, "reach": (2.5, 5.0)}
"""Rotors [kg, kg m^2], joints [N m/rad] and modules [kg, N m^2, m] of one and two modules, and of three and more."""


def beam(name: str, length: float, mass: float, EI: float, slimness: float, **options) -> jd.Beam:
    """A beam that bends in the orbital plane; stretch and torsion are not asked for, and EA and GJ do not matter."""
    roll = slimness * mass * length / 12.0
    return jd.Beam(
        name,
        length,
        mass / length,
        EA=2.0 * EI * mass / length / roll,
        EI=EI,
        GJ=EI,
        inertia_per_length=roll,
        **options,
    )


def telescope(name: str, reach: tuple[float, float], mass: float, EI: float, **options) -> jd.DeployableBeam:
    """The same beam with a length that changes, every particle at its fraction of it (the thesis's eq. C.2)."""
    roll = SLIMNESS * mass * reach[1] / 12.0
    return jd.DeployableBeam(
        name,
        reach,
        mass=mass,
        EA=2.0 * EI * mass / reach[1] / roll,
        EI=EI,
        GJ=EI,
        inertia_per_length=roll,
        deployment="stretch",
        **options,
    )


def tips(run: jd.Run, modules: int) -> list[np.ndarray]:
    """e_2, the deflection of the platform's tip from its mean axis, then e_3 and so on of the modules' tips [m]."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    line = run.deflection("platform", 0.5 * LENGTH * np.append(nodes, 1.0)).sel(axis="y").values
    mean, slope = line[:, :-1] @ weights / 2.0, line[:, :-1] @ (weights * nodes) * 1.5
    ends = [run.deflection(f"module{i}").sel(axis="y").values[:, -1] for i in range(1, modules + 1)]
    return [line[:, -1] - mean - slope, *ends]


def bent(tip: float) -> float:
    """Value of ``platform.bending_y[0]`` for a deflection of the platform's tip from its mean axis [m].

    Jourdain measures from the tangent at mid-length, where the first free-free shape is -0.6078 of that at the tip.
    """
    half = 0.5 * 4.730040744862704
    return tip * (1.0 - 0.5 * (1.0 / np.cos(half) + 1.0 / np.cosh(half)))


def one_a_module(given: float | Sequence[float], modules: int, what: str) -> list[float]:
    """One number for all modules, or one for each."""
    each = [float(given)] * modules if np.ndim(given) == 0 else [float(one) for one in given]
    if len(each) != modules:
        raise ValueError(f"{what} has {len(each)} entries for {modules} modules; give one number, or one a module")
    return each


def manipulator(
    modules: int = 1,
    base: float = 60.0,
    lengths: float | Sequence[float] = 10.0,
    payload: float = 400.0,
    modes: int = 1,
    basis: str = "clamped-free",
    environment: jd.Orbit | None = ORBIT,
    large: bool | None = None,
    rigid: Sequence[str] = (),
    damping: float = 0.0,
    EI: float | None = None,
    masses: float | Sequence[float] | None = None,
    deploying: bool = False,
    rail: bool = False,
    fidelity: str = "exact",
) -> jd.System:
    """The platform with a chain of modules.

    modules        how many, 0 to 5
    base           where the mobile base stands, from the platform's centre [m]; the chain begins 1.5 m beside it
    lengths        of the modules, one or all [m]; of those that deploy the state tells
    payload        point mass at the last tip [kg]; 0 for none
    modes          bending modes of every beam
    basis          of the modules: "clamped-free" as in the thesis, or "polynomial", which converges faster on a joint
                   as soft as this
    environment    the orbit, or None for free floating
    large          whether the modules are the large ones; None as in the thesis: up to two are
    rigid          names of bodies that do not bend
    damping        modal damping ratio of the modules
    EI             bending stiffness of the modules, if another [N m^2]
    masses         of the modules, if others, one or all [kg]
    deploying      whether the modules deploy
    rail           whether the base runs along the platform
    fidelity       of the beams that do not deploy: "inconsistent" is without foreshortening, as the thesis is
    """
    data = LARGE if (modules <= 2 if large is None else large) else SMALL
    each = one_a_module(lengths, modules, "lengths")
    weights = one_a_module(data["mass"] if masses is None else masses, modules, "masses")
    system = jd.System(f"manipulator of {modules} modules", environment=environment)
    stand = 0.5 + base / LENGTH
    if "platform" in rigid:
        across = MASS * LENGTH**2 / 12.0
        ends = {"root": (-0.5 * LENGTH, 0, 0), "tip": (0.5 * LENGTH, 0, 0), "base": (base, 0, 0)}
        body = jd.RigidBody("platform", MASS, inertia=(SLIMNESS * across, across, across), frames=ends)
    else:
        shapes = {"modes": jd.Modes(bending_y=modes), "basis": "free-free", "frames": {"base": stand}}
        body = beam("platform", LENGTH, MASS, STIFFNESS, SLIMNESS, fidelity=fidelity, **shapes)
    system.add(body, jd.Planar("platform"))

    to, offset = "platform.base", (0.0, 1.5, 0.0)
    if rail:
        system.add(jd.RigidBody("cart", 0.0, inertia=(0, 0, 0)), jd.Rail("base"), to="platform", position=offset)
        to, offset = "cart.origin", (0.0, 0.0, 0.0)
    m, J = data["rotor"]
    for i, (length, mass) in enumerate(zip(each, weights), start=1):
        rotor = jd.RigidBody(f"rotor{i}", m, inertia=(J, J, J))
        system.add(rotor, jd.Revolute(f"slew{i}", axis="z"), to=to, position=offset)
        name = f"module{i}"
        if name in rigid:
            across = mass * length**2 / 12.0
            inertia = (SLIMNESS * across, across, across)
            arm = jd.RigidBody(name, mass, (0.5 * length, 0, 0), inertia, frames={"tip": (length, 0, 0)})
        else:
            shapes = {"modes": jd.Modes(bending_y=modes), "basis": basis, "damping": damping}
            if deploying:
                arm = telescope(name, data["reach"], mass, EI or data["EI"], **shapes)
            else:
                arm = beam(name, length, mass, EI or data["EI"], SLIMNESS, fidelity=fidelity, **shapes)
        system.add(arm, jd.Revolute(f"twist{i}", axis="z", stiffness=data["joint"]), to=f"rotor{i}.origin")
        to, offset = f"module{i}.tip", (0.0, 0.0, 0.0)
    if payload > 0.0:
        system.add(jd.RigidBody("payload", payload, inertia=(0.0, 0.0, 0.0)), jd.Weld("grapple"), to=to)
    return system
