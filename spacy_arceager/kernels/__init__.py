"""What all layers compute with: arithmetic in C, parameters, caches, Adam, the BLAS."""
