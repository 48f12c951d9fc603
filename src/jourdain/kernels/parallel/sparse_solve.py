"""Factors of sparse bodies on several threads.

The order of elimination is that of nested dissection: a layer of nodes comes after the two pieces that it parts, which
know nothing of each other. So panels of a factor are cut into *tasks*: pieces, each with all that is within it, and the
layers above them. Tasks of one level are independent, and those of the next wait for them. What a task does to rows
above its own is kept apart, and the layer that comes next takes it from there, one after the other: so results are the
same with any number of threads.
"""

from __future__ import annotations

from ..algebra import Sym3, Vec3
from ..bodies.ancf_cable import mass_answer
from ..bodies.ancf_cable_tangent import step_answer
from ..bodies.body_dispatch import has_banded_mass
from ..bodies.nodal_body import place_nodes, sum_nodes
from ..bodies.nodal_layout import FACTORED, MASS_FACTOR, STEP_FACTOR, floats_of, integers_of, nodal_body
from ..compiler import entry_point, kernel, outlined_kernel
from ..flat_arrays import accumulate, get, put
from ..integrate.loop_records import Loop
from ..integrate.partitioned.solver_layout import Partition
from ..linalg.supernodal_cholesky import (
    backward_panel,
    factor_panel,
    forward_panel,
    header_at,
    outer_update,
    panel,
)
from ..model_arrays import ModelArrays, Workspace
from ..rows import clear_row
from ..signatures import Vector
from .sparse_solve_layout import BACKWARD, FACTOR, FORWARD, NODE_PARTS, PLACE_NODES, SUM_NODES
from .thread_pool import HELP, finished, hand_out, look, take


@kernel
def take_up(integers, at, so, child, high, base, out):
    """Takes what task `child` does to the rows above it: to those before place `high`, and further up."""
    row = so.tasks[child]
    _, w, _, rows, m = panel(integers, at, row.last - 1)
    for i in range(rows + w, rows + m):
        r = integers[i]
        x = get(so.out, row.out + r)
        if r < high:
            accumulate(so.solution, base + r, x)
        else:
            accumulate(so.out, out + r, x)
        put(so.out, row.out + r, 0.0)


@outlined_kernel
def forward_task(integers, at, values, first, so, task, ev, b, of):
    """L y = b[of ...], as far as it is of a task; y from solution[ev] on."""
    row = so.tasks[task]
    f, sums, out = header_at(integers, at), row.sums, row.out
    order, start = at + f.order, at + f.start
    high = integers[start + row.last]
    for i in range(integers[start + row.first], high):
        put(so.solution, ev + i, get(b, of + integers[order + i]))
    child = row.child
    while child >= 0:
        take_up(integers, at, so, child, high, ev, out)
        child = so.tasks[child].next
    # as `substitute_sparse`, with the rows above in a place of their own
    for j in range(row.first, row.last):
        low, w, own, rows, m = panel(integers, at, j)
        some = False
        for c in range(w):
            y = get(so.solution, ev + low + c)
            some |= y != 0.0
            put(so.sums, sums + c, y)
        if not some:
            continue
        for i in range(w, m):
            put(so.sums, sums + i, 0.0)
        forward_panel(values, first + own, m, w, so.sums, sums)
        for c in range(w):
            put(so.solution, ev + low + c, get(so.sums, sums + c))
        for i in range(w, m):
            r = integers[rows + i]
            if r < high:
                accumulate(so.solution, ev + r, get(so.sums, sums + i))
            else:
                accumulate(so.out, out + r, get(so.sums, sums + i))


@outlined_kernel
def backward_task(integers, at, values, first, so, task, ev, x, to):
    """L^T x[to ...] = y, as far as it is of a task; what is above it is known."""
    row = so.tasks[task]
    f, sums = header_at(integers, at), row.sums
    order, start = at + f.order, at + f.start
    for j in range(row.last - 1, row.first - 1, -1):
        low, w, own, rows, m = panel(integers, at, j)
        for i in range(m):
            put(so.sums, sums + i, get(so.solution, ev + integers[rows + i]))
        backward_panel(values, first + own, m, w, so.sums, sums, 0.0)
        for c in range(w):
            put(so.solution, ev + low + c, get(so.sums, sums + c))
    for i in range(integers[start + row.first], integers[start + row.last]):
        put(x, to + integers[order + i], get(so.solution, ev + i))


