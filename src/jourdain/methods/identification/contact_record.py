"""What was measured of a contact, for identification."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, number_problems


@checked
@dataclass(frozen=True)
class ContactRecord:
    """What was measured of a contact, (n,) each. Forces act on the first body, and read zero when the two are apart.

    time                   increasing [s]
    normal_position        of the first body along the normal that points to it; it falls while they approach [m]
    normal_force           positive when pressed [N]
    tangential_position    of the first body relative to the second, along a line of the surface [m]
    tangential_force       along the same line: negative while the first body slides forwards [N]
    force_noise            standard deviation of a force [N]
    position_noise         standard deviation of a position [m]

    Noise is independent from sample to sample. What is not there is None.
    """

    time: Any
    normal_position: Any = None
    normal_force: Any = None
    tangential_position: Any = None
    tangential_force: Any = None
    force_noise: float = 1.0
    position_noise: float = 2e-6
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            time: ArrayLike,
            normal_position: ArrayLike | None = None,
            normal_force: ArrayLike | None = None,
            tangential_position: ArrayLike | None = None,
            tangential_force: ArrayLike | None = None,
            force_noise: float = 1.0,
            position_noise: float = 2e-6,
        ) -> None: ...

    def __post_init__(self) -> None:
        time = as_array(self.time, "record: time")
        if time.ndim != 1 or len(time) < 20:
            raise ModelError.at("record", f"time has shape {time.shape}; give 20 samples or more")
        problems = number_problems(self.force_noise, "record", "force_noise [N]", above=0.0)
        problems += number_problems(self.position_noise, "record", "position_noise [m]", above=0.0)
        for one in fields(self)[:5]:
            value = getattr(self, one.name)
            if value is None:
                continue
            array = as_array(value, f"record: {one.name}")
            if array.shape != time.shape:
                problems.append(Problem("record", f"{one.name} has shape {array.shape}, and time {time.shape}"))
            elif not np.all(np.isfinite(array)):
                at = int(np.argmin(np.isfinite(array)))
                problems.append(Problem("record", f"{one.name}[{at}] is {array[at]}; leave out such samples"))
            object.__setattr__(self, one.name, array)
        if np.any(np.diff(time) <= 0.0):
            at = int(np.argmax(np.diff(time) <= 0.0))
            problems.append(Problem("record", f"time must increase; {time[at]:g} is followed by {time[at + 1]:g}"))
        if problems:
            raise ModelError(problems)

    def noisy(self, rng: np.random.Generator) -> ContactRecord:
        """The same with independent Gaussian noise added to positions and forces: for synthetic records."""
        values = {}
        for one in fields(self)[1:5]:
            value = getattr(self, one.name)
            if value is not None:
                noise = self.force_noise if one.name.endswith("force") else self.position_noise
                values[one.name] = value + rng.normal(0.0, noise, len(value))
        return ContactRecord(self.time, **values, force_noise=self.force_noise, position_noise=self.position_noise)

    def need(self, *names: str) -> None:
        """Refuses a record without these."""
        missing = [name for name in names if getattr(self, name) is None]
        if missing:
            raise ModelError([Problem("record", f"{name} is missing") for name in missing])
