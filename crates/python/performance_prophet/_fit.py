"""Fits cost functions to measurements in files or columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Union, overload

from ._native import Fit, fit_columns, fit_files

PathLike = Union[str, "os.PathLike[str]"]


@overload
def fit(
    measurements: PathLike,
    *,
    parameters: Sequence[str] | None = None,
    metric: str | None = None,
    signed: bool = False,
) -> list[Fit]: ...
@overload
def fit(
    measurements: Mapping[str, Iterable[float]],
    *,
    parameters: Sequence[str] | None = None,
    metric: str | None = None,
    signed: bool = False,
) -> Fit: ...
def fit(
    measurements: Any,
    *,
    parameters: Sequence[str] | None = None,
    metric: str | None = None,
    signed: bool = False,
) -> Any:
    """Fits cost functions to measurements.

    For a file in any format of the ``fit`` command, returns a list with one function for each
    region. For columns, in a dictionary or a data frame, returns one function: ``metric`` names
    the measured column (by default the last), and ``parameters`` the columns that it depends on
    (by default all other columns). Rows with equal parameters are repetitions.

    >>> import performance_prophet as pp
    >>> law = pp.fit({"n": [1, 2, 4, 8, 16], "time": [3.0, 5.0, 9.0, 17.0, 33.0]})
    >>> round(law(n=32), 1)
    65.0
    """
    if isinstance(measurements, (str, os.PathLike)):
        names = None if parameters is None else list(parameters)
        return fit_files([measurements], parameters=names, metric=metric, signed=signed)
    columns = [str(name) for name in getattr(measurements, "columns", measurements)]
    if not columns:
        raise ValueError("the measurements have no columns")
    measured = columns[-1] if metric is None else metric
    names = [it for it in columns if it != measured] if parameters is None else list(parameters)

    def values(name: str) -> list[float]:
        return [float(value) for value in measurements[name]]

    return fit_columns(names, [values(name) for name in names], values(measured), signed)
