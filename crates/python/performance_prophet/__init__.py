"""Predicts how long parallel programs run, from their UML activity diagrams.

A model is a drawing, in UML or as text:

>>> import performance_prophet as pp
>>> model = pp.Model.from_text('''
... @startuml
... legend
...   model Hello
...   parameter int N = 1000
... end legend
... start
... :<<action+>> Compute
... cost = 2e-3 * N / NUM_PROCESSES;
... :<<allreduce>> Sum
... size = 8;
... stop
... @enduml
... ''', name="hello.puml")
>>> model.parameters
{'N': 1000}
>>> prediction = model.predict(nodes=4, N=4000)
>>> round(prediction.time_s, 3)
2.0
>>> table = model.sweep({"nodes": [1, 2, 4], "N": [1000, 4000]})
>>> len(table), table.columns[:3]
(6, ['nodes', 'N', 'predicted_time_s'])

Keywords are the flags of the ``run`` command, with ``_`` for ``-``, and model parameters.
Tables have the Arrow PyCapsule interface: ``pyarrow.table(table)``, ``polars.from_arrow(table)``.
"""

from ._fit import fit
from ._native import (
    Explanation,
    Fit,
    Machine,
    Model,
    ModelError,
    Prediction,
    Problem,
    ProphetError,
    RunError,
    Table,
    __version__,
    machines,
)
from ._program import Program

__all__ = [
    "Explanation",
    "Fit",
    "Machine",
    "Model",
    "ModelError",
    "Prediction",
    "Problem",
    "Program",
    "ProphetError",
    "RunError",
    "Table",
    "__version__",
    "fit",
    "machines",
]
