"""The workspace of a control model, as views of the run's own workspace: a thread has its own, nothing is allocated."""

from __future__ import annotations

from ..compiler import kernel
from ..layout import BOOKS, DOF, TIME, WORK, Workspace


@kernel
def pilot(ws, at, known, rows, nv, nq, flex):
    """Workspace of a control model whose numbers begin at ws.control[at] and whose known entries at ws.piloted[known].

    rows, nv, nq, flex    its bodies with the world, entries of v and of q, and size of its blocks of internal
                          coordinates. Contacts of a control model do not act, so their arrays are the run's own
    """
    c = ws.control
    a = at
    b = a + rows * WORK
    work = c[a:b].reshape(rows, WORK)
    a, b = b, b + nv * DOF
    dof = c[a:b].reshape(nv, DOF)
    a, b = b, b + 2 * nq
    circle = c[a:b].reshape(2, nq)
    effort = c[b : b + nv]
    b += nv
    supplied = c[b : b + nv]
    b += nv
    books = c[b : b + BOOKS]
    books[TIME] = ws.books[TIME]  # where an orbit is
    b += BOOKS
    scratch = c[b : b + 16]
    b += 16
    return Workspace(
        work,
        dof,
        circle,
        effort,
        supplied,
        books,
        ws.sensed,
        scratch,
        c[b : b + flex],
        ws.piloted[known : known + nv],
        ws.shapes,
        ws.sites,
        ws.felt,
        ws.patches,
        ws.room,
        ws.links,
        ws.peaks,
        ws.flights,
        ws.pairs,
        ws.lists,
        ws.cells,
        ws.listed,
        c,
        ws.piloted,
        ws.rows,
        ws.solve,
        ws.solve_links,
    )


def pilot_numbers(ws: Workspace) -> list:
    """The arrays of a control model's workspace that `pilot` reads, in its order."""
    return [ws.work, ws.dof, ws.circle, ws.effort, ws.supplied, ws.books, ws.scratch, ws.flex]
