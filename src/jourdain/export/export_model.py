"""A model, its state and its controllers, made ready to be exported: the records of a run and names of its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from ..describe.laws import BoundLaw, ControlLaw
from ..describe.motions import Motion
from ..kernels.control.inputs import applied
from ..kernels.integrate.method_names import ADAPTIVE, FIXED
from ..model.model import Model
from ..model.run_stages import Laws, LawSlice, called_by_address, gather
from ..model.state import State
from ..run.implicit import IMPLICIT
from ..run.plan import Plan
from .variables import Input, Output, read_inputs, read_outputs, standing_outputs

HORIZON = 100_000
"""Steps for which prescribed motions are looked at beforehand."""
INPUTS = ControlLaw("inputs", applied)


@dataclass
class ExportModel:
    """What an export is made of.

    loop         the record of the run, as `simulate` would have it
    probe        a workspace of its own for the model functions
    inputs       what is set from outside, and `places` in the parameters of the laws
    outputs      what follows, beyond the states
    functions    what is called by addresses that are numbers, by address
    features     of the model and of all control models
    """

    model: Model
    plan: Plan
    step: float
    loop: Any
    probe: Any
    inputs: list[Input]
    places: list[int]
    outputs: list[Output]
    functions: dict[int, Any]
    features: frozenset[str]

    @property
    def states(self) -> list[str]:
        """Names of the internal states: latched ones, those of contacts, those of laws."""
        return [*self.model.names.z, *self.plan.laws.names]


class _Inputs:
    """A controller whose efforts are its parameters."""

    name = "inputs"

    def bind(self, model: Model) -> BoundLaw:
        """With zeros for all entries of v."""
        return BoundLaw(INPUTS, np.zeros(model.nv))


def checked_method(method: Any) -> str:
    """A fixed-step explicit method; a `ModelError` names what others lack here."""
    if isinstance(method, str) and method in FIXED:
        return method
    name = method if isinstance(method, str) else getattr(method, "name", repr(method))
    fixed = ", ".join(FIXED)
    if name in ADAPTIVE:
        why = "chooses its steps, so that a step has no bounded cost"
    elif name in IMPLICIT:
        why = "solves equations in every step, and its kernels are not exported"
    else:
        why = "does not exist"
    raise ModelError.at("method", f'"{name}" {why}; an exported model takes fixed steps: {fixed}')


def prepare(
    model: Model,
    state: State | None,
    controller: Any,
    method: Any,
    step: float,
    motions: Mapping[str, Motion] | None,
    inputs: Any,
    outputs: Any,
    constraints: Any = None,
) -> ExportModel:
    """Checks everything as `simulate` would, and lays the records of the run."""
    from ..kernels.compiling.parallel_compilation import prepare as compile_now
    from ..kernels.integrate.loop_records import tape
    from ..kernels.model_arrays import workspace
    from ..run.loop import loop, needed

    method = checked_method(method)
    if not isinstance(model, Model):
        raise ModelError.at("model", f"got {type(model).__name__}; give a Model, from system.compile()")
    state = model.state() if state is None else state
    held = [model.index.v[name] for name in motions or {} if name in model.index.v]
    of_laws, others = _divided(inputs, controller, model)
    wanted = read_inputs(model, others, held)
    laws = [] if controller is None else list(controller) if isinstance(controller, list | tuple) else [controller]
    efforts = any(one.kind == "effort" for one in wanted)
    markers = list(dict.fromkeys(one.where for one in wanted if one.kind == "wrench"))
    if efforts or (markers and not laws):
        laws.append(_Inputs())
    if not isinstance(step, int | float) or not np.isfinite(step) or not step > 0.0:
        raise ModelError.at("step", f"got {step!r}; give a finite number above zero [s]")
    plan = Plan(
        model, state, state.time + HORIZON * step, step, method=method,
        motions=motions, controller=laws or None, constraints=constraints,
    ).prepare()  # fmt: skip
    _check_callbacks(plan.laws)
    first = len(plan.laws.parameters) - (model.nv if laws and isinstance(laws[-1], _Inputs) else 0)
    where = {("effort", k): first + k for k in range(model.nv)}
    plan.laws, forces = _with_forces(plan.laws, markers)
    where |= {("wrench", marker): at for marker, at in forces.items()}
    compile_now(needed(plan))
    run = loop(plan, plan.workspace())
    nz = len(model.names.z) + plan.laws.states
    run = run._replace(tape=tape(1, model.nq, model.nv, nz))
    for array in run.tape:
        array[...] = 0.0
    control_workspaces = [one.arrays.features for one in plan.laws.control_workspaces]
    places = [where[one.kind, one.where] + (one.part if one.kind == "wrench" else 0) for one in wanted]
    known = _law_inputs(plan.laws)
    wanted += [known[name] for name in of_laws]
    places += [known[name].where for name in of_laws]
    found = ExportModel(
        model=model,
        plan=plan,
        step=float(step),
        loop=run,
        probe=workspace(model.arrays),
        inputs=wanted,
        places=places,
        outputs=standing_outputs(model),
        functions=called_by_address(model, plan.laws),
        features=frozenset(model.features | {"laws"}).union(*control_workspaces),
    )
    asked = [] if outputs is None else read_outputs(model, outputs, found.states)
    found.outputs = list({one.name: one for one in [*found.outputs, *asked]}.values())
    return found


def _divided(inputs: Any, controller: Any, model: Model) -> tuple[list[str], Any]:
    """Names of inputs that are commands of controllers, and the other inputs."""
    if inputs is None or isinstance(inputs, str) or controller is None:
        return [], inputs
    known = _law_inputs(gather(model, controller))
    listed = list(inputs)
    return [name for name in listed if name in known], [name for name in listed if name not in known]


def _law_inputs(laws: Laws) -> dict[str, Input]:
    """Commands that controllers take, by name; `where` is their place among the parameters of the laws."""
    return {
        name: Input(name, unit, "law", piece.p[0] + at)
        for piece in laws.pieces
        for name, (at, unit) in piece.bound.inputs.items()
    }


def _check_callbacks(laws: Laws) -> None:
    for bound in laws.bound:
        for one in (bound, bound.inner):
            if one is not None and one.outside:
                raise ModelError.at(
                    bound.law.name,
                    f'"{one.name}" is a Python function or an FMU, which does not run without Python; write it as a '
                    "law, @jd.law, and give that to jd.control.Sampled",
                )


def _with_forces(laws: Laws, markers: list[int]) -> tuple[Laws, dict[int, int]]:
    """Laws with a force on each marker that inputs act on, and where the six numbers of each are."""
    at = len(laws.parameters)
    end = max([0, *(piece.z[1] for piece in laws.pieces)])
    pieces, bound, places = list(laws.pieces), list(laws.bound), {}
    for marker in markers:
        own = BoundLaw(INPUTS, np.zeros(6))
        pieces.append(
            LawSlice(
                law=INPUTS,
                bound=own,
                z=(end, end),
                s=(laws.sensed, laws.sensed),
                p=(at, at + 6),
                marker=marker,
                axes=-1,
            )
        )
        bound.append(own)
        places[marker] = at
        at += 6
    parameters = np.concatenate([laws.parameters, np.zeros(6 * len(markers))])
    return laws._replace(pieces=tuple(pieces), bound=tuple(bound), parameters=parameters), places
