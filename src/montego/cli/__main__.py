"""``python -m montego.cli``, for where the ``montego`` script is not on the path."""

from montego.cli.main import main

main()
