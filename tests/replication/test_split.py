"""Blocks of sentences that keep their trees, and others that do not."""

from pathlib import Path

import pytest

from replication.split import BLOCK, main


@pytest.mark.parametrize("share", [2, 3])
def test_each_sentence_is_in_one_part_in_its_order(tmp_path: Path, share: int) -> None:
    sentences = [f"# sent_id = {i}\n1\tx" for i in range(5 * BLOCK + 7)]
    treebank = tmp_path / "treebank.conllu"
    treebank.write_text("\n\n".join(sentences) + "\n\n", encoding="utf8")
    main(treebank, tmp_path / "parts", share)
    train, text = (
        (tmp_path / "parts" / f"{name}.conllu").read_text(encoding="utf8").split("\n\n")[:-1]
        for name in ("train", "text")
    )
    assert sorted(train + text, key=sentences.index) == sentences
    assert train == sorted(train, key=sentences.index)
    assert text == sorted(text, key=sentences.index)
    assert train[:BLOCK] == sentences[:BLOCK]
    assert train[BLOCK] == sentences[share * BLOCK]
