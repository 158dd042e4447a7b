"""The hash tree of the ledger: known roots, and proofs that check exactly where they should."""

import hashlib

import pytest

from atreport.verification.ledger import (
    consistency_proof,
    inclusion_proof,
    is_consistent,
    is_included,
    leaf_hash,
    root_hash,
)

# The inputs and roots of the reference implementation of RFC 6962 (Certificate Transparency).
INPUTS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
LEAVES = [leaf_hash(line) for line in INPUTS]
OTHER = hashlib.sha256(b"other").digest()


def test_roots_are_those_of_the_standard() -> None:
    """A tree of our own making would convince nobody: the published roots are met, that of nothing too."""
    assert [root_hash(LEAVES[: n + 1]).hex() for n in range(len(LEAVES))] == list(ROOTS)
    assert root_hash([]) == hashlib.sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 20))
def test_a_line_is_shown_to_be_there_and_no_other(size: int) -> None:
    """Every line has a proof; with another line, place, size, root or proof it does not check."""
    leaves = [leaf_hash(str(n).encode()) for n in range(size)]
    root = root_hash(leaves)
    for place in range(size):
        proof = inclusion_proof(leaves, place)
        assert is_included(leaves[place], place, size, proof, root)
        assert not is_included(OTHER, place, size, proof, root)
        assert not is_included(leaves[place], place, size, proof, OTHER)
        assert not is_included(leaves[place], place, size, [*proof, OTHER], root)
        assert not is_included(leaves[place], size, size, proof, root)
        assert not any(is_included(leaves[place], other, size, proof, root) for other in range(place))
        if proof:
            assert not is_included(leaves[place], place, size, proof[:-1], root)


@pytest.mark.parametrize("size", range(20))
def test_a_longer_list_is_shown_to_begin_with_the_shorter(size: int) -> None:
    """Every beginning has a proof; with another beginning, size or proof it does not check."""
    leaves = [leaf_hash(str(n).encode()) for n in range(size)]
    root = root_hash(leaves)
    for earlier in range(size + 1):
        before = root_hash(leaves[:earlier])
        proof = consistency_proof(leaves, earlier)
        assert is_consistent(earlier, before, size, root, proof)
        assert not is_consistent(earlier, OTHER, size, root, proof)
        assert not is_consistent(earlier, before, size, root, [*proof, OTHER])
        assert not is_consistent(size + 1, before, size, root, proof)
        if earlier:
            assert not is_consistent(earlier, before, size, OTHER, proof)
            changed = root_hash([OTHER, *leaves[1:earlier]])
            assert not is_consistent(earlier, changed, size, root, proof)
        if proof:
            assert not is_consistent(earlier, before, size, root, proof[:-1])
