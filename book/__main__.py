"""`python -m book` builds the site into out/site, with the live plants that are in out/live; a warning is an error."""

import shutil
import subprocess
import sys

from book.live import FOLDER
from book.pages import ROOT, write_pages


def main() -> int:
    """Write the pages, and let Sphinx make the site of them."""
    source, site = ROOT / "out" / "book", ROOT / "out" / "site"
    shutil.rmtree(source, ignore_errors=True)
    write_pages(source)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-c", str(ROOT / "book")]
    done = subprocess.run([*sphinx, "-d", str(ROOT / "out" / "doctrees"), str(source), str(site)], check=False)
    shutil.rmtree(site / "live", ignore_errors=True)
    if FOLDER.exists():
        shutil.copytree(FOLDER, site / "live")
    if not done.returncode:
        sys.stdout.write(f"The site is {site / 'index.html'}\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
