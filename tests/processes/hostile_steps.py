"""Steps that take too much, in a process of their own or in one that they start."""

import subprocess
import sys
import time

_HOLD = "import time; held = bytearray({bytes}); print(flush=True); time.sleep(60)"
_SPIN = "print(flush=True)\nwhile True: pass"


def reverse(given: bytes) -> bytes:
    """What an honest step does."""
    return given[::-1]


def refuse(given: bytes) -> bytes:
    """End with an error of its own."""
    raise ValueError(given.decode())


def hold(given: bytes) -> bytes:
    """Hold so many bytes of memory, for a while."""
    held = bytearray(int(given))
    time.sleep(60)
    return bytes(held[:1])


def spin(given: bytes) -> bytes:
    """Never end."""
    while True:
        given = given[::-1]


def hold_in_two(given: bytes) -> bytes:
    """Hold so many bytes in each of two processes that it starts."""
    return _start([_HOLD.format(bytes=int(given))] * 2)


def spin_elsewhere(_given: bytes) -> bytes:
    """Never end, in a process that it starts."""
    return _start([_SPIN])


def _start(programs: list[str]) -> bytes:
    started = [subprocess.Popen([sys.executable, "-c", one], stdout=subprocess.PIPE) for one in programs]
    return b"".join(bytes(str(one.wait()), "ascii") for one in started)
