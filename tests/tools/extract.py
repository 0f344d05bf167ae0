"""Reads the structured data of pages as search engines do: python3 extract.py FOLDER

Prints a line of JSON for each page below the folder: its path, its JSON-LD, its microdata and its
Open Graph properties.
"""

import json
import pathlib
import sys

import extruct

folder = pathlib.Path(sys.argv[1])
for path in sorted(folder.rglob("*.html")):
    found = extruct.extract(
        path.read_text(encoding="utf-8"),
        base_url="https://example.org/",
        syntaxes=["json-ld", "microdata", "opengraph"],
        errors="strict",
    )
    found["path"] = path.relative_to(folder).as_posix()
    print(json.dumps(found))
