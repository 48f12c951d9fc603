"""Compliant joints to what they carried a sample before."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_number
from ..describe.laws import BoundLaw, ControlLaw
from .controller import Controller
from .sampled import BoundSampled, Sampled

if TYPE_CHECKING:
    from ..model.model import Model


@checked
class LaggedCompliance(Controller):
    """Lets all tabled joints of a model that have a compliance yield to what they carry, one sample late.

    A joint from a table moves its frame by its compliance times a wrench, p = p(z) + c(z) s. This controller supplies
    no effort: every `period` it sets s to what the joint then transmits, and it stays so until the next sample
    (Tobolář 2003, eqs. 2, 3 and 9: the joint force of the step before, nothing is iterated). A period of one step is
    the paper's. Frames jump a little at each sample; the energy that this gives to bodies is booked as work.

    period    between samples [s]; fixed steps must divide it
    lag       time constant by which s follows what is transmitted [s]; 0 takes it over at once. Where the compliance
              times the stiffness of what holds the body comes near 1, only a lag of several periods settles

    It is quasi-static compliance: what oscillates in the joint's own rubber is not in it.
    """

    name = "lagged compliance"

    def __init__(self, period: float, lag: float = 0.0, *, name: str = "lagged compliance") -> None:
        self.name = name
        for what, value, least in (("period", period, "above 0"), ("lag", lag, "not below 0")):
            number = as_number(value, f"{name}: {what}")
            if not math.isfinite(number) or number < 0.0 or (what == "period" and number == 0.0):
                raise ModelError.at(name, f"{what} is {value!r}; give a time [s], {least}", what)
        self.period, self.lag = float(period), float(lag)

    def bind(self, model: Model) -> BoundLaw:
        """At its instants, for this plant."""
        if not model.arrays.wrenches:
            raise ModelError.at(
                self.name, "no joint of this model is compliant; give jd.mechanism.PoseTable(..., compliance=) to one"
            )
        from ..kernels.control.sampling import hold

        share = 1.0 if self.lag == 0.0 else -math.expm1(-self.period / self.lag)
        law = BoundLaw(ControlLaw("hold", hold), [share], states=0)
        law.gives = True
        bound = BoundSampled(Sampled(self, self.period, name=self.name), law, model)
        bound.loaded = True  # it needs what joints transmit
        return bound
