"""The one list of public names: the package loads them from their homes, and docs/api.md explains them by topic."""

# Topic -> module -> names. A class of settings is loaded from the module that registers it.
TOPICS = {
    "Games": {
        "montego.games": ["game", "GAMES", "Game", "Position", "Go", "Hex", "Y", "BlokusDuo", "TicTacToe"],
    },
    "Players": {
        "montego.players": [
            *("player", "PLAYERS", "Player", "Random", "Flat", "Ucb", "Uct", "PlainUct", "Depth"),
            *("FirstOrder", "SecondOrder", "HigherOrder", "MicroReduction", "Gtp"),
        ],
        "montego.search": ["Limits"],
    },
    "Matches and tournaments": {
        "montego.arena.compete": ["match", "tournament"],
        "montego.arena.result": ["Result"],
        "montego.arena.game": ["FinishedGame"],
    },
    "Tuning": {
        "montego.arena.tuning": ["tune", "Tuning"],
    },
    "Analysis and game records": {
        "montego.api": ["analyse", "read_sgf", "write_sgf"],
        "montego.search": ["Analysis", "MoveStatistics"],
        "montego.protocols.remarks": ["Review"],
        "montego.sgf": ["GameRecord"],
    },
    "Playouts": {
        "montego.playouts": [
            "PLAYOUTS",
            "Uniform",
            "Bridges",
            "Careful",
            "Cut",
            "Gobble",
            "Lgr",
            "Lgrf",
            "Wls",
            "Patterns",
            "PoolRave",
            "Reduction",
            "Rules",
            "Softmax",
        ],
        "montego.playouts.wls": ["WinLossStates"],
        "montego.search.higher_order": ["OrderN"],
    },
    "Rewards": {
        "montego.rewards": ["REWARDS", "WinLoss", "FinalScore", "Sigmoid", "Quality", "Phased"],
    },
    "Errors": {
        "montego.errors": ["MontegoError", "SpecError", "IllegalMove", "StateError", "Forfeit", "Resignation"],
    },
}
HOMES = {name: module for homes in TOPICS.values() for module, names in homes.items() for name in names}
