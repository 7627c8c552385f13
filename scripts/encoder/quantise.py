"""Packs a table to 4 bits: python3 quantise.py TABLE.npy encoder.bin

Format, little endian: "FENC", version 1, rows, dimensions (three uint32), a float32 scale per row, then two values a byte,
the first in the low half, each plus 8.
"""
import struct
import sys

import numpy as np


def main():
    table = np.load(sys.argv[1]).astype(np.float32)
    table /= np.sqrt((table**2).sum(1).mean())
    rows, dimensions = table.shape
    best_error = np.full(rows, np.inf, np.float32)
    best_scale = np.zeros(rows, np.float32)
    best = np.zeros((rows, dimensions), np.int8)
    highest = np.abs(table).max(1) + 1e-12
    for clip in (1.0, 0.85, 0.7, 0.55):
        scale = (highest * clip / 7).astype(np.float32)
        values = np.clip(np.rint(table / scale[:, None]), -8, 7)
        error = ((values * scale[:, None] - table) ** 2).sum(1)
        better = error < best_error
        best_error[better], best_scale[better], best[better] = error[better], scale[better], values[better]
    nibbles = (best + 8).astype(np.uint8)
    packed = nibbles[:, 0::2] | (nibbles[:, 1::2] << 4)
    with open(sys.argv[2], "wb") as out:
        out.write(b"FENC" + struct.pack("<III", 1, rows, dimensions) + best_scale.tobytes() + packed.tobytes())


if __name__ == "__main__":
    main()