@kernel
def wait_for(integers, at, links, head, panels, so, row, k):
    """Puts panel k, which has reached its row `place`, among those that wait for the panel of that row; where that is
    above the task, among those that the task hands up."""
    following, place = head + panels, head + 2 * panels
    _, _, _, rows, m = panel(integers, at, k)
    p = links[place + k]
    if p >= m:
        return
    other = integers[at + header_at(integers, at).member + integers[rows + p]]
    to = head + other if other < row.last else row.pending
    links[following + k] = links[to]
    links[to] = k


@outlined_kernel
def factor_task(integers, at, values, first, so, task, head):
    """Factors the panels of a task, as `factorise_sparse` does; 1 where a pivot is not positive."""
    row, links = so.tasks[task], so.links
    panels = header_at(integers, at).panels
    following, place, local, update = head + panels, head + 2 * panels, row.local, row.update
    # lists of waiting panels are empty at first
    for j in range(row.first, row.last):
        links[head + j] = -1
    links[row.pending] = -1
    # panels of the tasks below that reach here, or further up
    child = row.child
    while child >= 0:
        k = links[so.tasks[child].pending]
        while k >= 0:
            after = links[following + k]
            wait_for(integers, at, links, head, panels, so, row, k)
            k = after
        child = so.tasks[child].next
    # own panels, from left to right: those before are taken off, then the panel itself is factored
    for j in range(row.first, row.last):
        low, w, own, mine, m = panel(integers, at, j)
        for i in range(m):
            links[local + integers[mine + i]] = i
        k = links[head + j]
        while k >= 0:  # what the panels that wait for this one do to it
            _, wk, theirs_at, theirs, mk = panel(integers, at, k)
            p = links[place + k]
            last = p
            while last < mk and integers[theirs + last] < low + w:
                last += 1
            outer_update(values, first + theirs_at, mk, wk, p, last, so.update, update)
            for c in range(last - p):
                to = first + own + (integers[theirs + p + c] - low) * m
                column = update + c * (mk - p)
                for i in range(c, mk - p):
                    accumulate(values, to + links[local + integers[theirs + p + i]], -get(so.update, column + i))
            after = links[following + k]
            links[place + k] = last
            wait_for(integers, at, links, head, panels, so, row, k)
            k = after
        if factor_panel(values, first + own, m, w) != 0:
            return 1
        links[place + j] = w
        wait_for(integers, at, links, head, panels, so, row, j)
    return 0


@outlined_kernel
def do_step(model, s, so, part):
    """What the phase of now asks of a task of the step: a factor, or an answer by it."""
    words, phase, task = so.words, so.words.phase, so.words.task + part
    i = so.tasks[task].body
    ev, first = model.tree[i].ev, s.value_at[i]
    if has_banded_mass(model, i):
        if phase == FORWARD:
            step_answer(model, i, s.values, first, words.asked, ev, words.answer, ev)
        return
    at = integers_of(model, i, STEP_FACTOR)
    if phase == FACTOR:
        if factor_task(model.integers, at, s.values, first, so, task, so.chains[i]) != 0:
            words.failed = 1
    elif phase == FORWARD:
        forward_task(model.integers, at, s.values, first, so, task, ev, words.asked, ev)
    else:
        backward_task(model.integers, at, s.values, first, so, task, ev, words.answer, ev)


@outlined_kernel
def do_mass(model, so, part):
    """What the phase of now asks of a task of the masses, or of a part of the nodes of a body."""
    words, phase = so.words, so.words.phase
    if phase >= PLACE_NODES:
        do_nodes(model, so, part)
        return
    task = words.task + part
    i = so.tasks[task].body
    ev = model.tree[i].ev
    b, x = words.asked, words.answer
    # all bodies at once, each at its place in v; or one, wherever its numbers are
    of = words.asked_of if words.body > 0 else ev
    if has_banded_mass(model, i):
        if phase == FORWARD:
            mass_answer(model, i, b, of, x, of)
        return
    at, first = integers_of(model, i, MASS_FACTOR), floats_of(model, i, FACTORED)
    if phase == FORWARD:
        forward_task(model.integers, at, model.floats, first, so, task, ev, b, of)
    else:
        backward_task(model.integers, at, model.floats, first, so, task, ev, x, of)


@kernel
def do_nodes(model, so, part):
    """Places the nodes of a part of the body of now, or sums over them."""
    words, i = so.words, so.words.body
    nodes = nodal_body(model, i).nodes
    begin, end = nodes * part // NODE_PARTS, nodes * (part + 1) // NODE_PARTS
    q, v, flex = words.q, words.v, words.flex
    if words.phase == PLACE_NODES:
        place_nodes(model, i, q, v, flex, begin, end)
        return
    R, omega = tuple(so.frame.R_WB), tuple(so.frame.omega)
    c, force, moment, J = sum_nodes(model, i, q, v, flex, R, omega, begin, end)
    sums = so.parts[part]
    sums.c, sums.force, sums.moment, sums.J = Vec3(c), Vec3(force), Vec3(moment), Sym3(J)


