"""What can be wrong with a certificate; every message is one line fit for a user's eyes."""

from __future__ import annotations

from rules.errors import DealproofError


class CertificateError(DealproofError):
    """A file that is no certificate, or a verdict of which none can be made."""


class CertificateRefused(CertificateError):
    """A certificate that proves nothing: damaged, edited, or not a proof of what it claims."""


class CertificateLimit(CertificateError):
    """A certificate too large for the bounds that were set; nothing is known about it."""
