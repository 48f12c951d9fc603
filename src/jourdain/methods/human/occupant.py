"""An occupant of a car as a tree of twenty-one bodies, with mobile shoulders and a spine of four joints."""

from __future__ import annotations

import math

from ...basics.arguments import checked
from ...basics.types import VectorLike
from ...describe.bodies import RigidBody
from ...describe.constraints.connections import Spring
from ...describe.joints import Free, Joint, Spherical
from ...describe.system import System
from .segments import HEIGHT, TABLE, Segment, SegmentData, segments, standing_segment
from .skeleton import SIDES, drawn_segment, foot, limb

NECK = 0.19
"""Of the mass of head and neck in the neck: our choice."""
HEAD = 0.55
"""Of the length from the cervicale to the vertex over the joint between neck and head: our choice."""
SHOULDER = {"clavicula": 0.003, "scapula": 0.007}
"""Masses of the bones of a shoulder with what moves along, over that of the body: our choice; the thorax has less."""
ROOT = 0.12
"""From the middle to the joint of clavicula and sternum, over the width of the shoulders: our choice."""
BARS = {"spine": (40e3, 200.0), "shoulder": (8e3, 60.0)}
"""Stiffness and damping of passive bars at the spine and between scapula and trunk [N/m, N s/m]: our choice."""
REACH = 0.03
"""Of the bars of the spine from its axis [m]."""


@checked
def occupant(
    height: float = 1.741,
    mass: float = 73.0,
    sex: str = "male",
    *,
    root: Joint | None = None,
    bars: bool = True,
    gravity: VectorLike = (0.0, 0.0, -9.81),
    name: str = "occupant",
) -> System:
    """A body of twenty-one rigid parts after Hyncik 2002: 20 spherical joints and 6 degrees of freedom of the root, 66
    in all.

    height, mass, sex    of the occupant (`segments`): the paper's own table of masses is not printed
    root                 joint that holds the pelvis, between the hips; None: ``Free("root")``
    bars                 whether passive bars hold spine and shoulders: four about each joint of the spine, and three
                         from each scapula to thorax and neck, in the place of the contact between scapula and ribs
    gravity              [m/s^2]

    Axes and zero configuration are those of `skeleton`. Bodies: pelvis, lumbar, thorax, neck, head, and with _l and _r
    clavicula, scapula, upper_arm, forearm, hand, thigh, shank, foot. Joints have the names of the parts that they meet:
    pelvis_lumbar, lumbar_thorax, thorax_neck, neck_head; sternum, acromion, shoulder, elbow, wrist, hip, knee, ankle.
    """
    body = segments(height, mass, sex)
    rows, scale = TABLE[sex], float(height) / HEIGHT[sex]
    system = System(name, gravity=gravity)
    spine = _spine(rows, scale, mass)
    for part, own in spine.items():
        frames = {"top" if part == "head" else "end": (0.0, 0.0, own.length)} | _rings(own)
        solid = RigidBody(part, own.mass, own.com, own.inertia, frames, drawn_segment(own, own.length / 2))
        below = list(spine)[list(spine).index(part) - 1]
        joint = (root if root is not None else Free("root")) if part == "pelvis" else Spherical(f"{below}_{part}")
        system.add(solid, joint, to="world" if part == "pelvis" else f"{below}.end")
        if bars and part != "pelvis":
            stiffness, damping = BARS["spine"]
            for k in range(4):
                bar = Spring(f"{below}_{part}_bar{k}", stiffness=stiffness, damping=damping)
                system.connect(bar, f"{part}.turned{k}", f"{below}.ring{k}")
    up = body.shoulder - spine["lumbar"].length
    for side, way in SIDES.items():
        _shoulder(system, side, way, mass, body.shoulders, up)
        for part, joint_name, to, where in (
            ("upper_arm", "shoulder", f"scapula_{side}.arm", (0.0, 0.0, 0.0)),
            ("forearm", "elbow", f"upper_arm_{side}.end", (0.0, 0.0, 0.0)),
            ("hand", "wrist", f"forearm_{side}.end", (0.0, 0.0, 0.0)),
            ("thigh", "hip", "pelvis.origin", (0.0, way * body.hips / 2, 0.0)),
            ("shank", "knee", f"thigh_{side}.end", (0.0, 0.0, 0.0)),
        ):
            system.add(limb(part, side, body), Spherical(f"{joint_name}_{side}"), to=to, position=where)
        system.add(foot(side, body), Spherical(f"ankle_{side}"), to=f"shank_{side}.end")
        if bars:
            stiffness, damping = BARS["shoulder"]
            for number, (to, where) in enumerate((
                ("thorax.origin", (-0.06, 0.02 * way, up - 0.12)),
                ("thorax.origin", (-0.06, 0.02 * way, up + 0.02)),
                ("neck.end", (-0.02, 0.01 * way, 0.0)),
            )):  # fmt: skip
                bar = Spring(f"scapula_{side}_bar{number}", stiffness=stiffness, damping=damping)
                system.connect(bar, f"scapula_{side}.blade", to, position=where)
    return system


