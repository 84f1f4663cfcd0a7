"""The page in a browser, used by mouse and keyboard. Skipped where there is no Chromium."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from spacy_arceager.oracles.oracle import Oracle
from spacy_arceager.systems import arc_eager, arc_hybrid, dag, easy_first
from spacy_arceager.visual.figure import lifetimes
from spacy_arceager.visual.page import DerivationPage
from spacy_arceager.visual.view import View
from tests.browser import (
    IN_BROWSER,
    By,
    Keys,
    Select,
    brightness,
    choose_scheme,
    contrast,
    press,
    start_chromium,
    webdriver,
)
from tests.visual.views import GOLD, NASTY, REPAIRED, derived, followed, oracle_view

pytestmark = IN_BROWSER

Open = Callable[..., "webdriver.Chrome"]


@pytest.fixture(scope="module")
def chrome() -> Iterator["webdriver.Chrome"]:
    with start_chromium() as driver:
        yield driver


@pytest.fixture
def show(chrome: "webdriver.Chrome", tmp_path: Path) -> Iterator[Open]:
    """Open a page with some sentences; a message in the browser's log fails the test."""

    def open_page(*sentences: list[View], html: str = "") -> "webdriver.Chrome":
        path = tmp_path / "page.html"
        path.write_text(html or DerivationPage(sentences).to_html(), encoding="utf8")
        chrome.get(path.as_uri())
        return chrome

    yield open_page
    assert chrome.get_log("browser") == []


def click(chrome: "webdriver.Chrome", identity: str) -> None:
    chrome.find_element(By.ID, identity).click()


def text_of(chrome: "webdriver.Chrome", identity: str) -> str:
    return chrome.find_element(By.ID, identity).text


def tokens(chrome: "webdriver.Chrome", name: str) -> list[str]:
    items = chrome.find_elements(By.CSS_SELECTOR, f"section:not([hidden]) .tokens.{name} li")
    return [item.text for item in items]


def arcs_drawn(chrome: "webdriver.Chrome") -> list[str]:
    arcs = chrome.find_elements(By.CSS_SELECTOR, "section:not([hidden]) .figure .arc:not(.missing)")
    return sorted(arc.find_element(By.TAG_NAME, "text").text for arc in arcs if arc.is_displayed())


def repaired() -> View:
    return followed(
        arc_eager(True, ["left", "reduce"]), REPAIRED, oracle=Oracle("exact"), gold=GOLD
    )


def test_each_step_shows_its_configuration(show: Open) -> None:
    view = repaired()
    chrome = show([view])
    for number, step in enumerate(view.derivation.steps):
        assert text_of(chrome, "count") == f"{number} / {len(REPAIRED)}"
        assert tokens(chrome, "stack") == [view.names[node] for node in step.stack]
        assert tokens(chrome, "buffer") == [view.names[node] for node in step.buffer] + ["END"]
        there = [life.arc.label for life in lifetimes(view) if life.is_there(number)]
        assert arcs_drawn(chrome) == sorted(there)
        if number < len(REPAIRED):
            click(chrome, "forward")
    assert not chrome.find_element(By.ID, "forward").is_enabled()
    assert "The end. Roots: heard." in chrome.find_element(By.CLASS_NAME, "note").text


def test_buttons_and_keys(show: Open) -> None:
    chrome = show([repaired()])
    assert not chrome.find_element(By.ID, "back").is_enabled()
    for identity, at in [("last", 11), ("back", 10), ("first", 0), ("forward", 1)]:
        click(chrome, identity)
        assert text_of(chrome, "count") == f"{at} / 11"
    for key, at in [
        (Keys.END, 11), (Keys.ARROW_LEFT, 10), (Keys.HOME, 0), (Keys.ARROW_RIGHT, 1),
        (Keys.PAGE_DOWN, 11), (Keys.PAGE_UP, 1), (Keys.ARROW_LEFT, 0), (Keys.ARROW_LEFT, 0),
    ]:
        press(chrome, key)
        assert text_of(chrome, "count") == f"{at} / 11"


def test_the_slider(show: Open) -> None:
    chrome = show([repaired()])
    slider = chrome.find_element(By.ID, "step")
    webdriver.ActionChains(chrome).click(slider).perform()       # its middle
    middle = int(slider.get_attribute("value"))
    assert 4 <= middle <= 7 and text_of(chrome, "count") == f"{middle} / 11"
    press(chrome, Keys.ARROW_RIGHT)     # the slider's own key: one step, not two
    assert text_of(chrome, "count") == f"{middle + 1} / 11"
    assert slider.get_attribute("aria-valuetext").startswith(f"Step {middle + 1} of 11. ")
    press(chrome, "e")
    assert text_of(chrome, "count") == "9 / 11"


