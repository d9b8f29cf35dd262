"""`python -m windflower` is the command line."""

from windflower.cli import main

main()
