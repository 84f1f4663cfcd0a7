"""Clients of UDPipe's REST service get from this server what they expect."""

import json
import re
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest

import spacy_arceager
from spacy_arceager.corpus.conllu import ConlluSentence, read_sentences
from spacy_arceager.serve.errors import ServeError
from spacy_arceager.serve.limits import Limits
from spacy_arceager.serve.pipeline import ServedPipeline
from spacy_arceager.serve.udpipe.service import process
from tests.serve.servers import Server

TEXT = "Dr. Smith can't come.\nHe is ill.\n\nNobody  knew it."
TAGGED = (
    "# sent_id = mine\n# text = She left.\n"
    "1\tShe\tSHE\tX\tQ\tA=B\t2\tdep\t_\t_\n2\tleft\tLEFT\tX\tQ\t_\t0\troot\t_\tSpaceAfter=No\n"
    "3\t.\t.\tX\tQ\t_\t2\tdep\t_\t_\n\n"
)
ALL = {"tokenizer": "", "tagger": "", "parser": ""}


def multipart(fields: dict[str, str]) -> tuple[bytes, str]:
    """A form as UDPipe's own client sends it: parts of text with three headers each."""
    boundary = "===============1234567890=="
    parts = [
        f'--{boundary}\r\nContent-Type: text/plain; charset="utf-8"\r\nMIME-Version: 1.0\r\n'
        f'Content-Disposition: form-data; name="{name}"\r\nContent-Transfer-Encoding: 8bit\r\n\r\n'
        f"{value}\r\n".replace("\r\n", "\n").replace("\n", "\r\n")
        for name, value in fields.items()
    ]
    body = "".join([*parts, f"--{boundary}--\r\n"]).encode()
    return body, f'multipart/form-data; boundary="{boundary}"'


def by_client(server: Server, fields: dict[str, str]) -> Any:
    """The answer to the request that UDPipe's own client makes for these parameters."""
    body, kind = multipart(fields)
    address = f"{server.address}/process"
    with urllib.request.urlopen(
        urllib.request.Request(address, headers={"Content-Type": kind}, data=body)
    ) as reply:
        return json.loads(reply.read())


def sentences(result: str) -> list[ConlluSentence]:
    return list(read_sentences(result.split("\n")))


def forms(result: str) -> list[list[str]]:
    return [[word.form for word in one.words] for one in sentences(result)]


def result_of(pipeline: ServedPipeline, data: str, **parameters: str) -> str:
    return process(pipeline, {"data": data, **parameters})["result"]


def test_the_list_of_models(server: Server) -> None:
    with urllib.request.urlopen(f"{server.address}/models") as reply:
        answer = json.loads(reply.read())
    assert answer["models"] == {answer["default_model"]: ["tokenizer", "tagger", "parser"]}
    assert server.ask("POST", "/models").json == answer


def test_raw_text_of_the_client(server: Server, nlp: Any) -> None:
    answer = by_client(server, {
        "input": "conllu", "output": "conllu", "data": TEXT, "model": "en", **ALL
    })
    assert answer["model"] == "en" and isinstance(answer["acknowledgements"], list)
    found = sentences(answer["result"])
    texts = [one for one in answer["result"].split("\n") if one.startswith("# text")]
    assert texts == [
        "# text = Dr. Smith can't come.", "# text = He is ill.", "# text = Nobody knew it."
    ]
    assert found[0].comments[:3] == [
        f"# generator = spacy_arceager {spacy_arceager.__version__}", "# udpipe_model = en",
        "# udpipe_model_licence = CC BY-SA 4.0",
    ]
    doc = nlp("Dr. Smith can't come.\nHe is ill.")
    assert [word.deprel for word in found[1].words] == [
        "root" if token.dep_ == "ROOT" else token.dep_
        for token in [*doc.sents][1] if not token.is_space
    ]
    assert answer["result"].count("# newdoc\n") == 1 and answer["result"].count("# newpar\n") == 2
    assert "Confidence" not in answer["result"] and answer["result"].endswith("\n\n")
    assert [comment for one in found for comment in one.comments if "sent_id" in comment] == [
        "# sent_id = 1", "# sent_id = 2", "# sent_id = 3"
    ]


def test_the_client_of_udapi(server: Server) -> None:
    client = pytest.importorskip("udapi.tool.udpipeonline").UDPipeOnline(
        "english-ewt-ud-2.15-241121", server.address
    )
    document = pytest.importorskip("udapi.core.document").Document()
    assert client.list_models() == ["en"]
    assert client.segment_text("He left. Nobody knew.") == ["He left.", "Nobody knew."]
    tree = document.create_bundle().create_tree()
    tree.text = "She may come. He left."
    trees = client.tokenize_tag_parse_tree(tree, resegment=False, ranges=True)
    found = [(node.form, node.deprel, node.misc["TokenRange"]) for node in trees[0].descendants]
    assert found[:2] == [("She", "nsubj", "0:3"), ("may", "aux", "4:7")]
    client.tag_parse_tree(trees[0])
    client.process_document(document, tokenize=False)
    assert [node.upos for node in document.bundles[0].trees[0].descendants][:2] == ["PRON", "AUX"]