def _spine(rows: dict[str, SegmentData], scale: float, mass: float) -> dict[str, Segment]:
    """Pelvis, lumbar part, thorax without the bones of the shoulders, neck and head."""
    lumbar, thorax = (standing_segment([rows[name]], scale, mass) for name in ("middle trunk", "upper trunk"))
    less = 1.0 - 2.0 * sum(SHOULDER.values()) * mass / thorax.mass
    Ix, Iy, Iz = thorax.inertia
    thorax = Segment(thorax.length, less * thorax.mass, thorax.com, (less * Ix, less * Iy, less * Iz))
    whole = standing_segment([rows["head"]], scale, mass)
    long = (1.0 - HEAD) * whole.length
    neck_mass, head_mass = NECK * whole.mass, (1.0 - NECK) * whole.mass
    # a cylinder for the neck; the head keeps the centre and the inertia of both together
    thick = 0.06 * scale
    upright = neck_mass * (3 * thick**2 + long**2) / 12
    neck = Segment(long, neck_mass, (0.0, 0.0, long / 2), (upright, upright, 0.5 * neck_mass * thick**2))
    centre = (whole.mass * whole.com[2] - neck_mass * long / 2) / head_mass
    apart = neck_mass * (whole.com[2] - long / 2) ** 2 + head_mass * (whole.com[2] - centre) ** 2
    x, y, z = (a - b for a, b in zip(whole.inertia, neck.inertia))
    head = Segment(whole.length - long, head_mass, (0.0, 0.0, centre - long), (x - apart, y - apart, z))
    pelvis = standing_segment([rows["lower trunk"]], scale, mass)
    return {"pelvis": pelvis, "lumbar": lumbar, "thorax": thorax, "neck": neck, "head": head}


def _rings(own: Segment) -> dict[str, tuple[float, float, float]]:
    """Where bars of the spine end, half way up a part: those to the part below are turned by an eighth, to and fro, so
    that bars resist torsion too."""
    frames = {}
    for k in range(4):
        for name, turn in (("ring", 0.0), ("turned", 0.25 * math.pi * (1 if k % 2 else -1))):
            angle = 0.5 * math.pi * k + turn
            frames[f"{name}{k}"] = (REACH * math.cos(angle), REACH * math.sin(angle), 0.5 * own.length)
    return frames


def _shoulder(system: System, side: str, way: float, mass: float, width: float, up: float) -> None:
    """Clavicula from the sternum to the acromion, scapula behind it, which carries the arm."""
    inner, outer = ROOT * width, 0.45 * width
    long, m = outer - inner, SHOULDER["clavicula"] * mass
    slim = 1e-4 * m
    inertia = (m * long**2 / 12, slim, m * long**2 / 12)
    clavicula = RigidBody(f"clavicula_{side}", m, (0.0, way * long / 2, 0.0), inertia, {"end": (0.0, way * long, 0.0)})
    system.add(clavicula, Spherical(f"sternum_{side}"), to="thorax.origin", position=(0.0, way * inner, up))
    m, high, broad = SHOULDER["scapula"] * mass, 0.16, 0.10
    plate = (m * (high**2 + broad**2) / 12, m * high**2 / 12, m * broad**2 / 12)
    frames = {"arm": (0.0, way * (0.5 * width - outer), 0.0), "blade": (-0.05, -way * 0.05, -0.08)}
    scapula = RigidBody(f"scapula_{side}", m, (-0.03, -way * 0.03, -0.06), plate, frames)
    system.add(scapula, Spherical(f"acromion_{side}"), to=f"clavicula_{side}.end")
