"""Parsers of others on the same treebank: trains one, parses the dev file, prints words/s.

python -m benchmarks.peers udpipe LANGUAGE TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU
python -m benchmarks.peers biaffine TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU [STEPS]
python -m benchmarks.peers stanza TRAIN_CONLLU DEV_CONLLU PARSED_CONLLU [OPTION=VALUE ...]

Each needs an environment of its own: pip install
    ufal.udpipe gensim                      for udpipe
    torch==2.13.0, then stanza gensim       for stanza
    torch==2.13.0, then spacy-experimental==0.6.4 click
                                            for biaffine (spaCy 3.7, whose `click` is not declared)

DEV_CONLLU is also the held-out data by which each parser chooses among its iterations.
PARSED_CONLLU is for the official evaluation: udeval --no-enhanced DEV_CONLLU PARSED_CONLLU. The
trees of `biaffine` may have several roots, and need its --multiple-roots-okay.
"""

import re
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from ufal.udpipe import Sentences

BIAFFINE = Path(__file__).with_name("biaffine.cfg")
T = TypeVar("T")


class Settings(NamedTuple):
    """What differs between the languages, for UDPipe.

    Attributes:
        suffixes, dictionary: how many suffix rules and dictionary entries the tagger's guesser
            and the lemmatizer's take.
        tag_by_lemma: whether the tagger's dictionary knows lemmas.
        prune: whether rare features of the tagger, and of the lemmatizer, are left out.
    """

    system: str
    oracle: str
    rate: float
    l2: float
    structured_interval: int
    suffixes: tuple[int, int]
    dictionary: tuple[int, int]
    tag_by_lemma: int
    prune: tuple[int, int]


SETTINGS = {
    "en": Settings("projective", "dynamic", 0.01, 0.5, 8, (12, 6), (6, 6), 1, (0, 0)),
    "eu": Settings("link2", "static", 0.01, 0.5, 8, (8, 8), (6, 6), 0, (0, 1)),
    "cu": Settings("link2", "static", 0.02, 0.3, 10, (8, 8), (6, 5), 1, (0, 0)),
    "el": Settings("link2", "static", 0.02, 0.3, 8, (8, 8), (6, 4), 0, (0, 0)),
    "grc": Settings("swap", "static_lazy", 0.01, 0.5, 8, (8, 8), (6, 6), 0, (1, 1)),
    "fr_sequoia": Settings("swap", "static_lazy", 0.02, 0.3, 10, (8, 8), (5, 6), 1, (0, 1)),
    "tr": Settings("projective", "dynamic", 0.01, 0.3, 8, (12, 8), (6, 4), 1, (0, 0)),
    "ga": Settings("projective", "dynamic", 0.02, 0.5, 8, (12, 8), (6, 6), 0, (1, 0)),
}


def udpipe(language: str, train_path: str, dev: str, parsed: str) -> None:
    """UDPipe 1 as its authors train it: tagger, vectors of the treebank's words, parser.

    The settings are those of the models of UD 2.0 (ufal/udpipe, training/models-ud-2.0) for the
    languages above. The tagger and lemmatizer are trained too, and the parser sees what they
    predict.
    """
    from ufal.udpipe import Model, Pipeline, ProcessingError

    path = Path(parsed).with_suffix(".udpipe")
    vectors = path.with_suffix(".vectors")
    path.write_bytes(timed(lambda: train_udpipe(SETTINGS[language], train_path, dev, vectors)))
    model = Model.load(str(path))     # the pipeline does not keep it alive
    parser = Pipeline(model, "conllu", Pipeline.DEFAULT, Pipeline.DEFAULT, "conllu")
    text = Path(dev).read_text(encoding="utf8")
    output = parse_timed(lambda: parser.process(text, ProcessingError()), dev, "CoNLL-U to CoNLL-U")
    Path(parsed).write_text(output, encoding="utf8")


def train_udpipe(chosen: Settings, train_path: str, dev: str, vectors: Path) -> bytes:
    """Train tagger, lemmatizer and parser; no tokenizer."""
    from ufal.udpipe import ProcessingError, Trainer

    error = ProcessingError()
    write_vectors(
        ([form.replace(" ", "_") for form in forms] for forms in read_forms(train_path)), vectors
    )
    model = Trainer.train(
        "morphodita_parsito", read_udpipe(train_path), read_udpipe(dev), Trainer.NONE,
        tagger_options(chosen), parser_options(chosen, vectors), error,
    )
    if error.occurred():
        raise ValueError(error.message)
    return model


