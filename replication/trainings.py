"""Trainings, each in a folder of its own and done once, and what is measured of each.

A folder has the config, spaCy's pipelines, their log, `trained.json` once the training is done, and
a file for each thing that was measured. What is there already is not done again, so that a program
can be stopped and started as one likes. Files are written whole; one that is not (a full disk) is
made again.

python -m replication.trainings FOLDER PIPELINE DEV_CONLLU NAME ... measures a trained pipeline.
"""

import hashlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from zipfile import BadZipFile

import numpy
import spacy
import srsly
import typer
from spacy import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import Config
from tqdm import tqdm

from spacy_arceager.annotation.label_strings import ROOT_LABEL
from spacy_arceager.annotation.projective import deprojectivize
from spacy_arceager.cli.configs import make_config
from spacy_arceager.corpus.corpus import ConlluCorpus
from spacy_arceager.decoding.decoder import ScoredDerivation
from spacy_arceager.evaluation.beside_gold import DerivedSentence, beside_gold
from spacy_arceager.evaluation.fragments import check_constrained, count_fragments, run
from spacy_arceager.evaluation.outcomes import Outcomes, find_outcomes
from spacy_arceager.evaluation.repairs import as_record, find_pops
from spacy_arceager.evaluation.scorer import make_parser_scorer
from spacy_arceager.evaluation.ud import MEASURES
from spacy_arceager.machine.system import TransitionSystem
from spacy_arceager.pipe.component import ArcEagerParser, find_parser

from .figures import ROOT

DONE = "trained.json"     # is written last
SOURCE = "source.json"    # what was measured, where the folder has no training of its own
PACKAGES = ("spacy-arceager", "spacy", "thinc", "numpy")


def init_config(*args: str, **options: Any) -> Config:
    """The config that `init-config` writes, with its variables. Arguments are its options."""
    return Config().from_str(make_config(*args, **options), interpolate=False)


@dataclass(frozen=True)
class Treebank:
    """A folder with one *train.conllu and one *dev.conllu."""

    name: str
    folder: Path

    @property
    def train(self) -> Path:
        return find_file(self.folder, "train")

    @property
    def dev(self) -> Path:
        return find_file(self.folder, "dev")

    @cached_property
    def digest(self) -> str:
        """What tells these files from others."""
        return hashlib.blake2b(self.train.read_bytes() + self.dev.read_bytes()).hexdigest()[:16]


def find_file(folder: Path, part: str) -> Path:
    """The one file of a treebank whose name ends in "train" or "dev"."""
    files = sorted(folder.glob(f"*{part}.conllu"))
    if len(files) != 1:
        raise SystemExit(f"{len(files)} files {folder}/*{part}.conllu instead of one")
    return files[0]


def find_treebanks(items: Iterable[str]) -> list[Treebank]:
    """The treebanks of options NAME=FOLDER; ends the program where one is not there."""
    found = []
    for item in items:
        name, equals, folder = item.partition("=")
        if not (name and equals and folder):
            raise typer.BadParameter(f"'{item}' should be NAME=FOLDER")
        found.append(Treebank(name, Path(folder)))
    for treebank in found:
        _ = treebank.train, treebank.dev
    return found


