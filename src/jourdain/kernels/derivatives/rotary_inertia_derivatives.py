"""Derivatives of the rotary inertia of the sections of a lumped beam (bodies/rotary_inertia.py), in the axes of the
beam.

A displacement of e_l turns a section by t = theta_l, so that J x changes by t x J x - J (t x x), and changes its
angular velocity and acceleration as in station_derivatives.py; theta_k . N changes with theta_k as well.
"""

from __future__ import annotations

from ..algebra import Mat3, Wrench, cross, full, skew
from ..bodies.lumped_layout import lumped_body
from ..bodies.rotary_inertia import driven, first_section, section_motion
from ..bodies.rotation_schemes import EXPONENTIAL
from ..compiler import kernel, optional_kernel
from .station_derivatives import lumped_station_partials


@kernel
def turned_product(J, t, x):
    """Change of J x as the section turns by t."""
    return cross(t, J @ x) - J @ cross(t, x)


@optional_kernel("sections", returns=Mat3)
def turned_partials(model, ws, sl, i, q, v, acceleration, omega, alpha, K, C):
    """Adds the derivatives of the moments of the sections of body i to its entries and blocks; returns the rate matrix
    of the moment."""
    node, stations = model.tree[i], sl.station_partials
    n, e, ev = node.ne, node.e, node.ev
    none = omega.zero
    rate = skew(none)
    head, at, step = first_section(model, i)
    for _ in range(lumped_body(model, i).sections):
        J, w, bias = section_motion(model, ws, i, head, at, q, v)
        # N = J a + (omega + w) x J (omega + w), and its derivative by the angular velocity
        own = bias + driven(ws.flex, ws.flex.size - 6 * n, n, acceleration, ev)
        a = alpha + (own + cross(omega, w))
        spin = omega + w
        L = J @ spin
        f = Wrench(J @ a + cross(spin, L), none)
        lumped_station_partials(
            model.floats, at + 3, head, EXPONENTIAL, 0.0, 1.0, n, q, e, v, ev, acceleration, stations, none, f, K
        )
        at += step
        rate += skew(spin) @ full(J)
        rate += full(J) @ skew(-w)
        rate += skew(-L)
        # dN/de_l, dN/de_l', and the effort on e_l by the angular velocity
        for l in range(n):
            station, effort = stations[l], sl.entry_efforts[ev + l]
            turn, dw = station.shape.angular, station.velocity.angular
            by_e = turned_product(J, turn, a) + J @ (station.acceleration.angular + cross(omega, dw))
            swung = turned_product(J, turn, spin) + J @ dw
            by_e += cross(dw, L) + cross(spin, swung)
            inertial = J @ turn
            by_v = J @ (station.acceleration_v.angular + cross(omega, turn)) + cross(turn, L)
            by_v += cross(spin, inertial)
            effort.push_q += Wrench(by_e, none)
            effort.push_v += Wrench(by_v, none)
            effort.rate += cross(w, inertial) + (cross(L, turn) + J @ cross(turn, spin))
            for k in range(n):
                shape = stations[k].shape.angular
                K[ev + k, ev + l] += shape @ by_e
                C[ev + k, ev + l] += shape @ by_v
    return rate
