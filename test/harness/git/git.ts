import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CallRecord } from "../../../src/kernel/calls/call.ts";
import { type Answer, type Caller, invoke, type Outcome } from "../../../src/kernel/calls/invoke.ts";
import { localPrincipal } from "../../../src/kernel/principal.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import { Git } from "../../../src/platform/git/git.ts";
import type { RepositoryServices } from "../../../src/rooms/tickets/service/tickets.ts";
import { getRepositoryContext } from "../../../src/rooms/tickets/tools/get-repository-context.ts";
import { sharedCodeCache } from "../vitest/programs.ts";

/** A folder with its own home directory, so that the user's git configuration has no effect. */
export type Sandbox = {
  root: string;
  environment: Record<string, string>;
  workTreesHome: string;
  /** Runs git as a person would, not hardened; returns its output. */
  git(cwd: string, ...args: string[]): string;
  /** Makes a folder a repository with these files committed. */
  repository(name: string, files?: Record<string, string>): string;
  dispose(): void;
};

export function makeSandbox(): Sandbox {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-git-")));
  const home = join(root, "home");
  mkdirSync(home);
  writeFileSync(
    join(home, ".gitconfig"),
    '[user]\n name = Ada\n email = ada@example.org\n[init]\n defaultBranch = main\n[protocol "file"]\n allow = always\n[gc]\n auto = 0\n',
  );
  const { PATH = "" } = process.env;
  const environment = { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1", ...sharedCodeCache() };
  const git = (cwd: string, ...args: string[]) => plainGit(cwd, args, environment);
  return {
    root,
    environment,
    workTreesHome: join(home, ".forge", "worktrees"),
    git,
    repository(name, files = {}) {
      const folder = join(root, name);
      mkdirSync(folder, { recursive: true });
      git(folder, "init", "--quiet");
      writeFiles(folder, files);
      if (Object.keys(files).length > 0) {
        git(folder, "add", "--all");
        git(folder, "commit", "--quiet", "--message", "first");
      }
      return folder;
    },
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Git without hardening, for fixtures and controls. */
export function plainGit(cwd: string, args: string[], env: Record<string, string>, input?: string): string {
  const { GIT_TEMPLATE_DIR = "" } = process.env;
  return execFileSync("git", args, {
    cwd,
    env: { GIT_TEMPLATE_DIR, ...env },
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 1 << 28,
    timeout: 30_000,
    ...(input !== undefined && { input }),
  });
}

export function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

export function removeFile(folder: string, name: string): void {
  rmSync(join(folder, name));
}

/** A file whose name need not be UTF-8; only Linux file systems take any bytes. */
export function writeBytesName(folder: string, name: Buffer): void {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), name]), "1");
}

export type ContextCall = { cwd: string; environment: Record<string, string>; signal?: AbortSignal };

/** Calls get_repository_context the way a host does, with a ledger kept in memory. */
export async function callRepositoryContext(
  input: unknown,
  { cwd, environment, signal = new AbortController().signal }: ContextCall,
): Promise<{ outcome: Outcome<Answer>; records: CallRecord[] }> {
  const records: CallRecord[] = [];
  const keep = async (record: CallRecord) => {
    records.push({ ...record });
  };
  const services: RepositoryServices = { git: new Git({ environment }), cwd };
  const runtime = {
    services,
    recorder: { open: keep, close: keep },
    redactor: new Redactor(),
    newId: () => "call-1",
    now: () => Date.now(),
    log: () => undefined,
    noteUntrusted: async () => undefined,
  };
  const caller: Caller = {
    principal: localPrincipal("ada"),
    signal,
    report: () => undefined,
    log: () => undefined,
    canAsk: () => false,
    ask: async () => ({}),
  };
  const outcome = await invoke(runtime, "tickets", getRepositoryContext, input, caller);
  return { outcome, records };
}
