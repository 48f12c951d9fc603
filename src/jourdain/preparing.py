"""What a run needs compiled, found before it begins, so that a second core can help."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .model import Model


def prepare(model: Model, stepper: str, controlled: bool) -> None:
    """Says so, and gets a helper to work, where entries of a run are not compiled yet.

    stepper       the run's entry: "fixed_steps", "adaptive_steps", "fixed_cases", "plain_cases"
    controlled    whether laws or controllers act: then this process is busy with what these need
    """
    from .kernels.ahead import missing, start
    from .kernels.entries import ready

    level = model.flexible
    rates = "rates" if controlled else "touching_rates" if model.contacts.names else "lawless_rates"
    own = () if stepper == "plain_cases" else (rates,)
    needed = [name for name in (stepper, *contact_entries(model), *own) if not ready(name, level)]
    if not needed or not missing(needed, level):
        return
    print("jourdain: compiling the kernels once, a minute or so; later runs start at once", file=sys.stderr)
    start(needed if controlled else needed[:-1], level)


def contact_entries(model: Model) -> list[str]:
    """Entries that the contacts of a model need, those of results included."""
    from .stages import WITH_CONTACT, WITH_PILES, contact_finders

    if not model.contacts.names:
        return []
    stages = WITH_PILES if model.contacts.piles else WITH_CONTACT
    return [*dict.fromkeys(contact_finders(model)), *stages, "contact_history", "contact_sites"]
