"""Functions that make the systems of the literature; each reads like its row in a paper's table.

Most have the arguments `root`, which is "none" (the last word left is the root), "right" or "left"
(an artificial root behind the last or before the first word), and `segment`, which adds a BREAK
between sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from inspect import Parameter, Signature, signature
from typing import Any

from ..errors import unknown_name
from .parameters import ArcParameters, ParameterError, SystemParameters

ArcBlock = Mapping[str, Any]     # the arguments of ArcParameters


def arc_eager(
    tree_constraint: bool = True,
    non_monotonic: Sequence[str] = (),
    root: str = "none",
    segment: bool = False,
    labelled_reduce: bool = False,
    distance: int = 1,
) -> SystemParameters:
    """Arc-eager (Nivre 2003; Bohnet et al. 2016, section 4.2).

    Args:
        tree_constraint: every parse is one tree with one root (Nivre and Fernández-González 2014,
            figure 3). Without it, all words that are left over at the end are roots.
        non_monotonic: any of "left" and "reduce" (Honnibal et al. 2013, section 3) and
            "unshift" (Honnibal and Johnson 2015).
        root: with "right" and the tree constraint, the root takes one word, the last that is
            left. "left" needs tree_constraint=False.
        segment: whether there is a BREAK between sentences.
        labelled_reduce: whether the non-monotonic REDUCE chooses a label itself.
        distance: how far below the front of the buffer an arc may reach. Above 1, the system also
            derives some non-projective trees, and non_monotonic must be empty.
    """
    check_distance(distance)
    return SystemParameters(
        name="arc_eager",
        capacity=distance + 1,
        distance=distance,
        front=True,
        left=ArcParameters(),
        right=ArcParameters(reduce=False, shift=True),
        reduce=True,
        reduce_periphery="left" if distance == 1 else "any",
        tree_constraint=tree_constraint,
        non_monotonic=moves(non_monotonic),
        labelled_reduce=labelled_reduce,
        root=root,
        segment=segment,
    )


def arc_standard(
    swap: bool = False, root: str = "none", segment: bool = False
) -> SystemParameters:
    """Arc-standard (Nivre 2004; Bohnet et al. 2016, section 4.1).

    Args:
        swap: whether there is the SWAP of Nivre (2009), with which it derives all trees.
    """
    return SystemParameters(
        name="arc_standard", capacity=2, distance=1, swap=swap, root=root, segment=segment
    )


def arc_hybrid(
    swap: bool = False, root: str = "none", segment: bool = False
) -> SystemParameters:
    """Arc-hybrid (Kuhlmann et al. 2011; Bohnet et al. 2016, section 4.4).

    Args:
        swap: whether there is the SWAP of de Lhoneux, Stymne and Nivre (2017), with which it
            derives all trees.
    """
    return SystemParameters(
        name="arc_hybrid",
        capacity=3,
        distance=1,
        front=True,
        left=ArcParameters(periphery="right"),
        right=ArcParameters(periphery="left"),
        swap=swap,
        root=root,
        segment=segment,
    )


def attardi(degree: int = 2, root: str = "none", segment: bool = False) -> SystemParameters:
    """Attardi's system (Attardi 2006; Bohnet et al. 2016, section 4.6).

    Args:
        degree: how far apart on the stack the two words of an arc may be; 1 is arc-standard.
    """
    check_distance(degree, "degree")
    return SystemParameters(
        name="attardi", capacity=degree + 1, distance=degree, root=root, segment=segment
    )


def easy_first(
    capacity: int | None = None,
    distance: int = 1,
    root: str = "none",
    segment: bool = False,
) -> SystemParameters:
    """Easy-first (Goldberg and Elhadad 2010; Bohnet et al. 2016, sections 4.3 and 5).

    Args:
        capacity: K, how many words are active at once; None: all words of the sentence are.
        distance: D, how far apart in O the two words of an arc may be. Above 1, the system also
            derives some non-projective trees.
    """
    anywhere = ArcParameters(periphery="any")
    return SystemParameters(
        name="easy_first",
        capacity=capacity,
        distance=distance,
        left=anywhere,
        right=anywhere,
        root=root,
        segment=segment,
        fill=2 if segment else None,
    )


def dag(acyclic: bool = True, reduce_headless: bool = True) -> SystemParameters:
    """Graphs with several heads a word (Sagae and Tsujii 2008; Bohnet et al. 2016, 4.5).

    Args:
        acyclic: whether arcs that close a cycle are illegal. Enhanced UD graphs have cycles.
        reduce_headless: whether REDUCE may take out a word without a head, which is then a root.
            The published system cannot do that and misses some graphs.
    """
    return SystemParameters(
        name="dag",
        capacity=2,
        distance=1,
        front=True,
        left=ArcParameters(reduce=False),
        right=ArcParameters(reduce=False),
        reduce=True,
        reduce_headless=reduce_headless,
        graph=True,
        acyclic=acyclic,
    )


def check_distance(value: int, name: str = "distance") -> None:
    """Raise ParameterError unless a distance is an int from 1 up."""
    if not isinstance(value, int):
        raise ParameterError(f"{name}={value!r} should be int")
    if value < 1:
        raise ParameterError(f"{name}={value} leaves no two words for an arc; use 1 or more")


def custom_system(
    capacity: int | None,
    distance: int = 1,
    left: ArcBlock | Sequence[ArcBlock] | None = None,
    right: ArcBlock | Sequence[ArcBlock] | None = None,
    non_monotonic: Sequence[str] = (),
    name: str = "custom",
    **settings: Any,
) -> SystemParameters:
    """A system with any control parameters.

    Args:
        left: the arguments of ArcParameters for LEFT, as a config block has them, or a list of
            such blocks if the system has no LEFT or several.
        right: the same for RIGHT.
        settings: the other fields of ControlParameters.

    Raises:
        ParameterError: If there is no such field.
    """
    known = [field.name for field in fields(SystemParameters)]
    for setting in settings:
        if setting not in known:
            what = f"Parameter '{setting}'"
            raise ParameterError(unknown_name(what, setting, known))
    return SystemParameters(
        name=name,
        capacity=capacity,
        distance=distance,
        left=arc_parameters("left", left),
        right=arc_parameters("right", right),
        non_monotonic=moves(non_monotonic),
        **settings,
    )


def with_fields(bare: Signature) -> Signature:
    """The signature with a parameter for each field, by which configs are checked and filled in."""
    named = [p for p in bare.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    rest = [
        Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=f.type)
        for f in fields(SystemParameters) if f.name not in bare.parameters
    ]
    return bare.replace(parameters=[*named, *rest])


custom_system.__signature__ = with_fields(signature(custom_system))  # type: ignore[attr-defined]


def arc_parameters(
    side: str, blocks: ArcBlock | Sequence[ArcBlock] | None
) -> tuple[ArcParameters, ...]:
    """The parameters of each LEFT or RIGHT of a config.

    Args:
        side: "left" or "right".
        blocks: a block with the arguments of ArcParameters, or a list of blocks.

    Raises:
        ParameterError: If it is neither, or a block has an unknown argument.
    """
    if blocks is None or isinstance(blocks, Mapping):
        blocks = [blocks or {}]
    if not isinstance(blocks, list | tuple) or not all(
        isinstance(block, Mapping) for block in blocks
    ):
        raise ParameterError(f"{side}={blocks!r} should be a block or a list of blocks")
    known = [field.name for field in fields(ArcParameters)]
    unknown = sorted({name for block in blocks for name in block} - set(known))
    if unknown:
        raise ParameterError(
            f"{side}.{unknown[0]} is unknown; the block has {', '.join(known)}"
        )
    return tuple(ArcParameters(**block) for block in blocks)


def moves(non_monotonic: Sequence[str]) -> tuple[str, ...]:
    """The names in the list of a config, sorted, so that equal systems compare equal."""
    if isinstance(non_monotonic, str):
        raise ParameterError(
            f'non_monotonic="{non_monotonic}" should be a list: ["{non_monotonic}"]'
        )
    if not isinstance(non_monotonic, Sequence) or not all(
        isinstance(move, str) for move in non_monotonic
    ):
        raise ParameterError(f"non_monotonic={non_monotonic!r} should be a list of names")
    return tuple(sorted(set(non_monotonic)))
