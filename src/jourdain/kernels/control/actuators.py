"""Parameters of the law of actuators that are affine in the command, the coordinate and its rate, as MJCF has them."""

from __future__ import annotations

from ..parameter_rows import Parameters
from ..rows import table_of


class AffineActuator(Parameters):
    """Of one actuator; those of a joint follow each other. Its length is gear times the coordinate."""

    q: int  # entry of the joint
    v: int
    gear: float  # effort of the joint for a unit of its own
    constant: float  # force at the command given
    per_length: float
    per_rate: float
    low: float  # limits of its force
    high: float
    limited: bool  # whether it has these
    last: bool  # whether it is the last one of the joint
    least: float  # limits of what all actuators of the joint make together
    most: float


affine_actuators = table_of(AffineActuator)
