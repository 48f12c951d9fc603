"""The program of a GPU's thread, compiled for this processor: what a GPU computes can be tested without one."""

from __future__ import annotations

import ctypes
import re
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from jourdain.kernels.compiling import object_code
from jourdain.run.gpu import cases as card
from jourdain.run.gpu.case_program import ARRAYS, CASE, FLOATS
from jourdain.run.gpu.code_generation import whole_text


def run_here(self: card.Cases) -> None:
    """As `Cases.run`, case by case."""
    text = whole_text(self.program, self.features)
    module = llvm.parse_assembly(text)
    symbol = f"{CASE}.{id(self)}"  # one loader holds all programs of a process
    text = str(module).replace(f"@{CASE}(", f'@"{symbol}"(')
    floats = np.ascontiguousarray(self.program.numbers)
    text = re.sub(rf"^@{FLOATS} = .*$\n", "", text, flags=re.MULTILINE)
    text = text.replace(f"@{FLOATS}", f"inttoptr (i64 {floats.ctypes.data} to ptr)")
    code = object_code.this_machine().emit_object(llvm.parse_assembly(text))
    address = object_code.loader().load(code, {}, [symbol])[symbol]
    long, double, place = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
    function = ctypes.CFUNCTYPE(None, long, double, double, long, long, long, *[place] * len(ARRAYS))(address)
    arrays: dict[str, Any] = self.arrays
    assert all(arrays[name].flags.c_contiguous for name in ARRAYS)
    for case in range(self.cases):
        function(case, *self.numbers(), *(arrays[name].ctypes.data for name in ARRAYS))
