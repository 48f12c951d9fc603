"""
A short electrodynamic tether
=============================

The short electrodynamic tether of Valverde, Escalona, Mayo & Dominguez (NATO ASI, part B, section 16).

One of two tethers of 30 m on a hub that spins about their axis, here x, with a disk of 3 kg at the end. The density,
which is not printed, is that of copper-beryllium, 8250 kg/m^3.
"""

import numpy as np
from scipy.integrate import solve_bvp

import jourdain as jd

L, RHO, DISK, EA = 30.0, 8250.0 * 4.16e-6, 3.0, 132e9 * 4.16e-6
STIFF = (38.0, 21.0)
"""EI in the two planes [N m^2]."""
ROUND = 28.0
"""EI of a section that is the same all around, between the two."""
ALIKE = 2.0 * 0.05 / 0.03097
"""Time constant of Kelvin and Voigt with 5 % in the first mode of the round one, 0.03097 rad/s [s]."""


def tether(line, EI=STIFF, damping=0.0, drag=0.0):
    """Hub, tether and disk: of so many beams welded to each other, or of a cable ("cable"); drag [N/m] turns with the
    orbit, 1.1e-3 rad/s."""
    system = jd.System("short electrodynamic tether")
    system.add(jd.RigidBody("hub", 1.0, inertia=(1, 1, 1)), jd.Revolute("spin", axis="x"))
    end, names = "hub.origin", []
    if line == "cable":
        # its stretch is softened, which nothing here feels, and damped for less time
        names.append("t0")
        system.add(jd.Cable("t0", L, RHO, 1e4, EI, 10, damping=(0.05 * damping, damping)), jd.Weld("w0"), to=end)
    for k in range(0 if line == "cable" else line):
        names.append(f"t{k}")
        beam = jd.Beam(
            names[-1], L / line, RHO, EA=EA, EI=EI, GJ=10.0, modes=jd.Modes(bending=2), basis="polynomial",
            damping=damping,
        )  # fmt: skip
        system.add(beam, jd.Weld(f"w{k}"), to=end)
        end = f"t{k}.tip"
    J = DISK * np.array([0.5 * 0.2**2, 0.25 * 0.2**2 + 1e-4 / 12, 0.25 * 0.2**2 + 1e-4 / 12])
    system.add(jd.RigidBody("disk", DISK, inertia=J), jd.Weld("rim"), to=f"{names[-1]}.tip")
    for name in names if drag else ():
        system.force(f"drag of {name}", name, turning(drag, 1.1e-3), along=True)
    return system


@jd.law
def turning(t, q, v, z, s, p, effort, dz):
    """A force a length p[0] that turns about x with the rate p[1]."""
    effort[4] += p[0] * np.cos(p[1] * t)
    effort[5] += p[0] * np.sin(p[1] * t)


def spun_up(rate):
    """The paper's spin: from rest to its rate in 10 s."""
    t = np.linspace(0.0, 10.0, 41)
    return {"spin": jd.Table(t, 0.05 * rate * t**2, speeds=(0.0, rate))}


def elastica(EI, rate):
    """Angle, curvature, distance from the axis, radial force and place along the axis of a line that turns as one piece
    with its root: EI theta'' + H cos theta = 0, H = m w^2 y(L) + int rho w^2 y ds."""
    s = np.linspace(0.0, L, 201)
    guess = np.array([1.4 * np.tanh(s / 6), 0.23 / np.cosh(s / 6) ** 2, 0.85 * s, 0.9 + 0 * s, 0.3 * s])

    def partials(s, y):
        return np.array([y[1], -y[3] * np.cos(y[0]) / EI, np.sin(y[0]), -RHO * rate**2 * y[2], np.cos(y[0])])

    def ends(a, b):
        return np.array([a[0], a[2], b[1], b[3] - DISK * rate**2 * b[2], a[4]])

    return solve_bvp(partials, ends, s, guess, tol=1e-8, max_nodes=20000).sol


def bent(model, system, shape):
    """The state whose line has the angle theta = shape(s)[0] to the axis, in the plane of x and y."""
    state, start = model.state(), 0.0
    lines = [one for one in system.bodies if one.name.startswith("t")]
    for line in lines:
        s = np.linspace(0.0, line.length, 201)
        theta = shape(start + s)[0]
        if isinstance(line, jd.Beam):
            local = np.concatenate([[0.0], np.cumsum(np.diff(s) * np.sin(0.5 * (theta[1:] + theta[:-1]) - theta[0]))])
            e = np.linalg.lstsq(line.shapes(s).v.T, local, rcond=None)[0]
            state.q[[model.index.q[f"{line.name}.{name}"] for name in line.internal]] = e
        else:
            places = [np.concatenate([[0.0], np.cumsum(np.diff(s) * f(0.5 * (theta[1:] + theta[:-1])))])
                      for f in (np.cos, np.sin)]  # fmt: skip
            at = np.linspace(0.0, L, line.elements + 1)
            x, y, turn = (np.interp(at, s, one) for one in (*places, theta))
            values = {"x": x - at, "y": y, "dx": np.cos(turn) - 1.0, "dy": np.sin(turn)}
            for what, found in values.items():
                for k, value in enumerate(found):
                    name = f"{line.name}.{what}[{k}]"
                    if name in model.index.q:
                        state.q[model.index.q[name]] = value
        start += line.length
    return state


def offset(share):
    """Angles of a cantilever that a force at its tip moves aside by a share of its length."""
    return lambda s: [np.arctan(1.5 * share * (2.0 * s / L - (s / L) ** 2))]
