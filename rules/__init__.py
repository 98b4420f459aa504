"""What the games are: cards, decks, options, states, legal moves, and a referee.

Imports nothing from ``solver``. ``get_game("single-left")`` is the way in::

    >>> from rules import Deal, get_game
    >>> game = get_game("block-ten")
    >>> state = game.initial(Deal.parse("1").deck)
    >>> [str(move) for move in game.legal_moves(state)][:2]
    ['AC+9D=8H,5S', 'QS+QD=8H,5S']
"""

from rules.cards import Card
from rules.decks import Deal, Deck, parse_deals
from rules.errors import (
    CardError,
    DealproofError,
    DeckError,
    GameError,
    IllegalMove,
    MoveError,
    OptionError,
    PositionError,
)
from rules.game import Game
from rules.moves import Move, parse_line
from rules.position import Position
from rules.referee import replay
from rules.registry import all_games, game_names, get_game, load_game

__all__ = [
    "Card",
    "CardError",
    "Deal",
    "DealproofError",
    "Deck",
    "DeckError",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "MoveError",
    "OptionError",
    "Position",
    "PositionError",
    "all_games",
    "game_names",
    "get_game",
    "load_game",
    "parse_deals",
    "parse_line",
    "replay",
]
