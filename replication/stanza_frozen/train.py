"""Trains Stanza's biaffine parser on what prepare.py wrote, and scores it on the dev file.

python replication/stanza_frozen/train.py OUTPUT [OPTION=VALUE ...]
"""

import sys
import time
from pathlib import Path

from stanza.models import parser

output = Path(sys.argv[1])
options = {
    "train_file": output / "train.conllu", "eval_file": output / "dev.conllu",
    "wordvec_file": output / "vectors.txt", "wordvec_pretrain_file": output / "vectors.pt",
    "save_dir": output, "save_name": "parser.pt", "shorthand": "xx_xx", "lang": "xx",
}
arguments = [f"--{name}={value}" for name, value in options.items()]
arguments += ["--no_upos", "--no_xpos", "--no_ufeats", "--no_char"]
arguments += [f"--{option}" for option in sys.argv[2:]]
start = time.time()
parser.main(arguments)
print("seconds", time.time() - start)
parser.main([*arguments, "--mode=predict"])
