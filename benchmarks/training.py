"""Training beside spaCy's parser, on one core.

python -m benchmarks.training update TRAIN_CONLLU           words/s of `update`
python -m benchmarks.training threads TRAIN_CONLLU          what a second thread of the BLAS brings
python -m benchmarks.training convergence TRAIN_CONLLU DEV_CONLLU    time to spaCy's best LAS

`update`: token vectors and parser together. Both sides see the same batches of about 1,000 words,
after some batches to warm up, and alternate, each in a process of its own.

`convergence`: spaCy's parser (benchmarks/peer.cfg) is trained first, then ours (as `arceager
init-config --token-vectors words --encoder windows --no-supertags` makes it) until it is as good,
or has had twice as many updates. LAS is spaCy's own score. Evaluations are part of the time.
"""

import io
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import spacy
import typer
from spacy.language import Language
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.training.initialize import init_nlp
from spacy.training.loop import train as train_pipeline
from spacy.util import load_config_from_str, load_model_from_config
from thinc.api import Optimizer
from threadpoolctl import threadpool_limits
from wasabi import msg

from .common import (
    CONFIGS,
    GuardOption,
    guard,
    read_examples,
    report,
    save,
    seconds,
    use_default_ops,
)

app = typer.Typer(help=__doc__, rich_markup_mode=None)
UPDATE = "`update` of token vectors and parser"
SIDES: list["Side"] = []     # one in each process


class Side:
    """A pipeline in training and its batches."""

    def __init__(self, config: str, train: Path, same_blas: bool):
        use_default_ops(same_blas)
        self.nlp: Language = load_model_from_config(load_config_from_str(config), auto_fill=True)
        examples = read_examples(self.nlp, train)
        self.optimizer: Optimizer = self.nlp.initialize(lambda: examples)
        self.batches: list[list[Example]] = list(
            minibatch_by_words(examples, size=1000, tolerance=0.2)
        )
        self.train = train

    def rate(self, batches: list[list[Example]]) -> float:
        words = sum(len(example.predicted) for batch in batches for example in batch)

        def run() -> None:
            for batch in batches:
                self.nlp.update(batch, sgd=self.optimizer, drop=0.1)

        return words / seconds(run)

    def need(self, wanted: int) -> None:
        """End the program if there are fewer batches."""
        if len(self.batches) < wanted:
            raise SystemExit(
                f"{self.train} has {len(self.batches)} batches of 1,000 words; {wanted} are wanted"
            )


def one_process(config: str, train: Path, same_blas: bool) -> ProcessPoolExecutor:
    """A process with one side. What ours does with memory then changes nothing for the other."""
    return ProcessPoolExecutor(
        1, mp_context=get_context("spawn"), initializer=start, initargs=(config, train, same_blas)
    )


def start(config: str, train: Path, same_blas: bool) -> None:
    SIDES.append(Side(config, train, same_blas))


def need(wanted: int) -> None:
    SIDES[0].need(wanted)


def rate_of(part: slice) -> float:
    """Words/s of some batches."""
    return SIDES[0].rate(SIDES[0].batches[part])


@app.command()
def update(
    train: Path,
    repetitions: int = 5,
    batches: int = 10,
    warm_up: int = 20,
    same_blas: Annotated[bool, typer.Option(help="NumPy's BLAS for the peer too")] = False,
    guarded: GuardOption = False,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    wanted = warm_up + repetitions * batches
    rates: dict[str, dict[str, list[float]]] = {UPDATE: {"ours": [], "peer": []}}
    with ExitStack() as stack:
        sides = {
            name: stack.enter_context(one_process(config, train, same_blas))
            for name, config in CONFIGS.items()
        }
        sides["ours"].submit(need, wanted).result()
        for process in sides.values():
            process.submit(rate_of, slice(0, warm_up)).result()
        for i in range(repetitions):
            part = slice(warm_up + i * batches, warm_up + (i + 1) * batches)
            for name, process in sides.items():
                rates[UPDATE][name].append(process.submit(rate_of, part).result())
    report(rates, output)
    if guarded:
        guard(rates, same_blas)


@app.command()
def threads(train: Path, repetitions: int = 5, batches: int = 10, warm_up: int = 10) -> None:
    side = Side(CONFIGS["ours"], train, same_blas=True)
    side.need(warm_up + repetitions * batches)
    side.rate(side.batches[:warm_up])
    rates: dict[int, list[float]] = {1: [], 2: []}
    for i in range(repetitions):
        part = side.batches[warm_up + i * batches:warm_up + (i + 1) * batches]
        for n in rates:
            with threadpool_limits(n, user_api="blas"):
                rates[n].append(side.rate(part))
    msg.table([(n, f"{median(values):,.0f}") for n, values in rates.items()],
              header=("threads", "words/s"), divider=True)


curve: list[tuple[float, int, float]] = []    # seconds, step, LAS


class ReachedError(Exception):
    """The training is as good as asked for."""


@spacy.registry.loggers("benchmark.curve.v1")
def log_curve(target: float) -> Callable:
    """A logger that fills `curve` and stops the training at a target."""

    def setup(nlp: Language, stdout: Any = None, stderr: Any = None) -> tuple:
        curve.clear()
        start = time.perf_counter()

        def log_step(info: dict[str, Any] | None) -> None:
            if info is None or info["score"] is None:
                return
            las = info["other_scores"]["dep_las"]
            curve.append((time.perf_counter() - start, info["step"], las))
            if las >= target:
                raise ReachedError

        return log_step, lambda: None

    return setup


def learn(side: str, train_path: Path, dev: Path, steps: int, target: float) -> list:
    """Train one side; its curve."""
    config = load_config_from_str(CONFIGS[side], overrides={
        "paths.train": str(train_path),
        "paths.dev": str(dev),
        "training.max_steps": steps,
        "training.eval_frequency": 250,
        "training.logger": {"@loggers": "benchmark.curve.v1", "target": target},
    })
    use_default_ops()
    nlp = init_nlp(config)
    with suppress(ReachedError):
        train_pipeline(nlp, None, stdout=io.StringIO(), stderr=io.StringIO())
    return list(curve)


@app.command()
def convergence(
    train_path: Path,
    dev: Path,
    steps: int = 3000,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    curves = {"peer": learn("peer", train_path, dev, steps, 1.0)}
    target = max(las for _, _, las in curves["peer"])
    curves["ours"] = learn("ours", train_path, dev, 2 * steps, target)
    reached = {
        side: next((point for point in points if point[2] >= target), points[-1])
        for side, points in curves.items()
    }
    msg.table(
        [(side, step, f"{100 * las:.2f}", f"{at:.0f}", f"{at / reached['peer'][0]:.2f}")
         for side, (at, step, las) in reached.items()],
        header=("side", "updates", "LAS", "seconds", "share of the peer's time"), divider=True,
    )
    save(curves, output)


if __name__ == "__main__":
    app()
