"""The page in a browser, used by mouse, finger and keyboard. Skipped where there is no Chromium."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spacy_arceager.serve.limits import Limits
from spacy_arceager.serve.pipeline import ServedPipeline
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
from tests.conftest import Trained
from tests.serve.servers import HOSTILE, Server, serving

pytestmark = IN_BROWSER

TEXT = "She saw the man with a telescope."
Wait = pytest.importorskip("selenium.webdriver.support.ui").WebDriverWait


@pytest.fixture(scope="module")
def chrome() -> Iterator["webdriver.Chrome"]:
    with start_chromium() as driver:
        yield driver


class Page:
    """The page as a person sees and uses it."""

    def __init__(self, chrome: "webdriver.Chrome") -> None:
        self.chrome = chrome

    def find(self, selector: str) -> Any:
        return self.chrome.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[Any]:
        return self.chrome.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return self.find(selector).text

    def wait(self, condition: Callable[[], object]) -> None:
        Wait(self.chrome, 20).until(lambda _: condition())

    def parsed(self) -> None:
        """Wait until the last request is answered."""
        self.wait(lambda: self.find("#sentences").get_attribute("aria-busy") is None
                  and (self.text("#error") or self.text("#status") not in ("", "Parsing …")))

    def parse(self, text: str) -> None:
        self.chrome.execute_script("document.getElementById('text').value = arguments[0]", text)
        self.find("#parse").click()
        self.parsed()

    def arcs(self) -> dict[int, tuple[int, str]]:
        """The head and label of each word with an arc, as drawn."""
        arcs = self.all("#sentences .arc")
        return {
            int(arc.get_attribute("data-word")): (
                int(arc.get_attribute("data-head")), arc.get_attribute("data-label")
            )
            for arc in arcs
        }

    def word(self, index: int) -> Any:
        return self.find(f".word[data-index='{index}']")

    def label(self, word: int) -> Any:
        return self.find(f".arc[data-word='{word}'] text")

    def wanted(self) -> list[str]:
        return [item.text for item in self.all("#constraints li") if item.is_displayed()]

    def roots(self) -> list[str]:
        return [word.text for word in self.all(".word.root")]

    def drag(self, from_what: Any, to_what: Any, below: int = 0) -> None:
        actions = webdriver.ActionChains(self.chrome)
        actions.move_to_element(from_what).move_by_offset(0, below).click_and_hold()
        actions.move_by_offset(10, 10).move_to_element(to_what).release().perform()


@pytest.fixture
def page(chrome: "webdriver.Chrome", server: Server) -> Iterator[Page]:
    """The page after its first parse; a message in the browser's log fails the test."""
    chrome.get(server.address)
    opened = Page(chrome)
    opened.parsed()
    yield opened
    log = [one for one in chrome.get_log("browser") if "status of 4" not in one["message"]]
    assert log == []


def test_the_first_parse_is_drawn(page: Page, nlp: Any) -> None:
    doc = nlp(TEXT)
    assert page.arcs() == {
        token.i: (token.head.i, token.dep_) for token in doc if token.head.i != token.i
    }
    assert [word.text for word in page.all("#sentences .word")] == [token.text for token in doc]
    assert page.roots() == ["saw"] and page.text("article h2") == TEXT
    assert page.text("#status").startswith("1 sentence, 8 words. Confidence by sentence: ")
    assert "Pipeline en" in page.text("#about")


def test_the_example_is_for_english_pipelines(
    chrome: "webdriver.Chrome", german: Trained
) -> None:
    with serving(ServedPipeline(german.copy(), "small", Limits())) as server:
        chrome.get(server.address)
        opened = Page(chrome)
        opened.wait(lambda: "small (de)" in opened.text("#about"))
        assert opened.find("#text").get_attribute("value") == ""
        opened.parse("Er kommt.")
        assert opened.text("article h2") == "Er kommt."


def test_what_is_typed_waits_for_the_next_parse(page: Page) -> None:
    """What is asked of words is asked of the text that is shown."""
    typed = "Yesterday she saw the man with a telescope."
    page.chrome.execute_script("document.getElementById('text').value = arguments[0]", typed)
    page.drag(page.label(6), page.word(3), below=4)
    page.parsed()
    assert page.text("article h2") == TEXT and page.wanted() == ["Fixed: man → telescope ×"]
    page.find("#parse").click()
    page.parsed()
    assert page.text("article h2") == typed and page.wanted() == []


