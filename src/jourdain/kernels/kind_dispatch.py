"""Generated dispatch over plug-in kinds, those that have files of their own, from the table in `kind_registry`.

Numba needs each branch in the text of a function. So a function that chooses among such kinds is written here, one
comparison a kind, and stands before the one that knows the other kinds. Where no kind was added it is that one itself:
what is compiled is what it would be without.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from .compiler import kernel


def plugin_modules(package: str, words: tuple[str, ...], first: int, needed: tuple[str, ...]) -> dict[int, ModuleType]:
    """Modules of kinds by their codes: those of a package of the kernels that `words` name, from number `first` on.

    Called in files named `plugin_...`, which the hashes of compiled code take to import all of their folder.

    needed    names that each must define
    """
    found = {first + k: importlib.import_module(f"{package}.{word}") for k, word in enumerate(words[first:])}
    for one in found.values():
        missing = [name for name in needed if not hasattr(one, name)]
        if missing:
            raise ImportError(
                f"{one.__name__} does not define {', '.join(missing)}; {package}.plugin_... says what they are"
            )
    return found


def chain(
    name: str, function: str, arguments: str, kind: str, modules: Mapping[int, ModuleType], known: Any, module: str
) -> Any:
    """A kernel that calls `function` of the module of an added kind, and `known` for all others.

    name         under which the caller keeps it
    arguments    its own, as text; a function takes those of them that it names
    kind         an expression of them that is the code of the kind
    module       `__name__` of the caller
    """
    lines, names = [f"    kind = {kind}"], {"known": known}
    for code, one in modules.items():
        if hasattr(one, function):
            names[f"of_{code}"] = getattr(one, function)
            taken = inspect.signature(names[f"of_{code}"].py_func).parameters
            lines += [f"    if kind == {code}:", f"        return of_{code}({', '.join(taken)})"]
    lines.append(f"    return known({arguments})")
    return known if len(names) == 1 else _written(name, arguments, lines, names, module)


def among(name: str, codes: tuple[int, ...], module: str) -> Any:
    """A kernel that tells whether a code is one of these; module as `chain` has it."""
    return _written(name, "kind", [f"    return {' or '.join(f'kind == {code}' for code in codes)}"], {}, module)


def _written(name: str, arguments: str, lines: list[str], names: dict[str, Any], module: str) -> Any:
    """The kernel of these lines."""
    names = {"__name__": module, **names}
    text = "\n".join([f"def {name}({arguments}):", *lines])
    exec(compile(text, f"<{name} of {module}>", "exec"), names)
    return kernel(names[name])