@kernel
def step_together(model, s, so, phase, parts):
    """A phase of the step, by all threads."""
    looks = 0
    so.words.of_step = True
    hand_out(so, phase, parts)
    while look(so.words.finished) < parts:
        part, done = take(so, 0, looks), 0
        while part >= 0:
            do_step(model, s, so, part)
            done += 1
            part = take(so, 0, looks)
        looks = finished(so, done, looks)


@kernel
def mass_phase(model, so, phase, parts):
    """A phase of masses or nodes, by all threads."""
    looks = 0
    so.words.of_step = False
    hand_out(so, phase, parts)
    while look(so.words.finished) < parts:
        part, done = take(so, 0, looks), 0
        while part >= 0:
            do_mass(model, so, part)
            done += 1
            part = take(so, 0, looks)
        looks = finished(so, done, looks)


@kernel
def level_of(so, kind, level, body):
    """How many tasks a level has, of the masses (0) or of the step (1), of one body or, 0, of all; they are next."""
    first, last = so.levels[kind, level], so.levels[kind, level + 1]
    while body > 0 and first < last and so.tasks[first].body != body:
        first += 1
    while body > 0 and first < last and so.tasks[last - 1].body != body:
        last -= 1
    so.words.task = first
    return last - first


@kernel
def masses_together(model, so, body, b, of, x):
    """x = M^-1 b of one body or, 0, of all."""
    so.words.asked = b
    so.words.answer = x
    so.words.body, so.words.asked_of = body, of
    levels = so.levels.shape[1] - 1
    for step in range(2 * levels):
        count = level_of(so, 0, step if step < levels else 2 * levels - 1 - step, body)
        if count > 0:
            mass_phase(model, so, FORWARD if step < levels else BACKWARD, count)


@entry_point
def solve_together(model: ModelArrays, s: Partition, of_step: int, b: Vector, x: Vector) -> None:
    """`solve_bodies` of `partition` by all threads."""
    so = s.solving
    if of_step == 0:
        masses_together(model, so, 0, b, 0, x)
        return
    so.words.asked = b
    so.words.answer = x
    levels = so.levels.shape[1] - 1
    for step in range(2 * levels):
        count = level_of(so, 1, step if step < levels else 2 * levels - 1 - step, 0)
        if count > 0:
            step_together(model, s, so, FORWARD if step < levels else BACKWARD, count)


@entry_point
def factor_together(model: ModelArrays, s: Partition, i: int) -> int:
    """The factor of the step of body i by all threads; 1 where a pivot is not positive."""
    so = s.solving
    so.words.failed = 0
    for level in range(so.levels.shape[1] - 1):
        count = level_of(so, 1, level, i)
        if count > 0:
            step_together(model, s, so, FACTOR, count)
    return so.words.failed


@entry_point
def mass_together(model: ModelArrays, ws: Workspace, i: int, b: Vector, of: int) -> None:
    """`answer_of` of `tree.nodal` by all threads."""
    masses_together(model, ws.solving, i, b, of, b)


@entry_point
def nodes_together(model: ModelArrays, ws: Workspace, i: int, q: Vector, v: Vector) -> None:
    """`sum_nodes` of all nodes of body i by all threads, into the first numbers."""
    so, R = ws.solving, ws.bodies[i].R_WB
    so.frame.R_WB, so.frame.omega = R, R.T @ ws.bodies[i].omega
    so.words.body = i
    so.words.q = q
    so.words.v = v
    so.words.flex = ws.flex
    mass_phase(model, so, PLACE_NODES, NODE_PARTS)
    mass_phase(model, so, SUM_NODES, NODE_PARTS)
    total = so.total
    clear_row(total)
    for part in range(NODE_PARTS):
        sums = so.parts[part]
        total.c += sums.c
        total.force += sums.force
        total.moment += sums.moment
        total.J += sums.J


@entry_point
def solving_thread(run: Loop, thread: int) -> None:
    """What one of the other threads does until the crew is closed."""
    so = run.ws.solving
    words = so.words
    seen, looks = 0, 0
    while look(words.open) == 1:
        number, done = look(words.round), 0
        looks = 0 if number != seen else looks
        if number != seen or looks == HELP:
            seen, part = number, take(so, thread, looks)
            while part >= 0:
                if words.of_step:
                    do_step(run.model, run.partition, so, part)
                else:
                    do_mass(run.model, so, part)
                done += 1
                part = take(so, thread, looks)
        looks = finished(so, done, looks)
