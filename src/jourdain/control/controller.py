"""What every controller can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array

if TYPE_CHECKING:
    from ..describe.laws import BoundLaw
    from ..model.model import Model


@checked
class Controller(ABC):
    """A controller: described by names, bound to a plant when a run begins.

    name            in error messages, run files and the names of its states
    binds_at_once   whether `bind` takes no compiled kernels, so that `jourdain check` can try it quickly
    """

    name: str
    binds_at_once: bool = False

    @abstractmethod
    def bind(self, model: Model) -> BoundLaw:
        """The law with all its numbers, for this plant; a `ModelError` names what does not fit it."""

    def effort(
        self, model: Model, t: float, q: ArrayLike, v: ArrayLike, z: ArrayLike | None = None, s: ArrayLike | None = None
    ) -> np.ndarray:
        """The controller as a plain function of arrays: efforts (nv,) at a time [s] and a state of the plant.

        z    its own states; None for those that it begins with
        s    what it senses: 13 numbers a marker, then 6 a contact; None for the markers as they are at (q, v), and
             contacts that do not touch
        """
        law = self.bind(model)
        q, v = as_array(q, "q"), as_array(v, "v")
        for what, array, size in (("q", q, model.nq), ("v", v, model.nv)):
            if array.shape != (size,):
                raise ModelError.at(what, f"got shape {array.shape}; this model has {size} entries")
        own = law.start if z is None else as_array(z, "z")
        if own.shape != (law.states,):
            raise ModelError.at("z", f"got shape {own.shape}; {self.name} has {law.states} states")
        if s is None:
            return law.evaluate(model, t, q, v, own, model.nv)
        sensed = as_array(s, "s")
        wanted = 13 * len(law.markers) + 6 * len(law.contacts)
        if sensed.shape != (wanted,):
            raise ModelError.at("s", f"got shape {sensed.shape}; {self.name} senses {wanted} numbers")
        return law.speak(t, q, v, own, sensed, model.nv)[0]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"
