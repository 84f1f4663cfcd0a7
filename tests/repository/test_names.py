"""A name stands for one thing in all compiled code, and a limit has one value."""

import re
from collections import defaultdict
from pathlib import Path

import spacy_arceager
from spacy_arceager.systems.contradictions import MAX_TRANSITIONS

PACKAGE = Path(spacy_arceager.__file__).parent
NAMED = re.compile(r"^cdef (?:struct|class|enum) (\w+)", re.MULTILINE)


def test_structs_classes_and_enums_have_names_of_their_own() -> None:
    modules = defaultdict(set)
    for path in [*PACKAGE.rglob("*.pxd"), *PACKAGE.rglob("*.pyx")]:
        for name in NAMED.findall(path.read_text(encoding="utf8")):
            modules[name].add(path.with_suffix(""))
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}


def test_systems_are_refused_that_have_more_transitions_than_the_machine_has_room_for() -> None:
    # The systems lie below the machine and cannot ask it.
    path = PACKAGE / "machine" / "transitions" / "declarations.pxd"
    room = re.search(r"MAX_TRANSITIONS = (\d+)", path.read_text(encoding="utf8"))
    assert room and int(room[1]) == MAX_TRANSITIONS
