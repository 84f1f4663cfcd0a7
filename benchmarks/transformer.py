"""Trains a parser on a transformer on a CPU, in two stages: first the parser alone, then both.

python -m benchmarks.transformer CONFIG TRAIN_CONLLU DEV_CONLLU OUTPUT --encoder NAME
    [--frozen-steps 1000] [--steps 500]

CONFIG is that of `arceager init-config --no-segment --lang en --pipeline transformer`, or
peer_transformer.cfg. At a rate that a pretrained encoder survives, a few updates do not bring a new
parser far: it learns at 0.002 while the encoder stays as it is, then both do at 0.00005, falling to
nothing. Batches have 250 words. The pipeline is OUTPUT/tuned/model-best.
"""

from pathlib import Path
from typing import Annotated, Any

import typer
from spacy import util
from spacy.cli.train import train
from spacy.training.initialize import init_nlp

FALLING = {"@schedules": "warmup_linear.v1", "warmup_steps": 50, "initial_rate": 0.00005}


def main(
    config: Annotated[Path, typer.Argument(help="A pipeline of a transformer and a parser")],
    train_path: Annotated[Path, typer.Argument(metavar="TRAIN_CONLLU")],
    dev_path: Annotated[Path, typer.Argument(metavar="DEV_CONLLU")],
    output: Path,
    encoder: Annotated[str, typer.Option(help="A name on the hub, or a folder")],
    frozen_steps: int = 1000,
    steps: int = 500,
) -> None:
    """Train both stages."""
    made = util.load_config(config, interpolate=False)
    made["components"]["transformer"]["model"]["name"] = encoder
    made["training"].update(gpu_allocator=None, accumulate_gradient=1)
    made["training"]["batcher"]["size"] = 250
    made["paths"].update(train=str(train_path), dev=str(dev_path))
    output.mkdir(parents=True, exist_ok=True)
    start = output / "start"
    init_nlp(made).to_disk(start)
    run(made, start, output / "alone", steps=frozen_steps, rate=0.002, frozen=["transformer"])
    best = output / "alone" / "model-best"
    falling = {**FALLING, "total_steps": steps}
    run(made, best, output / "tuned", steps=steps, rate=falling, frozen=[])


def run(
    made: Any, source: Path, output: Path, *, steps: int, rate: Any, frozen: list[str]
) -> None:
    """One stage, which goes on from a pipeline, evaluated four times."""
    made["components"] = {name: {"source": str(source)} for name in made["nlp"]["pipeline"]}
    # What does not learn still has to be computed.
    made["training"].update(
        frozen_components=frozen, annotating_components=frozen, max_steps=steps,
        eval_frequency=max(1, steps // 4),
    )
    made["training"]["optimizer"]["learn_rate"] = rate
    output.mkdir(parents=True, exist_ok=True)
    made.to_disk(output / "config.cfg", interpolate=False)
    train(output / "config.cfg", output)


if __name__ == "__main__":
    typer.run(main)
