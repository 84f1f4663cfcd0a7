"""The embedding and the window encoder in front of the parser, and the BLAS."""
