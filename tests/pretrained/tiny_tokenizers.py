"""Tiny tokenizers of the three kinds, each with the special pieces of its family."""

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from .tiny import make_tokenizer

TEXTS = ["The cat sat on the mat, and the dog chased it around.", "Cats and dogs are not friends",
         "Unhappily, nobody saw where they were running to."] * 3
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
ROBERTA = ["<s>", "<pad>", "</s>", "<unk>"]


def word_piece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    trainer = trainers.WordPieceTrainer(
        vocab_size=120, special_tokens=BERT, show_progress=False
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def byte_level() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=ROBERTA, show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(TEXTS, trainer)
    return tokenizer


def unigram() -> Tokenizer:
    return Tokenizer.from_str(make_tokenizer())


TOKENIZERS = {
    "bert": word_piece, "distilbert": word_piece, "roberta": byte_level, "xlm-roberta": unigram,
}