def read_udpipe(path: str) -> "Sentences":
    """The sentences of a CoNLL-U file."""
    from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences

    reader = InputFormat.newConlluInputFormat()
    reader.setText(Path(path).read_text(encoding="utf8"))
    error = ProcessingError()
    sentences, sentence = Sentences(), Sentence()
    while reader.nextSentence(sentence, error):
        sentences.append(sentence)
        sentence = Sentence()
    if error.occurred():
        raise ValueError(error.message)
    return sentences


def tagger_options(chosen: Settings) -> str:
    """Two models: one tags, the other finds lemmas."""
    tag, lemma = ({
        f"guesser_suffix_rules_{model}": chosen.suffixes[model - 1],
        f"guesser_enrich_dictionary_{model}": chosen.dictionary[model - 1],
        f"prune_features_{model}": chosen.prune[model - 1],
    } for model in (1, 2))
    return joined({
        "models": 2, **tag, **lemma,
        "templates_1": "tagger", "guesser_prefixes_max_1": 0, "use_lemma_1": chosen.tag_by_lemma,
        "use_xpostag_1": 1, "use_feats_1": 1, "provide_lemma_1": 0, "provide_xpostag_1": 1,
        "provide_feats_1": 1,
        "templates_2": "lemmatizer", "guesser_prefixes_max_2": 4, "use_lemma_2": 1,
        "use_xpostag_2": 0, "use_feats_2": 0, "provide_lemma_2": 1, "provide_xpostag_2": 0,
        "provide_feats_2": 0,
    })


def parser_options(chosen: Settings, vectors: Path) -> str:
    """Thirty iterations of the parser."""
    return joined({
        "iterations": 30, "embedding_upostag": 20, "embedding_feats": 20, "embedding_xpostag": 0,
        "embedding_form": 50, "embedding_form_file": vectors, "embedding_lemma": 0,
        "embedding_deprel": 20, "learning_rate": chosen.rate, "learning_rate_final": 0.001,
        "l2": chosen.l2, "hidden_layer": 200, "batch_size": 10,
        "transition_system": chosen.system, "transition_oracle": chosen.oracle,
        "structured_interval": chosen.structured_interval,
    })


def joined(options: dict[str, object]) -> str:
    """Options as UDPipe reads them."""
    return ";".join(f"{name}={value}" for name, value in options.items())


def biaffine(train_path: str, dev: str, parsed: str, steps: str = "5000") -> None:
    """spacy-experimental's biaffine parser with spaCy's token vectors."""
    import spacy
    from spacy.cli.convert import convert
    from spacy.cli.train import train
    from spacy.training import Corpus

    folder = Path(parsed).with_suffix("")
    for path in (train_path, dev):
        convert(path, folder, file_type="spacy", converter="conllu", n_sents=1)
    ours, theirs = (folder / Path(path).with_suffix(".spacy").name for path in (train_path, dev))
    options = {
        "paths.train": str(ours), "paths.dev": str(theirs), "training.max_steps": int(steps),
    }
    timed(lambda: train(BIAFFINE, folder, overrides=options))
    nlp = spacy.load(folder / "model-best")
    examples = list(Corpus(theirs, gold_preproc=True)(nlp))
    docs = parse_timed(
        lambda: list(nlp.pipe([one.predicted.copy() for one in examples])), dev,
        "token vectors and parser",
    )
    # In spaCy a root is its own head.
    write((
        (0 if token.head == token else token.head.i + 1, token.dep_.replace("ROOT", "root"))
        for doc in docs for token in doc
    ), dev, parsed)


