"""Records whose arrays are empty but for those that a test gives."""

import numpy as np

from jourdain.kernels.records import ArrayField


def blank(cls, dtype=float, **given):
    """A record of `cls`, its floats of a dtype; every array that is not given is empty."""
    values = []
    for name, field in cls.fields.items():
        if not isinstance(field, ArrayField):  # a record within it: none
            values.append(given.get(name))
            continue
        kind = dtype if field.dtype == float and cls.complexes else field.dtype
        values.append(np.ascontiguousarray(given.get(name, np.zeros((0,) * field.ndim)), kind))
    return cls.frozen(*values)
