"""Derivatives of the motion of a station by the internal coordinates of its body, in the axes of the body.

A shape is the change of the pose by one coordinate, so along the motion its time derivatives are the changes of
velocity and acceleration by a displacement of the coordinate: no second derivative by pairs of coordinates is formed.
With the angular shape theta_k = T t_k, w and alpha the angular velocity and acceleration relative to the frame,

    dw/de_k = theta_k' + theta_k x w,    d alpha/de_k = theta_k'' + theta_k' x w + theta_k x alpha,
    d alpha/de_k' = 2 theta_k' + theta_k x w,

and without the products where the angular velocity is sum theta_k e_k' by definition (schemes with T = 1). The pairs
appear only under a given (moment, force) there, as the stiffness  d theta_r/de_k . moment + d psi_r/de_k . force.
"""

from __future__ import annotations

from ..bodies.lumped_beam import beam_axes
from ..bodies.rotation_schemes import INTEGRATED, NONE
from ..compiler import kernel, optional_kernel
from ..flat_arrays import get, vec1
from ..spatial import add, cross, dot, put3, rotate, rotate_back, scale, sub, vec
from .derivative_layout import D_ACC, D_ACC_V, D_VEL, MOVE, P0, P1, P2, PARTIAL_SHAPE, T0, T1, T2
from .rotation_derivatives import section_partials, vector_partials


@kernel
def shape_partials(st, n, v, acceleration, ev, T, Tr, Ts, rate, second, g, turns, follows):
    """The columns of every row of st from T0 to P2 into the others; returns the velocities (linear, angular) and
    accelerations.

    g as in `station` of bodies/lumped_beam.py; turns is 1 where the rotation is a function of e, else 0; follows is
    1 where the axes turn at all.
    """
    w = rotate(T, rate)
    alpha = add(rotate(T, second), rotate(Tr, rate))
    u, a = scale(0.0, w), scale(0.0, w)
    for k in range(n):
        t0, t1, t2 = vec(st, k, T0), vec(st, k, T1), vec(st, k, T2)
        p0, p1, p2 = vec(st, k, P0), vec(st, k, P1), vec(st, k, P2)
        vk = get(v, ev + k)
        u = add(u, scale(vk, p0))
        a = add(a, add(scale(get(acceleration, ev + k), p0), scale(vk, p1)))
        # theta_k = T t_k and its time derivatives, then the equations above
        s0 = rotate(T, t0)
        s1 = add(rotate(Tr, t0), rotate(T, t1))
        s2 = add(add(rotate(Ts, t0), scale(2.0, rotate(Tr, t1))), rotate(T, t2))
        swing = scale(turns, cross(s0, w))
        put3(st, k, PARTIAL_SHAPE, s0)
        put3(st, k, PARTIAL_SHAPE + 3, p0)
        put3(st, k, MOVE, scale(g * follows, s0))
        put3(st, k, MOVE + 3, scale(g, p0))
        put3(st, k, D_VEL, scale(g, add(s1, swing)))
        put3(st, k, D_VEL + 3, scale(g, p1))
        put3(st, k, D_ACC, scale(g, add(s2, scale(turns, add(cross(s1, w), cross(s0, alpha))))))
        put3(st, k, D_ACC + 3, scale(g, p2))
        put3(st, k, D_ACC_V, add(scale(2.0, s1), swing))
        put3(st, k, D_ACC_V + 3, scale(2.0, p1))
    return u, w, a, alpha


