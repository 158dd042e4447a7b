"""The hash tree of RFC 6962 over the lines of a ledger: one hash for all of them, and short proofs about it.

Guarantee, as long as SHA-256 has no collisions: two lists of lines with the same root are the same; an inclusion proof that
checks shows that a line stands at its place in the list behind a root; a consistency proof that checks shows that the list
behind the older root is the beginning of the list behind the newer one, so that nothing was changed, taken out or put in.
Leaves and nodes are told apart by their first byte, so that none can be passed off as the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

Hash = bytes


def leaf_hash(line: bytes) -> Hash:
    """The hash of one line."""
    return hashlib.sha256(b"\x00" + line).digest()


def root_hash(leaves: Sequence[Hash]) -> Hash:
    """The hash of a whole list, given the hashes of its lines; of none, the hash of nothing."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = _split(len(leaves))
    return _node(root_hash(leaves[:half]), root_hash(leaves[half:]))


def inclusion_proof(leaves: Sequence[Hash], place: int) -> list[Hash]:
    """The hashes that lead from the line at `place` (counted from 0) to the root."""
    if len(leaves) <= 1:
        return []
    half = _split(len(leaves))
    if place < half:
        return [*inclusion_proof(leaves[:half], place), root_hash(leaves[half:])]
    return [*inclusion_proof(leaves[half:], place - half), root_hash(leaves[:half])]


def is_included(leaf: Hash, place: int, size: int, proof: Sequence[Hash], root: Hash) -> bool:
    """Whether a proof shows that a line stands at `place` in the list of `size` lines behind a root."""
    if not 0 <= place < size:
        return False
    found, at, last = leaf, place, size - 1
    for step in proof:
        if last == 0:
            return False
        if at % 2 or at == last:
            found = _node(step, found)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            found = _node(found, step)
        at, last = at // 2, last // 2
    return last == 0 and found == root


def consistency_proof(leaves: Sequence[Hash], earlier: int) -> list[Hash]:
    """The hashes that show that the first `earlier` lines are the beginning of them all."""
    return [] if earlier in (0, len(leaves)) else _subproof(leaves, earlier, is_whole=True)


def is_consistent(
    earlier: int, earlier_root: Hash, later: int, later_root: Hash, proof: Sequence[Hash]
) -> bool:
    """Whether a proof shows that the list behind the earlier root is the beginning of the one behind the later root."""
    if not 0 <= earlier <= later:
        return False
    if earlier in (0, later):
        same = earlier_root == (later_root if earlier else root_hash([]))
        return same and not proof
    path = [earlier_root, *proof] if earlier & (earlier - 1) == 0 else list(proof)
    if not path:
        return False
    at, last = earlier - 1, later - 1
    while at % 2:
        at, last = at // 2, last // 2
    older = newer = path[0]
    for step in path[1:]:
        if last == 0:
            return False
        if at % 2 or at == last:
            older, newer = _node(step, older), _node(step, newer)
            while at % 2 == 0 and at:
                at, last = at // 2, last // 2
        else:
            newer = _node(newer, step)
        at, last = at // 2, last // 2
    return last == 0 and older == earlier_root and newer == later_root


def _subproof(leaves: Sequence[Hash], earlier: int, *, is_whole: bool) -> list[Hash]:
    if earlier == len(leaves):
        return [] if is_whole else [root_hash(leaves)]
    half = _split(len(leaves))
    if earlier <= half:
        return [*_subproof(leaves[:half], earlier, is_whole=is_whole), root_hash(leaves[half:])]
    return [*_subproof(leaves[half:], earlier - half, is_whole=False), root_hash(leaves[:half])]


def _node(left: Hash, right: Hash) -> Hash:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _split(size: int) -> int:
    """The largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)
