"""Strains of a cable on a winch: its elastic and damping forces, energy and dissipation.

Stretch and curvature are those of kernels/bodies/ancf_cable.py, of u = r_s and w = r_ss. At a point that keeps its
fraction
of an element they change with the length l as du/dl = -c / l and dw/dl = -(2 c2 + d2) / l, where c, c2 are the parts of
places and d2 that of gradients; a particle moves to other fractions besides, and has (1 - xi) w and (1 - xi) w' more.
The elastic force on the length is the derivative of the energy, whose weights h = l / N change with it; damping is by
the rates of particles.
"""

from __future__ import annotations

from ..algebra import Vec3
from ..compiler import kernel, optional_kernel
from ..scalar import root
from .ale_cable_layout import ale_cable, ale_section, component, element_of, entry_of, of_gradients, of_places
from .lumped_layout import dense_blocks


@kernel
def strained(point, h, c):
    """Of vectors of nodes at a point of the strains: c, c2, d2, and u less its x, w."""
    by_places = 1.0 / h * of_places(point.S_x, c)
    c2 = 1.0 / (h * h) * of_places(point.S_xx, c)
    d2 = 1.0 / h * of_gradients(point.S_xx, c)
    return by_places, c2, d2, by_places + of_gradients(point.S_x, c), c2 + d2


@kernel
def third(point, h, c):
    """r_sss at a point of the strains."""
    return 1.0 / (h * h * h) * of_places(point.S_xxx, c) + 1.0 / (h * h) * of_gradients(point.S_xxx, c)


@kernel
def bending(g, t, h, P, m):
    """What a moment m does to u and w: P = P w, h = u . w / g^2."""
    return -1.0 / g * ((P @ m) / g * t + h * m), 1.0 / g * m


@kernel
def turning_rate(g, t, h, P, du, dw):
    """P b' of the curvature b = P w / g, where u and w change by du and dw."""
    stretch = t @ du
    dw -= (t @ dw) * t
    du -= stretch * t
    return 1.0 / g * (dw - (stretch / g * P + h * du))


@kernel
def line_at(u, w):
    """|u|, its direction t, h = u . w / g^2 and P w, for u and w of a line."""
    square = u @ u
    g = root(square)
    h = (u @ w) / square
    return g, 1.0 / g * u, h, w - h * u


@kernel
def push(b, held, j, point, h, fu, fw):
    """Adds the forces fu and fw, on u and w at a point of element j, to the nodes."""
    for a in range(4):
        k, count = entry_of(held, j, a)
        x = point.each_x[a] * (1.0 if a % 2 == 1 else 1.0 / h)
        y = point.each_xx[a] * (1.0 / h if a % 2 == 1 else 1.0 / (h * h))
        f = x * fu + y * fw
        for c in range(count):
            b[k + c] += component(f, c)


@kernel
def elastic_forces(model, ws, i, q, v):
    """Adds the forces of strains and of damping to the block b of body i."""
    section, cable, node = ale_section(model, i), ale_cable(model, i, q), model.tree[i]
    b, held, length, h = dense_blocks(model, ws.flex, i).b, cable.held, cable.length, cable.h
    rate, EA, EI = section.radius * v[node.ev], section.EA, section.EI
    along, around = EA * section.c, EI * section.c_bending
    x, feels = Vec3(1.0, 0.0, 0.0), 0.0 * length
    for j in range(cable.elements):
        nodes, rates = element_of(q, node.e, held, j), element_of(v, node.ev, held, j)
        for k in range(cable.strain_count):
            point = cable.strain_points[k]
            left = 1.0 - (j + point.fraction) / cable.elements
            stretch, curve = h * point.stretch, h * point.bending
            c, c2, d2, moved, w = strained(point, h, nodes)
            g, t, slant, P = line_at(x + moved, w)
            # |u| - 1 without a difference of numbers near 1
            eps = moved @ (moved + 2.0 * x) / (g + 1.0)
            curvature = 1.0 / g * P
            by_u, by_w = -1.0 / length * c, -1.0 / length * (2.0 * c2 + d2)
            # elastic: forces on u and w, and the derivative of the energy by the length
            fu, fw = stretch * EA * eps * t, w.zero
            if point.bending > 0.0:
                mu, fw = bending(g, t, slant, P, curve * EI * curvature)
                fu += mu
            density = 0.5 * (point.stretch * EA * eps * eps + point.bending * EI * (curvature @ curvature))
            feels += fu @ by_u + fw @ by_w + density / cable.elements
            # damping: rates of particles
            if along > 0.0 or around > 0.0:
                du, dw = by_u + left * w, by_w + left * third(point, h, nodes)
                _, _, _, u_rate, w_rate = strained(point, h, rates)
                u_rate, w_rate = u_rate + rate * du, w_rate + rate * dw
                du_force, dw_force = stretch * along * (t @ u_rate) * t, w_rate.zero
                if point.bending > 0.0:
                    m = curve * around * turning_rate(g, t, slant, P, u_rate, w_rate)
                    mu, dw_force = bending(g, t, slant, P, m)
                    du_force += mu
                feels += du_force @ du + dw_force @ dw
                fu, fw = fu + du_force, fw + dw_force
            push(b, held, j, point, h, fu, fw)
    b[0] += section.radius * feels


@optional_kernel("ale", returns=1)
def ale_strain(model, i, q):
    """Energy stored in what is out of a cable on a winch [J]."""
    section, cable, e = ale_section(model, i), ale_cable(model, i, q), model.tree[i].e
    x, h, energy = Vec3(1.0, 0.0, 0.0), cable.h, 0.0 * q[e]
    for j in range(cable.elements):
        nodes = element_of(q, e, cable.held, j)
        for k in range(cable.strain_count):
            point = cable.strain_points[k]
            _, _, _, moved, w = strained(point, h, nodes)
            g, _, _, P = line_at(x + moved, w)
            eps = moved @ (moved + 2.0 * x) / (g + 1.0)
            bent = point.bending * section.EI * (P @ P) / (g * g)
            energy += 0.5 * h * (point.stretch * section.EA * eps * eps + bent)
    return energy


@optional_kernel("ale", returns=1)
def ale_dissipation(model, i, q, v):
    """Power dissipated in it, int EA c g'^2 + EI c |P b'|^2 ds of the rates of particles [W]."""
    section, cable, node = ale_section(model, i), ale_cable(model, i, q), model.tree[i]
    along, around = section.EA * section.c, section.EI * section.c_bending
    power = 0.0 * q[node.e] * v[node.ev]
    if along == 0.0 and around == 0.0:
        return power
    x, h, rate = Vec3(1.0, 0.0, 0.0), cable.h, section.radius * v[node.ev]
    for j in range(cable.elements):
        nodes, rates = element_of(q, node.e, cable.held, j), element_of(v, node.ev, cable.held, j)
        for k in range(cable.strain_count):
            point = cable.strain_points[k]
            left = 1.0 - (j + point.fraction) / cable.elements
            c, c2, d2, moved, w = strained(point, h, nodes)
            g, t, slant, P = line_at(x + moved, w)
            du = left * w - 1.0 / cable.length * c
            dw = left * third(point, h, nodes) - 1.0 / cable.length * (2.0 * c2 + d2)
            _, _, _, u_rate, w_rate = strained(point, h, rates)
            u_rate, w_rate = u_rate + rate * du, w_rate + rate * dw
            stretching, turning = t @ u_rate, turning_rate(g, t, slant, P, u_rate, w_rate)
            power += h * point.stretch * along * stretching * stretching
            power += h * point.bending * around * (turning @ turning)
    return power
