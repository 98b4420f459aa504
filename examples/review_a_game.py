"""Somebody has played a deal and is stuck: which move lost it?"""

from dealproof import review

PLAYED = "TH>JC JC>QH 4H>5C 4S>5D 8S>9H deal deal"


def main() -> None:
    found = review("single-left", 4, PLAYED)
    for number, (move, fate) in enumerate(zip(found.line, found.fates[1:], strict=True), 1):
        print(f"{number}  {move!s:<10} {fate.verdict.value}")
    for blunder in found.blunders:
        rest = " ".join(str(move) for move in blunder.line[:3])
        print(f"move {blunder.number} lost it; better {blunder.better}, then {rest} ...")


if __name__ == "__main__":
    main()
