"""Wall time until a training reaches the best dev LAS of spaCy's parser, on one core.

python -m benchmarks.convergence TRAIN_CONLLU DEV_CONLLU [--steps 3000] [--output FILE]

spaCy's parser (benchmarks/peer.cfg) is trained first, then ours (as `arceager init-config
--token-vectors words --encoder windows --no-supertags` makes it) until it is as good, or has had
twice as many updates. LAS is spaCy's own score; evaluations are part of the time.
"""

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import spacy
import typer
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config_from_str
from wasabi import msg

from .common import CONFIGS, use_default_ops

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
        train(nlp, None, stdout=io.StringIO(), stderr=io.StringIO())
    return list(curve)


def main(
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
    if output is not None:
        output.write_text(json.dumps(curves, indent=1))


if __name__ == "__main__":
    typer.run(main)
