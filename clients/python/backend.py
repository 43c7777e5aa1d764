"""Builds the package with the standard library alone, so that installing it fetches nothing."""

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent


def _project(name):
    return re.search(f'^{name} = "(.*)"$', (HERE / "pyproject.toml").read_text("utf-8"), re.MULTILINE)[1]


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: {_project('name')}\nVersion: {_project('version')}\n"
        f"Summary: {_project('description')}\nLicense: Apache-2.0\nRequires-Python: {_project('requires-python')}\n"
        f"Description-Content-Type: text/markdown\n\n{(HERE / 'README.md').read_text('utf-8')}"
    ).encode("utf-8")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{_project('name').replace('-', '_')}-{_project('version')}"
    files = {path.relative_to(HERE / "src").as_posix(): path.read_bytes()
             for path in sorted((HERE / "src" / "stockroom").iterdir()) if path.is_file()}
    files[f"{name}.dist-info/METADATA"] = _metadata()
    files[f"{name}.dist-info/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: stockroom\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode("ascii")
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    record = f"{name}.dist-info/RECORD"
    files[record] = "".join([*lines, f"{record},,\n"]).encode("utf-8")
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            archive.writestr(path, content)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"{_project('name').replace('-', '_')}-{_project('version')}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in ("pyproject.toml", "README.md", "backend.py", "src/stockroom"):
            archive.add(HERE / path, f"{name}/{path}", filter=lambda one: None if "__pycache__" in one.name else one)
    return f"{name}.tar.gz"
