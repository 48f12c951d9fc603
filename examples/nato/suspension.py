"""
A double wishbone
=================

A double wishbone with a steering rack, with its loops and as one joint from a table.
"""

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


def full():
    """Lower arm, carrier on a ball joint, upper arm, tie rod and rack: two loops, two freedoms."""
    system = jd.System("double wishbone", gravity=(0, 0, -9.81))
    system.add(light("lower", (0.0, 0.40, -0.02)), jd.Revolute("heave", "x"), position=(0.0, *LOWER))
    system.add(jd.RigidBody("carrier", **CARRIER, frames=FRAMES), jd.Spherical("ball"), to="lower.tip")
    system.add(light("upper", (-0.02, 0.29, -0.04)), jd.Revolute("swing", "x"), position=(0.0, *UPPER))
    system.add(light("rack", (0.0, 0.0, 0.0)), jd.Prismatic("steer", "y"), position=(0.14, *RACK))
    system.connect(jd.Spherical("top"), "carrier.upper", "upper.tip")
    system.connect(jd.constraints.Rod("tie", 0.362), "carrier.arm", "rack.tip")
    strut(system)
    return system.compile()


def table(model, count=(15, 9)):
    """Poses of the carrier over the angle of the lower arm and the way of the rack."""
    heave, steer = np.linspace(-0.25, 0.25, count[0]), np.linspace(-0.04, 0.04, count[1])
    return jd.mechanism.pose_table(model, "carrier", {"heave": heave, "steer": steer})


def reduced(poses):
    """The same carrier on one joint."""
    system = jd.System("virtual axle", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("carrier", **CARRIER, frames=FRAMES), jd.TableJoint("axle", ("heave", "steer"), poses))
    strut(system)
    return system.compile()
