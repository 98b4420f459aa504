"""A survey's rows as CSV, and as Parquet with the extra ``parquet``."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path
from typing import TextIO

from msgspec import structs

from solver.surveys.store import COLUMNS, Store, StoreError

_GROUP = 100_000  # rows held at a time


def write_csv(store: Store, stream: TextIO) -> None:
    """One line a deal in the order of the survey's list, under a line of column names."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(structs.astuple, store.rows()))


def write_parquet(store: Store, path: Path) -> None:
    """The same rows with typed columns; raises `StoreError` without the library."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise StoreError(
            "Parquet needs the library pyarrow: pip install 'dealproof[parquet]'"
        ) from None
    kinds = {"place": pa.int64(), "positions": pa.int64(), "seconds": pa.float64()}
    kinds |= dict.fromkeys(("fewest_left", "best_left", "dealt", "removed"), pa.int16())
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in COLUMNS])
    rows = map(structs.astuple, store.rows())
    with pq.ParquetWriter(str(path), schema) as writer:
        while part := list(islice(rows, _GROUP)):
            columns = [
                pa.array(values, field.type)
                for values, field in zip(zip(*part, strict=True), schema, strict=True)
            ]
            writer.write_table(pa.table(columns, schema=schema))
