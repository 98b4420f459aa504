"""Certificates and their independent checker: verdicts that nobody has to take on trust.

A `Certificate` is the evidence for a verdict: for "winnable" the line, for "unwinnable" a closed
set of positions. ``certificate.to_bytes()`` is the file, described in ``docs/certificates.md``.
``check(certificate)`` accepts it or says why not; it uses the rules and the written definitions
of the reductions that the certificate names, and nothing of the search: this package imports
nothing else of ``solver``. `solver.certify` makes certificates.

>>> from dealproof import Certificate, certify, check, solve
>>> file = certify(solve("block-ten", 7)).to_bytes()
>>> check(Certificate.from_bytes(file)).positions
81
"""

from solver.proof.certificate import Certificate
from solver.proof.checker import Checked, check
from solver.proof.errors import CertificateError, CertificateLimit, CertificateRefused

__all__ = [
    "Certificate",
    "CertificateError",
    "CertificateLimit",
    "CertificateRefused",
    "Checked",
    "check",
]
