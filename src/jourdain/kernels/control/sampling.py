"""Digital controllers: when they sample, what their sensors make of the state, and the effort that they hold.

States z of a sampled controller, all constant between its instants: the effort held (nv), the time of the first sample,
how many were taken, how many were applied, the controller's own states, the efforts that wait (a ring of `ring` rows),
the positions last read (nq) where velocities are their differences, and for each pose sensor its ring of readings.
Parameters p: period, delay, seed, ring, then the integers nv, nq, own (states of the controller), 1 where these are
discrete, 1 where velocities are differences of the positions read, number of joint, pose and force sensors, then these.
"""

from __future__ import annotations

import math

from ..columns import FORCE
from ..compiler import entry_point, kernel, separate_kernel
from ..signatures import Vector
from ..spatial import scale, vec
from .noise import gaussian

(
    SAMPLED_PERIOD,
    DELAY,
    SEED,
    RING,
    SAMPLED_NV,
    SAMPLED_NQ,
    SAMPLED_OWN,
    DISCRETE,
    DIFFERENCED,
    SAMPLED_JOINTS,
    SAMPLED_POSES,
    SAMPLED_FORCES,
) = range(12)
SAMPLED_HEAD = 12

# a joint sensor, one row a coordinate
J_Q, J_V, J_NOISE, J_BIAS, J_STEP, J_RATE_NOISE, J_RATE_BIAS = range(7)
SAMPLED_JOINT = 7
# a pose sensor: place in s, standard deviations (rotation, position, angular velocity, velocity), bias of rotation (a
# vector, marker's axes) and of position (world axes), samples between readings, age of a reading in samples, where its
# ring begins in z
P_AT, P_TURN, P_SHIFT, P_SPIN, P_SPEED, P_BIAS = 0, 1, 2, 3, 4, 5
P_EVERY, P_AGE, P_RING = 11, 12, 13
SAMPLED_POSE = 14
# a force sensor: place in s, body whose joint it sits in (-1: a contact, s holds it already), standard deviations
# (force, torque), bias (force, torque)
F_AT, F_BODY, F_FORCE, F_TORQUE, F_BIAS = 0, 1, 2, 3, 4
FORCE_ROW = 10


