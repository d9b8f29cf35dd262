"""Modes under wind and hands (Diener et al. 2009)."""
