"""Embeddings and encoders of words, for any spaCy pipeline."""
