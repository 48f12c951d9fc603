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

from ..arrays import ARRAY_DATA
from ..compiler import kernel
from ..compiling.numba_private import cgutils, types

PATIENCE = 4096
"""Looks at a word before a thread that waits lets others run."""
HELP = 2048
"""Looks before it takes parts of another thread's queue: what that has in its cache would have to be brought here and
back, which takes longer than most parts do. It is for threads that do not run, and for shares that are not equal."""
PART_BITS = 16
NEXT_PART = 1 << PART_BITS
MOST_PARTS = NEXT_PART - 1


def _call(builder: Any, name: str, returns: Any, *args: Any) -> None:
    """Calls a function of the process or of LLVM by its name."""
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(returns, [one.type for one in args]), name)
    builder.call(function, args)


@intrinsic
def look(typingctx: Any, word: Any) -> Any:
    """A word that other threads write; all that they wrote before it is seen too."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load_atomic(builder.extract_value(args[0], ARRAY_DATA), "acquire", 8)

    return types.int64(word), codegen


@intrinsic
def tell(typingctx: Any, word: Any, value: Any) -> Any:
    """Writes a word that other threads look at, after all that was written before."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.store_atomic(args[1], builder.extract_value(args[0], ARRAY_DATA), "release", 8)
        return context.get_dummy_value()

    return types.none(word, types.int64), codegen


@intrinsic
def add_to(typingctx: Any, word: Any, value: Any) -> Any:
    """Adds to a word that other threads add to as well."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        builder.atomic_rmw("add", builder.extract_value(args[0], ARRAY_DATA), args[1], "acq_rel")
        return context.get_dummy_value()

    return types.none(word, types.int64), codegen


@intrinsic
def exchanged(typingctx: Any, word: Any, old: Any, new: Any) -> Any:
    """Whether a word that was `old` is `new` by this thread's doing."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.extract_value(args[0], ARRAY_DATA)
        return builder.extract_value(builder.cmpxchg(place, args[1], args[2], "acq_rel", "monotonic"), 1)

    return types.boolean(word, types.int64, types.int64), codegen


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


@kernel
def wait_a_little(looks):
    """Between two looks at a word; returns how many there were."""
    if looks < PATIENCE:
        pause()
        return looks + 1
    let_others()
    return HELP


@kernel
def take_from(queue):
    """The next part of a queue, -1 where none is left."""
    word = queue.ticket
    while True:
        ticket = look(word)
        part = (ticket >> PART_BITS) & MOST_PARTS
        if part >= ticket & MOST_PARTS:
            return -1
        if exchanged(word, ticket, ticket + NEXT_PART):
            return part


@kernel
def take(pool, thread, looks):
    """A part of the phase for a thread: of its own queue; where it has waited for so many looks, of another's."""
    part = take_from(pool.queues[thread])
    if looks < HELP:
        return part
    size = pool.words.threads
    for d in range(1, size):
        if part < 0:
            part = take_from(pool.queues[(thread + d) % size])
    return part


@kernel
def hand_out(pool, phase, parts):
    """Lets the crew begin a phase, by equal numbers of parts."""
    size, number = pool.words.threads, begin_phase(pool, phase)
    for thread in range(size):
        put_queue(pool, thread, number, parts * thread // size, parts * (thread + 1) // size)
    tell(pool.words.round, number)


@kernel
def hand_out_pairs(pool, phase, first):
    """Lets the crew begin a phase, by equal numbers of pairs; first[p] is that of part p, and the last how many there
    are."""
    size, number, parts = pool.words.threads, begin_phase(pool, phase), first.size - 1
    part = 0
    for thread in range(size):
        begin, end = part, first[parts] * (thread + 1) // size
        while part < parts and (first[part] + first[part + 1] <= 2 * end or thread == size - 1):
            part += 1
        put_queue(pool, thread, number, begin, part)
    tell(pool.words.round, number)


@kernel
def begin_phase(pool, phase):
    """Number of a phase that is to begin."""
    pool.words.phase = phase
    tell(pool.words.finished, 0)
    return pool.words.round[0] + 1


@kernel
def put_queue(pool, thread, number, first, last):
    """The parts of a thread in a phase."""
    tell(pool.queues[thread].ticket, (number << 2 * PART_BITS) + (first << PART_BITS) + last)


@kernel
def finished(pool, done, looks):
    """Says how many parts a thread has done, and waits a little; returns how many looks it has waited for."""
    if done > 0:
        add_to(pool.words.finished, done)
    return wait_a_little(looks)