def test_an_arc_is_dragged_to_another_head(page: Page) -> None:
    assert page.arcs()[6] == (1, "obl")
    page.drag(page.label(6), page.word(3), below=4)
    page.parsed()
    assert page.arcs()[6] == (3, "nmod")
    assert page.wanted() == ["Fixed: man → telescope ×"]
    assert "fixed" in page.find(".arc[data-word='6']").get_attribute("class")
    page.find("#constraints li button").click()
    page.parsed()
    assert page.arcs()[6] == (1, "obl") and page.wanted() == []


def test_an_arc_that_is_dropped_beside_the_words_stays(page: Page) -> None:
    before = page.arcs()
    page.drag(page.label(6), page.find("article h2"), below=4)
    assert page.arcs() == before and page.wanted() == [] and not page.all(".dragged")
    assert not page.find("#menu").is_displayed()


def test_escape_gives_up_a_drag(page: Page) -> None:
    actions = webdriver.ActionChains(page.chrome)
    actions.move_to_element(page.label(6)).move_by_offset(0, 4).click_and_hold()
    actions.move_to_element(page.word(3)).perform()
    assert page.all(".dragged") and "target" in page.word(3).get_attribute("class")
    press(page.chrome, Keys.ESCAPE)
    webdriver.ActionChains(page.chrome).release().perform()
    assert not page.all(".dragged") and page.wanted() == []


def test_a_drag_scrolls_a_long_sentence_at_its_edges(page: Page) -> None:
    page.parse("The letters that she wrote to " + "the old man and " * 25 + "the king arrived.")
    scroll = page.find("article .scroll")
    assert page.chrome.execute_script(
        "return arguments[0].scrollWidth > arguments[0].clientWidth", scroll)
    right = scroll.rect["x"] + scroll.rect["width"] - 5
    word = page.word(1)
    actions = webdriver.ActionChains(page.chrome, duration=10)
    actions.move_to_element(word).click_and_hold().perform()
    middle = int(word.rect["y"] + word.rect["height"] / 2)
    top = page.chrome.execute_script("return window.scrollY")
    for number in range(6):
        actions = webdriver.ActionChains(page.chrome, duration=10)
        actions.w3c_actions.pointer_action.move_to_location(int(right) - number, int(middle - top))
        actions.perform()
    assert page.chrome.execute_script("return arguments[0].scrollLeft", scroll) > 100
    press(page.chrome, Keys.ESCAPE)
    webdriver.ActionChains(page.chrome).release().perform()
    assert page.wanted() == []


def test_a_word_is_dragged_to_its_head(page: Page) -> None:
    page.drag(page.word(6), page.word(3))
    page.parsed()
    assert page.arcs()[6][0] == 3


def test_a_word_and_its_head_are_clicked(page: Page) -> None:
    page.word(6).click()
    assert "Choose the head of “telescope”" in page.text("#status")
    assert "chosen" in page.word(6).get_attribute("class")
    page.word(3).click()
    page.parsed()
    assert page.arcs()[6] == (3, "nmod")
    page.word(3).click()
    page.word(3).click()
    page.parsed()
    assert page.roots() == ["man"]
    assert page.wanted() == ["Fixed: man → telescope ×", "Fixed: man as root ×"]
    page.find("#release").click()
    page.parsed()
    assert page.roots() == ["saw"]


def test_the_keyboard_does_it_all(page: Page) -> None:
    page.chrome.execute_script("arguments[0].focus()", page.word(5))
    press(page.chrome, Keys.ARROW_RIGHT, Keys.ENTER)
    press(page.chrome, *[Keys.ARROW_LEFT] * 3, Keys.ENTER)
    page.parsed()
    assert page.arcs()[6] == (3, "nmod")
    assert page.chrome.switch_to.active_element.get_attribute("data-index") == "3"
    page.chrome.execute_script("arguments[0].focus()", page.find(".arc[data-word='6']"))
    press(page.chrome, Keys.ENTER)
    assert page.find("#menu").is_displayed()
    press(page.chrome, Keys.ESCAPE)
    assert page.chrome.switch_to.active_element.get_attribute("data-word") == "6"
    press(page.chrome, Keys.ENTER, Keys.TAB, Keys.TAB, Keys.TAB, Keys.ENTER)    # Release it
    page.parsed()
    assert page.wanted() == [] and page.arcs()[6] == (1, "obl")
    page.chrome.execute_script("arguments[0].focus()", page.word(2))
    press(page.chrome, Keys.ENTER, Keys.ESCAPE)
    assert not page.all(".chosen") and page.wanted() == []
    page.find("#text").send_keys(" He left.")
    webdriver.ActionChains(page.chrome).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
        Keys.CONTROL).perform()
    page.wait(lambda: len(page.all("article")) == 2)


