"""What something costs beside the least it can cost on the same machine in the same run."""

import os
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """One measurement.

    Attributes:
        what: What was done.
        measured: What it cost.
        floor: The least it can cost; None where there is no bar.
        bar: How many times the floor it may cost.
        unit: Of both; CPU milliseconds, user and system, unless told otherwise.
    """

    what: str
    measured: float
    floor: float | None = None
    bar: float | None = None
    unit: str = "ms"

    @property
    def ratio(self) -> float | None:
        """Measured in units of the floor."""
        return self.measured / self.floor if self.floor else None

    @property
    def holds(self) -> bool | None:
        """Whether it keeps within its bar; None without one."""
        if self.ratio is None or self.bar is None:
            return None
        return self.ratio <= self.bar


def render(costs: Iterable[Cost]) -> Iterator[str]:
    """Yield the costs as a table in markdown."""
    yield "| what | measured | floor | ratio | bar | holds |"
    yield "|---|--:|--:|--:|--:|---|"
    for cost in costs:
        floor = "" if cost.floor is None else f"{cost.floor:,.1f}"
        ratio = "" if cost.ratio is None else f"{cost.ratio:.2f}"
        bar = "" if cost.bar is None else f"{cost.bar:g}"
        holds = {None: "", True: "yes", False: "**no**"}[cost.holds]
        measured = f"{cost.measured:,.1f} {cost.unit}"
        yield f"| {cost.what} | {measured} | {floor} | {ratio} | {bar} | {holds} |"


def rows(costs: Iterable[Cost]) -> list[dict[str, object]]:
    """The costs as plain values for JSON."""
    return [{**asdict(cost), "ratio": cost.ratio, "holds": cost.holds} for cost in costs]


def cpu_ms(work: Callable[[], object]) -> float:
    """CPU milliseconds of this process, all threads, while it does some work."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def medians(jobs: Mapping[str, Callable[[], float]], runs: int) -> dict[str, float]:
    """Do jobs in turn, so that a busy moment meets all of them; the median of what each gives."""
    samples: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            samples[name].append(job())
    return {name: statistics.median(values) for name, values in samples.items()}


def walk(folder: Path) -> Iterator[str]:
    """Stat every file below a folder and yield its path: the least that noticing a change costs."""
    folders = [str(folder)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
                else:
                    entry.stat(follow_symlinks=False)
                    yield entry.path


def memory_mb(which: str) -> float:
    """A line of ``/proc/self/status`` in MB, such as ``RssAnon``; 0 where there is none."""
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return 0.0
    found = [line.split()[1] for line in status.splitlines() if line.startswith(f"{which}:")]
    return int(found[0]) / 1024 if found else 0.0