@dataclass(frozen=True)
class Training:
    """One training: a config on a treebank with a seed.

    Attributes:
        name: of the variant.
        config: its text, without paths.
        given: a pipeline that is trained already, its folder or package, in place of a training.
        code: a Python file with what the config names, for `--code`.
        state: which one is measured: "best" on the dev file, or "last", of which the dev file has
            chosen nothing.
        weights: the training whose pipeline is measured in place of an own one, and `width` the
            width of the beam that it then searches with.
    """

    name: str
    treebank: Treebank
    seed: int
    folder: Path
    config: str
    given: str | None = None
    code: str | None = None
    state: str = "best"
    weights: "Training | None" = None
    width: int | None = None

    @property
    def pipeline(self) -> str:
        if self.weights:
            return self.weights.pipeline
        return self.given or str(self.folder / f"model-{self.state}")

    @property
    def is_done(self) -> bool:
        """Whether it was trained to the end."""
        if self.weights:
            return self.weights.is_done
        return self.given is not None or is_whole(self.folder / DONE)

    @property
    def source(self) -> dict[str, Any]:
        """What is measured where there is no training of its own."""
        return {
            "pipeline": self.pipeline, "width": self.width, "config": self.config,
            "data": self.treebank.digest,
        }

    @property
    def is_of_another(self) -> bool:
        """Whether the folder has measurements of another pipeline or search, or on other files."""
        return is_whole(self.folder / SOURCE) and self.read(SOURCE) != self.source

    def has(self, name: str) -> bool:
        """Whether something was measured, by its name in `MEASURED`."""
        is_there = all(is_whole(self.folder / file) for file in MEASURED[name].files)
        return is_there and not self.is_of_another

    def read(self, file: str) -> Any:
        """What was written as JSON."""
        return srsly.read_json(self.folder / file)

    def outcomes(self, measure: str, file: str = "outcomes.npz") -> Outcomes:
        """What was right of each word of the dev file, by a measure of `find_outcomes`."""
        return read_outcomes(self.folder / file, measure)


def make_training(
    name: str,
    config: Config,
    overrides: Mapping[str, Any],
    place: tuple[Treebank, int, int],
    output: Path,
    code: str | None = None,
) -> Training:
    """A training whose folder tells variant, updates and seed.

    Args:
        overrides: of the config, "training.dropout" and the like; "{folder}" in them is the folder
            with the trainings of the treebank.
        place: the treebank, the updates and the seed.
        code: see `Training`.

    Raises:
        ValueError: Where the folder has a training with another config, or on other files.
    """
    treebank, steps, seed = place
    folder = find_folder(name, place, output)
    often = min(steps, config["training"]["eval_frequency"])
    own = srsly.json_dumps(overrides).replace("{folder}", str(output / treebank.name))
    settings = {"training.eval_frequency": often, "training.max_steps": steps,
                "system.seed": seed, **srsly.json_loads(own)}
    text = Config().from_str(config.to_str(), overrides=settings, interpolate=False).to_str()
    kept = folder / "config.cfg"
    if kept.exists() and kept.read_text(encoding="utf8") != text:
        raise ValueError(
            f"{folder} was trained with another config. Delete it, or use another --output"
        )
    training = Training(name, treebank, seed, folder, text, code=code)
    if training.is_done and training.read(DONE).get("data") != treebank.digest:
        raise ValueError(
            f"{folder} was trained on other files. Delete it, or use another --output"
        )
    return training


def find_folder(name: str, place: tuple[Treebank, int, int], output: Path) -> Path:
    """Where a variant is trained and measured; see `make_training`."""
    treebank, steps, seed = place
    return output / treebank.name / f"{name}-{steps}-{seed}"


# What is done in processes of their own


def run_all(
    trainings: Sequence[Training], names: Sequence[str], jobs: int, gpu_id: int = -1
) -> None:
    """Train and measure what is missing, with a progress bar; failures are told as they come.

    Those that have the weights of others come last, and these should be among them.

    Args:
        names: what to measure, of `MEASURED`.
        gpu_id: as that of `spacy train`, -1 for the CPU.
    """
    missing = [one for one in trainings if not (one.is_done and all(map(one.has, names)))]
    own = [one for one in missing if not one.weights]
    others = [one for one in missing if one.weights]
    with (
        ThreadPoolExecutor(jobs) as pool,
        tqdm(total=len(missing), desc="trainings", disable=not missing) as bar,
    ):
        for part in (own, others):
            for problem in pool.map(lambda one: train_and_measure(one, names, gpu_id), part):
                bar.update()
                if problem:
                    tqdm.write(problem)


