"""Write the files of configs/ anew, each by the command in its second line."""

import shlex
import subprocess
from pathlib import Path

MADE_BY = "# Made by: "

if __name__ == "__main__":
    for path in sorted((Path(__file__).parents[1] / "configs").glob("*.cfg")):
        command = path.read_text(encoding="utf8").splitlines()[1].removeprefix(MADE_BY)
        made = subprocess.run(shlex.split(command), check=True, capture_output=True)
        path.write_bytes(made.stdout)
