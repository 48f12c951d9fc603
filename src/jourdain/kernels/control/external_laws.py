"""Laws that are not compiled here: the loop hands what a law is given to a C function at an address."""

from __future__ import annotations

import math

from llvmlite import ir
from numba import types

from ..compiler import entry_point
from ..interpreter import call_at, interpreted_as
from ..parameter_rows import Parameters
from ..signatures import Vector


class ExternalLawParameters(Parameters):
    """The last of the parameters of such a law."""

    number: int  # by which the function knows the law
    address: int  # of the function


@interpreted_as(call_at)
def call_foreign(typingctx, address, number, t, q, v, z, s, effort, dz):
    """Calls the C function int64 (int64, double, double *q, *v, *z, *s, *effort, *dz) at an address."""
    kinds = (q, v, z, s, effort, dz)

    def codegen(context, builder, signature, args):
        double = ir.DoubleType()
        kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64), double, *[double.as_pointer()] * len(kinds)])
        given = [
            builder.bitcast(context.make_array(one)(context, builder, value).data, double.as_pointer())
            for one, value in zip(kinds, args[3:])
        ]
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), [args[1], args[2], *given])

    return types.int64(types.int64, types.int64, types.float64, *kinds), codegen


FOREIGN = ExternalLawParameters.size


@entry_point
def foreign(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """The law of a C function, see `ExternalLawParameters`; not-a-number where it failed."""
    law = ExternalLawParameters(p[p.size - FOREIGN :])
    for k in range(dz.size):
        dz[k] = 0.0
    if call_foreign(law.address, law.number, t, q, v, z, s, effort, dz) != 0:
        for k in range(effort.size):
            effort[k] = math.nan
