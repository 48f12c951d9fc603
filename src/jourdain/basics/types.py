"""Types of arguments that many functions take, each under one name; numbers alone are `ArrayLike`.

They are written as texts, since much of what they name lives in higher layers. `basics.annotations` reads them, so
that what a signature says is what an error says and what a file takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from scipy.spatial.transform import Rotation

    from ..control.controller import Controller
    from ..control.paths import Path
    from ..describe.constraints.methods import ConstraintMethod
    from ..describe.events import Event
    from ..describe.laws import BoundLaw, Law
    from ..describe.motions import Motion
    from ..model.batch import States
    from ..model.state import State
    from .pose import Pose

VectorLike: TypeAlias = "ArrayLike"
"""Three numbers."""
AxisLike: TypeAlias = 'Literal["x", "y", "z"] | ArrayLike'
"""A direction: "x", "y", "z" or three numbers."""
RotationLike: TypeAlias = "ArrayLike | Rotation"
"""A rotation: a quaternion (w, x, y, z), a 3x3 or a SciPy ``Rotation``."""
PlaceLike: TypeAlias = "ArrayLike | Pose"
"""A position, three numbers, or a `Pose`."""
Along: TypeAlias = "float | Sequence[ArrayLike] | np.ndarray"
"""A property along a beam: a number, or (fractions of the length, values) with straight lines between."""
ByName: TypeAlias = "ArrayLike | Mapping[str, ArrayLike]"
"""Numbers by the names of what they belong to; one for all of them, or all in their order."""
Coordinates: TypeAlias = "ArrayLike | Mapping[str, ArrayLike | Pose | Rotation]"
"""Positions by name, where a free joint takes a `Pose` and a spherical one a rotation; or all in their order."""
OneOrManyStates: TypeAlias = "State | States | Sequence[State]"
"""A `State`, or many: `model.states(...)`, or a list."""
Configuration: TypeAlias = "State | States | Sequence[State] | ArrayLike"
"""What has coordinates: a `State`, many of them, or the numbers q."""
StartLike: TypeAlias = "State | Mapping[str, ArrayLike | Pose | Rotation]"
"""Where something begins: a `State`, or coordinates by name."""
NameOrNames: TypeAlias = "str | Iterable[str]"
"""A name, or several."""
Joints: TypeAlias = "Iterable[str]"
"""Names of joints, or of coordinates."""
Contacts: TypeAlias = "Sequence[str]"
"""Names of contacts."""
Directions: TypeAlias = "str | Iterable[str]"
"""Directions among "rx", "ry", "rz", "x", "y" and "z", or such as "xy"."""
Goal: TypeAlias = "Motion | float"
"""A profile to follow, or a number to hold."""
Drivers: TypeAlias = "Mapping[str, Motion | ArrayLike]"
"""Profiles of coordinates by name, numbers to hold, or a value for each time."""
Goals: TypeAlias = "Motion | float | Mapping[str, Motion | float] | Sequence[Motion | float]"
"""Profiles to follow and numbers to hold: by name, one for all, or all in their order."""
TipGoals: TypeAlias = "Path | Mapping[str, Motion | float | ArrayLike | Rotation]"
"""A path of a frame; or profiles and numbers by "x", "y" and "z", and a rotation by "rotation"."""
RateGoals: TypeAlias = "Mapping[str, Motion | float] | Sequence[tuple[float, float, Mapping[str, float]]] | Callable"
"""Rates by direction; a list of (from, to, rates by direction); or a function of time that gives rates by direction."""
AnyController: TypeAlias = "Controller | BoundLaw | Law"
"""A controller of `jd.control`, or a law."""
Controllers: TypeAlias = "Controller | BoundLaw | Law | Sequence[Controller | BoundLaw | Law]"
"""A controller of `jd.control`, a law, or several of both."""
Events: TypeAlias = "Event | Sequence[Event]"
"""An event, or several."""
KeptBy: TypeAlias = "str | ConstraintMethod"
"""How a run is kept on its constraints: a word, or an object of `jd.constraints`."""
