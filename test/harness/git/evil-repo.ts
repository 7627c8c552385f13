import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeSandbox, plainGit, type Sandbox, writeFiles } from "./git.ts";

/** A repository that runs its own program if git is used on it carelessly. */
export type EvilRepository = {
  sandbox: Sandbox;
  /** The folder an assistant would be asked to look at. */
  path: string;
  /** Runs what a person would run there, which also runs a program of the repository. */
  careless(): void;
  /** The programs of the repository that have run. */
  marks(): string[];
};

type Build = (evil: Workshop) => { path: string; careless: string[][] };

type Workshop = {
  sandbox: Sandbox;
  /** A repository with a committed file that git has to read again. */
  repository(name: string): string;
  /** A program that leaves a mark. */
  program(name: string): string;
  configure(repository: string, ...settings: [key: string, value: string][]): void;
};

const hookNames = [
  "applypatch-msg",
  "pre-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "post-checkout",
  "post-index-change",
  "post-merge",
  "pre-auto-gc",
  "reference-transaction",
  "fsmonitor-watchman",
];

const status = [["status", "--porcelain"]];
const commitToo = [...status, ["commit", "--allow-empty", "--no-verify", "--message", "second"]];

const kinds = {
  fsmonitor: (evil) => {
    const path = evil.repository("project");
    evil.configure(path, ["core.fsmonitor", evil.program("fsmonitor")]);
    return { path, careless: status };
  },
  hooks: (evil) => {
    const path = evil.repository("project");
    for (const name of hookNames) cpSync(evil.program(name), join(path, ".git", "hooks", name));
    return { path, careless: commitToo };
  },
  "hooks path": (evil) => {
    const path = evil.repository("project");
    mkdirSync(join(path, "tools"));
    for (const name of hookNames) cpSync(evil.program(name), join(path, "tools", name));
    evil.configure(path, ["core.hooksPath", "tools"]);
    return { path, careless: commitToo };
  },
  "clean filter": (evil) => withFilter(evil, "x", "clean"),
  "process filter": (evil) => withFilter(evil, "x", "process"),
  "smudge filter": (evil) => ({ ...withFilter(evil, "x", "smudge"), careless: [["checkout", "--", "file.txt"]] }),
  "filter with = in its name": (evil) => withFilter(evil, "a=b.c", "clean"),
  "filter with an empty name": (evil) => withFilter(evil, "", "clean"),
  "required filter": (evil) => {
    const made = withFilter(evil, "x", "clean");
    evil.configure(made.path, ["filter.x.required", "true"]);
    return made;
  },
  "filter by a private attributes file": (evil) => {
    const made = withFilter(evil, "x", "clean");
    rmSync(join(made.path, ".gitattributes"));
    writeFiles(made.path, { ".git/info/attributes": "* filter=x\n" });
    return made;
  },
  "external diff": (evil) => withDiff(evil, ["diff.external", evil.program("diff")]),
  "diff command": (evil) => withDiff(evil, ["diff.x.command", evil.program("diff")]),
  textconv: (evil) => withDiff(evil, ["diff.x.textconv", evil.program("textconv")]),
  gpg: (evil) => {
    const path = evil.repository("project");
    evil.configure(path, ["gpg.program", evil.program("gpg")], ["log.showSignature", "true"]);
    signHead(evil.sandbox, path);
    return { path, careless: [["log"]] };
  },
  "signed commits": (evil) => {
    const path = evil.repository("project");
    evil.configure(path, ["gpg.program", evil.program("gpg")], ["commit.gpgSign", "true"]);
    return { path, careless: [["commit", "--allow-empty", "--message", "second"]] };
  },
  "merge driver": (evil) => {
    const path = evil.repository("project");
    writeFiles(path, { ".gitattributes": "* merge=x\n", "both.txt": "1\n2\n3\n4\n5\n" });
    commitAll(evil, path);
    evil.sandbox.git(path, "checkout", "--quiet", "-b", "side");
    writeFiles(path, { "both.txt": "side\n2\n3\n4\n5\n" });
    commitAll(evil, path);
    evil.sandbox.git(path, "checkout", "--quiet", "main");
    writeFiles(path, { "both.txt": "1\n2\n3\n4\nmain\n" });
    commitAll(evil, path);
    evil.configure(path, ["merge.x.driver", evil.program("merge")]);
    return { path, careless: [["merge", "side"]] };
  },
  "trailer command": (evil) => {
    const path = evil.repository("project");
    evil.configure(path, ["trailer.x.key", "X"], ["trailer.x.command", evil.program("trailer")]);
    return { path, careless: [["commit", "--allow-empty", "--message", "second", "--trailer", "Y: y"]] };
  },
  include: (evil) => {
    const path = evil.repository("project");
    writeFiles(path, {
      ".hidden": `[core]\n fsmonitor = ${evil.program("fsmonitor")}\n[filter "x"]\n clean = ${evil.program("clean")}\n`,
      ".gitattributes": "* filter=x\n",
    });
    evil.configure(path, ["include.path", "../.hidden"]);
    return { path, careless: status };
  },
  "conditional include": (evil) => {
    const path = evil.repository("project");
    writeFiles(path, {
      ".hidden": `[filter "x"]\n clean = ${evil.program("clean")}\n`,
      ".gitattributes": "* filter=x\n",
    });
    evil.configure(path, ["includeIf.onbranch:main.path", "../.hidden"]);
    return { path, careless: status };
  },
  "bare repository in a subfolder": (evil) => {
    const outer = evil.repository("project");
    const inner = evil.repository("inner");
    const path = join(outer, "docs", "inner");
    cpSync(join(inner, ".git"), path, { recursive: true });
    evil.configure(
      path,
      ["core.bare", "false"],
      ["core.worktree", ".."],
      ["core.fsmonitor", evil.program("fsmonitor")],
    );
    return { path, careless: status };
  },
  submodule: (evil) => {
    const path = withSubmodule(evil);
    const sub = join(path, "sub");
    evil.configure(sub, ["filter.x.clean", evil.program("clean")]);
    writeFiles(sub, { ".gitattributes": "* filter=x\n", "file.txt": "two\n" });
    age(join(sub, "file.txt"));
    return { path, careless: status };
  },
  "diff of a submodule": (evil) => {
    const path = withSubmodule(evil);
    const sub = join(path, "sub");
    writeFiles(sub, { "file.txt": "two\n" });
    evil.sandbox.git(sub, "commit", "--quiet", "--all", "--message", "two");
    evil.sandbox.git(path, "commit", "--quiet", "--all", "--message", "newer sub");
    evil.configure(path, ["diff.submodule", "diff"]);
    evil.configure(sub, ["diff.external", evil.program("diff")]);
    return { path, careless: [["show"]] };
  },
  "partial clone": withoutTree,
  "ext remote": (evil) => {
    const made = withoutTree(evil);
    evil.configure(made.path, ["remote.origin.url", `ext::${evil.program("ext")}`], ["protocol.ext.allow", "always"]);
    return made;
  },
  "git file that leads outside": (evil) => {
    const elsewhere = evil.repository("elsewhere");
    evil.configure(elsewhere, ["core.fsmonitor", evil.program("fsmonitor")]);
    const path = join(evil.sandbox.root, "project");
    writeFiles(path, { ".git": `gitdir: ${join(elsewhere, ".git")}\n` });
    return { path, careless: status };
  },
  "git folder as a symbolic link": (evil) => {
    const elsewhere = evil.repository("elsewhere");
    evil.configure(elsewhere, ["core.fsmonitor", evil.program("fsmonitor")]);
    const path = join(evil.sandbox.root, "project");
    mkdirSync(path);
    symlinkSync(join(elsewhere, ".git"), join(path, ".git"));
    return { path, careless: status };
  },
  "git folder that borrows another's": (evil) => {
    const elsewhere = evil.repository("elsewhere");
    evil.configure(elsewhere, ["core.fsmonitor", evil.program("fsmonitor")]);
    const path = evil.repository("project");
    writeFiles(path, { ".git/commondir": join(elsewhere, ".git") });
    return { path, careless: status };
  },
} satisfies Record<string, Build>;