def choose_in_menu(page: Page, word: int, button: str, label: str = "") -> None:
    page.label(word).click()
    assert page.find("#menu").is_displayed()
    if label:
        Select(page.find("#label")).select_by_visible_text(label)
    page.find(f"#menu [value={button}]").click()
    page.parsed()


def test_the_menu_of_an_arc(page: Page) -> None:
    page.label(6).click()
    assert page.text("#menu-title") == "saw → telescope"
    assert "% sure" in page.text("#menu-note")
    assert Select(page.find("#label")).first_selected_option.text == "obl"
    assert not page.find("#menu [value=release]").is_displayed()
    press(page.chrome, Keys.ESCAPE)
    choose_in_menu(page, 6, "forbid")
    assert page.arcs()[6][0] != 1 and page.wanted() == ["Forbidden: saw → telescope ×"]
    page.find("#release").click()
    page.parsed()
    choose_in_menu(page, 3, "fix", "iobj")
    assert page.arcs()[3] == (1, "iobj") and page.wanted() == ["Fixed: saw → man (iobj) ×"]
    choose_in_menu(page, 3, "release")
    assert page.arcs()[3] == (1, "obj") and page.wanted() == []


def test_what_cannot_be_is_said_and_all_stays(page: Page) -> None:
    page.parse("He left. She stayed.")
    page.word(0).click()
    page.word(4).click()
    page.parsed()
    assert "crosses a sentence boundary" in page.text("#error")
    assert page.wanted() == [] and len(page.all("article")) == 2
    page.parse("word " * 1001)
    assert "1,001 words. Send at most 1,000" in page.text("#error")
    page.parse(TEXT)
    assert page.text("#error") == "" and page.roots() == ["saw"]


def test_another_text_is_parsed_without_the_old_arcs(page: Page) -> None:
    page.drag(page.word(6), page.word(3))
    page.parsed()
    page.parse("He left.")
    assert page.wanted() == [] and page.roots() == ["left"]


def test_the_best_trees(page: Page) -> None:
    group = page.all(".trees button[aria-pressed]")
    assert [button.text.split(":")[0] for button in group] == ["Parse", "1", "2", "3"]
    assert page.arcs()[6][0] == 1
    group[2].click()
    assert page.arcs()[6] == (3, "nmod") and group[2].get_attribute("aria-pressed") == "true"
    assert group[0].get_attribute("aria-pressed") == "false"
    page.find(".keep").click()
    page.parsed()
    assert page.arcs()[6] == (3, "nmod") and len(page.wanted()) == 8
    page.chrome.execute_script("document.getElementById('trees').value = 0")
    page.find("#parse").click()
    page.parsed()
    assert not page.all(".trees")


def test_words_and_confidences_are_listed(page: Page) -> None:
    page.find("article details summary").click()
    rows = [row.text.split() for row in page.all("article tbody tr")]
    assert rows[6][:5] == ["6", "telescope", "telescope", "NOUN", "NN"]
    assert rows[6][-3:-1] == ["saw", "obl"] and 0 < float(rows[6][-1]) < 1
    name = page.find(".arc[data-word='6']").accessible_name
    assert name.startswith("saw → telescope, obl, ") and name.endswith("% sure")


def test_doubtful_arcs_are_dashed(page: Page) -> None:
    page.drag(page.word(6), page.word(3))       # what the parser does not believe
    page.parsed()
    arc = page.find(".arc[data-word='6']")
    assert "doubtful" in arc.get_attribute("class")
    dashes = [
        page.find(f".arc[data-word='{word}'] .line").value_of_css_property("stroke-dasharray")
        for word in (6, 2)
    ]
    assert dashes[0] != "none" and dashes[1] == "none"


def test_conllu_is_shown_and_can_be_saved(page: Page, server: Server, tmp_path: Path) -> None:
    page.find("#conllu summary").click()
    expected = server.parse(TEXT, k_best=3, draw="across").json["conllu"]
    assert page.find("#conllu pre").get_attribute("textContent") == expected
    page.chrome.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )
    page.find("#download").click()
    saved = tmp_path / "parse.conllu"
    page.wait(saved.exists)
    assert saved.read_text(encoding="utf8") == expected