def test_conllu_of_the_client(server: Server) -> None:
    answer = by_client(server, {"input": "conllu", "data": TAGGED, "parser": ""})
    (found,) = sentences(answer["result"])
    assert [word.deprel for word in found.words] == ["nsubj", "root", "punct"]
    assert found.words[1].misc == "SpaceAfter=No"


def test_each_way_to_send_parameters_gives_the_same(server: Server) -> None:
    fields = {"data": TEXT, **ALL}
    query = urllib.parse.urlencode(fields)
    expected = by_client(server, fields)
    assert server.ask("GET", f"/process?{query}").json == expected
    kind = "application/x-www-form-urlencoded; charset=utf-8"
    assert server.ask("POST", "/process", query.encode(), Content_Type=kind).json == expected
    body = (
        "--b\r\nContent-Disposition: form-data; name=\"data\"; filename=\"../../x.txt\"\r\n"
        f"Content-Type: text/plain\r\n\r\n{TEXT}\r\n--b--\r\n"
    ).encode()      # curl -F data=@x.txt 'process?tokenizer&tagger&parser'
    reply = server.ask("POST", "/process?tokenizer&tagger&parser", body,
                       Content_Type="multipart/form-data; boundary=b")
    assert reply.json == expected
    assert server.ask("POST", f"/process?{query}").json == expected


@pytest.mark.parametrize("name", ["en", "english", "english-ewt-ud-2.15-241121", "en_ewt", ""])
def test_names_of_english_models_are_answered(pipeline: ServedPipeline, name: str) -> None:
    assert process(pipeline, {"data": "He left.", "model": name, **ALL})["model"] == "en"


def test_columns_that_were_not_asked_for_are_empty(pipeline: ServedPipeline) -> None:
    (tokens,) = sentences(result_of(pipeline, "He left.", tokenizer=""))
    assert {(w.lemma, w.upos, w.xpos, w.feats, w.head, w.deprel) for w in tokens.words} == {
        ("_", "_", "_", "_", None, "_")
    }
    (tagged,) = sentences(result_of(pipeline, "He left.", tokenizer="", tagger=""))
    assert [(w.upos, w.head) for w in tagged.words] == [
        ("PRON", None), ("VERB", None), ("PUNCT", None)
    ]
    (parsed,) = sentences(result_of(pipeline, "He left.", tokenizer="", parser=""))
    assert [(w.upos, w.head) for w in parsed.words] == [("_", 2), ("_", 0), ("_", 2)]


def test_conllu_keeps_what_is_not_asked_for(pipeline: ServedPipeline) -> None:
    head, _, rest = result_of(pipeline, TAGGED).partition("# sent_id")
    assert "# sent_id" + rest == TAGGED and head.count("\n") == 3
    deps = TAGGED.replace("dep\t_\t_\n2", "dep\t2:dep\t_\n2")
    assert result_of(pipeline, deps).endswith(deps)
    empty = deps.replace("\n3\t", "\n2.1\tx\tx\tX\t_\t_\t_\t_\t2:dep\t_\n3\t")
    assert result_of(pipeline, empty).endswith(TAGGED)
    sure = TAGGED.replace("dep\t_\t_\n2", "dep\t_\tHeadConfidence=1|Gloss=x\n2")
    assert result_of(pipeline, sure).endswith(sure)
    assert "\t_\tGloss=x\n" in result_of(pipeline, sure, parser="")
    (parsed,) = sentences(result_of(pipeline, TAGGED, parser=""))
    assert [(w.lemma, w.xpos, w.deprel) for w in parsed.words][:2] == [
        ("SHE", "Q", "nsubj"), ("LEFT", "Q", "root")
    ]
    assert "# sent_id = mine" in parsed.comments
    (tagged,) = sentences(result_of(pipeline, TAGGED, input="conllu=v2", tagger=""))
    assert [(w.lemma, w.deprel) for w in tagged.words][:2] == [("she", "dep"), ("leave", "root")]


def test_faults_of_conllu_cost_no_column(pipeline: ServedPipeline) -> None:
    faulty = TAGGED.replace("2\tdep", "0\troot", 1).replace("\tX\tQ\tA=B", "\tx\tQ\tB")
    assert result_of(pipeline, faulty).endswith(faulty)
    cut = TAGGED + TAGGED[: TAGGED.index("\t2\tdep\t_\t_\n\n")]
    *_, last = result_of(pipeline, cut, parser="").rstrip("\n").split("\n\n")
    rows = [line.split("\t") for line in last.split("\n") if line[0] != "#"]
    assert [row[2:6] for row in rows] == [
        ["SHE", "X", "Q", "A=B"], ["LEFT", "X", "Q", "_"], ["_"] * 4
    ]


def test_inputs_of_words(pipeline: ServedPipeline) -> None:
    words = [["He", "left", "."], ["She", "can't", "!"]]
    horizontal = result_of(
        pipeline, "He left .\n\nShe can't !\n", input="horizontal", tagger="", parser=""
    )
    vertical = result_of(
        pipeline, "He\tx\nleft\n.\r\n\n\nShe\ncan't\n!", input="vertical", tagger="", parser=""
    )
    assert forms(horizontal) == forms(vertical) == words
    assert horizontal == vertical


