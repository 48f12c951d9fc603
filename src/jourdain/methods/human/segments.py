"""Masses, centres of mass and inertias of body segments by height and mass.

de Leva, P. (1996): Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters. Journal of Biomechanics 29(9),
1223-1230, table 4: men of 1.741 m and 73.0 kg, women of 1.735 m and 61.9 kg; joint centres, the cervicale
and the ankle joint as ends of segments. The trunk is two segments here: the thorax is his upper and middle part put
together by the parallel axis theorem, the pelvis his lower part. Lengths are scaled by height, masses by mass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown


class SegmentData(NamedTuple):
    """A row of the table: length [m], mass over that of the body, centre of mass from the upper end over the length,
    radii of gyration over the length: about the axes forward, to the side, and along the segment."""

    length: float
    mass: float
    centre: float
    forward: float
    side: float
    along: float


TABLE = {
    "male": {
        "head": SegmentData(0.2429, 0.0694, 0.5002, 0.303, 0.315, 0.261),
        "upper trunk": SegmentData(0.2421, 0.1596, 0.5066, 0.505, 0.320, 0.465),
        "middle trunk": SegmentData(0.2155, 0.1633, 0.4502, 0.482, 0.383, 0.468),
        "lower trunk": SegmentData(0.1457, 0.1117, 0.6115, 0.615, 0.551, 0.587),
        "upper_arm": SegmentData(0.2817, 0.0271, 0.5772, 0.285, 0.269, 0.158),
        "forearm": SegmentData(0.2689, 0.0162, 0.4574, 0.276, 0.265, 0.121),
        "hand": SegmentData(0.0862, 0.0061, 0.7900, 0.628, 0.513, 0.401),
        "thigh": SegmentData(0.4222, 0.1416, 0.4095, 0.329, 0.329, 0.149),
        "shank": SegmentData(0.4403, 0.0433, 0.4395, 0.251, 0.246, 0.102),
        "foot": SegmentData(0.2581, 0.0137, 0.4415, 0.257, 0.245, 0.124),
    },
    "female": {
        "head": SegmentData(0.2437, 0.0668, 0.4841, 0.271, 0.295, 0.261),
        "upper trunk": SegmentData(0.2280, 0.1545, 0.5050, 0.466, 0.314, 0.449),
        "middle trunk": SegmentData(0.2053, 0.1465, 0.4512, 0.433, 0.354, 0.415),
        "lower trunk": SegmentData(0.1815, 0.1247, 0.4920, 0.433, 0.402, 0.444),
        "upper_arm": SegmentData(0.2751, 0.0255, 0.5754, 0.278, 0.260, 0.148),
        "forearm": SegmentData(0.2643, 0.0138, 0.4559, 0.261, 0.257, 0.094),
        "hand": SegmentData(0.0780, 0.0056, 0.7474, 0.531, 0.454, 0.335),
        "thigh": SegmentData(0.3685, 0.1478, 0.3612, 0.369, 0.364, 0.162),
        "shank": SegmentData(0.4386, 0.0481, 0.4352, 0.267, 0.263, 0.092),
        "foot": SegmentData(0.2283, 0.0129, 0.4014, 0.299, 0.279, 0.139),
    },
}
HEIGHT = {"male": 1.741, "female": 1.735}
"""Of the people of the table [m]."""
SHOULDER = {"male": 0.5155, "female": 0.4979}
"""From the middle of the hips up to that of the shoulders, of the same people [m]."""
ANKLE, SHOULDERS, HIPS = 0.039, 0.259, 0.191
"""Height of the ankle, widths of shoulders and hips over the height (Drillis & Contini 1966, as in Winter 2009)."""
HEEL = 0.25
"""From the heel to the ankle over the length of the foot: our choice."""


@checked
class Segment(NamedTuple):
    """A segment of the body, its frame at its joint towards the pelvis (of the pelvis: between the hips), axes forward,
    to the left and up while standing.

    length     [m], between joints; of head and foot to the end
    mass       [kg]
    com        centre of mass [m]
    inertia    about it, forward, left, up [kg m^2]
    """

    length: float
    mass: float
    com: tuple[float, float, float]
    inertia: tuple[float, float, float]


@checked
class Segments(NamedTuple):
    """Of a body of some height and mass.

    parts        segments by name: pelvis, thorax, head, upper_arm, forearm, hand, thigh, shank, foot
    shoulder     from the lumbar joint to the middle of the shoulders [m]
    shoulders    between the shoulder joints [m]
    hips         between the hip joints [m]
    ankle        height of the ankle over the sole [m]
    """

    parts: dict[str, Segment]
    shoulder: float
    shoulders: float
    hips: float
    ankle: float


@checked
def segments(height: float, mass: float, sex: str = "male") -> Segments:
    """Segments of a body of that height [m] and mass [kg]; sex "male" or "female" (de Leva 1996)."""
    if sex not in TABLE:
        raise ModelError.at("sex", f'got {shown(sex)}; give "male" or "female"')
    for what, given, low, high, unit in (("height", height, 0.5, 2.5, "m"), ("mass", mass, 5.0, 300.0, "kg")):
        if not low <= as_number(given, what) <= high:
            raise ModelError.at(what, f"is {shown(given)} {unit}; give {low:g} to {high:g}")
    rows, scale = TABLE[sex], float(height) / HEIGHT[sex]
    parts = {name: _hanging(rows[name], scale, mass) for name in ("upper_arm", "forearm", "hand", "thigh", "shank")}
    parts["head"] = standing_segment([rows["head"]], scale, mass)
    parts["thorax"] = standing_segment([rows["middle trunk"], rows["upper trunk"]], scale, mass)
    parts["pelvis"] = standing_segment([rows["lower trunk"]], scale, mass)
    foot = rows["foot"]
    length, m = foot.length * scale, foot.mass * mass
    lying = (m * (length * foot.along) ** 2, m * (length * foot.side) ** 2, m * (length * foot.forward) ** 2)
    place = ((foot.centre - HEEL) * length, 0.0, -0.5 * ANKLE * height)
    parts["foot"] = Segment(length, m, place, lying)
    up = SHOULDER[sex] * scale - parts["pelvis"].length
    return Segments(parts, up, SHOULDERS * height, HIPS * height, ANKLE * height)


def _hanging(row: SegmentData, scale: float, mass: float) -> Segment:
    """A segment of a limb, from its upper joint down."""
    length, m = row.length * scale, row.mass * mass
    inertia = m * (length * np.array([row.forward, row.side, row.along])) ** 2
    return Segment(length, m, (0.0, 0.0, -row.centre * length), (inertia[0], inertia[1], inertia[2]))


def standing_segment(rows: list[SegmentData], scale: float, mass: float) -> Segment:
    """Segments on top of each other, from the lowest up, as one."""
    m = mass * np.array([row.mass for row in rows])
    lengths = scale * np.array([row.length for row in rows])
    ends = np.cumsum(lengths)
    centres = ends - lengths * np.array([row.centre for row in rows])
    whole = float(m @ centres / m.sum())
    inertia = np.zeros(3)
    for k, row in enumerate(rows):
        off = m[k] * (centres[k] - whole) ** 2
        inertia += m[k] * (lengths[k] * np.array([row.forward, row.side, row.along])) ** 2 + (off, off, 0.0)
    return Segment(float(ends[-1]), float(m.sum()), (0.0, 0.0, whole), (inertia[0], inertia[1], inertia[2]))
