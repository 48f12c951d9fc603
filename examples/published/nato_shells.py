"""Cables and plates in absolute coordinates: Dmitrotchenko (A 9) and Mikkola & Shabana (B 1), NATO ASI, Prague 2002."""

import numpy as np
from scipy.integrate import solve_bvp

import jourdain as jd
from jourdain.study.published import rerun, theory

QUICK = ("numbers_plate",)
L, MASS, EA, EI = 1.0, 0.78, 1e4, 1.0
"""Beam of Dmitrotchenko 2003, second example: 1 m, 0.78 kg/m, 1e4 N, 1 N m^2."""


def held(elements=16, root="clamped", gravity=(0.0, 0.0, 0.0), load=None, **told):
    """A cable welded to the world, and a load on its tip."""
    system = jd.System("held", gravity=gravity)
    numbers = {"length": L, "mass_per_length": MASS, "EA": EA, "EI": EI} | told
    system.add(jd.Cable("line", elements=elements, root=root, **numbers), joint=jd.Weld("hold"))
    if load is not None:
        system.force("load", "line.tip", **load)
    return system.compile()


def laid(model, place, slope):
    """A state whose nodes lie on a line: places and gradients (N, 3) [m]."""
    state = model.state()
    s = np.linspace(0.0, L, len(place))
    e = np.stack([place, slope], axis=1)
    e[:, 0, 0] -= s
    e[:, 1, 0] -= 1.0
    names = [f"line.{one}[{k}]" for k in range(len(s)) for one in ("x", "y", "z", "dx", "dy", "dz")]
    values = dict(zip(names, e.ravel(), strict=True))
    state.q[:] = [values[name] for name in model.names.q]
    return state


def elastica(load, stiff):
    """Place and slope of a cantilever under a force across it: EI theta'' + P cos theta (1 + N / EA) = 0, N = P sin
    theta, in the plane of x and y, extensible (Reissner 1972)."""

    def partials(s, y):
        theta = y[0]
        n = load * np.sin(theta)
        g = 1.0 + n / stiff
        return np.stack([y[1], -load * np.cos(theta) * g / EI, g * np.cos(theta), g * np.sin(theta)])

    def ends(a, b):
        return np.array([a[0], b[1], a[2], a[3]])

    s = np.linspace(0.0, L, 201)
    start = np.stack([1.2 * np.sin(s), 1.2 * np.cos(s), s, 0.5 * s])
    found = solve_bvp(partials, ends, s, start, tol=1e-10, max_nodes=20000)
    assert found.success
    return found.sol


def at_nodes(solution, elements, stiff, load):
    """Places and gradients of nodes on the exact shape."""
    s = np.linspace(0.0, L, elements + 1)
    theta, _, x, y = solution(s)
    g = 1.0 + load * np.sin(theta) / stiff
    zero = np.zeros_like(s)
    return np.stack([x, y, zero], axis=1), np.stack([g * np.cos(theta), g * np.sin(theta), zero], axis=1)


def pose_under(load, stiff, elements, near):
    """Pose of the tip under a load across it, from the shape `near` on, such as that of another load."""
    model = held(elements, load={"force": (0.0, load, 0.0)}, EA=stiff)
    found = model.equilibrium(laid(model, *at_nodes(near, elements, stiff, load))).state
    return model.pose("line.tip", found.q)


def bent(load, stiff, elements, exact):
    """Place of the tip under a load across it [m]."""
    return pose_under(load, stiff, elements, exact).position[:2]


ELASTICA = [
    (0.25, 0.08275, 0.00412, 0.12429, 0.24897),
    (1.0, 0.30172, 0.05643, 0.46135, 0.94357),
    (2.0, 0.49346, 0.16064, 0.78175, 1.67872),
    (3.0, 0.60325, 0.25442, 0.98602, 2.23674),
    (5.0, 0.71379, 0.38763, 1.21537, 3.06186),
    (10.0, 0.81061, 0.55500, 1.43029, 4.45004),
]
"""P L^2 / EJ; deflection and shortening of the tip over the length, its slope, moment at the clamp over EJ / L;
without stretching."""


def numbers_elastica():
    """Dmitrotchenko 2002 (A 9): the tip of a cantilever under a load across it, 24 elements."""
    for load, down, back, slope, moment in ELASTICA:
        tip = pose_under(load, 1e7, 24, elastica(0.6 * load, 1e7))
        (x, y), angle = tip.position[:2], np.arctan2(tip.rotation[1, 0], tip.rotation[0, 0])
        yield theory(f"P L² / EI = {load:g}: tip over the length", "", [down, back], (y, 1.0 - x), 1e-5,
                     at=("down", "back"))  # fmt: skip
        yield theory(f"P L² / EI = {load:g}: slope of the tip", "rad", slope, angle, 1e-5)
        yield theory(f"P L² / EI = {load:g}: moment at the clamp over EI / L", "", moment, load * x, load * 1e-5)


ALUMINIUM = {"E": 70e9, "density": 2700.0}
SIDES = ("x0", "x1", "y0", "y1")
SQUARE = [3.4710, 8.5065, 21.285, 27.199, 30.956, 54.186]
"""Of a square cantilever plate, nu = 0.3."""


def thin(n, nu=0.3, held="supported", sides=SIDES, **told):
    """The square plate of B 1: side 1 m, 10 mm."""
    material = jd.Material(nu=nu, **ALUMINIUM)
    return jd.Plate("plate", (1.0, 1.0), 0.01, material, (n, n), held=dict.fromkeys(sides, held), **told)


def stiffness(nu):
    """D = E t^3 / 12 (1 - nu^2) [N m]."""
    return ALUMINIUM["E"] * 0.01**3 / 12.0 / (1.0 - nu**2)


def bending(body, count):
    """Frequencies without free motions in the plane [rad/s]."""
    found = body.natural_frequencies(count + 3)
    return found[found > 1.0][:count]


def numbers_plate():
    """Mikkola & Shabana 2002 (B 1): frequencies of a square plate, eight elements a side."""
    exact = np.pi**2 * np.array([2.0, 5.0, 5.0, 8.0, 10.0, 10.0])
    for nu in (0.0, 0.3):
        ours = bending(thin(8, nu), 6) * np.sqrt(27.0 / stiffness(nu))
        yield theory(f"supported, ν {nu:g}: ω L² √(ρ t / D)", "", exact, ours, "0.11 %")
    ours = bending(thin(8, held="clamped", sides=("x0",)), 6) * np.sqrt(27.0 / stiffness(0.3))
    # the moments at the ends of a clamped side are singular, so that convergence is slower there
    yield rerun("clamped on one side: ω L² √(ρ t / D)", "", SQUARE, ours, "0.06 %")
    plain, solid = (bending(thin(4, elasticity=word), 1)[0] for word in ("plane-stress", "solid"))
    yield theory("the law in space over that of plane stress", "", 0.7 / np.sqrt(0.4), solid / plain, "0.1 %")