def test_a_repair_is_found_and_told(show: Open) -> None:
    chrome = show([repaired()])
    click(chrome, "mark")
    assert text_of(chrome, "status") == (
        "Step 9: LEFT-ARC(x). New arc: sing → Ann (x), instead of heard → Ann (y). "
        "This is a repair."
    )
    marks = chrome.find_elements(By.CSS_SELECTOR, ".history .mark")
    assert [mark.text for mark in marks] == ["repair"]
    click(chrome, "mark")
    assert text_of(chrome, "count") == "9 / 11"


def test_an_error_is_marked(show: Open) -> None:
    chrome = show([followed(arc_eager(), REPAIRED[:8], oracle=Oracle("exact"), gold=GOLD)])
    press(chrome, "e")
    assert text_of(chrome, "status").endswith("This is an error.")
    assert chrome.find_element(By.CSS_SELECTOR, "[aria-current=step] .mark").text == "error"
    press(chrome, Keys.END)
    assert "Wrong heads" in chrome.find_element(By.CLASS_NAME, "note").text


def test_choices_have_costs_and_the_one_taken_is_marked(show: Open) -> None:
    view = repaired()
    chrome = show([view])
    press(chrome, *[Keys.ARROW_RIGHT] * 3)
    rows = chrome.find_elements(By.CSS_SELECTOR, ".choices tbody tr")
    assert [row.text.split() for row in rows] == [
        [*(["▶"] if choice.taken else []),
         choice.transition + (f"({choice.label})" if choice.label else ""), str(choice.cost)]
        for choice in view.choices[4]
    ]
    taken = chrome.find_elements(By.CSS_SELECTOR, ".choices tr[aria-current=true]")
    assert len(taken) == 1 and "RIGHT-ARC(y)" in taken[0].text


def test_a_click_on_a_transition_goes_there(show: Open) -> None:
    chrome = show([repaired()])
    chrome.find_elements(By.CSS_SELECTOR, ".history button")[6].click()
    assert text_of(chrome, "count") == "6 / 11"
    current = chrome.find_elements(By.CSS_SELECTOR, ".history [aria-current=step]")
    assert [item.text.split() for item in current] == [["6", "REDUCE"]]


def test_a_transition_links_to_its_explanation(show: Open) -> None:
    chrome = show([repaired()])
    legend = chrome.find_element(By.ID, "legend")
    assert legend.get_attribute("open") is None
    chrome.find_element(By.LINK_TEXT, "SHIFT").click()
    assert legend.get_attribute("open") is not None
    term = chrome.switch_to.active_element
    assert term.tag_name == "dt" and term.is_displayed() and term.text == "SHIFT"
    press(chrome, *[Keys.ARROW_RIGHT] * 3)
    for link in chrome.find_elements(By.CSS_SELECTOR, ".choices a"):
        (target,) = chrome.find_elements(By.ID, link.get_attribute("href").split("#")[1])
        assert target.is_displayed()


def test_the_title_names_the_sentence_that_is_shown(show: Open) -> None:
    chrome = show([repaired()], [oracle_view()])
    titles = [chrome.title]
    press(chrome, "s")
    assert [*titles, chrome.title] == [repaired().text, oracle_view().text]


def test_systems_side_by_side_move_together(show: Open) -> None:
    views = [oracle_view(system) for system in (arc_eager(), arc_hybrid(), easy_first())]
    chrome = show(views)
    n = [len(view.derivation.steps) - 1 for view in views]
    press(chrome, Keys.END)
    assert text_of(chrome, "count") == f"{max(n)} / {max(n)}"
    notes = chrome.find_elements(By.CLASS_NAME, "note")
    assert [note.text for note in notes] == ["The end. Roots: reads."] * 3
    boxes = chrome.find_elements(By.CLASS_NAME, "view")
    assert len({box.rect["y"] for box in boxes[:2]}) == 1      # beside each other


def test_sentences_are_chosen(show: Open) -> None:
    chrome = show([repaired()], [oracle_view()])
    press(chrome, Keys.END)
    press(chrome, "s")
    assert tokens(chrome, "buffer") == ["She", "reads", "good", "books", "END"]
    assert text_of(chrome, "count").startswith("0 /")
    choice = Select(chrome.find_element(By.ID, "sentence"))
    choice.select_by_index(0)
    assert tokens(chrome, "buffer")[0] == "We"
    visible = [s for s in chrome.find_elements(By.TAG_NAME, "section") if s.is_displayed()]
    assert len(visible) == 1


