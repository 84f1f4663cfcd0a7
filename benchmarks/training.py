"""Training speed beside spaCy's parser, on one core: `update` of token vectors and parser.

python -m benchmarks.training TRAIN_CONLLU [--output FILE]

Both sides see the same batches of about 1,000 words, after some batches to warm up, and
alternate.
"""

from pathlib import Path
from typing import Annotated

import typer
from spacy.language import Language
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.util import load_config_from_str, load_model_from_config
from thinc.api import Optimizer

from .common import CONFIGS, read_examples, report, seconds, use_default_ops


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

    def rate(self, batches: list[list[Example]]) -> float:
        words = sum(len(example.predicted) for batch in batches for example in batch)

        def run() -> None:
            for batch in batches:
                self.nlp.update(batch, sgd=self.optimizer, drop=0.1)

        return words / seconds(run)


def main(
    train: Path,
    repetitions: int = 5,
    batches: int = 10,
    warm_up: int = 20,
    same_blas: Annotated[bool, typer.Option(help="NumPy's BLAS for the peer too")] = False,
    output: Annotated[Path | None, typer.Option()] = None,
) -> None:
    sides = {name: Side(config, train, same_blas) for name, config in CONFIGS.items()}
    wanted, there = warm_up + repetitions * batches, len(sides["ours"].batches)
    if there < wanted:
        raise SystemExit(f"{train} has {there} batches of 1,000 words; {wanted} are wanted")
    for side in sides.values():
        side.rate(side.batches[:warm_up])
    rates: dict[str, dict[str, list[float]]] = {"update": {"ours": [], "peer": []}}
    for i in range(repetitions):
        part = slice(warm_up + i * batches, warm_up + (i + 1) * batches)
        for name, side in sides.items():
            rates["update"][name].append(side.rate(side.batches[part]))
    report(rates, output)


if __name__ == "__main__":
    typer.run(main)
