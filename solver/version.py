"""The version of dealproof that is running, installed or from a source tree."""

from __future__ import annotations

import functools
import tomllib
from importlib import metadata
from pathlib import Path


@functools.cache
def version() -> str:
    """Such as ``0.1.0``; rows of a survey carry it."""
    try:
        return metadata.version("dealproof")
    except metadata.PackageNotFoundError:
        project = Path(__file__).parent.parent / "pyproject.toml"
        return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])
