"""Reads repositories and writes the training text: one JSON line a record, {"s": source, "k": kind, "c": [title, chunk, ...]}.

    python3 extract.py MIRROR OUT.jsonl [--notice NOTICE]

MIRROR holds one folder per repository, owner+name/repo (a bare git directory). A repository is read only if the licence
that sources.json names is found in its licence file. Texts under a Creative Commons licence are left out: they are no
software licence we accept, and some projects keep their guides under one. Every chunk is already split into words
(tokens.py), so the text cannot be read back in its original form, and nothing of it is committed.
"""
import argparse
import ast
import json
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tokens import words_of

HERE = Path(__file__).parent
MARKS = {
    "MIT": r"Permission is hereby granted, free of charge",
    "Apache-2.0": r"Apache License\s+Version 2\.0",
    "BSD-3-Clause": r"Redistributions? (and use )?in source and binary forms|Redistribution and use in source",
    "PostgreSQL": r"Permission to use, copy, modify, and distribute this software and its\s+documentation for any purpose, without fee",
}
MAX_COMMITS, MAX_CHUNKS, SENTENCE_END = 24_000, 12, re.compile(r"(?<=[.!?:;])\s+")
DULL = re.compile(r"^(bump|revert|merge|roll|release|version|update dependency|chore\(deps|automatic|imported translations|updated from global)", re.I)
TRAILER = re.compile(r"^\s*([A-Z][\w-]+(-by)?|Closes|Fixes|Refs?|Bug|Change-Id|PiperOrigin-RevId|Cr-Commit-Position|Reviewed-on|PR-URL)\s*:\s*\S", re.I)
TICKET = re.compile(r"\[?\b[A-Z]{2,}-\d+\]?|\(#\d+\)|#\d+|\[[A-Z0-9_]+\]")
SCOPE = re.compile(r"^\w+(\([^)]*\))?!?:\s+|^[\w./, -]{1,40}:\s+")


def git(repository: Path, *arguments: str, stdin: bytes | None = None) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def is_prose(text: str) -> bool:
    dense = text.replace(" ", "").replace("\n", "")
    return len(dense) > 20 and sum(c.isalpha() for c in dense) >= 0.8 * len(dense)


def chunks_of(paragraphs: list[str]) -> list[str]:
    """Cuts paragraphs at sentence ends into chunks of 9 to 40 words."""
    out: list[str] = []
    for paragraph in paragraphs:
        current: list[str] = []
        for sentence in SENTENCE_END.split(paragraph):
            words = words_of(sentence)
            if current and len(current) + len(words) > 40:
                if len(current) >= 9:
                    out.append(" ".join(current))
                current = []
            current += words[:40]
            if len(current) >= 16:
                out.append(" ".join(current[:40]))
                current = []
        if len(current) >= 9:
            out.append(" ".join(current))
        if len(out) >= MAX_CHUNKS:
            break
    return out[:MAX_CHUNKS]


def record(source: str, kind: str, title: str, paragraphs: list[str]):
    head = words_of(title)[:24]
    body = chunks_of([p for p in paragraphs if is_prose(p)])
    if head and body:
        return {"s": source, "k": kind, "c": [" ".join(head), *body]}
    return None


def clean(text: str) -> str:
    text = re.sub(r"<!--.*?-->|```.*?```", " ", text, flags=re.S)
    text = re.sub(r"https?://\S+", " ", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r":\w+:`([^`<]*)[^`]*`", r"\1", text)
    return re.sub(r"<[^>\n]{1,80}>|[*`_]{2,}|``", " ", text)


def commits(source: str, repository: Path):
    log = git(repository, "log", "--no-merges", f"-{MAX_COMMITS}", "--format=%x1e%s%x1f%b").decode("utf-8", "replace")
    for entry in log.split("\x1e")[1:]:
        subject, _, body = entry.partition("\x1f")
        subject = TICKET.sub(" ", subject)
        if DULL.match(subject.strip()):
            continue
        title = SCOPE.sub("", subject.strip())
        lines = [line for line in clean(body).splitlines() if not TRAILER.match(line) and not re.match(r"\s*([-*] \[[ x]\]|\$|>|\|| {4,}|\t)", line)]
        made = record(source, "commit", title, re.split(r"\n\s*\n|\n(?=\s*[-*] )", "\n".join(lines)))
        if made:
            yield made


HEADINGS = re.compile(r"^(#{1,5} .+|={1,5} .+|.+\n[=~\-^\"'*+#]{4,}[ \t]*$|<title>.*</title>)$", re.M)


