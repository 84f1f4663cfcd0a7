"""Words and trees of Docs as arrays. Only this module writes spaCy's TokenC."""

import numpy

from libcpp.vector cimport vector
from spacy.attrs cimport IS_SPACE
from spacy.lexeme cimport Lexeme
from spacy.structs cimport TokenC
from spacy.tokens.doc cimport Doc

from .label_strings import ROOT_HASH, SPACE_HASH


def sentence_words(
    Doc doc not None, boundaries: NDArray[numpy.int8] | None = None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.int32], NDArray[numpy.int32]]:
    """The words to parse, sentence by sentence. Words are the tokens that are not white space.

    White space alone is no sentence: it belongs to the one before it, or to the first.

    Args:
        boundaries: (n_tokens,) int8, 1 where a sentence starts. None stands for `is_sent_start`.

    Returns:
        Three int32 arrays: the token indices of the words, (n_words,); the number of words of each
        sentence, (n_sentences,), which is 0 only if the Doc has no word; and the first token of
        each sentence, (n_sentences,).
    """
    cdef int n = doc.length, i, n_words = 0, n_sentences = 0
    cdef const signed char[::1] sent_starts
    # The results share one array, for to open an array takes as long as the loop over a sentence.
    rows = numpy.zeros((3, n), dtype="i")
    cdef int[:, ::1] c_rows = rows
    cdef bint is_given = boundaries is not None
    if is_given:
        sent_starts = boundaries
        if sent_starts.shape[0] != n:
            raise ValueError(f"{sent_starts.shape[0]} boundaries for {n} tokens")
    for i in range(n):
        if i == 0 or (sent_starts[i] if is_given else doc.c[i].sent_start) == 1:
            if i == 0 or c_rows[1, n_sentences - 1]:
                n_sentences += 1
            if n_sentences > 1 or i == 0:
                c_rows[2, n_sentences - 1] = i
        if not Lexeme.c_check_flag(doc.c[i].lex, IS_SPACE):
            c_rows[0, n_words] = i
            n_words += 1
            c_rows[1, n_sentences - 1] += 1
    if n_sentences > 1 and not c_rows[1, n_sentences - 1]:
        n_sentences -= 1
    return rows[0, :n_words], rows[1, :n_sentences], rows[2, :n_sentences]


def find_multi_word(Doc doc not None, table: Container[str], int most) -> list[tuple[int, int]]:
    """Where multi-word tokens begin and end: from the left, the longest one first.

    Args:
        table: their forms in lower case.
        most: so many tokens of the Doc may be one multi-word token.
    """
    cdef int start = 0, last, n, i
    places = []
    while start < doc.length:
        last = start
        while not doc.c[last].spacy and last + 1 < min(doc.length, start + most):
            last += 1
        texts = [doc.vocab.strings[doc.c[i].lex.orth] for i in range(start, last + 1)]
        n = last + 1 - start
        while n and "".join(texts[:n]).lower() not in table:
            n -= 1
        if n:
            places.append((start, start + n))
        start += max(n, 1)
    return places


def has_boundaries(Doc doc not None) -> bool:
    """Whether is_sent_start is True on a token after the first, or set on all of these.

    spaCy sets it on the first token of every Doc, our tokenizer on the later words of a multi-word
    token.
    """
    cdef int i
    cdef bint all_set = doc.length > 1
    for i in range(1, doc.length):
        if doc.c[i].sent_start == 1:
            return True
        all_set = all_set and doc.c[i].sent_start != 0
    return all_set


def read_boundaries(Doc doc not None) -> NDArray[numpy.int8]:
    """`is_sent_start` of each token: (n_tokens,) int8, 1 for True, -1 for False, 0 for unset."""
    cdef int i
    boundaries = numpy.empty((doc.length,), dtype="i1")
    cdef signed char[::1] c_boundaries = boundaries
    for i in range(doc.length):
        c_boundaries[i] = doc.c[i].sent_start
    return boundaries


def same_words(Doc doc not None, Doc other not None) -> bool:
    """Whether two Docs have the same tokens."""
    cdef int i
    if doc.length != other.length:
        return False
    for i in range(doc.length):
        if doc.c[i].lex.orth != other.c[i].lex.orth:
            return False
    return True


def read_tree(
    Doc doc not None,
) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint64], NDArray[numpy.bool_]]:
    """Heads, labels and sentence starts of an annotated Doc.

    Returns:
        Three (n_tokens,) arrays: heads as int32, -1 where they are missing; labels as uint64
        hashes, 0 where they are missing; and whether a sentence starts, as bool.
    """
    cdef int i
    heads = numpy.full((doc.length,), -1, dtype="i")
    labels = numpy.zeros((doc.length,), dtype="uint64")
    starts = numpy.zeros((doc.length,), dtype=bool)
    cdef int[::1] c_heads = heads
    cdef unsigned long long[::1] c_labels = labels
    for i in range(doc.length):
        # spaCy marks a missing head by an empty label and the token itself as head.
        if doc.c[i].dep != 0 or doc.c[i].head != 0:
            c_heads[i] = i + doc.c[i].head
        c_labels[i] = doc.c[i].dep
        starts[i] = doc.c[i].sent_start == 1
    return heads, labels, starts