def train_and_measure(training: Training, names: Sequence[str], gpu_id: int = -1) -> str:
    """What is missing of one training; returns a message if it fails."""
    folder = training.folder
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "log").open("a", encoding="utf8") as log:
        if not training.is_done:
            if training.weights:
                return f"{folder}: {training.weights.folder} is not trained"
            (folder / "config.cfg").write_text(training.config, encoding="utf8")
            start = time.perf_counter()
            if run_process(train_command(training, gpu_id), log):
                return f"{folder}: the training failed, see its log"
            made = {
                **describe_program(), "data": training.treebank.digest,
                "seconds": time.perf_counter() - start,
            }
            write_whole(folder / DONE, lambda path: srsly.write_json(path, made))
        if training.is_of_another:
            for file in (file for measure in MEASURED.values() for file in measure.files):
                (folder / file).unlink(missing_ok=True)
        missing = [name for name in names if not training.has(name)]
        for file in (folder / file for name in missing for file in MEASURED[name].files):
            if file.exists() and not is_whole(file):
                tqdm.write(f"{file} is not whole, and is made again")
        command = [
            sys.executable, "-m", "replication.trainings", str(folder), training.pipeline,
            str(training.treebank.dev), *missing, *gpu_option(gpu_id),
            *(["--width", str(training.width)] if training.width else []),
        ]
        if missing and run_process(command, log):
            return f"{folder}: {', '.join(missing)} could not be measured, see its log"
        if training.given or training.weights:
            write_whole(folder / SOURCE, lambda path: srsly.write_json(path, training.source))
    return ""


def train_command(training: Training, gpu_id: int = -1) -> list[str]:
    """The arguments of `spacy train`, which its config lacks."""
    return [
        sys.executable, "-m", "spacy", "train", str(training.folder / "config.cfg"),
        "--output", str(training.folder), *gpu_option(gpu_id),
        "--paths.train", str(training.treebank.train), "--paths.dev", str(training.treebank.dev),
        *(["--code", training.code] if training.code else []),
    ]


def gpu_option(gpu_id: int) -> list[str]:
    """The option of `spacy train`, and of this program, that names a GPU; none for the CPU."""
    return ["--gpu-id", str(gpu_id)] if gpu_id >= 0 else []


def run_process(command: Sequence[str], log: Any) -> int:
    """Run a command; returns its exit status."""
    return subprocess.run(command, stdout=log, stderr=log, check=False).returncode