export type EvilKind = keyof typeof kinds;

export const evilKinds = Object.keys(kinds).filter(isKind);

function isKind(name: string): name is EvilKind {
  return name in kinds;
}

export function makeEvilRepository(kind: EvilKind): EvilRepository {
  const sandbox = makeSandbox();
  const marks = join(sandbox.root, "marks");
  mkdirSync(marks);
  const build: Build = kinds[kind];
  const { path, careless } = build(workshop(sandbox, marks));
  for (const mark of readdirSync(marks)) rmSync(join(marks, mark));
  return {
    sandbox,
    path,
    careless() {
      for (const args of careless) attempt(() => plainGit(path, args, sandbox.environment));
    },
    marks: () => readdirSync(marks),
  };
}

function workshop(sandbox: Sandbox, marks: string): Workshop {
  return {
    sandbox,
    repository(name) {
      const path = sandbox.repository(name, { "file.txt": "one\n" });
      age(join(path, "file.txt"));
      return path;
    },
    program(name) {
      const path = join(sandbox.root, `run-${name}`);
      writeFileSync(path, `#!/bin/sh\n: > '${join(marks, name)}'\n`);
      chmodSync(path, 0o755);
      return path;
    },
    configure(repository, ...settings) {
      const file = existsSync(join(repository, "HEAD")) ? ["--file", join(repository, "config")] : [];
      for (const [key, value] of settings) sandbox.git(repository, "config", ...file, key, value);
    },
  };
}