def test_the_derivation_follows_the_arcs(page: Page) -> None:
    page.find("#derivation > summary").click()

    def transitions() -> str:
        page.chrome.switch_to.frame(page.find("iframe"))
        try:
            page.wait(lambda: page.all("#last"))
            page.find("#last").click()
            return ", ".join(item.text for item in page.all(".history button"))
        finally:
            page.chrome.switch_to.default_content()

    page.wait(lambda: "obl" in transitions())
    page.drag(page.word(6), page.word(3))
    page.parsed()
    page.wait(lambda: "nmod" in transitions())
    assert "obl" not in transitions()


def test_nothing_of_a_text_is_run(page: Page) -> None:
    page.parse(HOSTILE)
    assert page.text("article h2").startswith("<script>alert(1)</script>")
    assert not page.all("#sentences script, #sentences img")
    assert len(page.all("script")) == 1
    page.find("#derivation > summary").click()
    page.chrome.switch_to.frame(page.find("iframe"))
    page.wait(lambda: page.all(".history button"))
    assert page.text("h1").startswith("<script>alert(1)</script>")
    assert not page.all("img") and len(page.all("script")) == 2
    page.chrome.switch_to.default_content()


def test_a_narrow_page_has_words_down_it(chrome: "webdriver.Chrome", server: Server) -> None:
    metrics = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    try:
        chrome.get(server.address)
        page = Page(chrome)
        page.parsed()
        places = [word.rect for word in page.all(".word text")]
        assert len({place["x"] for place in places}) == 1
        assert places == sorted(places, key=lambda place: place["y"])
        assert chrome.execute_script("return document.body.scrollWidth <= window.innerWidth")
        swipe(page, page.find(".arc[data-word='6']"), page.word(3))
        page.parsed()
        assert page.arcs()[6] == (3, "nmod")
    finally:
        chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})


def swipe(page: Page, arc: Any, word: Any) -> None:
    """Drag an arc with a finger: its line is at the left of what it takes up."""
    places = page.chrome.execute_script(
        "const field = (one) => one.getBoundingClientRect();"
        "const line = field(arguments[0].querySelector('.hit')), word = field(arguments[1]);"
        "return [line.left + 1, line.top + line.height / 2,"
        " word.left + word.width / 2, word.top + word.height / 2]", arc, word)
    start, end = places[:2], places[2:]
    for kind, point in (("touchStart", start), ("touchMove", [start[0] + 10, start[1]]),
                        ("touchMove", end), ("touchEnd", None)):
        points = [{"x": point[0], "y": point[1]}] if point else []
        page.chrome.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_browser_and_can_be_told_apart(page: Page, scheme: str) -> None:
    choose_scheme(page.chrome, scheme)
    background = brightness(page.chrome, "body", "background-color")
    assert (background > 0.5) == (scheme == "light")
    page.drag(page.word(6), page.word(3))
    page.parsed()
    for selector, name, least in (
        ("#about", "color", 4.5), ("#text", "color", 4.5), (".word text", "fill", 4.5),
        (".arc text", "fill", 4.5), (".arc .line", "stroke", 3), (".fixed .line", "stroke", 3),
        ("#help a", "color", 4.5), ("#status", "color", 4.5),
    ):
        assert contrast(brightness(page.chrome, selector, name), background) >= least, selector


def test_a_screen_reader_is_told_what_there_is(page: Page) -> None:
    for control in page.all("button, select, input, textarea, a, [role=button]"):
        if control.is_displayed():
            assert control.accessible_name, control.get_attribute("outerHTML")
    assert page.find("#status").get_attribute("aria-live") == "polite"
    assert page.find("#error").get_attribute("role") == "alert"
    assert page.word(6).accessible_name == "telescope, below saw"
    assert page.word(1).accessible_name == "saw, root"
    svg = page.find("#sentences svg")
    assert (svg.aria_role, svg.accessible_name) == ("group", "Words and arcs")


def test_a_server_that_is_busy_or_gone_is_named(
    chrome: "webdriver.Chrome", pipeline: ServedPipeline
) -> None:
    limited = ServedPipeline(pipeline.nlp, "en", Limits(rate=1))
    with serving(limited) as server:
        chrome.get(server.address)
        page = Page(chrome)
        page.parsed()
        page.parse("He left.")
        assert "A client is answered 1 times a minute" in page.text("#error")
    page.find("#parse").click()
    page.wait(lambda: "does not answer" in page.text("#error"))
    assert page.roots() == ["saw"]
    chrome.get_log("browser")


def test_the_page_sends_what_the_schema_allows(page: Page, server: Server) -> None:
    request = page.chrome.execute_script("return requestFor(wanted, parsed.text)")
    assert server.post_json(json.loads(json.dumps(request))).status == 200
