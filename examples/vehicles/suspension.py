"""
A double wishbone suspension
============================

A double wishbone with a steering rack, its arm on rubber or not, with its loops and as one joint from a table.
"""

import time

import numpy as np

import jourdain as jd

LOWER, UPPER, RACK = (0.30, 0.0), (0.38, 0.28), (0.32, 0.10)  # y, z of the pivots, x of the rack is that of the arm
CARRIER = dict(mass=35.0, com=(0.0, 0.05, 0.15), inertia=(1.2, 1.6, 1.2))
FRAMES = {"upper": (-0.02, -0.03, 0.26), "arm": (0.14, -0.02, 0.09), "wheel": (0.0, 0.08, 0.13), "strut": (0, 0, 0.05)}


def light(name, tip):
    """An arm so light that its inertia does not count: tables know of none."""
    return jd.RigidBody(name, 1e-4, inertia=(1e-5, 1e-5, 1e-5), frames={"tip": tip})


def strut(system):
    """Spring and damper from the chassis to the carrier."""
    spring = jd.constraints.Spring("strut", stiffness=45e3, damping=400.0, length=0.68)
    system.connect(spring, "carrier.strut", "world", position=(0.0, 0.55, 0.70))


def full(rubber=None):
    """Lower arm, carrier on a ball joint, upper arm, tie rod and rack: two loops, two degrees of freedom.

    rubber    stiffness of the lower arm's seat, sideways and along the car [N/m]; None for a seat that is rigid
    """
    system = jd.System("double wishbone", gravity=(0, 0, -9.81))
    seat = dict(position=(0.0, *LOWER))
    if rubber:
        soft = dict(stiffness=rubber, damping=2e-3 * rubber)
        system.add(light("sleeve", (0, 0, 0)), jd.Prismatic("side", "y", **soft), **seat)
        system.add(light("seat", (0, 0, 0)), jd.Prismatic("along", "x", **soft), to="sleeve.tip")
        seat = dict(to="seat.tip")
    system.add(light("lower", (0.0, 0.40, -0.02)), jd.Revolute("heave", "x"), **seat)
    system.add(jd.RigidBody("carrier", **CARRIER, frames=FRAMES), jd.Spherical("ball"), to="lower.tip")
    system.add(light("upper", (-0.02, 0.29, -0.04)), jd.Revolute("swing", "x"), position=(0.0, *UPPER))
    system.add(light("rack", (0.0, 0.0, 0.0)), jd.Prismatic("steer", "y"), position=(0.14, *RACK))
    system.connect(jd.Spherical("top"), "carrier.upper", "upper.tip")
    system.connect(jd.constraints.Rod("tie", 0.362), "carrier.arm", "rack.tip")
    strut(system)
    return system.compile()


def table(model, count=(15, 9), soft=()):
    """Poses of the carrier over the angle of the lower arm and the way of the rack."""
    heave, steer = np.linspace(-0.25, 0.25, count[0]), np.linspace(-0.04, 0.04, count[1])
    return jd.mechanism.pose_table(model, "carrier", {"heave": heave, "steer": steer}, soft=soft)


def reduced(poses):
    """The same carrier on one joint."""
    system = jd.System("virtual axle", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("carrier", **CARRIER, frames=FRAMES), jd.TableJoint("axle", ("heave", "steer"), poses))
    strut(system)
    return system.compile()


def wheel(run):
    """Places and velocities of the wheel's middle (times, 3)."""
    frame = run.frame("carrier.wheel")
    return np.asarray(frame.position), np.asarray(frame.velocity)


def cost(model, state, motions, **more):
    """Processor time of a step of 1 ms, rk4 [us]: the least of five runs."""
    times = []
    for _ in range(5):
        begin = time.process_time()
        jd.simulate(model, state, until=7.0, step=1e-3, output=0.1, motions=motions, **more)
        times.append((time.process_time() - begin) / 7000 * 1e6)
    return min(times)
