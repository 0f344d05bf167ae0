"""wheel.py: makes wheels from the archives in dist, for `pip` and `uvx`. A wheel contains the unchanged program
of an archive, and no Python code."""

import base64
import hashlib
import time
import zipfile

from archives import DIST, LICENCES, PACKAGE, SYSTEMS, TOP, VERSION, commit_time, program_name, programs

name = f"convo_site-{VERSION}"
metadata = f"""Metadata-Version: 2.4
Name: convo-site
Version: {VERSION}
Summary: {PACKAGE['description']}
Keywords: {','.join(PACKAGE['keywords'])}
License-Expression: {PACKAGE['license']}
{''.join(f'License-File: {path}' + chr(10) for path in LICENCES)}\
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{(TOP / 'README.md').read_text('utf-8')}"""
when = time.gmtime(commit_time())[:6]

for target, program in programs().items():
    platforms = SYSTEMS[target][2]
    tags = "".join(f"Tag: py3-none-{platform}\n" for platform in platforms.split("."))
    wheel = f"Wheel-Version: 1.0\nGenerator: convo-site\nRoot-Is-Purelib: false\n{tags}"
    members = {f"{name}.data/scripts/{program_name(target)}": program}
    for path in LICENCES:
        members[f"{name}.dist-info/licenses/{path}"] = (TOP / path).read_bytes()
    members[f"{name}.dist-info/METADATA"] = metadata.encode()
    members[f"{name}.dist-info/WHEEL"] = wheel.encode()
    record = ""
    for path, content in members.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        record += f"{path},sha256={digest},{len(content)}\n"
    members[f"{name}.dist-info/RECORD"] = f"{record}{name}.dist-info/RECORD,,\n".encode()
    out = DIST / f"{name}-py3-none-{platforms}.whl"
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in members.items():
            entry = zipfile.ZipInfo(path, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if ".data/" in path else 0o100644) << 16
            archive.writestr(entry, content)
    print(out.name)
