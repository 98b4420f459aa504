"""How often can a game be won?  Exactly where that is known, by a survey elsewhere."""

from pathlib import Path
from tempfile import TemporaryDirectory

from dealproof import odds, read_survey, settings_for, survey


def main() -> None:
    for game in ("block-ten", "ten-by-one"):
        chances = odds(game)
        print(f"{game:<11} {float(chances.winning):.6%} of all shuffles, exactly")

    with TemporaryDirectory() as folder:
        rows = Path(folder) / "decade-loop.db"
        settings = settings_for("decade-loop", "1-500")
        survey(settings, rows)  # started again, it goes on where it stopped
        summary = read_survey(rows)
    low, high = summary.winnability.wilson
    share = summary.winnability.share
    print(f"decade-loop {share:.1%} of deals 1-500; of all, {low:.1%} to {high:.1%} (95 %)")


if __name__ == "__main__":  # a survey starts processes, and they import this file
    main()
