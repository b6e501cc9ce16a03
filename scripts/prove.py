"""Proves what the README promises, at full length; the tests run the quick form of each.

usage: scripts/prove [PROOF ...] [--share 0.1] [--json]      --help names them; all if none is named
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
from dataclasses import asdict

from proofs_doors import DOORS
from proofs_house import HOUSE
from proofs_storage import STORAGE

PROOFS = STORAGE | HOUSE | DOORS
_LINE = "{:<16}{:<48}{:>7}{:>8}{:>12}{:>10}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proofs", nargs="*", metavar="proof", help=f"of {', '.join(PROOFS)}; all if none")
    parser.add_argument("--share", type=float, default=1.0, help="of the full length")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.proofs) - set(PROOFS)
    if unknown or not 0 < arguments.share <= 1:
        parser.error(f"no such proof: {', '.join(unknown)}" if unknown else "--share is above 0 and at most 1")
    logging.disable()  # what the store says of each fault
    rows = []
    if not arguments.json:
        print(_LINE.format("promise", "storage", "share", "tries", "lost", "broken"))
    for name in arguments.proofs or PROOFS:
        for row in PROOFS[name](arguments.share):
            rows.append(row)
            if not arguments.json:
                share = f"{arguments.share:.3%}".rstrip("0%").rstrip(".") + "%"
                print(_LINE.format(row.promise, row.storage, share, row.tries, row.lost, row.broken), flush=True)
    if arguments.json:
        print(json.dumps({"share": arguments.share, "proofs": [asdict(row) for row in rows]}, indent=2))
    sys.exit(
        any(row.broken or (row.lost and row.storage == "lobug") for row in rows if row.storage.startswith("lobug"))
    )


if __name__ == "__main__":
    main()
