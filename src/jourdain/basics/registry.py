"""Registries of kinds: joints, bodies, shapes, laws, each under the word that descriptions have for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, Generic, TypeVar

from .errors import ModelError
from .values import shown

T = TypeVar("T")


class Kinds(Generic[T]):
    """Classes by their `kind`; a class enters where it is defined (`Shape.__init_subclass__` and its like).

    what    the kinds are kinds of: "joint"
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._known: dict[str, type[T]] = {}

    def enter(self, cls: type[T]) -> None:
        """Takes a class in, where it has a kind of its own."""
        kind = cls.__dict__.get("kind")
        if isinstance(kind, str):
            self._known.setdefault(kind, cls)

    def bring(self, package: str, words: Iterable[str]) -> dict[str, type[T]]:
        """Imports the modules of a package that words name, and gives the classes that entered there by their names."""
        known = set(self._known)
        for word in words:
            import_module(f"{package}.{word}")
        return {cls.__name__: cls for kind, cls in self._known.items() if kind not in known}

    def __contains__(self, kind: object) -> bool:
        return kind in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def classes(self, first: Iterable[str] = ()) -> list[type[T]]:
        """All classes, those of the words `first` before the others."""
        return [self._known[kind] for kind in dict.fromkeys((*first, *self._known)) if kind in self._known]

    def __getitem__(self, kind: str) -> type[T]:
        return self._known[kind]

    def of(self, data: Any, address: str) -> type[T]:
        """The class of what a description says; a `ModelError` names the kinds that there are."""
        kind = data.get("kind") if isinstance(data, dict) else data
        if not isinstance(kind, str) or kind not in self._known:
            raise ModelError.at(address, f"kind is {shown(kind)}; it must be one of {', '.join(self._known)}")
        return self._known[kind]

    def from_dict(self, data: Any, address: str) -> T:
        """What the `to_dict` of one of the classes wrote."""
        made: T = self.of(data, address).from_dict(data, address)  # type: ignore[attr-defined]
        return made
