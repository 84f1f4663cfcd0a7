"""The one module that touches spaCy's TokenC: words and gold trees in, parses out."""

import numpy

from spacy.attrs cimport IS_SPACE
from spacy.lexeme cimport Lexeme
from spacy.structs cimport TokenC
from spacy.tokens.doc cimport Doc


def sentence_words(Doc doc):
    """The words to parse: tokens that are not white space, sentence by sentence.

    Sentences are cut where a token has is_sent_start set. Returns int32 arrays: the
    indices of the words, (n_words,), and how many words each sentence has; a sentence of
    white space only has none and is left out.
    """
    cdef int n = doc.length, i, n_words = 0, start = 0
    words = numpy.empty((n,), dtype="i")
    cdef int[::1] c_words = words
    lengths = []
    for i in range(n):
        if doc.c[i].sent_start == 1 and n_words > start:
            lengths.append(n_words - start)
            start = n_words
        if not Lexeme.c_check_flag(doc.c[i].lex, IS_SPACE):
            c_words[n_words] = i
            n_words += 1
    if n_words > start:
        lengths.append(n_words - start)
    return words[:n_words], numpy.asarray(lengths, dtype="i")


def has_boundaries(Doc doc):
    """Whether any token has is_sent_start set, to True or to False."""
    cdef int i
    for i in range(doc.length):
        if doc.c[i].sent_start != 0:
            return True
    return False


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
               int[::1] lengths, unsigned long long root, unsigned long long space):
    """Write the trees of a Doc's sentences.

    words, lengths: as `sentence_words` returns them. heads: (n_words,), counted from the
    first word of the sentence; a root is its own head. labels: (n_words,) hashes. root:
    the label of roots. space: that of white space, which hangs on the word before it or,
    where there is none, on the next one.
    Returns the first token of each sentence, a list.
    """
    cdef int sentence, word, first = 0, token
    cdef int start, end
    cdef int n_sentences = lengths.shape[0]
    if doc.length == 0:
        return []
    if n_sentences == 0:
        write_space(doc.c, 0, doc.length, 0, space)
        doc.c[0].dep = root
        close_sentences(doc, [0])
        return [0]
    starts = []
    start = 0
    for sentence in range(n_sentences):
        starts.append(start)
        end = doc.length
        if sentence + 1 < n_sentences:
            end = next_start(doc.c, words[first + lengths[sentence] - 1] + 1,
                             words[first + lengths[sentence]])
        write_space(doc.c, start, end, words[first], space)
        for word in range(first, first + lengths[sentence]):
            token = words[word]
            doc.c[token].head = words[first + heads[word]] - token
            doc.c[token].dep = root if doc.c[token].head == 0 else labels[word]
        first += lengths[sentence]
        start = end
    close_sentences(doc, starts)
    return starts


def close_sentences(Doc doc, starts):
    """Set sentence starts, and the children counts and edges of all subtrees anew."""
    for start, end in zip(starts, [*starts[1:], doc.length]):
        close_sentence(doc.c, start, end)


cdef int next_start(const TokenC* tokens, int begin, int end) noexcept nogil:
    # The marked start of the next sentence between two words.
    cdef int i
    for i in range(begin, end):
        if tokens[i].sent_start == 1:
            return i
    return end


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
