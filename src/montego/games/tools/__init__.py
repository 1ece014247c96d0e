"""What is not a game: tools to build games with (layout, drawing, SGF, connection games) and to check them with."""