@optional_kernel("lumped", returns=(3, 3, 3, 3, 3))
def lumped_station_partials(floats, at, body, scheme, s, g, n, q, e, v, ev, acceleration, st, arm, moment, force, K):
    """Derivatives of a station of a lumped beam (`station` of bodies/lumped_beam.py); rows of st are written, and the
    stiffness of (moment, force) there is added to K, the moment given about the point `arm`. Returns position,
    velocity, angular velocity, acceleration and angular acceleration.
    """
    d = vec1(floats, body)
    none = (0.0, 0.0, 0.0)
    r = vec1(floats, at)
    tau, tau1, tau2 = none, none, none
    short, twist = 0.0, 0.0
    c = at + 3 + 6 * n
    x = c + n * (n + 1) // 2
    # position and rotation vector are quadratic in e; st has their derivatives by e_k and the rates of these
    for k in range(n):
        psi, turn = vec1(floats, at + 3 + 6 * k), vec1(floats, at + 6 + 6 * k)
        row, row1, row2, xi, xi1, xi2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for l in range(n):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            chi, roll = get(floats, c + j), get(floats, x + j)
            el, vl, al = get(q, e + l), get(v, ev + l), get(acceleration, ev + l)
            row += chi * el
            row1 += chi * vl
            row2 += chi * al
            xi += roll * el
            xi1 += roll * vl
            xi2 += roll * al
        # position and rotation vector, and their derivatives by e_k with the rates of these
        ek = g * get(q, e + k)
        short += 0.5 * row * ek
        twist += 0.5 * xi * ek
        r = add(r, scale(ek, psi))
        tau = add(tau, scale(ek, turn))
        tau1 = add(tau1, scale(get(v, ev + k), turn))
        tau2 = add(tau2, scale(get(acceleration, ev + k), turn))
        put3(st, k, P0, add(psi, scale(g * row, d)))
        put3(st, k, P1, scale(row1, d))
        put3(st, k, P2, scale(row2, d))
        put3(st, k, T0, add(turn, scale(g * xi, d)))
        put3(st, k, T1, scale(xi1, d))
        put3(st, k, T2, scale(xi2, d))
    r = add(r, scale(short, d))
    theta = add(tau, scale(twist, d))
    # sections bend first and then twist: the term s (t . d) t x d of the rotation vector
    side, side1, side2 = cross(tau, d), cross(tau1, d), cross(tau2, d)
    roll, roll1, roll2 = s * dot(tau, d), s * dot(tau1, d), s * dot(tau2, d)
    theta = add(theta, scale(roll, side))
    rate, second = none, none
    # derivatives of the rotation vector with that term, and its rates
    for k in range(n):
        turn = vec1(floats, at + 6 + 6 * k)
        along, across = s * dot(turn, d), cross(turn, d)
        t0 = add(vec(st, k, T0), add(scale(along, side), scale(roll, across)))
        t1 = add(vec(st, k, T1), add(scale(along, side1), scale(roll1, across)))
        put3(st, k, T0, t0)
        put3(st, k, T1, t1)
        put3(st, k, T2, add(vec(st, k, T2), add(scale(along, side2), scale(roll2, across))))
        rate = add(rate, scale(get(v, ev + k), t0))
        second = add(second, add(scale(get(acceleration, ev + k), t0), scale(get(v, ev + k), t1)))
    # T maps the rate of the rotation vector to the angular velocity; N is the derivative of T^T moment
    moment = add(moment, cross(sub(arm, r), force))
    T, Tr, Ts, N = section_partials(scheme, beam_axes(floats, body), theta, rate, second, moment)
    turns = 0.0 if scheme == NONE or scheme == INTEGRATED else 1.0
    path = get(floats, x + n * (n + 1) // 2)
    follows = 1.0 if turns == 1.0 or (scheme == INTEGRATED and path >= 0.0) else 0.0
    u, w, a, alpha = shape_partials(st, n, v, acceleration, ev, T, Tr, Ts, rate, second, g, turns, follows)
    if g == 0.0:
        return r, u, w, a, alpha
    # stiffness of the wrench: second derivatives of position and rotation vector, contracted with it
    m = rotate_back(T, moment)
    along, f = dot(m, d), dot(force, d)
    m = scale(s, cross(d, m))  # (t x d) . m = t . (d x m)
    for k in range(n):
        turn = vec1(floats, at + 6 + 6 * k)
        roll, lean = dot(turn, d), dot(turn, m)
        bent = rotate(N, vec(st, k, T0))
        for l in range(n):
            other = vec1(floats, at + 6 + 6 * l)
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            K[ev + l, ev + k] += (
                get(floats, c + j) * f
                + get(floats, x + j) * along
                + roll * dot(other, m)
                + lean * dot(other, d)
                + dot(vec(st, l, T0), bent)
            )
    return r, u, w, a, alpha


@optional_kernel("modal", returns=(3, 3, 3, 3, 3))
def modal_station_partials(floats, at, n, q, e, v, ev, acceleration, st, arm, moment, force, K):
    """Derivatives of a station of a modal body (`modal_station` of bodies/modal_body.py); otherwise as
    `lumped_station_partials`.
    """
    none = (0.0, 0.0, 0.0)
    r = vec1(floats, at)
    theta, rate, second = none, none, none
    # position and rotation vector are linear in e
    for k in range(n):
        psi, turn = vec1(floats, at + 3 + 6 * k), vec1(floats, at + 6 + 6 * k)
        r = add(r, scale(get(q, e + k), psi))
        theta = add(theta, scale(get(q, e + k), turn))
        rate = add(rate, scale(get(v, ev + k), turn))
        second = add(second, scale(get(acceleration, ev + k), turn))
        put3(st, k, P0, psi)
        put3(st, k, T0, turn)
        for place in (P1, P2, T1, T2):
            put3(st, k, place, none)
    # moment at the station; T and N of the rotation vector, then the stiffness of the wrench
    moment = add(moment, cross(sub(arm, r), force))
    T, Tr, Ts, N = vector_partials(theta, rate, second, moment)
    u, w, a, alpha = shape_partials(st, n, v, acceleration, ev, T, Tr, Ts, rate, second, 1.0, 1.0, 1.0)
    for k in range(n):
        bent = rotate(N, vec(st, k, T0))
        for l in range(n):
            K[ev + l, ev + k] += dot(vec(st, l, T0), bent)
    return r, u, w, a, alpha