def describe_program() -> dict[str, Any]:
    """The commit and the versions of the packages."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    return {
        "commit": commit.stdout.strip(), "versions": {name: version(name) for name in PACKAGES}
    }


# What is measured


@dataclass(frozen=True)
class Parsed:
    """A pipeline, the gold dev file, and what the pipeline made of it.

    Attributes:
        examples: the predicted Docs are parsed.
        docs: as they were before the parser.
    """

    nlp: Language
    examples: list[Example]
    docs: list[Doc]

    @cached_property
    def parser(self) -> ArcEagerParser:
        return find_parser(self.nlp)[0]

    @cached_property
    def derivations(self) -> list[list[ScoredDerivation]]:
        return self.parser.derivations(self.docs)

    @property
    def derived(self) -> Iterable[DerivedSentence]:
        return beside_gold(self.examples, self.derivations)


def parse_dev(pipeline: str | Path, dev: Path, width: int | None = None) -> Parsed:
    """Parse a dev file with its own tokens and sentences, a sentence a Doc.

    Args:
        width: of a beam in place of the parser's own search.
    """
    beam = {"components.arceager_parser.beam": {"@misc": "arceager.beam.v1", "width": width}}
    nlp = spacy.load(pipeline, config=beam if width else {})
    examples = list(ConlluCorpus(dev)(nlp))
    for example in examples:
        for token in example.predicted[1:]:
            token.is_sent_start = False
    disabled = [name for name in nlp.pipe_names if name in ("parser", "arceager_parser")]
    with nlp.select_pipes(disable=disabled):
        docs = list(nlp.pipe(example.predicted for example in examples))
    parsed = [doc.copy() for doc in docs]
    for name in disabled:
        parsed = list(nlp.get_pipe(name).pipe(parsed, batch_size=256))
    gold = [example.reference for example in examples]
    return Parsed(nlp, [Example(*pair) for pair in zip(parsed, gold, strict=True)], docs)


def measure_scores(parsed: Parsed, folder: Path) -> None:
    """All scores, and what is right of each word."""
    write_outcomes(folder / "outcomes.npz", find_all_outcomes(parsed.examples))
    scores = make_parser_scorer()(parsed.examples)
    write_whole(folder / "scores.json", lambda path: srsly.write_json(path, scores))


def measure_fragments(parsed: Parsed, folder: Path) -> None:
    """The words left over at the end of the input, and the parse of the old heuristic."""
    system = parsed.parser.system
    old = [
        Example(parse_as_old(system, doc, found), example.reference)
        for doc, found, example in zip(parsed.docs, parsed.derivations, parsed.examples)
    ]
    write_outcomes(folder / "old.npz", find_all_outcomes(old))
    found = asdict(count_fragments(system, parsed.derived))
    write_whole(folder / "fragments.json", lambda path: srsly.write_json(path, found))


def parse_as_old(
    system: TransitionSystem, doc: Doc, derivations: Sequence[ScoredDerivation]
) -> Doc:
    """A Doc as the old system parses it: words left over at the end of the input are roots.

    Args:
        derivations: of the Doc, as `ArcEagerParser.derivations` gives them.

    Raises:
        ValueError: For a system without tree constraint, or with BREAK.
    """
    check_constrained(system)
    heads, labels = [*range(len(doc))], [ROOT_LABEL] * len(doc)
    for derivation in derivations:
        end, _ = run(system, derivation.steps, len(derivation.words))
        for word, head, label in zip(derivation.words, end.tree(), end.labels):
            heads[word], labels[word] = derivation.words[head], label or ROOT_LABEL
    spaces = [bool(token.whitespace_) for token in doc]
    words = [token.text for token in doc]
    parsed = Doc(doc.vocab, words=words, spaces=spaces, heads=heads, deps=labels)
    deprojectivize(parsed)
    return parsed


def measure_repairs(parsed: Parsed, folder: Path) -> None:
    """Repairs, made and missed, and the labels that they bring in."""
    pops = [pop for one in parsed.derived for pop in find_pops(parsed.parser.system, one)]
    write_whole(folder / "repairs.json", lambda path: srsly.write_json(path, as_record(pops)))


class Measure(NamedTuple):
    """What can be measured: the files that tell it, and what writes them."""

    files: tuple[str, ...]
    write: Callable[[Parsed, Path], None]


MEASURED = {
    "scores": Measure(("outcomes.npz", "scores.json"), measure_scores),
    "fragments": Measure(("old.npz", "fragments.json"), measure_fragments),
    "repairs": Measure(("repairs.json",), measure_repairs),
}


def measure(
    folder: Path,
    pipeline: str,
    dev: Path,
    names: list[str],
    gpu_id: Annotated[int, typer.Option(help="As that of `spacy train`")] = -1,
    width: Annotated[int | None, typer.Option(help="Of a beam to search with")] = None,
) -> None:
    """Measure a trained pipeline; what is found goes to the folder."""
    if gpu_id >= 0:
        spacy.require_gpu(gpu_id)
    parsed = parse_dev(pipeline, dev, width)
    for name in names:
        MEASURED[name].write(parsed, folder)


# Files


def find_all_outcomes(examples: Sequence[Example]) -> dict[str, Outcomes]:
    """What is right of each word, by each measure."""
    return {measure: find_outcomes(examples, measure) for measure in MEASURES}


def write_outcomes(path: Path, found: Mapping[str, Outcomes]) -> None:
    """Write what is right of each word by some measures, `las` among them."""
    arrays = {measure: outcomes.right for measure, outcomes in found.items()}

    def write(part: Path) -> None:
        with part.open("wb") as file:
            numpy.savez_compressed(file, sentence=found["las"].sentence, **arrays)

    write_whole(path, write)


def read_outcomes(path: Path, measure: str) -> Outcomes:
    with numpy.load(path) as arrays:
        return Outcomes(arrays[measure], arrays["sentence"])


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under another name, and give it its own once it is whole."""
    part = path.with_name(path.name + ".part")
    write(part)
    part.replace(path)


def is_whole(path: Path) -> bool:
    """Whether a file is there and can be read to its end."""
    try:
        if path.suffix == ".json":
            srsly.read_json(path)
        else:
            read_outcomes(path, "las")
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return False
    return True


if __name__ == "__main__":
    typer.run(measure)
