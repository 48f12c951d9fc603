"""A study: a scenario, what is varied of it, and what is kept of every run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...basics.arguments import checked
from ...basics.errors import ModelError
from .criteria import OWN, Column, Criterion
from .designs import Design, Parameter

if TYPE_CHECKING:
    from ..scenario.limits import Limit
    from ..scenario.scenario import Scenario
    from .evolution import Search
    from .variants import Base


@dataclass(frozen=True)
class Layout:
    """What the report of a study shows.

    maps       pairs of parameters, each a map; all pairs of the most influential ones unless given
    show       variables that are mapped; success and the worst values of the limits unless given
    worst      the variable that says which variants are worst; the margin unless given
    highest    whether the worst have the highest values of it; of the margin it is the lowest
    replays    how many of the worst variants get a replay, or "map" for every cell of the first map
    """

    maps: Sequence[Sequence[str]] = ()
    show: Sequence[str] = ()
    worst: str = ""
    highest: bool = True
    replays: int | str = 5

    def __post_init__(self) -> None:
        for pair in self.maps:
            if len(pair) != 2 or pair[0] == pair[1]:
                raise ModelError.at("maps", f"got {list(pair)}; a map has two parameters")


@dataclass(frozen=True)
class Bundle:
    """All files that a study is made of, so that another process or machine reads the same.

    main     name of the study file
    files    contents by their path below the study's root
    """

    main: str
    files: Mapping[str, bytes]

    @cached_property
    def hash(self) -> str:
        """SHA-256 of all files with their names."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            digest.update(f"{name}\0{len(self.files[name])}\0".encode())
            digest.update(self.files[name])
        return digest.hexdigest()


@checked
@dataclass(eq=False)
class Study:
    """Many variants of one scenario.

    name, task    title, and what is to be found out
    base          the scenario, read again for every variant
    parameters    what is varied
    design        which values go together; None where a search chooses them
    criteria      what is kept of each run besides its limits
    search        an evolutionary search instead of a design
    score         hierarchy of goals by which variants are ranked, for `jourdain.study.score`
    layout        of its report
    bundle        the files that it was read from; None for one made in Python
    path          of the study file
    """

    name: str
    base: Base
    parameters: tuple[Parameter, ...]
    design: Design | None = None
    criteria: tuple[Criterion, ...] = ()
    task: str = ""
    search: Search | None = None
    score: dict[str, Any] | None = None
    layout: Layout = field(default_factory=Layout)
    bundle: Bundle | None = None
    path: Path | None = None

    def _repr_html_(self) -> str:
        """What is varied, for notebooks."""
        from ..report.notebook import study_html

        return study_html(self)

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario with the values of the first variant."""
        return self.base.scenario(self.first)

    @cached_property
    def rows(self) -> list[tuple[Any, ...]]:
        """The values of every variant of a design."""
        return [] if self.design is None else self.design.rows(self.parameters)

    @property
    def first(self) -> tuple[Any, ...]:
        """Values of a variant that exists."""
        return self.rows[0] if self.rows else tuple(one.value(0.5) for one in self.parameters)

    @property
    def size(self) -> int:
        """How many variants it has at most."""
        if self.search is not None:
            return self.search.size
        return len(self.rows)

    @property
    def limits(self) -> list[Limit]:
        """Acceptance limits of the scenario."""
        return self.scenario.limits

    @cached_property
    def columns(self) -> list[Column]:
        """The variables of its results."""
        from .criteria import columns

        return columns(self.limits, self.criteria)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of everything that its results depend on: scenario, design, criteria, and Jourdain's version."""
        from ...basics.version import __version__

        stated = {
            "jourdain": __version__,
            "files": None if self.bundle is None else {k: v for k, v in self._contents().items()},
            "model": self.scenario.model.hash,
            "base": self.base.about(),
            "parameters": [one.to_dict() for one in self.parameters],
            "design": None if self.design is None else self.design.to_dict(),
            "criteria": [one.to_dict() for one in self.criteria],
            "search": None if self.search is None else self.search.to_dict(),
        }
        return hashlib.sha256(json.dumps(stated, sort_keys=True, default=str).encode()).hexdigest()

    def _contents(self) -> dict[str, str]:
        """Hashes of the files that the scenario is read from; the study file counts by what it says."""
        assert self.bundle is not None
        return {
            name: hashlib.sha256(raw).hexdigest()
            for name, raw in sorted(self.bundle.files.items())
            if name != self.bundle.main
        }

    @property
    def shares_model(self) -> bool:
        """Whether all variants have one model: nothing of the system is varied."""
        return all(address.split(".")[0] not in ("system", "models") for one in self.parameters for address in one.at)

    def command(self, variant: int | str) -> str:
        """The command that replays a variant."""
        name = "STUDY.yaml" if self.path is None else self.path.name
        return f"jourdain sweep {name} --replay {variant}"


def study_problems(
    parameters: Sequence[Parameter], criteria: Sequence[Criterion], limits: Sequence[Limit]
) -> list[tuple[str, str]]:
    """Names that come twice among parameters, limits and criteria: (name, message) each."""
    seen = {name: "every study has it" for name in (*OWN, "variant", "status", "reason", "score", "generation")}
    out = []
    for what, names in (("limit", limits), ("parameter", parameters), ("criterion", criteria)):
        for one in names:
            if one.name in seen:
                out.append((one.name, f'the {what} "{one.name}" has a name that is taken: {seen[one.name]}; rename it'))
            seen[one.name] = f"a {what} has it"
    return out
