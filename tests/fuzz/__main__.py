"""``python -m tests.fuzz --inputs N [--first K] [--target NAME …]``: run and count; exit code 1 after a finding."""

import argparse
import faulthandler
import sys
import time

from tests.fuzz.targets import SHARES, Outcome, run

_AT_ONCE = 2000
_HANGING = 600  # seconds without the end of a part after which the stacks are printed


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Fuzz everything that reads what others have written.")
    parser.add_argument("--inputs", type=int, default=50_000, help="in all, shared between the targets by their speed")
    parser.add_argument("--first", type=int, default=0, help="number of the first input, to repeat or to go on")
    parser.add_argument("--target", action="append", choices=SHARES, help="only this one; may be repeated")
    asked = parser.parse_args()
    chosen = asked.target or list(SHARES)
    whole = sum(SHARES[name] for name in chosen)
    total = findings = 0
    faulthandler.enable()
    for name in chosen:
        count, done, began, slowest = asked.inputs * SHARES[name] // whole, 0, time.monotonic(), Outcome([])
        while done < count:
            faulthandler.dump_traceback_later(_HANGING, exit=True)
            part = min(_AT_ONCE, count - done)
            outcome = run(name, asked.first + done, part)
            for line in outcome.found:
                findings += 1
                print(f"FOUND {line}", flush=True)
            slowest = max(slowest, outcome, key=lambda some: some.seconds)
            done += part
        faulthandler.cancel_dump_traceback_later()
        total += done
        print(
            f"{name:<10}{done:>10,} inputs in {time.monotonic() - began:,.0f} s, "
            f"at most {slowest.seconds:.2f} s for one (input {slowest.slowest}, what it compiled included)",
            flush=True,
        )
    print(f"{total:,} inputs, {findings} findings", flush=True)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
