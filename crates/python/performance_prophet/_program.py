"""Builds models in Python, and writes them as drawings."""

from __future__ import annotations

import copy
import difflib
from types import TracebackType
from typing import Callable, Union
from xml.etree import ElementTree as ET

from ._fit import PathLike
from ._native import Model, stereotypes

Value = Union[int, float, str]

# Stereotypes by their names in Python, where `+` is not allowed.
_NAMES = {name.rstrip("+"): name for name in stereotypes()}


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _type(value: Value) -> str:
    if isinstance(value, str):
        raise TypeError(f"the value {value!r} does not determine the type: pass `type`")
    return {bool: "bool", int: "int"}.get(type(value), "double")


class Node:
    """A node of a diagram. A ``with`` block fills it with content."""

    def __init__(self, program: Program, element: ET.Element, content: ET.Element) -> None:
        self._program = program
        self._element = element
        self._content = content

    def __enter__(self) -> None:
        if self._element.tag == "action":
            self._element.tag = "block"
        self._program._inside.append(self._content)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._program._inside.pop()


class Program:
    """A parallel program: elements in the order that each process executes them.

    Keywords are parameters with their default values. Each stereotype is a method. Its first
    argument is the element's name, and its keywords are the tags: numbers, or expressions of the
    cost language. Use ``with`` blocks for elements with content:

    >>> import performance_prophet as pp
    >>> program = pp.Program("Jacobi", N=1000)
    >>> program.function("Sweep", "2e-9 * N * N / NUM_PROCESSES")
    >>> with program.loop(iterations=50):
    ...     program.action("Relax", cost="Sweep()")
    ...     with program.when("pid > 0"):
    ...         program.nbsend("Send up", dest="pid - 1", size="8 * N")
    ...     with program.when("pid < NUM_PROCESSES - 1"):
    ...         program.brecv("From below", source="pid + 1", size="8 * N")
    ...     program.allreduce("Residual", size=8)
    >>> model = program.model()
    >>> model.predict(nodes=4).processes
    4

    ``program.save("jacobi.uml")`` writes the program in UML.
    """

    def __init__(self, name: str, **parameters: Value) -> None:
        self._model = ET.Element("model", xmlns="http:///schemas/prophet/model/1", name=name)
        self._inside: list[ET.Element] = []
        self._used: dict[str, int] = {}
        for parameter, value in parameters.items():
            self.parameter(parameter, value)
        self._main = ET.Element("activity", name="Main")
        self._model.set("main", "Main")
        self._inside.append(self._main)

    def parameter(self, name: str, value: Value | None = None, *, type: str | None = None) -> None:
        """Adds a parameter. Without a value here, each run must give one."""
        self._declare(self._model, "parameter", name, value, type)

    def variable(
        self,
        name: str,
        value: Value | None = None,
        *,
        type: str | None = None,
        length: int | None = None,
    ) -> None:
        """Adds a variable to each process, or an array with ``length`` items."""
        declared = self._declare(self._model, "global", name, value, type)
        if length is not None:
            declared.set("length", str(length))

    def local(self, name: str, value: Value | None = None, *, type: str | None = None) -> None:
        """Adds a variable to the activity or block that is being built."""
        content = self._inside[-1]
        declared = self._declare(content, "local", name, value, type)
        # Variables come before nodes.
        content.remove(declared)
        content.insert(len(content.findall("local")), declared)

    def function(self, name: str, body: str, *arguments: str, result: str = "double") -> None:
        """Adds a cost function: arguments like ``"int n"``, and an expression or statements."""
        function = ET.SubElement(self._model, "function", name=name, result=result)
        for argument in arguments:
            kind, _, known_as = argument.rpartition(" ")
            ET.SubElement(function, "argument", name=known_as, type=kind)
        ET.SubElement(function, "body").text = body

    def add(
        self, stereotype: str, name: str | None = None, *, code: str | None = None, **tags: Value
    ) -> Node:
        """Adds an element with any stereotype; ``code`` runs before it."""
        element = self._node("action", name or stereotype.rstrip("+"), stereotype)
        for tag, value in tags.items():
            element.set(tag, _text(value))
        if code is not None:
            ET.SubElement(element, "code").text = code
        return Node(self, element, element)

    def __getattr__(self, name: str) -> Callable[..., Node]:
        stereotype = _NAMES.get(name)
        if stereotype is None:
            near = difflib.get_close_matches(name, _NAMES, 1)
            meant = f"; did you mean `{near[0]}`?" if near else ""
            raise AttributeError(f"unknown stereotype `{name}`{meant}")

        def add(name: str | None = None, *, code: str | None = None, **tags: Value) -> Node:
            return self.add(stereotype, name, code=code, **tags)

        return add

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_NAMES})

    def when(self, guard: str) -> Node:
        """Starts a decision: the content runs if the condition is true."""
        decision = self._node("decision", "when")
        return self._part(decision, ET.SubElement(decision, "when", guard=guard))

    def otherwise(self) -> Node:
        """Continues the previous decision: the content runs if its condition is false."""
        decision = self._inside[-1][-1] if len(self._inside[-1]) else None
        if decision is None or decision.tag != "decision" or decision.find("otherwise") is not None:
            raise ValueError("`otherwise` must come directly after a `when`")
        return self._part(decision, ET.SubElement(decision, "otherwise"))

    def repeat_while(self, condition: str) -> Node:
        """Adds a loop that tests a condition before each iteration."""
        loop = self._node("loop", "while")
        loop.set("condition", condition)
        return self._part(loop, ET.SubElement(loop, "body"))

    def fork(self) -> Node:
        """Adds a fork; its content is ``branch`` blocks."""
        fork = self._node("fork", "fork")
        return self._part(fork, fork)

    def branch(self) -> Node:
        """Adds a branch to the fork that is being built."""
        fork = self._inside[-1]
        if fork.tag != "fork":
            raise ValueError("a `branch` must be in a `fork`")
        return self._part(fork, ET.SubElement(fork, "branch"))

    def define(self, activity: str) -> Node:
        """Adds an activity that ``call`` can execute."""
        element = ET.SubElement(self._model, "activity", name=activity)
        return self._part(element, element)

    def call(self, activity: str, name: str | None = None) -> None:
        """Adds a call to an activity."""
        self._node("call", name or activity, "activity+").set("activity", activity)

    def xml(self) -> str:
        """Returns the model in the XML form."""
        model = copy.deepcopy(self._model)
        model.append(copy.deepcopy(self._main))
        for decision in model.iter("decision"):
            if decision.find("otherwise") is None:
                ET.SubElement(decision, "otherwise")
        ET.indent(model)
        return ET.tostring(model, encoding="unicode") + "\n"

    def model(self) -> Model:
        """Returns the checked model."""
        return Model.from_text(self.xml(), name=f"{self._model.get('name')}.prophet.xml")

    def save(self, path: PathLike) -> None:
        """Writes the model; the extension selects ``.uml``, ``.puml`` or ``.prophet.xml``."""
        self.model().save(path)

    def _repr_html_(self) -> str:
        return self.model()._repr_html_()

    def _part(self, element: ET.Element, content: ET.Element) -> Node:
        return Node(self, element, content)

    def _node(self, kind: str, name: str, stereotype: str | None = None) -> ET.Element:
        """Adds a node to the current content; a name that is taken gets a number."""
        count = self._used[name] = self._used.get(name, 0) + 1
        unique = name if count == 1 else f"{name} {count}"
        node = ET.SubElement(self._inside[-1], kind, name=unique)
        if stereotype is not None:
            node.set("stereotype", stereotype)
        return node

    def _declare(
        self, into: ET.Element, kind: str, name: str, value: Value | None, type: str | None
    ) -> ET.Element:
        if type is None and value is None:
            type = "int"
        declared = ET.SubElement(into, kind, name=name, type=type or _type(value or 0))
        if value is not None:
            declared.set("value", _text(value))
        return declared
