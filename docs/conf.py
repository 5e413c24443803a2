"""The documentation site: `python -m sphinx -W -b html docs build/docs`, then open build/docs/index.html."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE / "_ext")]

import morsdei_sim  # noqa: E402

project = "morsdei_sim"
release = version = morsdei_sim.__version__
language = "en"

extensions = ["myst_parser", "reference", "pages"]
myst_enable_extensions = ["deflist", "colon_fence"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_*"]
suppress_warnings = ["misc.highlighting_failure"]  # what a command prints is in no language
highlight_language = "text"
smartquotes = False  # it makes a dash of --option

html_theme = "house"
html_theme_path = ["_theme"]
html_title = "morsdei_sim"
html_permalinks = False
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_domain_indices = False
# A summary would have to be fetched, which a page opened from the disk may not do.
html_show_search_summary = False
