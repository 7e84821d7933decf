"""Derived data: the catalogue, the model and the vectors; delete it and nothing is lost.

numpy's linear algebra is kept to the thread of its caller: the pool that it would make waits by
spinning, and the products of one query with many rows wait for memory, not for a processor.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
