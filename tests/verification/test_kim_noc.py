"""The natural orthogonal complement (Kim 1999, section 3.2; digest 2.3) against the recursion, for the two-link arm.

Assembled here in NumPy from body equations alone: extended velocities v_i = (v, w, b') of each body's frame, mass
matrices and velocity forces by quadrature along each link, and N with v = N psi', by the kinematic recursion. Nothing
of the recursion over articulated bodies enters, and none of its integrals. The thesis leaves out that bending shortens
a link, and its strain energy is quadratic: that is `fidelity="inconsistent"` here.
"""

import numpy as np
import pytest

import jourdain as jd

LENGTH, MASS, EI, CRAFT, TOOL = 8.13, 163.0, 88.1e3, 8e5, (2.3, 0.18)
SPIN = np.array([[0.0, -1.0], [1.0, 0.0]])


def mode(x):
    """First clamped-free mode of unit tip value: itself, slope, curvature at x."""
    k = 1.8751040687119611 / LENGTH
    s = (np.cosh(k * LENGTH) + np.cos(k * LENGTH)) / (np.sinh(k * LENGTH) + np.sin(k * LENGTH))
    ch, c, sh, si = np.cosh(k * x), np.cos(k * x), np.sinh(k * x), np.sin(k * x)
    values = np.array([ch - c - s * (sh - si), k * (sh + si - s * (ch - c)), k * k * (ch + c - s * (sh + si))])
    return values / 2.0  # the tip value of the unscaled mode is 2


def link(b, rate, w):
    """Mass (4, 4) of a link in its own axes, for (v, w, b'), its velocity forces, and its stiffness."""
    z, weight = np.polynomial.legendre.leggauss(40)
    M, force, stiffness = np.zeros((4, 4)), np.zeros(4), 0.0
    for x, dx in zip(0.5 * LENGTH * (z + 1.0), 0.5 * LENGTH * weight):
        phi, _, bend = mode(x)
        r = np.array([x, phi * b])
        W = np.column_stack([np.eye(2), SPIN @ r, [0.0, phi]])
        M += MASS / LENGTH * dx * W.T @ W
        force -= MASS / LENGTH * dx * W.T @ (2.0 * w * SPIN @ [0.0, phi * rate] - w * w * r)
        stiffness += EI * dx * bend * bend
    return M, force, stiffness


def turn(angle):
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def recursion(psi, rate):
    """N and N' psi' of all bodies, each (v, w, b') in its own axes, and the absolute angular velocities.

    psi = (attitude, joint 1, b1, joint 2, b2, wrist); bodies: craft (w), links (v, w, b'), tool (v, w).
    """
    phi, slope, _ = mode(LENGTH)
    angles, spins = [psi[0]], [rate[0]]
    JW = [np.eye(6)[0]]  # angular velocity of each body as a row
    R = turn(psi[0])
    JV, drift = np.outer(R @ SPIN @ [1.0, 0.0], JW[0]), -(rate[0] ** 2) * R @ [1.0, 0.0]  # of the shoulder
    rows, biases = [JW[0][None, :]], [np.zeros(1)]
    for joint, flex in ((1, 2), (3, 4)):
        before = 0.0 if joint == 1 else slope * psi[2]
        turns = JW[-1] + np.eye(6)[joint] + (0.0 if joint == 1 else slope) * np.eye(6)[2]
        angles.append(angles[-1] + before + psi[joint])
        JW.append(turns)
        w, R = turns @ rate, turn(angles[-1])
        rows.append(np.vstack([R.T @ JV, turns, np.eye(6)[flex]]))
        biases.append(np.concatenate([R.T @ drift, [0.0, 0.0]]))
        spins.append(w)
        r, e = np.array([LENGTH, phi * psi[flex]]), np.array([0.0, phi])
        JV = JV + np.outer(R @ SPIN @ r, turns) + np.outer(R @ e, np.eye(6)[flex])
        drift = drift - w * w * R @ r + 2.0 * w * rate[flex] * R @ SPIN @ e
    turns = JW[-1] + slope * np.eye(6)[4] + np.eye(6)[5]
    rows.append(np.vstack([JV, turns]))
    biases.append(np.append(drift, 0.0))
    return rows, biases, spins


def complement(psi, rate):
    """Accelerations: M~ psi'' = N^T (phi - M N' psi'), eq. 3.48 to 3.51."""
    rows, biases, spins = recursion(psi, rate)
    M, right = np.zeros((6, 6)), np.zeros(6)
    bodies = [(np.array([[CRAFT]]), np.zeros(1))]
    for flex, w in ((2, spins[1]), (4, spins[2])):
        mass, force, stiffness = link(psi[flex], rate[flex], w)
        force[3] -= stiffness * psi[flex]
        bodies.append((mass, force))
    bodies.append((np.diag([TOOL[0], TOOL[0], TOOL[1]]), np.zeros(3)))
    for N, bias, (mass, force) in zip(rows, biases, bodies):
        M += N.T @ mass @ N
        right += N.T @ (force - mass @ bias)
    return np.linalg.solve(M, right)


@pytest.fixture(scope="module")
def arm():
    system = jd.System("arm")
    craft = jd.RigidBody("craft", mass=1e5, inertia=(CRAFT,) * 3, frames={"shoulder": (1, 0, 0)})
    system.add(craft, joint=jd.Revolute("attitude", axis="z"))
    for i, to in ((1, "craft.shoulder"), (2, "link1.tip")):
        beam = jd.Beam(f"link{i}", LENGTH, mass_per_length=MASS / LENGTH, EA=1e8, EI=EI, GJ=1e5,
                       modes=jd.Modes(bending_y=1), basis="clamped-free", fidelity="inconsistent")  # fmt: skip
        system.add(beam, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
    system.add(jd.RigidBody("tool", mass=TOOL[0], inertia=(TOOL[1],) * 3), joint=jd.Revolute("wrist", axis="z"),
               to="link2.tip")  # fmt: skip
    return system.compile()


def test_accelerations_are_those_of_the_recursion(arm):
    """Random poses, deflections of some centimetres, rates of a turn in ten seconds: to 1e-9 of the largest."""
    names = ("attitude", "joint1", "link1.bending_y[0]", "joint2", "link2.bending_y[0]", "wrist")
    assert tuple(arm.names.v) == names
    rng = np.random.default_rng(3)
    for _ in range(20):
        psi = rng.uniform(-1, 1, 6) * [3.0, 3.0, 0.1, 3.0, 0.1, 3.0]
        rate = rng.uniform(-1, 1, 6) * [0.5, 0.5, 0.3, 0.5, 0.3, 0.5]
        found = arm.forward_dynamics(arm.state(psi, rate))
        expected = complement(psi, rate)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.max(np.abs(expected)))
