"""The one module that touches spaCy's TokenC: words and gold trees in, parses out."""

import numpy

from spacy.attrs cimport IS_SPACE
from spacy.lexeme cimport Lexeme
from spacy.structs cimport TokenC
from spacy.tokens.doc cimport Doc


def sentence_words(Doc doc):
    """The words to parse: tokens that are not white space, sentence by sentence.

    Sentences are cut where a token has is_sent_start set. Returns int32 arrays: indices
    of the words, (n_words,); words of each sentence, (n_sentences,), 0 for one of white
    space only; the first token of each sentence, (n_sentences,).
    """
    cdef int n = doc.length, i, n_words = 0, n_sentences = 0
    words = numpy.empty((n,), dtype="i")
    lengths = numpy.zeros((n,), dtype="i")
    starts = numpy.empty((n,), dtype="i")
    cdef int[::1] c_words = words, c_lengths = lengths, c_starts = starts
    for i in range(n):
        if i == 0 or doc.c[i].sent_start == 1:
            c_starts[n_sentences] = i
            n_sentences += 1
        if not Lexeme.c_check_flag(doc.c[i].lex, IS_SPACE):
            c_words[n_words] = i
            n_words += 1
            c_lengths[n_sentences - 1] += 1
    return words[:n_words], lengths[:n_sentences], starts[:n_sentences]


def has_boundaries(Doc doc):
    """Whether is_sent_start is set, to True or to False, on any token but the first.

    spaCy sets it on the first token of every Doc.
    """
    cdef int i
    for i in range(1, doc.length):
        if doc.c[i].sent_start != 0:
            return True
    return False


def forbidden_starts(Doc doc, int[::1] words):
    """Whether is_sent_start is set to False on each of some tokens: (n_words,) int32."""
    cdef int i
    forbidden = numpy.zeros((words.shape[0],), dtype="i")
    cdef int[::1] c_forbidden = forbidden
    for i in range(words.shape[0]):
        c_forbidden[i] = doc.c[words[i]].sent_start == -1
    return forbidden


def same_words(Doc doc, Doc other):
    """Whether two Docs have the same tokens."""
    cdef int i
    if doc.length != other.length:
        return False
    for i in range(doc.length):
        if doc.c[i].lex.orth != other.c[i].lex.orth:
            return False
    return True


def read_tree(Doc doc):
    """Heads, labels and sentence starts of an annotated Doc.

    Returns (n_tokens,) arrays: heads, int32, -1 where missing; labels, uint64 hashes, 0
    where missing; starts, bool.
    """
    cdef int i
    heads = numpy.full((doc.length,), -1, dtype="i")
    labels = numpy.zeros((doc.length,), dtype="uint64")
    starts = numpy.zeros((doc.length,), dtype=bool)
    cdef int[::1] c_heads = heads
    cdef unsigned long long[::1] c_labels = labels
    for i in range(doc.length):
        # spaCy's own mark of a missing head: no label and itself as head.
        if doc.c[i].dep != 0 or doc.c[i].head != 0:
            c_heads[i] = i + doc.c[i].head
        c_labels[i] = doc.c[i].dep
        starts[i] = doc.c[i].sent_start == 1
    return heads, labels, starts


def write_tree(Doc doc, int[::1] words, int[::1] heads, unsigned long long[::1] labels,
               int[::1] lengths, int[::1] starts, unsigned long long root,
               unsigned long long space):
    """Write the trees of a Doc's sentences.

    words, lengths, starts: as `sentence_words` returns them. heads: (n_words,), counted
    from the first word of the sentence; a root is its own head. labels: (n_words,)
    hashes. root: the label of roots. space: that of white space, which hangs on the word
    before it or, where there is none, on the first word (or token) of the sentence.
    """
    cdef int sentence, word, token, end, first = 0
    cdef int n_sentences = starts.shape[0]
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


def close_sentences(Doc doc, int[::1] starts):
    """Set sentence starts, and the children counts and edges of all subtrees anew.

    starts: the first token of each sentence.
    """
    cdef int sentence, n_sentences = starts.shape[0]
    for sentence in range(n_sentences):
        close_sentence(doc.c, starts[sentence],
                       starts[sentence + 1] if sentence + 1 < n_sentences else doc.length)


cdef void write_space(TokenC* tokens, int start, int end, int first_word,
                      unsigned long long label) noexcept nogil:
    # Every token hangs on the last word before it, as white space does; words get their
    # real heads afterwards.
    cdef int i, anchor = first_word
    for i in range(start, end):
        if i > first_word and not Lexeme.c_check_flag(tokens[i].lex, IS_SPACE):
            anchor = i
        tokens[i].head = anchor - i
        tokens[i].dep = label


cdef void close_sentence(TokenC* tokens, int start, int end) noexcept nogil:
    # Children counts and subtree edges, exact also for crossing arcs; sentence start.
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