@entry_point
def hold(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """The law of a sampled controller between its instants."""
    for k in range(effort.size):
        effort[k] += z[k]
    for k in range(dz.size):
        dz[k] = 0.0


@kernel
def starts(z, p, t):
    """Marks the first sample of a run that begins."""
    at = int(p[SAMPLED_NV])
    if z[at + 1] < 0.0:
        z[at], z[at + 1] = t, 0.0


@kernel
def next_sample(z, p):
    """Time of the next sample [s]."""
    at = int(p[SAMPLED_NV])
    return z[at] + z[at + 1] * p[SAMPLED_PERIOD]


@kernel
def samples_taken(z, p):
    """How many there were before this one."""
    return z[int(p[SAMPLED_NV]) + 1]


@kernel
def next_output(z, p):
    """Time at which the oldest effort that waits takes effect [s]."""
    at = int(p[SAMPLED_NV])
    if z[at + 2] >= z[at + 1]:
        return math.inf
    return z[at] + z[at + 2] * p[SAMPLED_PERIOD] + p[DELAY]


@kernel
def sample_is_due(z, p, t):
    """Whether t is an instant of the controller."""
    return next_sample(z, p) <= t + 1e-7 * p[SAMPLED_PERIOD]


@separate_kernel
def look(model, t, q, v, s, z, p, ws, qm, vm, sm, effort):
    """Where t is an instant of the controller: what its sensors read, no effort yet, and 1; else 0."""
    starts(z, p, t)
    if not sample_is_due(z, p, t):
        return 0
    measure(model, q, v, s, z, p, ws, qm, vm, sm)
    for k in range(effort.size):
        effort[k] = 0.0
    return 1


@separate_kernel
def act(t, z, p, ws, spoke, effort, own):
    """After `look` and, where `spoke`, the controller: efforts take effect, and the next instant is announced."""
    if spoke == 1:
        keep(z, p, effort, own)
    take_effect(z, p, t)
    ws.ledger.next_sample = min(ws.ledger.next_sample, min(next_sample(z, p), next_output(z, p)))


@kernel
def measure(model, q, v, s, z, p, ws, qm, vm, sm):
    """What the sensors make of coordinates, velocities and all else that is sensed."""
    nv, nq = int(p[SAMPLED_NV]), int(p[SAMPLED_NQ])
    count, seed = int(z[nv + 1]), int(p[SEED])
    # what no sensor is for is known as it is
    for j in range(q.size):
        qm[j] = q[j]
    for k in range(v.size):
        vm[k] = v[k]
    for k in range(s.size):
        sm[k] = s[k]
    last = nv + 3 + int(p[SAMPLED_OWN]) + int(p[RING]) * nv
    at = SAMPLED_HEAD
    channel = 0
    # encoders: bias, noise, quantisation; rates measured, or differences of two samples
    for _ in range(int(p[SAMPLED_JOINTS])):
        j, k = int(p[at + J_Q]), int(p[at + J_V])
        x = q[j] + p[at + J_BIAS] + p[at + J_NOISE] * gaussian(seed, count, channel)
        step = p[at + J_STEP]
        if step > 0.0:
            x = step * math.floor(x / step + 0.5)
        vm[k] += p[at + J_RATE_BIAS] + p[at + J_RATE_NOISE] * gaussian(seed, count, channel + 1)
        if p[DIFFERENCED] == 1.0 and count > 0:
            vm[k] = (x - z[last + j]) / p[SAMPLED_PERIOD]
        qm[j] = x
        channel += 2
        at += SAMPLED_JOINT
    if p[DIFFERENCED] == 1.0:
        for j in range(nq):
            z[last + j] = qm[j]
    # cameras
    for _ in range(int(p[SAMPLED_POSES])):
        read_pose(sm, z, p, at, seed, count, channel)
        channel += 12
        at += SAMPLED_POSE
    # force and torque sensors; one in a joint reads what the joint transmits
    for _ in range(int(p[SAMPLED_FORCES])):
        o, body = int(p[at + F_AT]), int(p[at + F_BODY])
        if body >= 0:
            force = scale(-1.0, vec(ws.work, body, FORCE + 3))
            torque = scale(-1.0, vec(ws.work, body, FORCE))
            sm[o], sm[o + 1], sm[o + 2] = force
            sm[o + 3], sm[o + 4], sm[o + 5] = torque
        for i in range(6):
            deviation = p[at + F_FORCE] if i < 3 else p[at + F_TORQUE]
            sm[o + i] += p[at + F_BIAS + i] + deviation * gaussian(seed, count, channel + i)
        channel += 6
        at += FORCE_ROW


@kernel
def read_pose(sm, z, p, at, seed, count, channel):
    """A pose as a camera reads it: at its own rate, late, with noise; the 13 numbers of a marker in sm."""
    o, every, age, ring = int(p[at + P_AT]), int(p[at + P_EVERY]), int(p[at + P_AGE]), int(p[at + P_RING])
    rows = age // every + 2
    if count % every == 0:
        row = ring + 13 * ((count // every) % rows)
        turn = (
            0.5 * (p[at + P_BIAS] + p[at + P_TURN] * gaussian(seed, count, channel)),
            0.5 * (p[at + P_BIAS + 1] + p[at + P_TURN] * gaussian(seed, count, channel + 1)),
            0.5 * (p[at + P_BIAS + 2] + p[at + P_TURN] * gaussian(seed, count, channel + 2)),
        )
        half = math.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
        ratio = math.sin(half) / half if half > 1e-12 else 1.0
        w, x, y, u = sm[o + 3], sm[o + 4], sm[o + 5], sm[o + 6]
        a, (b, c, d) = math.cos(half), scale(ratio, turn)
        for i in range(3):
            z[row + i] = sm[o + i] + p[at + P_BIAS + 3 + i] + p[at + P_SHIFT] * gaussian(seed, count, channel + 3 + i)
            z[row + 7 + i] = sm[o + 7 + i] + p[at + P_SPIN] * gaussian(seed, count, channel + 6 + i)
            z[row + 10 + i] = sm[o + 10 + i] + p[at + P_SPEED] * gaussian(seed, count, channel + 9 + i)
        z[row + 3] = w * a - x * b - y * c - u * d
        z[row + 4] = w * b + x * a + y * d - u * c
        z[row + 5] = w * c - x * d + y * a + u * b
        z[row + 6] = w * d + x * c - y * b + u * a
    reading = max(0, count - age) // every
    for i in range(13):
        sm[o + i] = z[ring + 13 * (reading % rows) + i]


@kernel
def keep(z, p, effort, own):
    """After the controller has spoken: its states move on, its effort waits for its turn."""
    nv, states = int(p[SAMPLED_NV]), int(p[SAMPLED_OWN])
    mine = nv + 3
    for k in range(states):
        if p[DISCRETE] == 1.0:
            z[mine + k] = own[k]
        else:
            z[mine + k] += p[SAMPLED_PERIOD] * own[k]
    row = mine + states + nv * (int(z[nv + 1]) % int(p[RING]))
    for k in range(nv):
        z[row + k] = effort[k]
    z[nv + 1] += 1.0


@kernel
def take_effect(z, p, t):
    """Lets the efforts whose time has come take effect."""
    nv, states = int(p[SAMPLED_NV]), int(p[SAMPLED_OWN])
    while next_output(z, p) <= t + 1e-7 * p[SAMPLED_PERIOD]:
        row = nv + 3 + states + nv * (int(z[nv + 2]) % int(p[RING]))
        for k in range(nv):
            z[k] = z[row + k]
        z[nv + 2] += 1.0
