"""Force elements: forces of the package's own that a description holds, and that laws compute while a run goes on."""

from __future__ import annotations

from typing import Any, ClassVar

from ..basics.arguments import checked
from ..basics.errors import Problem
from ..basics.fields import Described
from ..basics.registry import Kinds
from .laws import BoundLaw

FORCE_ELEMENTS: Kinds[ForceElement] = Kinds("force element")
"""Force elements by their kind."""


@checked
class ForceElement(Described):
    """What `system.force` takes in the place of numbers, and files and run files hold.

    along      whether it acts along a whole body
    is_code    whether a part of it is a law of the user's own, which no description holds
    """

    kind: ClassVar[str]
    along: ClassVar[bool] = False
    is_code: bool = False

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        FORCE_ELEMENTS.enter(cls)

    @property
    def name(self) -> str:
        """Of its law."""
        return self.kind

    def law(self, name: str, at: str) -> BoundLaw:
        """The law of the force of that name, which acts at a frame or along a body."""
        raise NotImplementedError

    def problems(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at an address."""
        return []

    def contacts(self, name: str) -> dict[str, Any]:
        """Contacts by which it acts, by their names in results, and what distinguishes each of them."""
        return {}
