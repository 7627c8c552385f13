"""Trains the table: a text is the sum of its tokens' rows, divided by its length.

    python3 train.py FOLDER OUT.npy [--device cuda|cpu] [--steps 2500] [--batch 4096] [--rate .003] [--temperature .1] [--dimensions 256] [--seed 1]

Two chunks of one record belong together; the others of the batch do not (symmetric InfoNCE). Most queries lose words that
also occur in the document, so that the table learns meaning instead of equal words: full-text search has those already.
"""
import argparse
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F


class Corpus:
    def __init__(self, path: Path, stems: np.ndarray, device: str):
        data = np.load(path)
        to = lambda name: torch.from_numpy(data[name]).to(device)
        self.tokens, self.ends, self.first, self.source = to("tokens").long(), to("ends"), to("first"), to("source")
        self.weight = torch.cumsum(to("weight").double(), 0)
        self.stems = torch.from_numpy(stems).to(device)
        self.device = device
        self.by_source = []
        for s in torch.unique(self.source).tolist():
            members = torch.nonzero(self.source == s)[:, 0]
            if len(members) > 4_000:
                self.by_source.append((members, torch.cumsum(to("weight").double()[members], 0)))

    def gather(self, starts, lengths):
        """Tokens of several stretches: their ids, and which stretch each is of."""
        owner = torch.repeat_interleave(torch.arange(len(lengths), device=self.device), lengths)
        before = torch.cumsum(lengths, 0) - lengths
        place = torch.arange(len(owner), device=self.device) - before[owner] + starts[owner]
        return self.tokens[place], owner

    def draw(self, size: int, generator, single_source: float):
        random = lambda n: torch.rand(n, generator=generator, device=self.device)
        if self.by_source and random(1).item() < single_source:
            members, weight = self.by_source[int(random(1).item() * len(self.by_source))]
            at = torch.searchsorted(weight, random(size).double() * weight[-1]).clamp(max=len(members) - 1)
            record = members[at]
        else:
            record = torch.searchsorted(self.weight, random(size).double() * self.weight[-1]).clamp(max=len(self.weight) - 1)
        first, count = self.first[record], self.first[record + 1] - self.first[record]
        query = torch.where(random(size) < 0.5, 0, (random(size) * count).long().clamp(max=count - 1))
        low, high = (query - 4).clamp(min=0), torch.minimum(query + 4, count - 1)
        other = low + (random(size) * (high - low)).long().clamp(max=high - low - 1)
        other = other + (other >= query).long()
        last = torch.where((random(size) < 0.5) & (other + 1 < count) & (other + 1 != query), other + 1, other)
        q, q_owner = self.gather(self.ends[first + query], self.ends[first + query + 1] - self.ends[first + query])
        d, d_owner = self.gather(self.ends[first + other], self.ends[first + last + 1] - self.ends[first + other])
        # Words that both have are taken from the query: all of them (40 %), half (35 %), none (25 %).
        share = random(size)
        loss = torch.where(share < 0.25, 0.0, torch.where(share < 0.65, 1.0, 0.5))
        width = int(self.stems.max()) + 1
        common = torch.isin(q_owner * width + self.stems[q], d_owner * width + self.stems[d])
        keep = ~(common & (random(len(q)) < loss[q_owner]))
        left = torch.zeros(size, dtype=torch.long, device=self.device).index_add_(0, q_owner, keep.long())
        keep |= left[q_owner] < 2
        keep &= random(len(q)) > 0.1
        keep_d = random(len(d)) > 0.1
        return record, (q[keep], q_owner[keep]), (d[keep_d], d_owner[keep_d])


def bags(table, ids, owner, size):
    offsets = torch.searchsorted(owner, torch.arange(size, device=owner.device))
    return F.normalize(F.embedding_bag(ids, table, offsets, mode="sum"), dim=1)


