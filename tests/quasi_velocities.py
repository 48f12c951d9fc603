"""Chains of beams and rigid links written as Damaren & Sharf 1995 write them: plain NumPy, for checking the kernels.

Velocities are quasi-velocities (v, omega) of each floating frame in its own axes, eq. 26 and 28; inertia is in modal
integrals, eq. 5 to 15, with the deformed first and second moment in the inertial forces of the first group as well;
the first moment of the mass matrix goes with omega x v, so that a body's own equations do not depend on how fast the
observer moves. The system is solved dense. It shares only the shape functions of a beam with the package.

A link is a tuple: axis of its joint, tip (3,), m, c (3,), J (3, 3), then what bends, s coordinates (none if rigid):
P (s, 3), H (s, 3), tau (s, 3, 3), nu (s, s, 3), Upsilon (s, s, 3, 3), M_ee, K_0, EA times weight (p,), slopes (3, p, s)
of u, v, w there, and psi (3, s) and theta (3, s) of the tip.
"""

from __future__ import annotations

import numpy as np

import jourdain as jd
from jourdain.describe.bodies.floating_frame.quadrature import gauss

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
GROUPS = {"ruthless": (0, 0, 0), "inconsistent": (1, 1, 0), "consistent": (1, 0, 1), "exact": (1, 1, 2)}
"""Inertial terms of the first group, of the second, and the elastic force: K_0, K_0 + K_G, all (section 3.1)."""
LITERAL, NEGLECTED, UNTURNED, MATRIX, QUATERNION, EULER_321, EULER_123 = range(7)
"""Tip kinematics: (a) with T' the derivative of T; (a) with the rate of the deformed arm in T', as the paper's results
have it; (a) about the deformed arm; (b) with the paper's 1 - theta~; (b) with the normalised quaternion
(1, theta / 2); (c)."""


def skew(a):
    return np.array([[0.0 * a[0], -a[2], a[1]], [a[2], 0.0 * a[0], -a[0]], [-a[1], a[0], 0.0 * a[0]]])


def turned(axis, angle):
    """Components in axes turned by `angle` about a unit axis of these."""
    return np.cos(angle) * np.eye(3) + (1.0 - np.cos(angle)) * np.outer(axis, axis) - np.sin(angle) * skew(axis)


def tip_rotation(scheme, theta):
    """C_e and B: angular velocity in the axes of the tip is B theta'."""
    one = np.eye(3) + 0.0 * skew(theta)
    e = np.eye(3)
    if scheme in (LITERAL, NEGLECTED, UNTURNED):
        return one, one
    if scheme == MATRIX:
        return one - skew(theta), one - skew(theta)
    if scheme == QUATERNION:
        s = 1.0 / (1.0 + 0.25 * np.sum(theta * theta))
        C = one - s * skew(theta) + 0.5 * s * skew(theta) @ skew(theta)
        return C, C @ (s * (one + 0.5 * skew(theta)))
    C1, C2, C3 = turned(e[0], theta[0]), turned(e[1], theta[1]), turned(e[2], theta[2])
    B = 0.0 * one
    if scheme == EULER_321:
        B[:, 0], B[:, 1], B[:, 2] = e[0], C1[:, 1], (C1 @ C2)[:, 2]
        return C1 @ C2 @ C3, B
    B[:, 0], B[:, 1], B[:, 2] = (C3 @ C2)[:, 0], C3[:, 1], e[2]
    return C3 @ C2 @ C1, B


def elastic(membrane, K, EA, partials, q):
    """Elastic forces (K_0 + K_G) q or (K_0 + K_1 / 2 + K_2 / 6) q, and the energy that goes with them."""
    force, energy = K @ q, 0.5 * np.sum(q * (K @ q))
    if membrane > 0:
        u, v, w = partials[0] @ q, partials[1] @ q, partials[2] @ q
        bend = 0.5 * (v * v + w * w)
        axial = u if membrane == 1 else u + bend
        force += partials[1].T @ (EA * axial * v) + partials[2].T @ (EA * axial * w)
        energy += np.sum(EA * bend * u)
        if membrane == 2:
            force += partials[0].T @ (EA * bend)
            energy += 0.5 * np.sum(EA * bend * bend)
    return force, energy


