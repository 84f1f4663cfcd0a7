"""The systems whose decoding is compared with the slow one."""

from spacy_arceager.network.addresses import HOPS
from spacy_arceager.network.features import ENDINGS
from spacy_arceager.systems import (
    SystemParameters,
    arc_eager,
    arc_hybrid,
    arc_standard,
    attardi,
    custom_system,
    easy_first,
)
from tests.systems_table import kept_on_stack

ROOTS = ("none", "right", "left")
CAPACITIES = {"inf": None, "3": 3, "4": 4, "8": 8}
ANY = {"periphery": "any"}
KEPT = {"periphery": "any", "reduce": False}

STACK = {
    f"{name}, root {root}": parameters
    for root in ROOTS
    for name, parameters in {
        "arc_standard": arc_standard(root=root),
        "arc_standard+swap": arc_standard(swap=True, root=root),
        "arc_hybrid": arc_hybrid(root=root),
        "arc_hybrid+swap": arc_hybrid(swap=True, root=root),
        "attardi 2": attardi(2, root=root),
        "attardi 3": attardi(3, root=root),
    }.items()
} | {
    "arc_eager tree": arc_eager(),
    "arc_eager tree, root right": arc_eager(root="right"),
    "arc_eager, root left": arc_eager(False, root="left"),
    "arc_eager labelled": arc_eager(True, ["left", "reduce"], labelled_reduce=True),
    "arc_eager 2": arc_eager(distance=2),
    "arc_eager 3, root left": arc_eager(False, root="left", distance=3),
    "kept on the stack": kept_on_stack(3, "left"),
}

EASY_FIRST = {
    f"easy_first {name}-{distance}, root {root}": easy_first(capacity, distance, root)
    for root in ROOTS
    for name, capacity in CAPACITIES.items()
    for distance in (1, 2, 3)
    if capacity is None or distance < capacity
}


def custom(capacity: int | None, **parameters) -> SystemParameters:
    return custom_system(capacity, **{"left": ANY, "right": ANY, **parameters})


# Systems in which dependents stay in O, a SHIFT or SWAP may come between any arcs, or O is filled
# in part.
CUSTOM = {
    "kept": custom(None, left=KEPT, right=KEPT, reduce=True, reduce_periphery="any", fill=None),
    "kept, root left": custom(
        None, left=KEPT, right=KEPT, reduce=True, reduce_periphery="any", distance=2,
        fill=None, root="left",
    ),
    "kept 5-3": custom(
        5, left=KEPT, right=KEPT, reduce=True, reduce_periphery="any", distance=3
    ),
    "right kept": custom(
        None, right=KEPT, reduce=True, reduce_periphery="any", distance=3, fill=None
    ),
    "right kept, shifted": custom(
        None, right={**KEPT, "shift": True}, reduce=True, reduce_periphery="any", fill=2
    ),
    "right kept, reduced on the right": custom(
        6, right=KEPT, reduce=True, reduce_periphery="right"
    ),
    "shift any time": custom(None, distance=2, fill=2),
    "shift any time, root left": custom(None, distance=3, fill=2, root="left"),
    "filled up to 20": custom(None, distance=2, fill=20),
    "capacity 20": custom(20, distance=3, fill=None, root="left"),
    "capacity 20, filled up to 5": custom(20, distance=2, fill=5),
    "left only on the right": custom(6, left={"periphery": "right"}, distance=2),
    "left only on the left": custom(6, left={"periphery": "left"}, distance=2),
    "swap": custom(None, swap=True, fill=2),
    "swap 4": custom(4, swap=True),
}

SEGMENTING = {
    "arc_standard": arc_standard(segment=True),
    "arc_hybrid+swap": arc_hybrid(swap=True, segment=True),
    "attardi 3": attardi(3, segment=True),
    "arc_eager tree": arc_eager(segment=True),
    "arc_eager": arc_eager(False, ["left"], segment=True),
    "easy_first 4": easy_first(4, segment=True),
    "easy_first 70-3": easy_first(70, 3, segment=True),
    "easy_first 8-2": easy_first(8, 2, segment=True),
    "arc_eager 2": arc_eager(distance=2, segment=True),
    "kept on the stack": kept_on_stack(2, segment=True),
    "kept": custom(
        40, left=KEPT, right=KEPT, reduce=True, reduce_periphery="any", segment=True
    ),
    "swap": custom(30, swap=True, segment=True),
}

ANCHORED = EASY_FIRST | CUSTOM
EVERY = STACK | ANCHORED

# Features with every hop and every attribute, far to both sides of the anchor.
BOTH_SIDES = [
    "O1", "O5", "U2", "U3", "O2.left1.left2", "O3.head.right1",
    *(f"{word}.{hop}" for word in ("O2", "U1") for hop in HOPS),
]
BOTH_SIDES_ATTRIBUTES = [
    "O5-O2",
    *(f"{word}.{name}" for word in ("O2.left1", "U2", "U1.head") for name in ENDINGS),
]
