"""The same deals by both engines: equal verdicts, equal counts, unequal times."""

from dealproof import solve

DEALS = (7, 8, 14, 34, 42, 44)


def main() -> None:
    for engine in ("reference", "compiled"):
        solve("single-left", 20, engine=engine)  # compiled when first used: that is not measured
        results = [solve("single-left", deal, engine=engine) for deal in DEALS]
        won = sum(result.verdict == "winnable" for result in results)
        positions = sum(result.stats.positions for result in results)
        seconds = sum(result.stats.seconds for result in results)
        print(f"{engine:<10} {won} of {len(DEALS)} won, {positions:,} positions, {seconds:.3f} s")


if __name__ == "__main__":
    main()