def initial_table(corpus: Corpus, rows: int, dimensions: int, contexts: int = 6_000):
    """PPMI of words within six places, reduced by a randomised SVD; frequent words get short rows."""
    device, tokens, contexts = corpus.device, corpus.tokens, min(contexts, rows)
    chunk = torch.repeat_interleave(torch.arange(len(corpus.ends) - 1, device=device), corpus.ends[1:] - corpus.ends[:-1])
    counts = torch.zeros(rows * contexts, device=device)
    for distance in range(1, 7):
        for left, right in ((slice(None, -distance), slice(distance, None)), (slice(distance, None), slice(None, -distance))):
            word, near = tokens[left], tokens[right]
            for at in range(0, len(word), 8_000_000):
                part = slice(at, at + 8_000_000)
                fits = (chunk[left][part] == chunk[right][part]) & (near[part] < contexts)
                place = word[part][fits] * contexts + near[part][fits]
                counts.index_add_(0, place, torch.full((len(place),), (7 - distance) / 6, device=device))
    counts = counts.view(rows, contexts)
    row_sum, column_sum = counts.sum(1, keepdim=True).clamp(min=1e-6), counts.sum(0, keepdim=True)
    smooth = column_sum**0.75 / (column_sum**0.75).sum()
    ppmi = torch.log((counts / (row_sum * smooth)).clamp(min=1e-9)).clamp(min=0)
    del counts
    torch.manual_seed(1)
    sample = ppmi @ torch.randn(contexts, dimensions + 32, device=device)
    for _ in range(3):
        sample, _ = torch.linalg.qr(sample)
        sample = ppmi @ (ppmi.T @ sample)
    basis, _ = torch.linalg.qr(sample)
    u, s, _ = torch.linalg.svd(basis.T @ ppmi, full_matrices=False)
    table = F.normalize((basis @ u[:, :dimensions]) * s[:dimensions].sqrt(), dim=1)
    share = torch.bincount(tokens, minlength=rows).float() / len(tokens)
    return table * (1e-3 / (1e-3 + share)).unsqueeze(1) * dimensions**0.5


def evaluate(table, corpus: Corpus, masked: bool, size: int = 1_500):
    """MRR of finding the second chunk by the title among all second chunks."""
    first = corpus.first[:-1][:: max(1, (len(corpus.first) - 1) // size)][:size]
    q, q_owner = corpus.gather(corpus.ends[first], corpus.ends[first + 1] - corpus.ends[first])
    d, d_owner = corpus.gather(corpus.ends[first + 1], corpus.ends[first + 2] - corpus.ends[first + 1])
    if masked:
        width = int(corpus.stems.max()) + 1
        keep = ~torch.isin(q_owner * width + corpus.stems[q], d_owner * width + corpus.stems[d])
        q, q_owner = q[keep], q_owner[keep]
    scores = bags(table, q, q_owner, len(first)) @ bags(table, d, d_owner, len(first)).T
    rank = (scores > scores.diagonal().unsqueeze(1)).sum(1) + 1
    return (1 / rank.float()).mean().item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("out")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--steps", type=int, default=2_500)
    parser.add_argument("--batch", type=int, default=4_096)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--temperature", type=float, default=0.1)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--single-source", type=float, default=0.25)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.time()
    stems = np.load(options.folder / "stems.npy")
    corpus = Corpus(options.folder / "data.npz", stems, options.device)
    held = Corpus(options.folder / "held-out.npz", stems, options.device)
    table = torch.nn.Parameter(initial_table(corpus, len(stems), options.dimensions))
    tell = lambda what: print(f"{options.out} {what}: held-out MRR {evaluate(table.detach(), held, False):.3f}, without shared words {evaluate(table.detach(), held, True):.3f}, {time.time() - began:.0f} s", flush=True)
    tell("start")
    optimizer = torch.optim.Adam([table], lr=options.rate)
    generator = torch.Generator(device=options.device).manual_seed(options.seed)
    half = torch.bfloat16 if options.device == "cuda" else torch.float32
    for step in range(options.steps):
        progress = step / options.steps
        rate = min(1.0, step / (0.03 * options.steps)) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * progress)))
        for group in optimizer.param_groups:
            group["lr"] = options.rate * rate
        record, query, document = corpus.draw(options.batch, generator, options.single_source)
        a, b = bags(table, *query, options.batch), bags(table, *document, options.batch)
        scores = (a.to(half) @ b.to(half).T).float() / options.temperature
        same = record.unsqueeze(0) == record.unsqueeze(1)
        same.fill_diagonal_(False)
        scores = scores.masked_fill(same, -1e4)
        target = torch.arange(options.batch, device=options.device)
        loss = (F.cross_entropy(scores, target) + F.cross_entropy(scores.T, target)) / 2
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % 500 == 499:
            tell(f"step {step + 1}, loss {loss.item():.3f}")
    tell("end")
    np.save(options.out, table.detach().float().cpu().numpy())


if __name__ == "__main__":
    main()
