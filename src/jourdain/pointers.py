"""The package's own control laws behind a pointer, so that a stage which calls one does not compile it again."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from numba import typeof, types


class Pointer(types.WrapperAddressProtocol):
    """A compiled function of one signature, called by its address."""

    def __init__(self, dispatcher: Any, signature: Any) -> None:
        if signature.args not in dispatcher.overloads:
            dispatcher.compile(signature)
        found = dispatcher.overloads[signature.args]
        self.address = found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name)
        self.owner, self._signature = dispatcher, signature

    def __wrapper_address__(self) -> int:
        return self.address

    def signature(self) -> Any:
        return self._signature


@lru_cache(maxsize=64)
def piloted_pointer(dispatcher: Any, flexible: bool) -> Pointer:
    """A law with a control model, rigid or flexible, as a pointer: the machine code of `gate`, from disk when warm."""
    from .kernels.entries import VECTOR, _sample_arrays
    from .kernels.layout import workspace

    arrays = _sample_arrays(flexible)
    f, x = types.float64, VECTOR
    return Pointer(dispatcher, types.void(typeof(arrays), typeof(workspace(arrays)), x, f, x, x, x, x, x, x, x))
