"""A pad pressed on a floor, written down and not simulated: stress, pressure and forces are known in closed form."""

import numpy as np

import jourdain as jd
from jourdain.results.run import Record, Run

E, HEIGHT, SIDE, BED = 5e6, 0.05, 0.1, 1e10
"""Modulus [Pa], height and side of the pad [m], stiffness of the bed [Pa/m]."""
PRESS = """
jourdain: 1
name: press
system:
  bodies:
    - {kind: RigidBody, name: ram, mass: 1.0, joint: {kind: Prismatic, name: slide, axis: z}}
    - kind: Solid
      name: pad
      mesh: {kind: block, lengths: [0.1, 0.1, 0.05], cells: [2, 2, 2]}
      material: {E: 5 MPa, nu: 0.0, density: 1100}
      element: linear
      masters: face
      reference: back
      surfaces: {face: [[-1, -1, -1e-9], [1, 1, 1e-9]], back: [[-1, -1, 0.0499], [1, 1, 0.0501]]}
      damping: 1.0
      joint: {kind: Weld, name: mount}
      to: ram.origin
  contacts:
    - name: touch
      first: {surface: pad.face}
      second: {kind: Plane, normal: [0, 0, 1], at: world}
      normal: {kind: PressureContact, stiffness: 1e10, damping: 1e5}
simulation: {until: 0.05, output: 0.005, method: radau}
limits:
  - {name: stress, quantity: field:pad.von_mises, at_most: 80 kPa}
  - {name: pressure, quantity: contact:touch.pressure, at_most: 0.2 MPa}
"""


def press(cells: int = 2) -> jd.Model:
    """A pad without Poisson's effect on a ram over a floor, the nodes of its face as coordinates."""
    material = jd.Material(E=E, nu=0.0, density=1100.0)
    faces = {"back": lambda x: x[2] > HEIGHT - 1e-4, "face": lambda x: x[2] < 1e-9}
    pad = jd.Solid("pad", jd.mesh.block((SIDE, SIDE, HEIGHT), (cells, cells, 2)), material, element="linear",
                   reference="back", surfaces=faces, masters="face", damping=1.0)  # fmt: skip
    system = jd.System("press")
    system.add(jd.RigidBody("ram", mass=1.0), jd.Prismatic("slide", axis="z"))
    system.add(pad, jd.Weld("mount"), to="ram.origin")
    law = jd.contact.PressureContact(stiffness=BED, damping=1e5)
    system.contact("touch", pad.surface("face"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    return system.compile()


def pressed(model: jd.Model, most: float = 1e-3, samples: int = 21) -> Run:
    """The face moves evenly up to `most` [m] into the pad and back, and the bed yields as much as equilibrium asks.

    Stress is E u / HEIGHT, and as large is the pressure of the bed, BED times its depth.
    """
    time = np.linspace(0.0, 1.0, samples)
    u = most * np.sin(np.pi * time)
    q = np.zeros((samples, model.nq))
    q[:, model.index.q["slide"]] = -u * (1.0 + E / HEIGHT / BED)
    for name, i in model.index.q.items():
        if name.endswith(".z") and name.startswith("pad.node["):
            q[:, i] = u
    zero = np.zeros((samples, model.nv))
    record = Record(time, q, zero, np.zeros((samples, len(model.names.z))), zero, np.zeros((samples, 6)))
    return Run(model, record, {"method": "none"})
