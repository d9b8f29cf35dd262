"""Benchmarks: each function measures one thing and returns rows; the command line prints them."""