def body_equations(first, second, link, V, q, dq):
    """Mass matrix (6 + s square) and inertial forces of one link."""
    _, _, m, c, J, P, H, tau, nu, upsilon, Mee, _, _, _, _, _ = link
    v, w = V[:3], V[3:]
    softening = np.einsum("abij,b->aij", upsilon, q)
    deformed_c, deformed_H, deformed_tau = c + q @ P, H + np.einsum("abi,b->ai", nu, q), tau + softening
    deformed_J = J - np.einsum("aij,a->ij", tau + tau.transpose(0, 2, 1) + softening, q)
    mc, mJ, mH = (deformed_c, deformed_J, deformed_H) if second else (c, J, H)
    fc, fJ, ftau = (deformed_c, deformed_J, deformed_tau) if first else (c, J, tau)
    turning = np.cross(w, v)
    force = -m * turning + np.cross(w, np.cross(fc, w))
    moment = -np.cross(mc, turning) - np.cross(w, fJ @ w)
    internal = -P @ turning - (ftau @ w) @ w
    if first:
        force -= 2.0 * np.cross(w, dq @ P)
        moment += 2.0 * np.einsum("aji,j,a->i", deformed_tau, w, dq)
        internal += 2.0 * np.einsum("bai,i,b->a", nu, w, dq)
    couple = np.concatenate([P, mH], axis=1)
    Mrr = np.block([[m * np.eye(3), -skew(mc)], [skew(mc), mJ]])
    return np.block([[Mrr, couple.T], [couple, Mee]]), np.concatenate([force, moment, internal])


def accelerations(links, groups, scheme, q, v, torque):
    """Accelerations and energy of a chain on the world: q, v hold a joint, then the link's coordinates, and so on."""
    first, second, membrane = groups
    n = len(v)
    mass, force = np.zeros((n, n)), torque.copy()
    V, bias, J = np.zeros(6), np.zeros(6), np.zeros((6, n))
    energy = 0.0
    at = 0
    C_e, B, dC_e, dB = np.eye(3), np.eye(3), np.zeros((3, 3)), np.zeros((3, 3))
    r, dr, psi, theta, before, dq = np.zeros(3), np.zeros(3), np.zeros((3, 0)), np.zeros((3, 0)), 0, v[:0]
    for link in links:
        axis, tip, K, EA, partials = link[0], link[1], link[11], link[12], link[13]
        s = len(link[5])
        C_r = turned(axis, q[at])
        dC_r = -v[at] * skew(axis) @ C_r
        C, dC = C_r @ C_e, dC_r @ C_e + C_r @ dC_e
        T, dT = np.zeros((6, 6)), np.zeros((6, 6))
        T[:3, :3], T[:3, 3:], T[3:, 3:] = C, -C @ skew(r), C
        dT[:3, :3], dT[:3, 3:], dT[3:, 3:] = dC, -dC @ skew(r) - C @ skew(dr), dC
        S, dS = np.zeros((6, before)), np.zeros((6, before))
        S[:3], S[3:] = C @ psi, C_r @ B @ theta
        dS[:3], dS[3:] = dC @ psi, (dC_r @ B + C_r @ dB) @ theta
        bias = T @ bias + dT @ V + dS @ dq
        V = T @ V + S @ dq
        J = T @ J
        J[:, at - before : at] += S
        V[3:] += axis * v[at]
        J[3:, at] += axis
        before, at = s, at + 1
        e, dq = q[at : at + s], v[at : at + s]
        M, f = body_equations(first, second, link, V, e, dq)
        S_e, strain = elastic(membrane, K, EA, partials, e)
        f[6:] -= S_e
        whole = np.zeros((6 + s, n))
        whole[:6] = J
        whole[6:, at : at + s] = np.eye(s)
        mass += whole.T @ M @ whole
        force += whole.T @ (f - M[:, :6] @ bias)
        rates = whole @ v
        energy += 0.5 * np.sum(rates * (M @ rates)) + strain
        at += s
        psi, theta = link[14], link[15]
        angle, rate, h = theta @ e, theta @ dq, 1e-30
        C_e, B = tip_rotation(scheme, angle)
        C_h, B_h = tip_rotation(scheme, angle + 1j * h * rate)
        dC_e, dB = C_h.imag / h, B_h.imag / h
        r = tip if scheme in (LITERAL, NEGLECTED) else tip + psi @ e
        dr = np.zeros(3) if scheme == LITERAL else psi @ dq
    return np.linalg.solve(mass, force), energy


