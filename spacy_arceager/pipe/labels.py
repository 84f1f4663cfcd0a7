"""What a parser takes as labels."""

from collections import Counter
from typing import Any

from ..annotation.projective import is_label


def check_label_data(data: Any, name: str, graph: bool) -> list[str]:
    """The labels in what `label_data` gives; arguments and errors as of `check_labels`."""
    if not isinstance(data, dict) or "labels" not in data:
        raise ValueError(f"The label data of '{name}' is no dict with 'labels'")
    return check_labels(data["labels"], name, graph)


def check_labels(labels: Any, name: str, graph: bool) -> list[str]:
    """Labels from a person or a file as a list.

    Args:
        name: of the component, for messages.
        graph: labels of graphs, in which no arc is lifted.

    Raises:
        ValueError: For what are no labels.
    """
    if not isinstance(labels, (list, tuple)):
        raise ValueError(f"The labels of '{name}' are {labels!r:.60}; give a list of strings")
    for label in labels:
        if not isinstance(label, str) or not label:
            raise ValueError(f"'{name}' has the label {label!r}; labels are strings, not empty")
        if not graph and not is_label(label):
            raise ValueError(
                f"'{name}' has the label '{label}'; '||' marks arcs that projectivisation "
                "lifted and stands between two labels. Rename the label"
            )
    repeated = [label for label, count in Counter(labels).items() if count > 1]
    if repeated:
        raise ValueError(f"'{name}' has the label '{repeated[0]}' twice")
    return list(labels)
