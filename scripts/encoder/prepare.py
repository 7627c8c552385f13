"""Turns the training text into numbers: a vocabulary and one array of token ids.

    python3 prepare.py CORPUS.jsonl OUT_FOLDER

Writes vocabulary.txt (a row's place in it is its row in the table), data.npz (training) and held-out.npz.
"""
import collections
import json
import multiprocessing
import sys
from pathlib import Path

import numpy as np

WORDS, PIECES, MAX_LETTERS = 27_000, 3_500, 20
ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
KIND_WEIGHT = {"commit": 1.0, "doc": 1.0, "code": 0.5}


def is_wanted(word: str) -> bool:
    return len(word) <= 4 if word.isdigit() else len(word) <= MAX_LETTERS


def split_unknown(word: str, rows: dict[str, int]) -> list[int]:
    """Greedy longest match: a beginning of three letters or more, then continuations; at most six pieces."""
    out, at = [], 0
    while at < len(word) and len(out) < 6:
        for end in range(min(len(word), at + MAX_LETTERS), at, -1):
            piece = word[at:end] if at == 0 else "##" + word[at:end]
            if piece in rows and (at > 0 or end - at >= 3 or end == len(word)):
                out.append(rows[piece])
                at = end
                break
        else:
            at += 1
    return out


def vocabulary_of(counts: collections.Counter) -> list[str]:
    words = [w for w, _ in counts.most_common() if is_wanted(w)][:WORDS]
    known = set(words) | set(ALPHABET)
    rests: collections.Counter = collections.Counter()
    for word, count in counts.items():
        if word in known or count < 2 or len(word) > 40:
            continue
        for end in range(min(len(word) - 1, MAX_LETTERS), 2, -1):
            if word[:end] in known:
                for length in range(1, min(8, len(word) - end) + 1):
                    rests[word[end : end + length]] += count * length
                break
    pieces = [f"##{r}" for r, _ in rests.most_common(PIECES)]
    letters = [c for c in ALPHABET if c not in set(words)]
    tails = [f"##{c}" for c in ALPHABET if f"##{c}" not in set(pieces)]
    return words + letters + pieces + tails


def stem(word: str) -> str:
    word = word.removeprefix("##")
    for ending in ("ations", "ation", "ingly", "ments", "ment", "ings", "ing", "edly", "ers", "ies", "ied", "ed", "er", "es", "ly", "s", "e", "y"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


ROWS: dict[str, int] = {}


def encode(line: str):
    record = json.loads(line)
    chunks = []
    for chunk in record["c"]:
        ids = []
        for word in chunk.split():
            row = ROWS.get(word)
            ids.extend([row] if row is not None else split_unknown(word, ROWS))
        chunks.append(ids)
    return record["s"], record["k"], chunks


def count(lines: list[str]) -> collections.Counter:
    out: collections.Counter = collections.Counter()
    for line in lines:
        for chunk in json.loads(line)["c"]:
            out.update(chunk.split())
    return out


def pack(encoded, path: Path, sources: list[str]):
    flat, ends, first, source, weight = [], [0], [], [], []
    for name, kind, chunks in encoded:
        chunks = [c for c in chunks if c]
        if len(chunks) < 2:
            continue
        first.append(len(ends) - 1)
        source.append(sources.index(name))
        weight.append(min(len(chunks) - 1, 4) * KIND_WEIGHT[kind])
        for chunk in chunks:
            flat.extend(chunk)
            ends.append(len(flat))
    first.append(len(ends) - 1)
    np.savez(path, tokens=np.array(flat, np.int32), ends=np.array(ends, np.int64), first=np.array(first, np.int64), source=np.array(source, np.int32), weight=np.array(weight, np.float32))
    print(f"{path.name}: {len(source)} records, {len(ends) - 1} chunks, {len(flat)} tokens", flush=True)


def main():
    corpus, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    listed = json.loads((Path(__file__).parent / "sources.json").read_text())
    held = {s["repository"] for s in listed if s.get("heldOut")}
    with open(corpus) as file:
        lines = file.readlines()
    is_held = [json.loads(line)["s"] in held for line in lines]
    train = [line for line, h in zip(lines, is_held) if not h]
    np.random.default_rng(1).shuffle(train)
    counts: collections.Counter = collections.Counter()
    with multiprocessing.Pool() as pool:
        for part in pool.imap_unordered(count, [train[i : i + 20_000] for i in range(0, len(train), 20_000)]):
            counts.update(part)
    words = vocabulary_of(counts)
    ROWS.update({w: i for i, w in enumerate(words)})
    (folder / "vocabulary.txt").write_text("\n".join(words) + "\n")
    running = sum(counts.values())
    print(f"{running} running words, {sum(counts[w] for w in words) / running:.1%} whole words, {len(words)} rows", flush=True)
    stems: dict[str, int] = {}
    np.save(folder / "stems.npy", np.array([stems.setdefault(stem(w), len(stems)) for w in words], np.int64))
    names = [s["repository"] for s in listed]
    with multiprocessing.Pool() as pool:  # forked after ROWS is filled
        pack(pool.imap(encode, train, chunksize=2_000), folder / "data.npz", names)
        pack(pool.imap(encode, [l for l, h in zip(lines, is_held) if h], chunksize=500), folder / "held-out.npz", names)


if __name__ == "__main__":
    main()