def documents(source: str, repository: Path):
    listing = git(repository, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace").split("\0")
    wanted = []
    for line in listing:
        meta, _, path = line.partition("\t")
        if re.search(r"\.(mdx?|rst|adoc|sgml)$|^docs/.*\.txt$", path) and not re.search(r"(^|/)(node_modules|vendor|third_party|deps|test|tests|fixtures|locale|changelogs?|release-?notes?|i18n|zh|ja|ko|fr|de|es|pt-br|uk)/|CHANGELOG|(^|/)LICENSE|AUTHORS", path, re.I):
            wanted.append(meta.split()[2])
    raw = git(repository, "cat-file", "--batch", stdin="\n".join(wanted).encode())
    at = 0
    while at < len(raw):
        end = raw.index(b"\n", at)
        header = raw[at:end].split()
        if len(header) < 3:
            at = end + 1
            continue
        size = int(header[2])
        text = raw[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + size + 2
        if size > 400_000 or re.search(r"creative\s+commons|CC[- ]BY", text, re.I):
            continue
        text = clean(text)
        page = ""
        marks = list(HEADINGS.finditer(text))
        for i, mark in enumerate(marks):
            heading = re.sub(r"</?title>|^[#=]+ ?|\n.*$", "", mark[0]).strip()
            page = page or heading
            body = text[mark.end() : marks[i + 1].start() if i + 1 < len(marks) else len(text)]
            paragraphs = [p for p in re.split(r"\n\s*\n|\n(?=\s*[-*] )|</?para>", body) if not re.match(r"\s*(\.\. |\||\+--| {4,}\S|<|:::|import )", p)]
            title = heading if len(heading.split()) > 2 or heading == page else f"{page} {heading}"
            made = record(source, "doc", title, paragraphs)
            if made:
                yield made


def code(source: str, repository: Path):
    names = git(repository, "ls-tree", "-r", "-z", "HEAD").decode("utf-8", "replace").split("\0")
    files = [(line.split()[2], line.partition("\t")[2]) for line in names if re.search(r"\.(py|go)$", line) and not re.search(r"(^|/|_)(tests?|vendor|testdata|migrations)(/|_|\.)|zerrors|_test\.go", line)]
    raw = git(repository, "cat-file", "--batch", stdin="\n".join(f[0] for f in files).encode())
    at = 0
    for _, path in files:
        end = raw.index(b"\n", at)
        header = raw[at:end].split()
        if len(header) < 3:
            at = end + 1
            continue
        size = int(header[2])
        text = raw[end + 1 : end + 1 + size].decode("utf-8", "replace")
        at = end + size + 2
        if size > 300_000:
            continue
        found: list[tuple[str, str]] = []
        if path.endswith(".py"):
            try:
                tree = ast.parse(text)
            except (SyntaxError, ValueError, RecursionError):
                continue
            for node in ast.walk(tree):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and (said := ast.get_docstring(node)):
                    found.append((node.name, said))
        else:
            for match in re.finditer(r"((?:^// .*\n)+)^(?:func (?:\([^)]*\) )?|type |var )(\w+)", text, re.M):
                found.append((match[2], re.sub(r"^// ?", "", match[1], flags=re.M)))
        for name, said in found:
            paragraphs = [p for p in re.split(r"\n\s*\n|\n\s*:", said) if not re.match(r"\s*(>>>|:|\.\. )", p)]
            made = record(source, "code", name.replace("_", " "), paragraphs)
            if made:
                yield made


def read_source(mirror: str, source: dict, part: str):
    name = source["repository"]
    repository = Path(mirror) / name.replace("/", "+") / "repo"
    files = [f for f in git(repository, "ls-tree", "--name-only", "HEAD").decode().split() if re.match(r"(mit-)?(licen[sc]e|copying|copyright)", f, re.I)]
    licences = "\n".join(git(repository, "show", f"HEAD:{f}").decode("utf-8", "replace") for f in files)
    if not re.search(MARKS[source["licence"]], licences):
        return {"repository": name, "refused": f"{source['licence']} not found in {', '.join(files) or 'no licence file'}"}
    seen, counts, words = set(), {}, 0
    with open(part, "w") as out:
        for kind, read in (("commit", commits), ("doc", documents), ("code", code)):
            if kind not in source["take"]:
                continue
            for made in read(name, repository):
                key = (made["c"][0] + made["c"][1][:60], made["c"][1][:120])
                if key[0] in seen or key[1] in seen:
                    continue
                seen.update(key)
                counts[kind] = counts.get(kind, 0) + 1
                words += sum(chunk.count(" ") + 1 for chunk in made["c"])
                out.write(json.dumps(made, separators=(",", ":")) + "\n")
    commit = git(repository, "rev-parse", "HEAD").decode().strip()
    return {"repository": name, "licence": source["licence"], "files": files, "commit": commit, "counts": counts, "words": words, "heldOut": source.get("heldOut", False)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mirror")
    parser.add_argument("out")
    parser.add_argument("--report", default="sources-read.json")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    sources = json.loads((HERE / "sources.json").read_text())
    parts = Path(options.out).parent / "parts"
    parts.mkdir(exist_ok=True)
    reports = []
    with ProcessPoolExecutor(options.jobs) as pool:
        jobs = [pool.submit(read_source, options.mirror, s, str(parts / s["repository"].replace("/", "+"))) for s in sources]
        for job in jobs:
            reports.append(job.result())
            print(json.dumps(reports[-1]), file=sys.stderr, flush=True)
    with open(options.out, "w") as out:
        for source in sources:
            part = parts / source["repository"].replace("/", "+")
            if part.exists():
                out.write(part.read_text())
    Path(options.report).write_text(json.dumps(reports, indent=1))


if __name__ == "__main__":
    main()
