"""A run of the lab as a program of its own, to be killed: ENGINE FILE PAUSE. Tells the digest at the end."""

import sys
from contextlib import ExitStack
from pathlib import Path

from coyote.lab.engines import engine_named
from coyote.lab.kept import kept_in, run, spec_of
from kit import lab_tasks

SPEC = spec_of("test", lab_tasks.QUESTION, "engines")


def main(engine_name: str, path: str, pause: str) -> None:
    with ExitStack() as stack:
        kept = stack.enter_context(kept_in(Path(path), SPEC))
        engine = stack.enter_context(engine_named(engine_name))
        pieces = ({**piece, "pause": float(pause)} for piece in lab_tasks.pieces(4))
        print(lab_tasks.digest(found for _, found in run(engine, lab_tasks.play, pieces, kept)))


if __name__ == "__main__":
    from coyote.cli.faults import report

    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        sys.exit(report(error))
