"""`inspect` and `derive` take systems of one's own: a config, or changed parameters."""

import json
from pathlib import Path

import pytest
import typer
from thinc.api import Config

from spacy_arceager.cli.configs import make_config
from spacy_arceager.cli.systems import choose_system
from spacy_arceager.systems import arc_eager, arc_standard, attardi, custom_system, easy_first
from spacy_arceager.systems.catalogue import CATALOGUE, find_system
from tests.cli.conftest import command
from tests.conftest import DATA

TREEBANK = DATA / "de_crossing.conllu"
PARSER = """
[components]
[components.syntax]
factory = "arceager_parser"
[components.syntax.system]
"""
OWN = PARSER + """
@misc = "arceager.system.v1"
capacity = 5
distance = 3
[components.syntax.system.left]
periphery = "any"
[components.syntax.system.right]
periphery = "any"
"""


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_name(name: str) -> None:
    assert choose_system(name) == (name, find_system(name), None)


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        ("arc_eager", ["distance=3"], arc_eager(distance=3)),
        ("arc_eager", ["root=right"], arc_eager(root="right")),
        ("easy_first", ["capacity=5", "distance=4"], easy_first(5, 4)),
        ("easy_first_k4", ["capacity=6"], easy_first(6)),
        ("attardi2", ["degree=4"], attardi(4)),
        ("arc_standard", ["swap=true", "root=left"], arc_standard(True, "left")),
        ("easy_first_k4", ["fill=null"], easy_first(4)),
        ("arc_hybrid", ["left.shift=true", "left.periphery=left"], custom_system(
            3, front=True, left={"shift": True, "periphery": "left"}, right={"periphery": "left"},
        )),
        ("arc_hybrid", ['left=[{"shift": true}, {}]'], custom_system(
            3, front=True, left=[{"shift": True}, {}], right={"periphery": "left"},
        )),
    ],
)
def test_changed_parameters(name: str, settings: list[str], expected: object) -> None:
    found_name, parameters, _ = choose_system(name, settings=settings)
    assert found_name == " ".join([name, *settings])
    assert vars(parameters) == {**vars(expected), "name": parameters.name}


def test_derive_follows_the_oracle_of_a_config(tmp_path: Path) -> None:
    path = tmp_path / "swap.cfg"
    system = PARSER + '@misc = "arceager.arc_standard.v1"\nswap = true\n'
    oracle = """
[components.syntax.oracle]
@misc = "arceager.static_oracle.v1"
swap_order = "eager"
"""
    n_steps = []
    for text, option in ((system, "lazy"), (system, "eager"), (system + oracle, None)):
        path.write_text(text)
        options = ["--swap-order", option] if option else []
        result = command("derive", TREEBANK, "--config", path, "--format", "json", *options)
        assert result.exit_code == 0, result.output
        derived = map(json.loads, result.stdout.splitlines())
        n_steps.append(sum(len(one["steps"]) for one in derived))
    assert n_steps[0] < n_steps[1] == n_steps[2]


def test_derive_reads_a_config_once_so_that_it_can_be_a_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "own.cfg"
    path.write_text(OWN + '[components.syntax.oracle]\n@misc = "arceager.static_oracle.v1"\n')
    reads: list[Path] = []
    from_disk = Config.from_disk

    def count(config: Config, path: Path) -> Config:
        reads.append(path)
        return from_disk(config, path)

    monkeypatch.setattr(Config, "from_disk", count)
    assert command("derive", TREEBANK, "--config", path, "--sentence", 1).exit_code == 0
    assert reads == [path]


def test_derive_refuses_an_oracle_of_a_config_that_is_for_other_systems(tmp_path: Path) -> None:
    path = tmp_path / "own.cfg"
    oracle = '[components.syntax.oracle]\n@misc = "arceager.static_dynamic_oracle.v1"\n'
    path.write_text(OWN + oracle)
    result = command("derive", TREEBANK, "--config", path)
    assert result.exit_code == 2 and "static-dynamic" in result.output


def test_the_system_of_a_config(tmp_path: Path) -> None:
    path = tmp_path / "own.cfg"
    path.write_text(OWN)
    anywhere = {"periphery": "any"}
    own = custom_system(5, 3, left=anywhere, right=anywhere)
    assert choose_system("arc_eager", path)[:2] == (str(path), own)
    path.write_text(make_config("attardi3", segment=True))
    assert choose_system("arc_eager", path)[1] == find_system("attardi3", segment=True)


def write_code(folder: Path, imported: str, **functions: str) -> Path:
    """A file for --code that registers expressions as functions tests.NAME.v1."""
    lines = [
        f"registry.misc('tests.{name}.v1')(lambda: {made})" for name, made in functions.items()
    ]
    path = folder / f"{next(iter(functions))}.py"
    path.write_text("\n".join(["from spacy import registry", imported, "", *lines, ""]))
    return path


FROM_ORACLE = "from spacy_arceager.oracles.oracle import Oracle"


def test_the_oracle_of_a_config_may_be_in_a_file_of_code(tmp_path: Path) -> None:
    code = write_code(tmp_path, FROM_ORACLE, own_oracle_of_code="Oracle('exact')")
    config = tmp_path / "own.cfg"
    config.write_text(
        "[components]\n[components.parser]\nfactory = \"arceager_parser\"\n"
        "[components.parser.system]\n@misc = \"arceager.arc_eager.v1\"\n"
        "[components.parser.oracle]\n@misc = \"tests.own_oracle_of_code.v1\"\n"
    )
    arguments = ["derive", DATA / "en_small-dev.conllu", "--config", config, "--sentence", 1]
    assert command(*arguments).exit_code != 0
    assert "SHIFT" in command(*arguments, "--code", code).stdout


