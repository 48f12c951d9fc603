"""
Model of the vaulter and the pole
=================================

A vaulter of two bodies on an elastic pole, and the elastica through which film tells what his hands do.

Along a pole without weight EI theta'' = Fx sin theta - Fy cos theta, theta the angle of the tangent and F the force of
the hands; it turns freely in the box, theta'(0) = 0, and the moment of the hands is EI theta'(L). So a shape has three
unknowns, theta(0), Fx / EI and Fy / EI (Tofan, Vlase & Micu 2002, in their vector form).
"""

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

import jourdain as jd

LENGTH, LEAN, ELEMENTS = 5.0, np.radians(28.0), 10
MASSES, ARMS = (50.0, 30.0), (0.9, 0.4)  # trunk with arms, and legs: kg; from grip and hip to the centres of mass, m


@jd.law
def hands(t, q, v, z, s, p, effort, dz):
    """Moments of the hands on the trunk and of the hips on the legs, in the place of the last two velocities."""
    effort[int(p[0])] += p[1]
    effort[int(p[0]) + 1] += p[2]


def vaulter(EI):
    """The pole in its box, pinned, with the vaulter on its tip; all in the plane of x and y."""
    system = jd.System("vault", gravity=(0.0, -9.81, 0.0))
    line = {"length": LENGTH, "mass_per_length": 0.45, "EA": 1e6, "EI": EI, "damping": 2e-4}
    turn = 0.5 * (np.pi - LEAN)
    filmed = {f"mark{k}": k / ELEMENTS for k in range(1, ELEMENTS + 1)}
    pole = jd.Cable("pole", elements=ELEMENTS, root="pinned", frames=filmed, **line)
    system.add(pole, joint=jd.Weld("box"), rotation=(np.cos(turn), 0.0, 0.0, np.sin(turn)))
    for name, mass, arm, spread, to in zip(("trunk", "legs"), MASSES, ARMS, (5.0, 2.0), ("pole.tip", "trunk.hip")):
        part = jd.RigidBody(name, mass, com=(arm, 0, 0), inertia=(1, spread, spread), frames={"hip": (1.4, 0, 0)})
        system.add(part, joint=jd.Revolute("grip" if name == "trunk" else "hip", axis="z", damping=5.0), to=to)
    return system.compile()


def take_off(model, run_up=8.5, jump=2.5):
    """Hanging straight down, with the run-up's speed and that of the jump [m/s]; the pole is straight and turns with
    its tip."""
    angle = np.pi - LEAN
    along = run_up * np.cos(angle) + jump * np.sin(angle)
    across = -run_up * np.sin(angle) + jump * np.cos(angle)
    speeds = {"grip": -across / LENGTH}
    for k in range(ELEMENTS + 1):
        node = {"x": along * k / ELEMENTS, "y": across * k / ELEMENTS, "dx": along / LENGTH, "dy": across / LENGTH}
        speeds |= {f"pole.{c}[{k}]": x for c, x in node.items() if f"pole.{c}[{k}]" in model.index.v}
    return model.state(q={"grip": 1.5 * np.pi - angle}, v=speeds)


def centre(run):
    """Of mass of the vaulter over time (times, 2) [m]."""
    out = 0.0
    for name, mass, arm in zip(("trunk", "legs"), MASSES, ARMS):
        frame = run.frame(f"{name}.origin")
        w, z = frame.quaternion.values[:, [0, 3]].T
        out = out + mass / sum(MASSES) * (
            frame.position.values[:, :2] + arm * np.stack([1 - 2 * z * z, 2 * w * z], axis=1)
        )
    return out


def elastica(first, force, length, s):
    """Places (len(s), 2), angles and their slopes of a pole that is pinned at the origin; force is F / EI [1/m^2]."""

    def partials(_, y):
        return [y[1], force[0] * np.sin(y[0]) - force[1] * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])]

    found = solve_ivp(partials, (0.0, length), [first, 0.0, 0.0, 0.0], "DOP853", s, rtol=1e-9, atol=1e-11).y
    return found[2:].T, found[0], found[1]


def screw(points, EI, length=LENGTH):
    """Force (2,) [N] and moment [N m] of the hands from points of the pole (n, 2), evenly along it from the box."""
    s = np.linspace(0.0, length, len(points))
    bow = np.linalg.norm(points[-1]) / length
    chord = np.arctan2(points[-1, 1], points[-1, 0])
    (x, y), (a, b) = points[-1], points[len(s) // 2]
    side = np.sign(x * b - y * a)
    push = -((np.pi / length) ** 2) * (1.0 + 0.5 * (1.0 - bow)) * np.array([np.cos(chord), np.sin(chord)])
    start = [chord + side * 2.0 * np.sqrt(max(1.0 - bow, 1e-6)), *push]
    fit = least_squares(
        lambda x: (elastica(x[0], x[1:], length, s)[0] - points).ravel(), start, x_scale=[0.1, 0.1, 0.1]
    )
    return EI * fit.x[1:], EI * elastica(fit.x[0], fit.x[1:], length, s)[2][-1]
