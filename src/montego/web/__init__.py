"""``montego serve``: a page to play, analyse and measure at.

The browser keeps the game: its moves, variations and settings. The server keeps no game; every request names the game
and the moves that led to the position in question. So a page goes on where it was after the server was restarted, and a
position is shared by its address.

- ``server``, ``app``: starting, routes; ``guard``: who may ask (Host, Origin, token); ``bounds``: how much.
- ``client``: one page and its requests; ``requests``: what a request may say; ``outbox``: sending without waiting for
  slow readers; ``clocks``: the time of a player.
- ``searches``: what a page waits for longer; ``engines``: their threads and turns, the trees kept for looking into.
- ``views``: boards, positions and analyses as data; ``catalogue``: the registries as data; ``records``: SGF;
  ``training``: weights and trainings.
- ``background``: what goes on while pages watch; ``contests``: matches and tournaments; ``reproductions``: experiments
  of papers, each in a process of its own (``experiment``).
- ``folder``: the one folder that pages may read and write.
- ``page/``: the page itself, as it is served.
"""
