"""The tables of the documentation, made of the results that are on record.

python -m replication.record

writes anew what stands in docs/*.md between `<!-- record: FOLDER/TABLE | GROUPS -->` and
`<!-- end of record -->`: the table FOLDER/record/TABLE.csv, of it the groups that are named (with
semicolons), or all. A table with such a mark has its figures from nowhere else.

A row of the CSV is one figure: where it stands (`group`, `row`, `column`), its `value`, the
standard deviation over so many trainings (`spread`, `trainings`), the `difference` to what it is
compared with, the stars of randomization by sentence with the trainings held fixed (`held_fixed`,
"no" where there are none, empty where nothing was tested), the `run` it comes from, and the stars
of a test over the trainings (`over_seeds`, in the same way; in newer tables). runs.csv
beside it has the date, commit, processor and command of each run, as far as they are known. The
commit is the one that wrote the figure down, and a command may be of today's names.

Where there are several trainings of both sides and stars that hold them fixed, those shown are the
fewer of these and of Welch's test over the trainings, which means and spreads allow afterwards.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from scipy.stats import ttest_ind_from_stats

from .figures import ROOT, Figure, read_figures, read_runs
from .tables import LEVELS, as_markdown, stars

MARKED = re.compile(
    r"(<!-- record: (\S+)/(\S+)(?: \| ([^>]+))? -->\n).*?(<!-- end of record -->)", re.DOTALL
)
PYTHON = re.compile(r"Python (3\.\d+)")


def renew_page(markdown: str) -> str:
    """A page with its marked tables made anew."""
    return MARKED.sub(
        lambda mark: mark[1] + as_text(mark[2], mark[3], mark[4] or "") + "\n\n" + mark[5], markdown
    )


def as_text(folder: str, table: str, groups: str = "") -> str:
    """A table, or some groups of it, and the line below that says where it comes from."""
    figures = read_figures(folder, table)
    names = groups.split("; ") if groups else unique(one.group for one in figures)
    shown = [one for one in figures if one.group in names]
    tables = [as_table([one for one in shown if one.group == name], figures) for name in names]
    return "\n\n".join([*tables, describe_source(folder, table, shown)])


def as_table(shown: Sequence[Figure], figures: Sequence[Figure]) -> str:
    """One group."""
    columns = unique(one.column for one in shown)
    cells = {(one.row, one.column): as_cell(one, figures) for one in shown}
    rows = [
        [row, *(cells.get((row, column), "") for column in columns)]
        for row in unique(one.row for one in shown)
    ]
    return as_markdown([shown[0].group, *columns], rows)


def as_cell(figure: Figure, figures: Sequence[Figure]) -> str:
    """Mean, spread, number of trainings, and the difference with its stars."""
    number = f" ({figure.trainings})" if figure.spread else ""
    spread = f" ± {figure.spread}" if figure.spread else ""
    difference = f" [{figure.difference}{find_stars(figure, figures)}]" if figure.difference else ""
    return f"{figure.value}{spread}{number}{difference}"


def find_stars(figure: Figure, figures: Sequence[Figure]) -> str:
    """The fewer stars of the two tests; see the head of this file."""
    if figure.over_seeds:
        return figure.over_seeds.replace("no", "")
    fixed = figure.held_fixed.replace("no", "")
    base = find_base(figure, figures)
    if not (figure.has_seeds and base and base.has_seeds):
        return fixed
    sides = [
        number for one in (figure, base)
        for number in (float(one.value), float(one.spread), int(one.trainings))
    ]
    return min(fixed, stars(ttest_ind_from_stats(*sides, equal_var=False).pvalue), key=len)


def find_base(figure: Figure, figures: Iterable[Figure]) -> Figure | None:
    """What a figure is compared with: the one without difference in its column, or in its row."""
    own = [one for one in figures if one.group == figure.group and not one.difference]
    of_column = [one for one in own if one.column == figure.column]
    of_row = [one for one in own if one.row == figure.row and one.spread]
    return next(iter([*of_column, *of_row]), None)


def describe_source(folder: str, table: str, shown: Sequence[Figure]) -> str:
    """The file, the dates of its runs, their Python, and how many stars to expect by chance."""
    runs = [read_runs(folder)[name] for name in unique(one.run for one in shown)]
    dates = sorted({run.date for run in runs if run.commit}) or [""]
    when = " to ".join(unique([dates[0], dates[-1]]))
    versions = sorted({name for run in runs for name in PYTHON.findall(run.processor)})
    pythons = f", Python {', '.join(versions)}" if versions else ""
    tested = sum(one.is_tested for one in shown)
    chance = (
        f"; differences tested: {tested}, stars to expect by chance: {LEVELS[0] * tested:.1f}"
        if tested else ""
    )
    return f"[{table}.csv](../{folder}/record/{table}.csv), {when}{pythons}{chance}"


def unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def renew_pages(write: Callable[[Path, str], object]) -> None:
    """Hand over each page of the documentation that has marked tables, made anew."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        page = path.read_text(encoding="utf8")
        if MARKED.search(page):
            write(path, renew_page(page))


if __name__ == "__main__":
    renew_pages(lambda path, text: path.write_text(text, encoding="utf8"))