def rigid_link(axis, body: jd.RigidBody, tip) -> tuple:
    """A link that does not bend, its frame at its joint."""
    c = np.asarray(body.com, float)
    J = np.asarray(body.inertia, float) + body.mass * (c @ c * np.eye(3) - np.outer(c, c))
    none = [np.zeros(shape) for shape in ((0, 3), (0, 3), (0, 3, 3), (0, 0, 3), (0, 0, 3, 3), (0, 0), (0, 0), (0,))]
    partials = np.zeros((3, 0, 0)), np.zeros((3, 0)), np.zeros((3, 0))
    return (np.array(axis), np.asarray(tip, float), float(body.mass), body.mass * c, J, *none, *partials)


def edges(beam: jd.Beam) -> np.ndarray:
    """Ends of the elements of a beam, which is one element unless they are finite."""
    y, z, axial, torsion = beam.modes.counts()
    elements = max(1, y // 2, z // 2, axial, torsion) if beam.basis == "finite-element" else 1
    return np.linspace(0.0, beam.length, elements + 1)


def beam_link(axis, beam: jd.Beam) -> tuple:
    """A beam with its modal integrals: thin, its sections symmetric and resisting only the turn about their axis."""
    x, weight = gauss(edges(beam), 16)
    here = beam.shapes(x)
    fraction = x / beam.length
    dm = weight * beam.mass_per_length(fraction)
    di = weight * beam.inertia_per_length(fraction)
    psi = np.stack([here.u, here.v, here.w], axis=2)
    s = len(psi)
    twist = here.twist
    r = np.stack([x, 0 * x, 0 * x], axis=1)
    cross = np.array([skew(one) for one in r])
    shapes = np.array([[skew(one) for one in psi[k]] for k in range(s)]).reshape(s, len(x), 3, 3)
    ex = np.array([1.0, 0.0, 0.0])
    J = -np.einsum("p,pij,pjk->ik", dm, cross, cross) + np.sum(di) * np.outer(ex, ex)
    P = np.einsum("p,kpi->ki", dm, psi)
    H = np.einsum("p,pij,kpj->ki", dm, cross, psi) + (twist @ di)[:, None] * ex
    tau = np.einsum("p,kpij,pjl->kil", dm, shapes, cross) - 0.5 * np.einsum("k,ij->kij", twist @ di, skew(ex))
    nu = -np.einsum("p,kpij,lpj->kli", dm, shapes, psi)
    upsilon = np.einsum("p,kpij,lpjm->klim", dm, shapes, shapes)
    Mee = np.einsum("p,kpi,lpi->kl", dm, psi, psi) + (twist * di) @ twist.T
    slope, fraction = beam.shapes(x, 1), x / beam.length
    partials, EA = np.stack([slope.u.T, slope.v.T, slope.w.T]), weight * beam.EA(fraction)
    tip = beam.tables.stations([beam.length])[0]
    ends = np.ascontiguousarray(tip.psi.T), np.ascontiguousarray(tip.theta.T)
    rigid = np.array(axis), tip.position, float(np.sum(dm)), r.T @ dm, J
    return (*rigid, P, H, tau, nu, upsilon, Mee, beam.stiffness, EA, partials, *ends)
