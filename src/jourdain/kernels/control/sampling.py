"""Digital controllers: when they sample, what their sensors make of the state, and the effort that they hold.

States z of a sampled controller, all constant between its instants: the effort held (nv), a `SampleClock`, the
controller's own states, the efforts that wait (a ring of rows), the positions last read (nq) where velocities are their
differences, and for each pose sensor its ring of readings.
"""

from __future__ import annotations

import math

from ..algebra import Quaternion, Vec3
from ..compiler import entry_point, kernel, separate_kernel
from ..flat_arrays import add_value, put_value, quaternion_at, vector_at
from ..parameter_rows import Block, Parameters
from ..signatures import Vector
from .noise import gaussian, gaussian_vector


class CoordinateReading(Parameters):
    """A joint sensor of one coordinate; noises are standard deviations a sample."""

    q: int
    v: int
    noise: float  # [rad or m]
    bias: float  # [rad or m]
    resolution: float  # [rad or m], 0 for none
    rate_noise: float  # [rad/s or m/s]
    rate_bias: float  # [rad/s or m/s]


class PoseReading(Parameters):
    """A pose sensor; noises are standard deviations a reading and axis."""

    at: int  # where its marker begins in s
    rotation_noise: float  # [rad]
    position_noise: float  # [m]
    spin_noise: float  # [rad/s]
    velocity_noise: float  # [m/s]
    rotation_bias: Vec3  # in the marker's axes [rad]
    position_bias: Vec3  # world axes [m]
    every: int  # samples between readings
    age: int  # of a reading, in samples
    ring: int  # where its readings begin in z


class ForceReading(Parameters):
    """A force sensor; noises are standard deviations a sample and axis."""

    at: int  # where its force and torque begin in s
    body: int  # in whose joint it sits, -1: a contact, s holds it already
    force_noise: float  # [N]
    torque_noise: float  # [N m]
    force_bias: Vec3  # [N]
    torque_bias: Vec3  # [N m]


class SampledParameters(Parameters):
    """When a digital controller samples, and what its sensors do; parameters of the law behind it follow."""

    period: float  # [s]
    delay: float  # [s]
    seed: int  # of the noise
    ring: int  # how many efforts may wait
    nv: int
    nq: int
    states: int  # of the law behind
    discrete: bool  # whether these are
    differenced: bool  # whether velocities are differences of the positions read
    coordinates: Block[CoordinateReading]
    poses: Block[PoseReading]
    forces: Block[ForceReading]


class SampleClock(Parameters):
    """What is counted in the states of a sampled controller, behind the effort held."""

    first: float  # time of the first sample [s]
    taken: float  # how many were, -1 before the first
    applied: float  # how many took effect


SAMPLE_CLOCK = SampleClock.size


