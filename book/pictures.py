"""Pictures of pages: a caption below each that stands by itself, and a link to its full size."""

import re

__all__ = ["captioned", "openable"]

ALONE = re.compile(r"(?<=\n\n)!\[(?P<alt>[^\]]+)\]\((?P<file>[^)\s]+)\)\n(?:\n\*(?P<more>[^*]+)\*\n)?(?=\n|$)")
IN_A_CELL = re.compile(r"(?<=\| )!\[(?P<alt>[^\]]+)\]\((?P<file>[^)\s]+)\)(?= \|)")
SHOWN = re.compile(r'(<a [^>]*>\s*)?(<img [^>]*src="([^"]*_images/[^"]+)"[^>]*/?>)')


def captioned(text: str) -> str:
    """Markdown whose pictures have captions: the italic sentences below one, or else what the picture is called."""
    return IN_A_CELL.sub(r"\g<0><br>*\g<alt>*", ALONE.sub(lambda found: _figure(**found.groupdict()), text))


def _figure(alt: str, file: str, more: str | None) -> str:
    caption = more or _sentence(alt)
    return f":::{{figure}} {file}\n:alt: {alt}\n\n{caption}\n:::\n"


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def openable(body: str) -> str:
    """HTML in which a picture leads to its own file, where it does not lead elsewhere."""
    return SHOWN.sub(
        lambda found: found[0] if found[1] else f'<a class="picture" href="{found[3]}">{found[2]}</a>', body
    )