def test_the_system_of_a_config_may_be_in_a_file_of_code(tmp_path: Path) -> None:
    imported = "from spacy_arceager.systems import attardi"
    code = write_code(tmp_path, imported, own_system_of_code="attardi(4)")
    config = tmp_path / "own.cfg"
    config.write_text(PARSER + '@misc = "tests.own_system_of_code.v1"\n')
    arguments = ["inspect", TREEBANK, "--config", config, "--format", "json"]
    result = command(*arguments)
    said = " ".join(result.stderr.replace("│", " ").split())
    assert result.exit_code == 2 and "--code FILE" in said and "Available names" not in said
    assert str(config) in json.loads(command(*arguments, "--code", code).stdout)["coverage"]


def test_derive_follows_an_oracle_by_the_name_that_a_file_of_code_registers(
    tmp_path: Path,
) -> None:
    code = write_code(tmp_path, FROM_ORACLE, named_oracle="Oracle('exact')", no_oracle="5")
    arguments = ["derive", TREEBANK, "--sentence", 12, "--code", code, "--oracle"]
    derived, expected = (
        command(*arguments, name).stdout for name in ("tests.named_oracle.v1", "exact")
    )
    assert derived == expected != ""
    for options in (["tests.no_oracle.v1"], ["tests.named_oracle.v1", "--swap-order", "lazy"]):
        assert command(*arguments, *options).exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--system", "arc_lazy"], "unknown"),
        (["--set", "distance"], "PARAMETER=VALUE"),
        (["--set", "depth=3"], "'depth' is unknown; use one of"),
        (["--set", "root=up"], "root"),
        (["--set", "left.periphry=any"], "Do you mean 'left.periphery'?"),
        (["--set", "left=any"], "left='any' should be a block or a list of blocks"),
        (["--set", "left={}", "--set", "left.shift=true"], "contradict"),
        (["--set", 'non_monotonic=left'], 'should be a list: ["left"]'),
        (["--set", "capacity=5"], "contradict"),
        (["--swap-order", "late"], "late"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str) -> None:
    result = command("derive", TREEBANK, *arguments)
    assert result.exit_code == 2 and said in " ".join(result.output.replace("│", " ").split())


def test_a_config_without_a_system_and_one_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "empty.cfg"
    path.write_text("[components]\n")
    with pytest.raises(typer.BadParameter, match="0 blocks"):
        choose_system("arc_eager", path)
    with pytest.raises(typer.BadParameter, match="contradict"):
        choose_system("arc_eager", path, ["distance=2"])
    assert command("derive", TREEBANK, "--config", tmp_path / "none.cfg").exit_code == 1
    for system in ('{"@misc": "arceager.beam.v1"}', "5"):
        path.write_text(
            f'[components]\n[components.parser]\nfactory = "arceager_parser"\nsystem = {system}\n')
        with pytest.raises(typer.BadParameter, match="no transition system"):
            choose_system("arc_eager", path)


def derived(*arguments: str) -> list[bool]:
    result = command("derive", TREEBANK, "--format", "json", *arguments)
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert {record["system"] for record in records} == {" ".join(["arc_eager", *arguments[1:]])}
    return [record["derived"] for record in records]


def test_derive_with_a_system_of_ones_own() -> None:
    assert sum(derived("--set", "distance=2")) > sum(derived())


def swaps(*arguments: str) -> float:
    result = command("inspect", TREEBANK, "--format", "json", *arguments)
    return json.loads(result.stdout)["coverage"]["arc_standard_swap"]["swaps"]


def test_the_order_of_swaps() -> None:
    assert swaps("--swap-order", "lazy") < swaps("--swap-order", "eager")
    lazy, eager = (
        command("derive", TREEBANK, "--system", "arc_standard_swap", "--swap-order", order).stdout
        for order in ("lazy", "eager")
    )
    assert lazy.count("SWAP ") < eager.count("SWAP ")


def test_inspect_shows_a_system_of_ones_own_beside_the_others(tmp_path: Path) -> None:
    path = tmp_path / "own.cfg"
    path.write_text(OWN)
    result = command("inspect", TREEBANK, "--format", "json", "--config", path)
    coverages = json.loads(result.stdout)["coverage"]
    assert coverages[str(path)]["sentences"] >= coverages["easy_first_k4_d2"]["sentences"]
    table = command("inspect", TREEBANK, "--set", "distance=3").stdout
    assert "arc_eager distance=3" in table
    assert command("inspect", TREEBANK, "--system", "dag", "--set", "acyclic=false").exit_code == 2
    assert command("inspect", TREEBANK, "--system", "dag").exit_code == 2
    named = command("inspect", TREEBANK, "--system", "arc_hybrid", "--config", "any.cfg")
    assert named.exit_code == 2 and "does not go with" in named.output


def test_inspect_names_the_limits_of_its_advice_and_both_measures() -> None:
    output = " ".join(command("inspect", TREEBANK).stdout.split())
    assert "non-projective arcs" in output and "arcs that cross another" in output
    assert "Fewer than 50 sentences are little" in output
    assert "fewer than 1500" in output
