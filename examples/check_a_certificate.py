"""Evidence for a "no": write it, check it, and see that a forged one is refused."""

from dataclasses import replace

from dealproof import Certificate, certify, check, solve
from solver.proof import CertificateRefused


def main() -> None:
    result = solve("single-left", 33)
    file = certify(result).to_bytes()
    print(f"deal 33 is {result.verdict.value}; the certificate has {len(file):,} bytes")

    certificate = Certificate.from_bytes(file)  # all that somebody else needs
    done = check(certificate)
    print(f"accepted: {done.positions:,} positions, none of them won, and no way out")

    forged = replace(certificate, records=certificate.records[:-1])
    try:
        check(forged)
    except CertificateRefused as error:
        print(f"without the last position it is refused: {error}")


if __name__ == "__main__":
    main()
