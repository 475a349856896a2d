"""Small nets inside a compiled search: their files, and the few steps of which an evaluation is made.

A net is a handful of tables of float32. What is set among its inputs is a short list, so the first layer is
a sum of rows (`lanes`); the layers above are small (`layer`). In a file the tables are float16, and with
them stands the net's story: the command, the seed and the commit that made it. A search has its nets as
records of fixed sizes, which its game declares; `fill` writes the tables of a file into one, and a file that
does not fit is refused as a whole.
"""

import json
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from coyote.games.game import Json
from coyote.kernel.jit import rule
from coyote.kernel.lanes import add_table

Weights = dict[str, npt.NDArray[Any]]
STORY = "story"


class NoNet(Exception):
    """There is no such net, or it is for another shape of inputs: the search goes without."""


# ---------------------------------------------------------------- files


def save(path: Path, weights: Weights, story: Json) -> None:
    """Write the tables as float16."""
    kept: dict[str, Any] = {name: table.astype(np.float16) for name, table in weights.items()}
    kept[STORY] = np.array(json.dumps(story))
    with path.open("wb") as file:
        np.savez_compressed(file, **kept)


def load(path: Traversable) -> tuple[Weights, Json]:
    """The tables as float32, and the story."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as found:
            story: Json = json.loads(str(found[STORY]))
            return {name: found[name].astype(np.float32) for name in found.files if name != STORY}, story
    except (OSError, KeyError, ValueError) as error:
        raise NoNet(str(error)) from error


def fill(record: Any, weights: Weights) -> None:
    """Write into each field of a record the table of its name."""
    for name in record.dtype.names:
        table = weights.get(name)
        if table is None or table.shape != record[name].shape:
            found = None if table is None else table.shape
            raise NoNet(f"{name}: {found}, not {record[name].shape}")
        record[name][...] = table


def as_weights(record: Any) -> Weights:
    """The other way: the tables of a record, to be saved."""
    return {name: record[name].copy() for name in record.dtype.names}


# ---------------------------------------------------------------- evaluation


@rule
def add_row(out, table, row, worth):
    """An input of the first layer: so much of a row of its table."""
    for j in range(len(out)):
        out[j] += worth * table[row, j]


@rule
def cut_off(x):
    """What is below zero does not go on."""
    for j in range(len(x)):
        x[j] = max(x[j], np.float32(0.0))


@rule
def layer(x, table, bias, out):
    """The sums of the next layer."""
    for j in range(len(out)):
        out[j] = bias[j]
    add_table(out, table, x)


@rule
def dot(x, row):
    """Summed in eight lots, which a processor adds at once; the length is a multiple of eight."""
    a = b = c = d = e = f = g = h = np.float32(0.0)
    for j in range(0, len(x), 8):
        a += x[j] * row[j]
        b += x[j + 1] * row[j + 1]
        c += x[j + 2] * row[j + 2]
        d += x[j + 3] * row[j + 3]
        e += x[j + 4] * row[j + 4]
        f += x[j + 5] * row[j + 5]
        g += x[j + 6] * row[j + 6]
        h += x[j + 7] * row[j + 7]
    return ((a + e) + (c + g)) + ((b + f) + (d + h))


@rule
def as_chance(total):
    return 1.0 / (1.0 + np.exp(-np.float64(total)))