def test_a_graph_and_an_artificial_root(show: Open) -> None:
    chrome = show([derived(dag(), [1, 3, 1, 3])], [derived(arc_hybrid(root="left"), [1, 3, 1, 3])])
    press(chrome, Keys.END)
    assert len(arcs_drawn(chrome)) == 3
    press(chrome, "s", Keys.END)
    words = chrome.find_elements(By.CSS_SELECTOR, "section:not([hidden]) .figure .word")
    assert words[0].text == "ROOT" and len(arcs_drawn(chrome)) == 4


def test_nothing_of_a_text_is_run(show: Open) -> None:
    chrome = show([oracle_view(words=NASTY, label="<u>&")])
    for _ in range(4):
        press(chrome, Keys.ARROW_RIGHT)
    assert tokens(chrome, "buffer")
    assert not chrome.find_elements(By.CSS_SELECTOR, "img, u, b, i")
    assert len(chrome.find_elements(By.TAG_NAME, "script")) == 2
    words = [word.text for word in chrome.find_elements(By.CSS_SELECTOR, ".figure .word")]
    assert words[1].startswith("<img/src=x")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_browser_and_can_be_told_apart(show: Open, scheme: str) -> None:
    chrome = show([repaired()])
    choose_scheme(chrome, scheme)
    press(chrome, *[Keys.ARROW_RIGHT] * 9)
    page = brightness(chrome, "body", "background-color")
    assert (page > 0.5) == (scheme == "light")
    for selector in ("#status", ".keys", "h3", ".tokens li", ".mark", ".choices th", ".word"):
        text = brightness(chrome, selector, "fill" if selector == ".word" else "color")
        assert contrast(text, page) >= 4.5, selector


def test_a_screen_reader_is_told_what_there_is(show: Open) -> None:
    chrome = show([repaired()], [oracle_view()])
    press(chrome, *[Keys.ARROW_RIGHT] * 2)
    for control in chrome.find_elements(By.CSS_SELECTOR, "button, select, input"):
        if control.is_displayed():
            assert control.accessible_name
    assert chrome.find_element(By.ID, "step").aria_role == "slider"
    status = chrome.find_element(By.ID, "status")
    assert status.get_attribute("aria-live") == "polite" and "LEFT-ARC(x)" in status.text
    figure = chrome.find_element(By.CSS_SELECTOR, "section:not([hidden]) .figure")
    assert figure.accessible_name == "Arcs: heard → We (x)"
    lists = chrome.find_elements(By.CSS_SELECTOR, "section:not([hidden]) ol.tokens")
    assert [one.accessible_name for one in lists] == ["Stack", "Buffer"]
    headings = chrome.find_elements(By.CSS_SELECTOR, ".choices thead th")
    assert all(heading.get_attribute("scope") == "col" for heading in headings)


def test_a_long_sentence_keeps_its_front_in_sight(show: Open) -> None:
    heads = [max(0, i - 1) for i in range(100)]
    view = derived(arc_eager(), heads)
    chrome = show([view])
    chrome.execute_script("document.documentElement.style.scrollBehavior = 'auto';"
                          "document.querySelector('.scroll').style.scrollBehavior = 'auto'")
    press(chrome, *[Keys.PAGE_DOWN] * 7)
    front = view.derivation.steps[70].buffer[0]
    place = chrome.find_element(By.CSS_SELECTOR, f'.place[data-node="{front}"]')
    frame = chrome.find_element(By.CLASS_NAME, "scroll").rect
    assert frame["y"] < place.rect["y"] < frame["y"] + frame["height"]
    assert "more" in " ".join(tokens(chrome, "buffer"))
    assert chrome.execute_script("return document.body.scrollWidth <= window.innerWidth")


def test_a_notebook_shows_the_page(show: Open) -> None:
    page = DerivationPage([[repaired()]])
    chrome = show(html=f"<!doctype html><body>{page._repr_html_()}</body>")
    chrome.switch_to.frame(0)
    click(chrome, "forward")
    assert text_of(chrome, "count") == "1 / 11"
    chrome.find_element(By.LINK_TEXT, "LEFT-ARC(x)").click()
    assert chrome.switch_to.active_element.text == "LEFT-ARC"
    assert text_of(chrome, "count") == "1 / 11"
