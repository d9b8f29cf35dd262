"""Many at once: data sets of clips, and sweeps of plants in winds, on one machine or on many.

recipe ──draws──> scene of sample i ──> frames and facts ──> shards of a data set
sweep ──> plant i ──> rows of a table
Workers do it: this process, processes of this machine, or a Dask cluster. Pieces that are done stay.
"""

from windflower.batch.dataset import make_dataset
from windflower.batch.reader import Sample, read_dataset
from windflower.batch.recipe import Recipe, parse_recipe, read_recipe
from windflower.batch.sweep import Sweep
from windflower.batch.sweep_table import sweep_table
from windflower.batch.workers import Workers

__all__ = [
    "Recipe",
    "Sample",
    "Sweep",
    "Workers",
    "make_dataset",
    "parse_recipe",
    "read_dataset",
    "read_recipe",
    "sweep_table",
]
