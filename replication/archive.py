"""Results of trainings in one small file, from which tables are made, or gone on with, anew.

python -m replication.archive pack training/papers record.json.xz
python -m replication.archive unpack record.json.xz training/papers

Of each training that is done the file has the config, the scores, and how many words of each
sentence of the dev file are right. That is enough for paper_tables and its tests by sentence and
over seeds. It is not for McNemar's test, which is by word, and weights are not in it: what is
measured of these, such as another search, needs the training itself.
"""

import json
import lzma
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy
import srsly
import typer
from numpy.typing import NDArray

from spacy_arceager.evaluation.outcomes import Outcomes, count_by_sentence, count_words

from .trainings import DONE, read_outcomes, write_outcomes, write_whole

MEASURES = ("uas", "las")     # those of the tables

app = typer.Typer(add_completion=False)


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(exists=True, file_okay=False, help="The --output")],
    file: Path,
) -> None:
    """Write the results of all trainings of a folder that are done."""
    found = [path.parent for path in sorted(folder.glob(f"*/*/{DONE}"))]
    records = [read_training(one) for one in found if (one / "scores.json").exists()]
    data = lzma.compress(json.dumps(records, separators=(",", ":")).encode(), preset=9)
    write_whole(file, lambda path: path.write_bytes(data))
    print(f"{len(records)} trainings, {len(data):,} bytes")


@app.command()
def unpack(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False)], folder: Path
) -> None:
    """Make the folders of the trainings again, without their weights. Whole ones are kept."""
    records = json.loads(lzma.decompress(file.read_bytes()))
    new = [one for one in records if not (place_of(one, folder) / DONE).exists()]
    for record in new:
        write_training(record, place_of(record, folder))
    print(f"{len(new)} of {len(records)} trainings")


def place_of(record: Mapping[str, Any], folder: Path) -> Path:
    return folder / record["treebank"] / record["name"]


def read_training(folder: Path) -> dict[str, Any]:
    """What a training has measured; see the head of this file."""
    outcomes = {name: read_outcomes(folder / "outcomes.npz", name) for name in MEASURES}
    scores = srsly.read_json(folder / "scores.json")
    return {
        "treebank": folder.parent.name,
        "name": folder.name,
        "config": (folder / "config.cfg").read_text(encoding="utf8"),
        "trained": srsly.read_json(folder / DONE),
        "scores": {key: value for key, value in scores.items() if not isinstance(value, dict)},
        "words": count_words(outcomes["las"]).tolist(),
        "right": {name: count_by_sentence(one).tolist() for name, one in outcomes.items()},
    }


def write_training(record: Mapping[str, Any], folder: Path) -> None:
    """The files of a training that `read_training` has read; the one that says it is done last."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.cfg").write_text(record["config"], encoding="utf8")
    srsly.write_json(folder / "scores.json", record["scores"])
    sizes = numpy.asarray(record["words"])
    sentence = numpy.repeat(numpy.arange(len(sizes)), sizes)
    write_outcomes(folder / "outcomes.npz", {
        name: Outcomes(spread(sizes, counts), sentence) for name, counts in record["right"].items()
    })
    srsly.write_json(folder / DONE, record["trained"])


def spread(sizes: NDArray[numpy.integer], counts: Iterable[int]) -> NDArray[numpy.bool_]:
    """(n_words,) so many right words of each sentence, before its wrong ones."""
    starts = numpy.cumsum(sizes) - sizes
    places = numpy.arange(sizes.sum()) - numpy.repeat(starts, sizes)
    return places < numpy.repeat(numpy.asarray([*counts]), sizes)


if __name__ == "__main__":
    app()
