"""How good parses are, what systems can derive, and which system suits a treebank."""
