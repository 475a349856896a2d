"""SHA-256 (FIPS 180-4), for compiled code. Python has its own, which needs Python's lock."""

from math import isqrt

import numpy as np

from coyote.kernel.jit import big_rule, rule

BLOCK = 64  # bytes
_PRIMES = [n for n in range(2, 312) if all(n % k for k in range(2, isqrt(n) + 1))]


def _cube_root(n):
    """The whole part."""
    low = round(n ** (1 / 3))
    while low**3 > n:
        low -= 1
    while (low + 1) ** 3 <= n:
        low += 1
    return low


# The first 32 bits behind the point of the primes' cube roots and square roots.
_K = np.array([_cube_root(prime << 96) & 0xFFFFFFFF for prime in _PRIMES], np.uint32)
_START = np.array([isqrt(prime << 64) & 0xFFFFFFFF for prime in _PRIMES[:8]], np.uint32)
_32 = np.uint32  # Numba makes 64 bits of a sum of two numbers of 32


@rule
def _turn(x, n):
    return _32(_32(x >> _32(n)) | _32(x << _32(32 - n)))


@rule
def _expand(w):
    """The words of the rounds from those of the block."""
    for i in range(16, 64):
        x, y = w[i - 15], w[i - 2]
        early = _turn(x, 7) ^ _turn(x, 18) ^ (x >> _32(3))
        late = _turn(y, 17) ^ _turn(y, 19) ^ (y >> _32(10))
        w[i] = _32(w[i - 16] + early + w[i - 7] + late)


@rule
def _round(a, b, c, d, e, f, g, h, k, w):
    """The new d and h. The other six stay, each under the next letter."""
    t = _32(h + (_turn(e, 6) ^ _turn(e, 11) ^ _turn(e, 25)) + (g ^ (e & (f ^ g))) + k + w)
    return _32(d + t), _32(t + (_turn(a, 2) ^ _turn(a, 13) ^ _turn(a, 22)) + ((a & b) | (c & (a | b))))


@big_rule
def _mix(out, w):
    """One block. Eight rounds are written out, after which each letter is back at its place."""
    _expand(w)
    a, b, c, d, e, f, g, h = out[0], out[1], out[2], out[3], out[4], out[5], out[6], out[7]
    for i in range(0, 64, 8):
        d, h = _round(a, b, c, d, e, f, g, h, _K[i], w[i])
        c, g = _round(h, a, b, c, d, e, f, g, _K[i + 1], w[i + 1])
        b, f = _round(g, h, a, b, c, d, e, f, _K[i + 2], w[i + 2])
        a, e = _round(f, g, h, a, b, c, d, e, _K[i + 3], w[i + 3])
        h, d = _round(e, f, g, h, a, b, c, d, _K[i + 4], w[i + 4])
        g, c = _round(d, e, f, g, h, a, b, c, _K[i + 5], w[i + 5])
        f, b = _round(c, d, e, f, g, h, a, b, _K[i + 6], w[i + 6])
        e, a = _round(b, c, d, e, f, g, h, a, _K[i + 7], w[i + 7])
    for i, x in enumerate((a, b, c, d, e, f, g, h)):
        out[i] = _32(out[i] + x)


def padded(n):
    """How many bytes a message of n bytes takes with what is added at its end."""
    return (n + 8) // BLOCK * BLOCK + BLOCK


@rule
def _pad(message, n, size):
    """A bit, zeros, and the length in bits."""
    message[n] = 0x80
    for i in range(n + 1, size):
        message[i] = 0
    for i in range(4):
        message[size - 1 - i] = (8 * n >> (8 * i)) & 255


@big_rule
def sha256(message, n, out, w):
    """Write to out the eight words of the hash of the first n bytes; there must be room for `padded(n)`.

    `w` is room for 64 words.
    """
    size = (n + 8) // BLOCK * BLOCK + BLOCK
    _pad(message, n, size)
    for i in range(8):
        out[i] = _START[i]
    for at in range(0, size, BLOCK):
        for i in range(16):
            j = at + 4 * i
            w[i] = (
                (np.int64(message[j]) << 24)
                | (np.int64(message[j + 1]) << 16)
                | (np.int64(message[j + 2]) << 8)
                | np.int64(message[j + 3])
            )
        _mix(out, w)
