"""
Model of the assembly cell
==========================

A main arm of PUMA type, an assistant of SCARA type, and a block on a station that feels.
"""

import numpy as np

import jourdain as jd

LINKS = [  # of the main arm: mass, centre of mass, inertia (the wrist's with its rotors), axis, next joint
    (12.0, (0.0, 0.0, -0.2), (0.30, 0.30, 0.10), "z", (0.0, 0.0, 0.0)),
    (17.4, (0.2, 0.0, 0.10), (0.13, 0.52, 0.54), "y", (0.43, 0.0, 0.15)),
    (4.8, (0.0, 0.0, 0.15), (0.07, 0.09, 0.02), "y", (0.0, 0.0, 0.43)),
    (0.82, (0.0, 0.0, -0.02), (0.05, 0.05, 0.05), "z", (0.0, 0.0, 0.0)),
    (0.34, (0.0, 0.0, 0.01), (0.05, 0.05, 0.05), "y", (0.0, 0.0, 0.0)),
    (0.09, (0.0, 0.0, 0.03), (0.05, 0.05, 0.05), "z", (0.0, 0.0, 0.10)),
]
TABLE = (0.65, 0.0, -0.30)  # where the station is


def cell():
    """The cell without contacts, to compute with, and with them."""
    system = jd.System("cell", gravity=(0, 0, -9.81))
    for i, (mass, com, inertia, axis, tip) in enumerate(LINKS):
        link = jd.RigidBody(f"link{i + 1}", mass, com, inertia, {"tip": tip})
        system.add(link, jd.Revolute(f"q{i + 1}", axis=axis), to=f"link{i}.tip" if i else "world")
    helper = (
        ("a1", jd.Revolute("s1", "z"), (-0.30, 0, 0)),
        ("a2", jd.Revolute("s2", "z"), (-0.25, 0, 0)),
        ("a3", jd.Prismatic("s3", "z"), (0, 0, -0.10)),
        ("hand", jd.Revolute("s4", "z"), (-0.05, 0, 0)),
    )
    to, where = "world", (1.22, 0.0, -0.1)
    for name, joint, tip in helper:
        system.add(jd.RigidBody(name, 2.0, np.array(tip) / 2, (0.02, 0.02, 0.02), {"tip": tip}), joint, to, where)
        to, where = f"{name}.tip", (0.0, 0.0, 0.0)
    block = jd.RigidBody("block", 4.0, (0, 0, 0.05), (0.02, 0.02, 0.02), {"top": (0, 0, 0.1), "side": (0.06, 0, 0.05)})
    system.add(block, jd.Weld("station"), position=TABLE)
    bare = system.compile()  # what the controller computes with
    law = jd.contact.LinearContact(stiffness=2e4, damping=200.0)
    system.contact("press", jd.Sphere(0.01).at("link6.tip"), jd.Plane((0, 0, 1)).at("block.top"), normal=law)
    system.contact("hold", jd.Sphere(0.01).at("hand.tip"), jd.Plane((1, 0, 0)).at("block.side"), normal=law)
    return bare, system.compile()
