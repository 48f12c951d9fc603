"""What a model offers near a state: natural frequencies, linear models, equilibria, blocks of python-control."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ..basics.types import ByName, Controllers
    from ..results.run import Run
    from .linear.buckling import Buckling
    from .linear.equilibrium import Equilibrium
    from .linear.linearize import Linear, LinearPath
    from .linear.modes import Frequencies
    from .model import Model
    from .state import State


def frequencies(
    model: Model, state: State, hold: Iterable[str] = (), controller: Controllers | None = None
) -> Frequencies:
    """Natural frequencies, damping ratios and mode shapes of the motion near a state, slowest first.

    hold          names of velocities that stay as they are, such as that of a rotating root, or of joints
    controller    a law, or a list of laws, that acts

    Everything that acts in the state counts: gravity, velocity terms, springs, strain, drives, forces, contacts that
    touch, sticking friction. See `jourdain.model.linear.modes`.
    """
    from .linear.modes import frequencies
    from .linear.strings import warn_of_hourglass

    found = frequencies(model, state, hold, controller)
    warn_of_hourglass(model, state)
    return found


@overload
def linearize(
    model: Model,
    state: State,
    effort: ByName | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Controllers | None = None,
    hold: Iterable[str] = (),
    times: ArrayLike | None = None,
    independent: Iterable[str] | None = None,
) -> Linear: ...
@overload
def linearize(
    model: Model,
    state: Run | Sequence[State],
    effort: ByName | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Controllers | None = None,
    hold: Iterable[str] = (),
    times: ArrayLike | None = None,
    independent: Iterable[str] | None = None,
) -> LinearPath: ...
def linearize(
    model: Model,
    state: State | Run | Sequence[State],
    effort: ByName | None = None,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Controllers | None = None,
    hold: Iterable[str] = (),
    times: ArrayLike | None = None,
    independent: Iterable[str] | None = None,
) -> Linear | LinearPath:
    """The linear model of the motion near a state: A, B, C, D with names, and `to_control()` for python-control.

    state         a State, at rest or not; or a Run or a list of states, for a model that varies in time
    effort        efforts that act there (nv numbers, a dict, or none); a Run brings its own unless there is a
                  controller
    inputs        names of efforts, "elbow", and of wrenches at addresses, "payload.origin.fx" (world axes); all
                  efforts by default
    outputs       names of coordinates, "elbow", displacements, "x:elbow", velocities, "v:elbow", motions of frames,
                  "payload.origin.vz", and forces of contacts, "touch.fx"; all displacements and velocities by default
    controller    a law, or a list of laws, that closes the loop; inputs add to it
    hold          names of velocities, or joints, that keep their velocity, such as that of a rotating root
    times         of the samples of a Run that are wanted [s]; the nearest are taken
    independent   with constraints: names of the velocities that the linear model is to have as states, as many as the
                  model has degrees of freedom; chosen by the projective criterion where None. The state must be on the
                  constraints (`model.assemble`)

    Positions are displacements in the tangent space, as many as velocities. States of laws and of contacts that touch
    (relaxation, bristles, dwell) are states here; latched ones (impact speeds, anchors of joint friction) are frozen.
    See `jourdain.model.linear.linearize` and `jourdain.model.linear.signals`.
    """
    from .linear.linearize import linearize

    return linearize(model, state, effort, inputs, outputs, controller, hold, times, independent)


def equilibrium(
    model: Model,
    state: State,
    effort: ByName | None = None,
    hold: Iterable[str] = (),
    efforts: Iterable[str] | None = None,
    controller: Controllers | None = None,
) -> Equilibrium:
    """The equilibrium near a state: coordinates that the given efforts hold, and efforts that hold given coordinates.

    state         where to begin. Held velocities stay (a spinning root), all others are zero in the equilibrium
    effort        efforts that are given (nv numbers, a dict, or none)
    hold          names of coordinates, or joints, that stay as they are in the state
    efforts       names of the efforts that are found, as many as are held: by default those of the held coordinates,
                  and of the motor where a held joint has a drive
    controller    a law, or a list of laws, that acts; its states settle

    The result says whether it is `stable`, how fast a deviation leaves (`growth` [1/s]) and along what (`leaving`).

    See `jourdain.model.linear.equilibrium`.
    """
    from .linear.equilibrium import equilibrium
    from .linear.strings import warn_of_hourglass

    found = equilibrium(model, state, effort, hold, efforts, controller)
    warn_of_hourglass(model, found.state)
    return found


def buckling(
    model: Model,
    state: State,
    load: str | Iterable[str] | None = None,
    hold: Iterable[str] = (),
    exact: bool = False,
    controller: Controllers | None = None,
) -> Buckling:
    """Factors by which a load must grow until an equilibrium buckles, the least first, and how it does.

    state         where the equilibrium without the load is looked for; held velocities stay (a spinning root)
    load          names of constant forces (`system.force`), and "gravity", which is also what an accelerated carrier
                  makes; all of them by default. What is not named acts as it is
    hold          names of coordinates, or joints, that stay as they are
    exact         False: linear buckling, exact where nothing deforms before. True: the least factor is followed along
                  the equilibria to where the stiffness vanishes; the others are those seen from there
    controller    a law, or a list of laws, that acts

    See `jourdain.model.linear.buckling`.
    """
    from .linear.buckling import buckling

    return buckling(model, state, load, hold, exact, controller)


def to_control(
    model: Model,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Controllers | None = None,
    name: str | None = None,
    state: State | None = None,
) -> Any:
    """The model as a `control.NonlinearIOSystem`, to `interconnect` with others.

    inputs        as in `linearize`: all efforts by default
    outputs       as in `linearize`: all coordinates and velocities by default
    controller    a law, or a list of laws, inside the block
    name          of the block; the model's by default
    state         whose latched values (what touches, impact speeds, friction anchors) the block keeps

    See `jourdain.model.linear.control_blocks`.
    """
    from .linear.control_blocks import to_control

    return to_control(model, inputs, outputs, controller, name, state)