def test_a_no_break_space_is_a_space_in_a_word(pipeline: ServedPipeline) -> None:
    data = "\ufeffNew\xa0York\tis b\x85g .\n"
    found = result_of(pipeline, data, input="horizontal", output="conllu")
    assert forms(found) == [["New York", "is", "b\x85g", "."]]
    again = result_of(pipeline, data, input="horizontal", output="horizontal")
    assert again == "New\xa0York is b\xa0g .\n"


def test_presegmented_lines_are_sentences(pipeline: ServedPipeline) -> None:
    text = "He left. She stayed.\n\nNobody"
    found = forms(result_of(pipeline, text, tokenizer="presegmented", parser=""))
    assert found == [["He", "left", ".", "She", "stayed", "."], ["Nobody"]]
    assert len(forms(result_of(pipeline, text, tokenizer="", parser=""))) == 3


def test_ranges_are_the_places_of_tokens_in_the_data(pipeline: ServedPipeline) -> None:
    for options in ("ranges", "presegmented;ranges"):
        result = result_of(pipeline, TEXT, tokenizer=options)
        places = re.findall(r"TokenRange=(\d+):(\d+)", result)
        cut = [TEXT[int(start):int(end)] for start, end in places]
        assert "can't" in cut
        assert cut == [token.form for one in sentences(result) for token in one.surface_tokens()]


def test_outputs(pipeline: ServedPipeline) -> None:
    text = "He  can't. No!"

    def written(output: str) -> str:
        return result_of(pipeline, text, tokenizer="", output=output)

    assert written("horizontal") == "He ca n't .\nNo !\n"
    assert written("vertical") == "He\nca\nn't\n.\n\nNo\n!\n\n"
    assert written("plaintext=normalized_spaces") == "He can't.\nNo!\n"


def test_conllu_without_a_text_has_that_of_its_tokens(pipeline: ServedPipeline) -> None:
    output = "plaintext=normalized_spaces"
    bare = TAGGED.replace("# text = She left.\n", "")
    assert result_of(pipeline, bare, output=output) == "She left.\n"


def test_sentences_without_an_id_get_one_that_none_has(pipeline: ServedPipeline) -> None:
    bare = TAGGED.replace("# sent_id = mine\n", "")
    result = result_of(pipeline, TAGGED.replace("mine", "2") + bare + bare)
    assert re.findall("# sent_id = (.*)", result) == ["2", "3", "4"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"model": "en"}, "'data' is missing"),
        ({"data": "a", "model": "czech-pdt"}, "no model 'czech-pdt'. The only model here is 'en'"),
        ({"data": "a", "modle": "en"}, "Do you mean 'model'?"),
        ({"data": "a", "input": "horizontl"}, "Do you mean 'horizontal'?"),
        ({"data": "a", "input": "generic_tokenizer"}, "'generic_tokenizer' is not supported"),
        ({"data": "a", "tokenizer": "presegmented;segmnt"}, "'segmnt' is not supported"),
        ({"data": "a", "tokenizer": "", "output": "matxin"}, "'matxin' is not supported"),
        ({"data": "a", "tokenizer": "", "output": "plaintext"}, "plaintext=normalized_spaces"),
        ({"data": "a", "tokenizer": "", "parser": "beam_search=5"}, "The parser has no options"),
        ({"data": "not CoNLL-U"}, "The CoNLL-U cannot be read: data, line 1"),
    ],
)
def test_what_is_not_supported_is_answered_with_the_reason(
    server: Server, parameters: dict[str, str], message: str
) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        by_client(server, parameters)
    assert caught.value.code == 400
    assert message in json.loads(caught.value.read())["error"]["message"]


def test_words_that_are_given_may_be_many(pipeline: ServedPipeline) -> None:
    given = "\n".join(
        TAGGED.rstrip("\n").replace("A=B", "A=" + "B" * 2_000) + "\n" for _ in range(100)
    )
    assert len(given) > 10 * pipeline.limits.words
    assert len(forms(result_of(pipeline, given, parser=""))) == 100


def test_data_that_is_too_long(pipeline: ServedPipeline) -> None:
    small = ServedPipeline(pipeline.nlp, "en", Limits(words=3))
    assert process(small, {"data": "He left.", **ALL})["result"]
    for data, given in (("He left it.", {"tokenizer": ""}), ("a b c d", {"input": "horizontal"})):
        with pytest.raises(ServeError, match="4 words. Send at most 3") as caught:
            process(small, {"data": data, **given})
        assert caught.value.status == 413


@pytest.mark.parametrize("parameters", [{"tokenizer": ""}, {"input": "horizontal"}, {}])
def test_no_data_is_no_sentence(pipeline: ServedPipeline, parameters: dict[str, str]) -> None:
    for data in ("", "\n \n"):
        result = result_of(pipeline, data, **parameters)
        assert [line[:2] for line in result.split("\n")] == ["# ", "# ", "# ", ""]
