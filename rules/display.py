"""Values that notebooks show as pictures, in layers that do not know how to draw.

A notebook asks a value for ``_repr_html_`` or ``_repr_svg_``. Values that derive from `Shown`
or `Drawn` pass the question on to `RENDERER`, which is loaded by name when a notebook first
asks. It is the one place where a lower layer reaches up, and the only module that may; where
the renderer is not installed, values show as the text that they are.
"""

from __future__ import annotations

from importlib import import_module
from typing import Final

RENDERER: Final = "solver.show.web.notebook"
"""A module with functions ``html(value)`` and ``svg(value)`` that give text, or None."""


def render(form: str, value: object) -> str | None:
    """*value* as ``html`` or ``svg``; None if there is nobody who can draw it."""
    try:
        drawn: str | None = getattr(import_module(RENDERER), form)(value)
    except ModuleNotFoundError:
        return None
    return drawn


class Shown:
    """A value with a form in HTML."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return render("html", self)


class Drawn:
    """A value with a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str | None:
        return render("svg", self)
