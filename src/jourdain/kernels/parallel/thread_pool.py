"""How a crew shares a phase: each thread has a queue of parts and takes them one by one; the same ones in
every phase, so that what it has written is still in its cache.

The thread pool of one run.

A queue is one word: the number of the phase, the next part, the end. Who exchanges the word for one with the next part
counted up has that part, and because a phase ends when all its parts are done, what is to be done does not change until
then. Threads that wait look at one word; after a while they help, and then let others run.
"""

from __future__ import annotations

import platform
import sys
from typing import Any

from llvmlite import ir
from numba.extending import intrinsic

from ..arrays import ARRAY_DATA, WORD, KernelArray, filled
from ..compiler import kernel
from ..compiling.numba_private import cgutils, types
from .thread_layout import FINISHED, PHASE, POOL_LINE, POOL_SIZE, ROUND, TICKETS

PATIENCE = 4096
"""Looks at a word before a thread that waits lets others run."""
HELP = 2048
"""Looks before it takes parts of another thread's queue: what that has in its cache would have to be brought here and
back, which takes longer than most parts do. It is for threads that do not run, and for shares that are not equal."""
PART_BITS = 16
NEXT_PART = 1 << PART_BITS
MOST_PARTS = NEXT_PART - 1


def _word_at(builder: Any, array: Any, index: Any) -> Any:
    return builder.gep(builder.extract_value(array, ARRAY_DATA), [index], inbounds=True)


def _call(builder: Any, name: str, returns: Any, *args: Any) -> None:
    """Calls a function of the process or of LLVM by its name."""
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(returns, [one.type for one in args]), name)
    builder.call(function, args)


@intrinsic
def look(typingctx: Any, words: Any, at: Any) -> Any:
    """A word that other threads write; all that they wrote before it is seen too."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(_word_at(builder, *args), "acquire", 8)

    return types.int64(words, types.int64), codegen


@intrinsic
def tell(typingctx: Any, words: Any, at: Any, value: Any) -> Any:
    """Writes a word that other threads look at, after all that was written before."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[2], _word_at(builder, args[0], args[1]), "release", 8)
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), codegen


@intrinsic
def add_to(typingctx: Any, words: Any, at: Any, value: Any) -> Any:
    """Adds to a word that other threads add to as well."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.atomic_rmw("add", _word_at(builder, args[0], args[1]), args[2], "acq_rel")
        return context.get_dummy_value()

    return types.none(words, types.int64, types.int64), codegen


@intrinsic
def exchanged(typingctx: Any, words: Any, at: Any, old: Any, new: Any) -> Any:
    """Whether a word that was `old` is `new` by this thread's doing."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = _word_at(builder, args[0], args[1])
        return builder.extract_value(builder.cmpxchg(place, args[2], args[3], "acq_rel", "monotonic"), 1)

    return types.boolean(words, types.int64, types.int64, types.int64), codegen


@intrinsic
def pause(typingctx: Any) -> Any:
    """Tells the processor that this thread waits."""
    machine = platform.machine().lower()

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        if machine in ("x86_64", "amd64"):
            _call(builder, "llvm.x86.sse2.pause", ir.VoidType())
        elif machine in ("aarch64", "arm64"):
            _call(builder, "llvm.aarch64.hint", ir.VoidType(), ir.IntType(32)(1))
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def let_others(typingctx: Any) -> Any:
    """Lets another thread have the core, where one waits for it."""
    name = "SwitchToThread" if sys.platform == "win32" else "sched_yield"

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _call(builder, name, ir.IntType(32))
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def fails(typingctx: Any, function: Any, model: Any, touch: Any, ws: Any, part: Any) -> Any:
    """Calls a unit; whether it fails, in which case this function goes on."""
    kinds = (model, touch, ws, part)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        called = function.kernel.overload(kinds)
        call_conv = context.call_conv
        kind = call_conv.get_function_type(called.returns, called.arguments)
        unit = cgutils.get_or_insert_function(builder.module, kind, called.symbol)
        context.active_code_library.external[called.symbol] = called
        status, _ = call_conv.call_function(builder, unit, called.returns, called.arguments, args[1:])
        return status.is_error

    return types.boolean(function, *kinds), codegen