@entry_point
def hold(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """The law of a sampled controller between its instants."""
    for k in range(effort.size):
        effort[k] += z[k]
    for k in range(dz.size):
        dz[k] = 0.0


@kernel
def starts(z, law, t):
    """Marks the first sample of a run that begins."""
    clock = SampleClock(z[law.nv :])
    if clock.taken < 0.0:
        clock.first, clock.taken = t, 0.0


@kernel
def next_sample(z, law):
    """Time of the next sample [s]."""
    clock = SampleClock(z[law.nv :])
    return clock.first + clock.taken * law.period


@kernel
def samples_taken(z, law):
    """How many there were before this one."""
    return SampleClock(z[law.nv :]).taken


@kernel
def next_output(z, law):
    """Time at which the oldest effort that waits takes effect [s]."""
    clock = SampleClock(z[law.nv :])
    if clock.applied >= clock.taken:
        return math.inf
    return clock.first + clock.applied * law.period + law.delay


@kernel
def sample_is_due(z, law, t):
    """Whether t is an instant of the controller."""
    return next_sample(z, law) <= t + 1e-7 * law.period


@separate_kernel
def look(t, q, v, s, z, p, ws, qm, vm, sm, effort):
    """Where t is an instant of the controller: what its sensors read, no effort yet, and 1; else 0."""
    law = SampledParameters(p)
    starts(z, law, t)
    if not sample_is_due(z, law, t):
        return 0
    measure(q, v, s, z, law, ws, qm, vm, sm)
    for k in range(effort.size):
        effort[k] = 0.0
    return 1


@separate_kernel
def act(t, z, p, ws, spoke, effort, own):
    """After `look` and, where `spoke`, the controller: efforts take effect, and the next instant is announced."""
    law = SampledParameters(p)
    if spoke == 1:
        keep(z, law, effort, own)
    take_effect(z, law, t)
    ws.ledger.next_sample = min(ws.ledger.next_sample, min(next_sample(z, law), next_output(z, law)))


@kernel
def measure(q, v, s, z, law, ws, qm, vm, sm):
    """What the sensors make of coordinates, velocities and all else that is sensed."""
    nv, seed = law.nv, law.seed
    count = int(samples_taken(z, law))
    # what no sensor is for is known as it is
    for j in range(q.size):
        qm[j] = q[j]
    for k in range(v.size):
        vm[k] = v[k]
    for k in range(s.size):
        sm[k] = s[k]
    last = nv + SAMPLE_CLOCK + law.states + law.ring * nv
    channel = 0
    # encoders: bias, noise, quantisation; rates measured, or differences of two samples
    for i in range(len(law.coordinates)):
        one = law.coordinates[i]
        j, k = one.q, one.v
        x = q[j] + one.bias + one.noise * gaussian(seed, count, channel)
        step = one.resolution
        if step > 0.0:
            x = step * math.floor(x / step + 0.5)
        vm[k] += one.rate_bias + one.rate_noise * gaussian(seed, count, channel + 1)
        if law.differenced and count > 0:
            vm[k] = (x - z[last + j]) / law.period
        qm[j] = x
        channel += 2
    if law.differenced:
        for j in range(law.nq):
            z[last + j] = qm[j]
    # cameras
    for i in range(len(law.poses)):
        read_pose(sm, z, law.poses[i], seed, count, channel)
        channel += 12
    # force and torque sensors; one in a joint reads what the joint transmits
    for c in range(len(law.forces)):
        felt = law.forces[c]
        o, body = felt.at, felt.body
        if body >= 0:
            transmitted = ws.bodies[body].bias_force
            put_value(sm, o, -1.0 * transmitted.force)
            put_value(sm, o + 3, -1.0 * transmitted.moment)
        add_value(sm, o, felt.force_bias + felt.force_noise * gaussian_vector(seed, count, channel))
        add_value(sm, o + 3, felt.torque_bias + felt.torque_noise * gaussian_vector(seed, count, channel + 3))
        channel += 6


@kernel
def read_pose(sm, z, one, seed, count, channel):
    """A pose as a camera reads it: at its own rate, late, with noise; the 13 numbers of a marker in sm."""
    o, every, age, ring = one.at, one.every, one.age, one.ring
    rows = age // every + 2
    if count % every == 0:
        row = ring + 13 * ((count // every) % rows)
        turn = 0.5 * (one.rotation_bias + one.rotation_noise * gaussian_vector(seed, count, channel))
        half = math.sqrt(turn @ turn)
        ratio = math.sin(half) / half if half > 1e-12 else 1.0
        place = vector_at(sm, o) + one.position_bias
        spin, velocity = vector_at(sm, o + 7), vector_at(sm, o + 10)
        put_value(z, row, place + one.position_noise * gaussian_vector(seed, count, channel + 3))
        b = ratio * turn
        put_value(z, row + 3, quaternion_at(sm, o + 3) @ Quaternion(math.cos(half), b.x, b.y, b.z))
        put_value(z, row + 7, spin + one.spin_noise * gaussian_vector(seed, count, channel + 6))
        put_value(z, row + 10, velocity + one.velocity_noise * gaussian_vector(seed, count, channel + 9))
    reading = max(0, count - age) // every
    for i in range(13):
        sm[o + i] = z[ring + 13 * (reading % rows) + i]


@kernel
def keep(z, law, effort, own):
    """After the controller has spoken: its states move on, its effort waits for its turn."""
    nv, states = law.nv, law.states
    clock, mine = SampleClock(z[nv:]), nv + SAMPLE_CLOCK
    for k in range(states):
        if law.discrete:
            z[mine + k] = own[k]
        else:
            z[mine + k] += law.period * own[k]
    row = mine + states + nv * (int(clock.taken) % law.ring)
    for k in range(nv):
        z[row + k] = effort[k]
    clock.taken += 1.0


@kernel
def take_effect(z, law, t):
    """Lets the efforts whose time has come take effect."""
    nv = law.nv
    clock, waiting = SampleClock(z[nv:]), nv + SAMPLE_CLOCK + law.states
    while next_output(z, law) <= t + 1e-7 * law.period:
        row = waiting + nv * (int(clock.applied) % law.ring)
        for k in range(nv):
            z[k] = z[row + k]
        clock.applied += 1.0
