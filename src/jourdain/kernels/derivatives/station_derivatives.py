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

from ..algebra import Motion, Vec3, cross
from ..bodies.lumped_layout import beam_axes_at, shapes_at
from ..bodies.rotation_schemes import INTEGRATED, NONE
from ..compiler import kernel, optional_kernel
from ..flat_arrays import vector_at
from .rotation_derivatives import section_partials, vector_partials


@kernel
def shape_partials(stations, n, v, acceleration, ev, T, Tr, Ts, rate, second, g, turns, follows):
    """The other fields of every row of `stations` from the derivatives of place and rotation vector; returns velocity
    and acceleration.

    g as in `station` of bodies/lumped_beam.py; turns is 1 where the rotation is a function of e, else 0; follows is
    1 where the axes turn at all.
    """
    w = T @ rate
    alpha = T @ second + Tr @ rate
    u, a = w.zero, w.zero
    for k in range(n):
        own = stations[k]
        t0, t1, p0, p1 = own.turn_0, own.turn_1, own.place_0, own.place_1
        vk = v[ev + k]
        u += vk * p0
        a += acceleration[ev + k] * p0 + vk * p1
        # theta_k = T t_k and its time derivatives, then the equations above
        s0 = T @ t0
        s1 = Tr @ t0 + T @ t1
        s2 = Ts @ t0 + 2.0 * (Tr @ t1) + T @ own.turn_2
        swing = turns * cross(s0, w)
        own.shape = Motion(s0, p0)
        own.move = Motion(g * follows * s0, g * p0)
        own.velocity = Motion(g * (s1 + swing), g * p1)
        own.acceleration = Motion(g * (s2 + turns * (cross(s1, w) + cross(s0, alpha))), g * own.place_2)
        own.acceleration_v = Motion(2.0 * s1 + swing, 2.0 * p1)
    return Motion(w, u), Motion(alpha, a)


@optional_kernel("lumped", returns=(Vec3, Motion, Motion))
def lumped_station_partials(floats, at, body, scheme, s, g, n, q, e, v, ev, acceleration, stations, arm, f, K):
    """Derivatives of a station of a lumped beam (`station` of bodies/lumped_beam.py); rows of `stations` are written,
    and the stiffness of a wrench f there is added to K, its moment given about the point `arm`. Returns position,
    velocity and acceleration.
    """
    d, r, shapes = vector_at(floats, body), vector_at(floats, at), shapes_at(floats, at + 3)
    none = Vec3(0.0, 0.0, 0.0)
    tau, tau1, tau2 = none, none, none
    short, twist = 0.0, 0.0
    c = at + 3 + 6 * n
    x = c + n * (n + 1) // 2
    # position and rotation vector are quadratic in e: their derivatives by e_k and the rates of these
    for k in range(n):
        psi, turn = shapes[k].psi, shapes[k].theta
        row, row1, row2, xi, xi1, xi2 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for l in range(n):
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            chi, roll = floats[c + j], floats[x + j]
            el, vl, al = q[e + l], v[ev + l], acceleration[ev + l]
            row += chi * el
            row1 += chi * vl
            row2 += chi * al
            xi += roll * el
            xi1 += roll * vl
            xi2 += roll * al
        ek = g * q[e + k]
        short += 0.5 * row * ek
        twist += 0.5 * xi * ek
        r += ek * psi
        tau += ek * turn
        tau1 += v[ev + k] * turn
        tau2 += acceleration[ev + k] * turn
        own = stations[k]
        own.place_0, own.place_1, own.place_2 = psi + g * row * d, row1 * d, row2 * d
        own.turn_0, own.turn_1, own.turn_2 = turn + g * xi * d, xi1 * d, xi2 * d
    r += short * d
    theta = tau + twist * d
    # sections bend first and then twist: the term s (t . d) t x d of the rotation vector
    side, side1, side2 = cross(tau, d), cross(tau1, d), cross(tau2, d)
    roll, roll1, roll2 = s * (tau @ d), s * (tau1 @ d), s * (tau2 @ d)
    theta += roll * side
    rate, second = none, none
    # derivatives of the rotation vector with that term, and its rates
    for k in range(n):
        own, turn = stations[k], shapes[k].theta
        along, across = s * (turn @ d), cross(turn, d)
        t0 = own.turn_0 + (along * side + roll * across)
        t1 = own.turn_1 + (along * side1 + roll1 * across)
        own.turn_0, own.turn_1 = t0, t1
        own.turn_2 += along * side2 + roll2 * across
        rate += v[ev + k] * t0
        second += acceleration[ev + k] * t0 + v[ev + k] * t1
    # T maps the rate of the rotation vector to the angular velocity; N is the derivative of T^T moment
    moment = f.moment + cross(arm - r, f.force)
    T, Tr, Ts, N = section_partials(scheme, beam_axes_at(floats, body).axes, theta, rate, second, moment)
    turns = 0.0 if scheme == NONE or scheme == INTEGRATED else 1.0
    path = floats[x + n * (n + 1) // 2]
    follows = 1.0 if turns == 1.0 or (scheme == INTEGRATED and path >= 0.0) else 0.0
    V, A = shape_partials(stations, n, v, acceleration, ev, T, Tr, Ts, rate, second, g, turns, follows)
    if g == 0.0:
        return r, V, A
    # stiffness of the wrench: second derivatives of position and rotation vector, contracted with it
    m = T.T @ moment
    along, axial = m @ d, f.force @ d
    m = s * cross(d, m)  # (t x d) . m = t . (d x m)
    for k in range(n):
        turn = shapes[k].theta
        roll, lean = turn @ d, turn @ m
        bent = N @ stations[k].turn_0
        for l in range(n):
            other = shapes[l].theta
            j = k * (k + 1) // 2 + l if l <= k else l * (l + 1) // 2 + k
            K[ev + l, ev + k] += (
                floats[c + j] * axial
                + floats[x + j] * along
                + roll * (other @ m)
                + lean * (other @ d)
                + stations[l].turn_0 @ bent
            )
    return r, V, A


@optional_kernel("modal", returns=(Vec3, Motion, Motion))
def modal_station_partials(floats, at, n, q, e, v, ev, acceleration, stations, arm, f, K):
    """Derivatives of a station of a modal body (`modal_station` of bodies/modal_body.py); otherwise as
    `lumped_station_partials`.
    """
    none, r, shapes = Vec3(0.0, 0.0, 0.0), vector_at(floats, at), shapes_at(floats, at + 3)
    theta, rate, second = none, none, none
    # position and rotation vector are linear in e
    for k in range(n):
        psi, turn, own = shapes[k].psi, shapes[k].theta, stations[k]
        r += q[e + k] * psi
        theta += q[e + k] * turn
        rate += v[ev + k] * turn
        second += acceleration[ev + k] * turn
        own.place_0, own.place_1, own.place_2 = psi, none, none
        own.turn_0, own.turn_1, own.turn_2 = turn, none, none
    # moment at the station; T and N of the rotation vector, then the stiffness of the wrench
    moment = f.moment + cross(arm - r, f.force)
    T, Tr, Ts, N = vector_partials(theta, rate, second, moment)
    V, A = shape_partials(stations, n, v, acceleration, ev, T, Tr, Ts, rate, second, 1.0, 1.0, 1.0)
    for k in range(n):
        bent = N @ stations[k].turn_0
        for l in range(n):
            K[ev + l, ev + k] += stations[l].turn_0 @ bent
    return r, V, A
