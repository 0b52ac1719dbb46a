"""Run nginx with the lines of the handbook, and the port, path and certificate of a test."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.commands import ROOT
from tests.nobody import as_nobody
from tests.waiting import until

NAME = "home.example.org"
AROUND = """
pid {folder}/pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    {places}
    {example}
}}
"""
PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def read_example() -> str:
    return (ROOT / "penny_site" / "help" / "elsewhere.md").read_text().partition("```nginx\n")[2].partition("```")[0]


@contextmanager
def run_nginx(port: int, to: int, base: str = "/penny", *, edit: Callable[[str], str] = str) -> Iterator[Path]:
    """Run the handbook's nginx in front of a Penny; yield its certificate.

    `edit` changes the settings.
    """
    folder = Path(tempfile.mkdtemp(prefix="penny-nginx-", dir="/tmp"))
    try:
        _make_certificate(folder)
        places = " ".join(f"{place}_temp_path {folder}/{place};" for place in PLACES)
        example = edit(_fill_in(read_example(), folder, port, to, base))
        (folder / "conf").write_text(AROUND.format(folder=folder, places=places, example=example))
        nobody = as_nobody((folder, *folder.iterdir()), "TERM")
        command = [*nobody, _program(), "-p", str(folder), "-c", str(folder / "conf"), "-e", str(folder / "error.log")]
        server = subprocess.Popen(
            [*command, "-g", "daemon off;"], cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            until(lambda: server.poll() is not None or _listens(port), "nginx listens")
            assert server.poll() is None, (folder / "error.log").read_text()
            yield folder / "home.example.org.pem"
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def resolve_to_loopback() -> Iterator[None]:
    """Resolve the example's name to this machine, as the owner's name server would."""
    ask = socket.getaddrinfo

    def answer(host: Any, *arguments: Any, **options: Any) -> Any:
        return ask("127.0.0.1" if host == NAME else host, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", answer)
        yield


def _fill_in(example: str, folder: Path, port: int, to: int, base: str) -> str:
    for line, here in {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/ssl/home.example.org.pem": f"{folder}/home.example.org.pem",
        "/etc/ssl/home.example.org.key": f"{folder}/home.example.org.key",
        "location /penny/ {": f"location {base}/ {{",
        "http://127.0.0.1:8787;": f"http://127.0.0.1:{to};",
    }.items():
        assert example.count(line) == 1, f"the example has no line {line}"
        example = example.replace(line, here)
    return example


def _make_certificate(folder: Path) -> None:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(
        name, name, key.public_key(), x509.random_serial_number(), now, now + timedelta(days=1)
    )
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    (folder / "home.example.org.pem").write_bytes(builder.sign(key, SHA256()).public_bytes(Encoding.PEM))
    (folder / "home.example.org.key").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))


def _program() -> str:
    path = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    assert path, "nginx is not installed: make programs installs it (on Debian as root)"
    return path


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
