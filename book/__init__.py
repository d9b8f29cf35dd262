"""The book: what makes the documentation site of the pages in `docs` and of the program itself.

docs/*.md ───────────────┐
public names ──> api     │
commands ──> commands    ├──> pages ──> out/book (Markdown) ──Sphinx, conf──> out/site
species file ──> species │
lesson, examples ────────┘
"""
