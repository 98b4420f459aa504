"""Certificates: verdicts that nobody has to take on trust, and their independent checker.

``certify(result)`` turns a verdict into a `Certificate`: for "winnable" the line, for
"unwinnable" a closed set of positions. ``certificate.to_bytes()`` is the file, described in
``docs/certificates.md``. ``check(certificate)`` accepts it or says why not; it uses the
rules and the written definitions of the reductions that the certificate names, and nothing
of the search: `solver.proof.checker` and what it imports import nothing else of ``solver``.

>>> from solver import solve
>>> from solver.proof import Certificate, certify, check
>>> file = certify(solve("block-ten", 7)).to_bytes()
>>> check(Certificate.from_bytes(file)).positions
81
"""

from solver.proof.certificate import Certificate
from solver.proof.checker import Checked, check
from solver.proof.errors import CertificateError, CertificateLimit, CertificateRefused
from solver.proof.maker import certify

__all__ = [
    "Certificate",
    "CertificateError",
    "CertificateLimit",
    "CertificateRefused",
    "Checked",
    "certify",
    "check",
]
