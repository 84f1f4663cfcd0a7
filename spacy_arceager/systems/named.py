"""The named systems; each reads like its row in a paper's table.

root: "none" (the last word left is the root), "right" or "left" (an artificial root
behind the last or before the first word). segment: a BREAK between sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from inspect import Parameter, Signature, signature
from typing import Any

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
            figure 3). Without it, words left over at the end are all roots, the old heuristic.
        non_monotonic: any of "left" and "reduce" (Honnibal et al. 2013, section 3) and
            "unshift" (Honnibal and Johnson 2015).
        labelled_reduce: the non-monotonic REDUCE chooses a label of its bare.
        root: "right" is also for the tree constraint and takes one word, the last; "left" needs
            tree_constraint=False.
        distance: how far below the front of the buffer an arc may reach; above 1 also for
            non-projective trees, and not with non_monotonic.
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
        swap: the SWAP of Nivre (2009), for all trees.
    """
    return SystemParameters(
        name="arc_standard", capacity=2, distance=1, swap=swap, root=root, segment=segment
    )


def arc_hybrid(
    swap: bool = False, root: str = "none", segment: bool = False
) -> SystemParameters:
    """Arc-hybrid (Kuhlmann et al. 2011; Bohnet et al. 2016, section 4.4).

    Args:
        swap: the SWAP of de Lhoneux, Stymne and Nivre (2017), for all trees.
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
        capacity: K, how many words are active at once; None for all of the sentence.
        distance: D, how far apart in O the two words of an arc may be; above 1 also for
            non-projective trees.
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
        acyclic: no arc closes a cycle. Enhanced UD graphs have cycles.
        reduce_headless: REDUCE may take out a word without a head, which is a root. The published
            system cannot, and so misses graphs.
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
    """Raise ParameterError where arcs could join no two words."""
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
    """Any other setting of the control parameters.

    Args:
        left: the arguments of ArcParameters, as config blocks, or a list of them where there are
            several LEFTs or RIGHTs; an empty list where there is none.
        right: the arguments of ArcParameters, as config blocks, or a list of them where there are
            several LEFTs or RIGHTs; an empty list where there is none.
        settings: the rest of ControlParameters.
    """
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
    """Its `settings` one by one, as configs are checked and filled in by them."""
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
    """The block `left` or `right` of a config, or several.

    Raises:
        ParameterError: For what is no such block.
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
    """The moves of a config's list, sorted."""
    if isinstance(non_monotonic, str):
        raise ParameterError(
            f'non_monotonic="{non_monotonic}" should be a list: ["{non_monotonic}"]'
        )
    return tuple(sorted(non_monotonic))