def stanza(train_path: str, dev: str, parsed: str, *chosen: str) -> None:
    """Stanza's biaffine parser, or with model_type=transition its other one; words alone.

    What its authors use besides cannot be had without a download, or without training a tagger
    first: vectors and a language model of characters from much text, predicted tags and lemmas.
    It gets vectors of the treebank's own words, as UDPipe does; all other settings are its own. The
    treebank's tags only tell it which final punctuation to drop in training. A training that was
    interrupted goes on where it was.
    """
    from stanza.models import parser
    from stanza.models.depparse.data import DataLoader
    from stanza.models.depparse.utils import predict_dataset

    folder = Path(parsed).with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    vectors = folder / "vectors.txt"
    # It looks up words in lower case.
    write_vectors(([form.lower() for form in forms] for forms in read_forms(train_path)), vectors)
    options = {
        "train_file": without_lemmas(train_path, folder), "eval_file": without_lemmas(dev, folder),
        "wordvec_file": vectors, "wordvec_pretrain_file": folder / "vectors.pt",
        "save_dir": folder, "save_name": "parser.pt", "shorthand": "xx_xx", "lang": "xx",
    }
    arguments = [f"--{name}={value}" for name, value in options.items()]
    arguments += ["--no_upos", "--no_xpos", "--no_ufeats"]
    arguments += [f"--{option}" for option in chosen]
    timed(lambda: parser.main(arguments))
    trainer, doc = parser.main([*arguments, "--mode=predict"])
    pretrained = parser.load_pretrain(trainer.args)

    def parse() -> list[list[tuple[int, str]]]:
        batches = DataLoader(
            doc, 5000, trainer.args, pretrained, vocab=trainer.vocab, evaluation=True,
            sort_during_eval=True,
        )
        return predict_dataset(trainer, batches)

    sentences = parse_timed(parse, dev, "parser")
    write((arc for sentence in sentences for arc in sentence), dev, parsed)


def without_lemmas(path: str, folder: Path) -> Path:
    """A copy of a CoNLL-U file without its lemmas, which Stanza's parser would read."""
    copy = folder / Path(path).name
    text = Path(path).read_text(encoding="utf8")
    copy.write_text(re.sub(r"(?m)^([\d.-]+\t[^\t\n]*\t)[^\t\n]*", r"\1_", text), encoding="utf8")
    return copy


def is_word(line: str) -> bool:
    return line.split("\t")[0].isdigit()


def read_forms(path: str) -> list[list[str]]:
    """The word forms of each sentence of a CoNLL-U file."""
    sentences = Path(path).read_text(encoding="utf8").split("\n\n")
    return [
        [line.split("\t")[1] for line in lines.split("\n") if is_word(line)] for lines in sentences
    ]


def write_vectors(forms: Iterable[list[str]], path: Path) -> None:
    """Skip-gram vectors of the treebank's own words, with the settings of UDPipe's manual."""
    from gensim.models import Word2Vec

    Word2Vec(
        list(forms), sg=1, vector_size=50, window=10, negative=5, hs=0, sample=0.1, epochs=15,
        min_count=2, workers=1, seed=1,
    ).wv.save_word2vec_format(str(path), binary=False)


def timed(train: Callable[[], T]) -> T:
    """Train, and print the time."""
    wall, cpu = time.perf_counter(), time.process_time()
    trained = train()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"trained in {wall:.0f} seconds ({cpu:.0f} of CPU time)", flush=True)
    return trained


def parse_timed(parse: Callable[[], T], dev: str, what: str) -> T:
    """Parse the dev file five times, and print words per second of CPU time, the median."""
    words = sum(len(forms) for forms in read_forms(dev))
    seconds = []
    for _ in range(5):
        start = time.process_time()
        parses = parse()
        seconds.append(time.process_time() - start)
    print(f"{words / median(seconds):,.0f} words/s, {what}", flush=True)
    return parses


def write(arcs: Iterable[tuple[int, str]], dev: str, parsed: str) -> None:
    """The dev file's own lines with the heads and labels of a parser."""
    arcs, lines = iter(arcs), []
    for line in Path(dev).read_text(encoding="utf8").split("\n"):
        fields = line.split("\t")
        if is_word(line):
            fields[6:8] = map(str, next(arcs))
        lines.append("\t".join(fields))
    Path(parsed).write_text("\n".join(lines), encoding="utf8")


if __name__ == "__main__":
    program, *rest = sys.argv[1:]
    {"udpipe": udpipe, "biaffine": biaffine, "stanza": stanza}[program](*rest)