/** A modification time that differs from the index makes git read the file again. */
function age(file: string): void {
  utimesSync(file, new Date(0), new Date(0));
}

function withFilter(evil: Workshop, name: string, kind: "clean" | "process" | "smudge") {
  const path = evil.repository("project");
  evil.configure(path, [`filter.${name}.${kind}`, evil.program(kind)]);
  writeFiles(path, { ".gitattributes": `* filter=${name}\n` });
  return { path, careless: status };
}

function withDiff(evil: Workshop, setting: [key: string, value: string]) {
  const path = evil.repository("project");
  evil.configure(path, setting);
  writeFiles(path, { ".gitattributes": "* diff=x\n", "file.txt": "two\n" });
  return { path, careless: [["diff"]] };
}

function commitAll({ sandbox }: Workshop, path: string): void {
  sandbox.git(path, "add", "--all");
  sandbox.git(path, "commit", "--quiet", "--message", "more");
}

function withSubmodule(evil: Workshop): string {
  const inner = evil.repository("inner");
  const path = evil.repository("project");
  evil.sandbox.git(path, "submodule", "--quiet", "add", inner, "sub");
  evil.sandbox.git(path, "commit", "--quiet", "--message", "sub");
  return path;
}

/** A partial clone that has to fetch the tree before it can list it. */
function withoutTree(evil: Workshop) {
  const path = evil.repository("project");
  const tree = evil.sandbox.git(path, "rev-parse", "HEAD^{tree}").trim();
  rmSync(join(path, ".git", "objects", tree.slice(0, 2), tree.slice(2)));
  evil.configure(
    path,
    ["core.repositoryFormatVersion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", join(path, ".git")],
    ["remote.origin.uploadPack", evil.program("upload-pack")],
    ["protocol.file.allow", "always"],
  );
  return { path, careless: [["ls-tree", "-r", "HEAD"]] };
}

function signHead(sandbox: Sandbox, path: string): void {
  const commit = sandbox.git(path, "cat-file", "commit", "HEAD");
  const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n aaaa\n -----END PGP SIGNATURE-----\n";
  const signed = commit.replace("\n\n", `\n${signature}\n`);
  const id = plainGit(path, ["hash-object", "-t", "commit", "-w", "--stdin"], sandbox.environment, signed).trim();
  sandbox.git(path, "update-ref", "HEAD", id);
}

/** Careless commands may well fail once the program has run. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Only the marks count.
  }
}
