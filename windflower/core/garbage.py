"""Garbage collection of a program that plays frames."""

import gc

__all__ = ["keep_what_is_there"]


def keep_what_is_there() -> None:
    """Have Python look for garbage only among what is made from now on.

    A large scene is a million objects; looking through them takes 50 ms, every dozen frames.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
