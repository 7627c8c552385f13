"""The same labelled queries with fastText vectors of the same text: python3 baseline.py VECTORS.vec CORPUS.jsonl LABELLED.txt

Words weigh less the more frequent they are (SIF), and the mean direction of the memories is taken away. Prints MRR and
recall@5 by kind of query.
"""
import collections
import json
import sys

import numpy as np

from tokens import words_of


def main():
    vectors = {}
    with open(sys.argv[1]) as file:
        next(file)
        for line in file:
            word, *numbers = line.rstrip().split(" ")
            vectors[word] = np.array(numbers, np.float32)
    counts: collections.Counter = collections.Counter()
    with open(sys.argv[2]) as file:
        for i, line in enumerate(file):
            if i % 4 == 0:
                for chunk in json.loads(line)["c"]:
                    counts.update(chunk.split())
    total = sum(counts.values())
    dimensions = len(next(iter(vectors.values())))

    def embed(text):
        out = np.zeros(dimensions, np.float32)
        for word in words_of(text):
            if word in vectors:
                out += vectors[word] * (1e-3 / (1e-3 + counts[word] / total))
        return out / (np.linalg.norm(out) + 1e-9)

    notes, queries = [], []
    for line in open(sys.argv[3]):
        if line.startswith("= "):
            notes.append(line[2:].strip())
        elif line[:2] in ("p ", "i ", "e ", "q "):
            queries.append((line[0], line[2:].strip(), len(notes) - 1))
    matrix = np.stack([embed(n) for n in notes])
    mean = matrix.mean(0) / np.linalg.norm(matrix.mean(0))
    clean = lambda m: (lambda x: x / (np.linalg.norm(x, axis=-1, keepdims=True) + 1e-9))(m - np.outer(m @ mean, mean))
    matrix = clean(matrix)
    ranks = collections.defaultdict(list)
    for kind, text, right in queries:
        scores = matrix @ clean(embed(text)[None])[0]
        ranks[kind].append(int((scores > scores[right]).sum()) + 1)
    for kind, found in [*ranks.items(), ("all", sum(ranks.values(), []))]:
        print(f"{kind} n={len(found)} MRR {np.mean([1 / r for r in found]):.3f} recall@5 {np.mean([r <= 5 for r in found]):.3f}")


if __name__ == "__main__":
    main()