def write_tree(
    Doc doc not None, const int[::1] words not None, const int[::1] heads not None,
    const unsigned long long[::1] labels not None, const int[::1] lengths not None,
    const int[::1] starts not None,
) -> None:
    """Write the trees of a Doc's sentences. The Vocab must know their labels: see `LabelStrings`.

    White space hangs on the word before it or, where there is none, on the first word of the
    sentence (or its first token, if the Doc has no words).

    Args:
        words: (n_words,) as `sentence_words` returns them.
        heads: (n_words,) counted from the first word of the sentence; a root is its own head.
        labels: (n_words,) hashes.
        lengths: (n_sentences,) as `sentence_words` returns them.
        starts: (n_sentences,) as `sentence_words` returns them.

    Raises:
        ValueError: For arrays that do not fit the Doc or each other, and for cycles.
    """
    cdef int sentence, word, token, end, first = 0
    cdef int n_sentences = starts.shape[0]
    cdef unsigned long long root = ROOT_HASH, space = SPACE_HASH
    check_starts(starts, doc.length)
    check_tree(words, heads, labels, lengths, starts, doc.length)
    for sentence in range(n_sentences):
        end = starts[sentence + 1] if sentence + 1 < n_sentences else doc.length
        token = words[first] if lengths[sentence] else starts[sentence]
        write_space(doc.c, starts[sentence], end, token, space)
        doc.c[token].dep = root
        for word in range(first, first + lengths[sentence]):
            token = words[word]
            doc.c[token].head = words[first + heads[word]] - token
            doc.c[token].dep = root if doc.c[token].head == 0 else labels[word]
        first += lengths[sentence]
    close_sentences(doc, starts)


def close_sentences(Doc doc not None, const int[::1] starts not None) -> None:
    """Set sentence starts, and the children counts and edges of all subtrees anew.

    Args:
        starts: the first token of each sentence.

    Raises:
        ValueError: If these do not start at 0, do not ascend or lie outside the Doc.
    """
    cdef int sentence, n_sentences = starts.shape[0]
    check_starts(starts, doc.length)
    for sentence in range(n_sentences):
        close_sentence(doc.c, starts[sentence],
                       starts[sentence + 1] if sentence + 1 < n_sentences else doc.length)


cdef int check_starts(const int[::1] starts, int n_tokens) except -1:
    cdef int i, last = -1, n = starts.shape[0]
    if (n == 0 or starts[0] != 0) and n_tokens:
        raise ValueError("The first sentence does not start at token 0")
    for i in range(n):
        if not last < starts[i] < n_tokens:
            raise ValueError(f"A sentence starts at token {starts[i]} of {n_tokens}, after "
                             f"one that starts at {last}")
        last = starts[i]
    return 0


cdef int check_tree(const int[::1] words, const int[::1] heads,
                    const unsigned long long[::1] labels, const int[::1] lengths,
                    const int[::1] starts, int n_tokens) except -1:
    # Raises ValueError unless words ascend within their sentence and heads lie in it.
    cdef int sentence, end, i, last, first = 0, n_sentences = starts.shape[0]
    if not words.shape[0] == heads.shape[0] == labels.shape[0]:
        raise ValueError(f"{words.shape[0]} words, {heads.shape[0]} heads, "
                         f"{labels.shape[0]} labels")
    if lengths.shape[0] != n_sentences:
        raise ValueError(f"{lengths.shape[0]} lengths, {n_sentences} starts of sentences")
    for sentence in range(n_sentences):
        end = starts[sentence + 1] if sentence + 1 < n_sentences else n_tokens
        last = starts[sentence] - 1
        if not 0 <= lengths[sentence] <= words.shape[0] - first:
            raise ValueError(f"A sentence has {lengths[sentence]} words, "
                             f"of {words.shape[0] - first} that are left")
        for i in range(first, first + lengths[sentence]):
            if not last < words[i] < end:
                raise ValueError(f"Token {words[i]} is no word after {last} and before {end}")
            if not 0 <= heads[i] < lengths[sentence]:
                raise ValueError(f"Head {heads[i]} is none of {lengths[sentence]} words")
            last = words[i]
        check_cycles(heads, first, lengths[sentence])
        first += lengths[sentence]
    if first != words.shape[0]:
        raise ValueError(f"{words.shape[0]} words, {first} in sentences")
    return 0


cdef int check_cycles(const int[::1] heads, int first, int n_words) except -1:
    # The way up from each word must end at a root, or at a word that an earlier way passed.
    cdef vector[int] came_by    # the word, from 1, from which the first way through each word began
    cdef int start, word
    came_by.resize(n_words)
    for start in range(n_words):
        word = start
        while came_by[word] == 0:
            came_by[word] = start + 1
            word = heads[first + word]
        if came_by[word] == start + 1 and heads[first + word] != word:
            raise ValueError(f"The heads of a sentence have a cycle at its word {word}")
    return 0


cdef void write_space(TokenC* tokens, int start, int end, int first_word,
                      unsigned long long label) noexcept nogil:
    # Hangs every token on the last word before it; words get their real heads afterwards.
    cdef int i, anchor = first_word
    for i in range(start, end):
        if i > first_word and not Lexeme.c_check_flag(tokens[i].lex, IS_SPACE):
            anchor = i
        tokens[i].head = anchor - i
        tokens[i].dep = label


cdef void close_sentence(TokenC* tokens, int start, int end) noexcept nogil:
    # Sets the sentence start, children counts and subtree edges, which are exact even where arcs
    # cross.
    cdef int i, ancestor, left, right
    for i in range(start, end):
        tokens[i].l_kids = tokens[i].r_kids = 0
        tokens[i].l_edge = tokens[i].r_edge = i
        tokens[i].sent_start = -1
    tokens[start].sent_start = 1
    for i in range(start, end):
        if tokens[i].head > 0:
            tokens[i + tokens[i].head].l_kids += 1
        elif tokens[i].head < 0:
            tokens[i + tokens[i].head].r_kids += 1
        ancestor = i
        while tokens[ancestor].head != 0:
            ancestor += tokens[ancestor].head
            left, right = tokens[ancestor].l_edge, tokens[ancestor].r_edge
            if left <= i <= right:
                break
            tokens[ancestor].l_edge = min(left, i)
            tokens[ancestor].r_edge = max(right, i)