@intrinsic
def give_up(typingctx: Any) -> Any:
    """Fails, because another thread did: what it raises is told."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        with cgutils.if_likely(builder, ir.IntType(1)(1)):
            context.call_conv.return_user_exc(builder, RuntimeError, ("another thread failed",))
        return context.get_dummy_value()

    return types.none(), codegen


@intrinsic
def address(typingctx: Any, array: Any) -> Any:
    """Where the numbers of an array are."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(builder.extract_value(args[0], ARRAY_DATA), WORD)

    return types.int64(array), codegen


@intrinsic
def vector(typingctx: Any, words: Any, at: Any) -> Any:
    """The vector whose address and size `lend` wrote."""
    kind = KernelArray(types.float64, 1)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place, size = (builder.load(_word_at(builder, args[0], builder.add(args[1], WORD(k)))) for k in range(2))
        data = builder.inttoptr(place, ir.DoubleType().as_pointer())
        return filled(context, builder, kind, data, [size])

    return kind(words, types.int64), codegen


@kernel
def lend(words, at, array):
    """Writes where a vector is, for the other threads."""
    words[at], words[at + 1] = address(array), array.size


@kernel
def wait_a_little(looks):
    """Between two looks at a word; returns how many there were."""
    if looks < PATIENCE:
        pause()
        return looks + 1
    let_others()
    return HELP


@kernel
def take_from(words, queue):
    """The next part of a queue, -1 where none is left."""
    at = TICKETS + POOL_LINE * queue
    while True:
        ticket = look(words, at)
        part = (ticket >> PART_BITS) & MOST_PARTS
        if part >= ticket & MOST_PARTS:
            return -1
        if exchanged(words, at, ticket, ticket + NEXT_PART):
            return part


@kernel
def take(words, thread, looks):
    """A part of the phase for a thread: of its own queue; where it has waited for so many looks, of another's."""
    part = take_from(words, thread)
    if looks < HELP:
        return part
    size = words[POOL_SIZE]
    for d in range(1, size):
        if part < 0:
            part = take_from(words, (thread + d) % size)
    return part


@kernel
def hand_out(words, phase, parts):
    """Lets the crew begin a phase, by equal numbers of parts."""
    size, number = words[POOL_SIZE], begin_phase(words, phase)
    for thread in range(size):
        put_queue(words, thread, number, parts * thread // size, parts * (thread + 1) // size)
    tell(words, ROUND, number)


@kernel
def hand_out_pairs(words, phase, first):
    """Lets the crew begin a phase, by equal numbers of pairs; first[p] is that of part p, and the last how many there
    are."""
    size, number, parts = words[POOL_SIZE], begin_phase(words, phase), first.size - 1
    part = 0
    for thread in range(size):
        begin, end = part, first[parts] * (thread + 1) // size
        while part < parts and (first[part] + first[part + 1] <= 2 * end or thread == size - 1):
            part += 1
        put_queue(words, thread, number, begin, part)
    tell(words, ROUND, number)


@kernel
def begin_phase(words, phase):
    """Number of a phase that is to begin."""
    words[PHASE] = phase
    tell(words, FINISHED, 0)
    return words[ROUND] + 1


@kernel
def put_queue(words, thread, number, first, last):
    """The parts of a thread in a phase."""
    tell(words, TICKETS + POOL_LINE * thread, (number << 2 * PART_BITS) + (first << PART_BITS) + last)


@kernel
def finished(words, done, looks):
    """Says how many parts a thread has done, and waits a little; returns how many looks it has waited for."""
    if done > 0:
        add_to(words, FINISHED, done)
    return wait_a_little(looks)
