import { isUtf8 } from "node:buffer";
import { ForgeError } from "../../kernel/errors.ts";
import { type RunResult, run } from "../exec.ts";
import { type GitCommand, gitCommands } from "./commands.ts";
import { gitFailure } from "./errors.ts";
import { armedSections, disarm, gitEnvironment, leadingOptions, type Trust } from "./hardening.ts";
import type { RepositoryLocation } from "./locate.ts";
import { type ChangedFile, readNumstat } from "./numstat.ts";
import type { Program } from "./program.ts";
import { type RepositoryStatus, StatusReader, statusArguments } from "./status.ts";
import { type FileList, TreeReader, treeArguments } from "./tree.ts";
import { requireVersion } from "./version.ts";

export type GitOptions = { signal: AbortSignal; onStdout?(chunk: Buffer): void };

const mostPrograms = 200;

/** One repository, read through git. The only place that runs git. */
export class Repository {
  readonly location: RepositoryLocation;
  readonly #program: Program;
  readonly #environment: Record<string, string>;
  readonly #trust: Trust;

  constructor(location: RepositoryLocation, program: Program, environment: Record<string, string>, trust: Trust) {
    this.location = location;
    this.#program = program;
    this.#environment = gitEnvironment(environment, program, location);
    this.#trust = trust;
  }

  /** What differs from HEAD, and where HEAD is; `limit` names of each kind. */
  async status(limit: number, signal: AbortSignal): Promise<RepositoryStatus> {
    const reader = new StatusReader(limit);
    await this.#must("status", statusArguments, { signal, onStdout: (chunk) => reader.write(chunk) });
    return reader.toStatus();
  }

  /** The files of the commit at HEAD, `limit` names of them; none before the first commit. */
  async files(limit: number, signal: AbortSignal): Promise<FileList> {
    const reader = new TreeReader(limit);
    const result = await this.run("ls-tree", treeArguments, { signal, onStdout: (chunk) => reader.write(chunk) });
    if (result.code === 0) return reader.toList();
    const head = await this.run("rev-parse", ["--verify", "--quiet", "HEAD"], { signal });
    if (head.code === 1) return { names: [], total: 0 };
    throw gitFailure("ls-tree", this.location.workTree, result);
  }

  /** The commit a ref, tag or expression names, or undefined. Never read as an option, whatever it looks like. */
  async resolveCommit(revision: string, signal: AbortSignal): Promise<string | undefined> {
    const expression = ["--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    const result = await this.run("rev-parse", expression, { signal });
    return result.code === 0 ? result.stdout.toString().trim() : undefined;
  }

  /** HEAD's commit in as few digits as name it for certain here. */
  async shortHead(signal: AbortSignal): Promise<string> {
    const result = await this.#must("rev-parse", ["--short", "--verify", "HEAD"], { signal });
    return result.stdout.toString().trim();
  }

  /** Files that differ from a commit in the work tree or the index, with lines added and taken away. */
  async changedSince(commit: string, limit: number, signal: AbortSignal): Promise<ChangedFile[]> {
    const result = await this.#must("diff", ["--numstat", "-z", "--no-renames", "--end-of-options", commit, "--"], {
      signal,
    });
    return readNumstat(result.stdout.toString(), limit);
  }

  /** Runs one git command of the allow-list, whatever its exit code says. */
  async run(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    const { flags, converts } = gitCommands[command];
    const overrides = converts && this.#trust === "untrusted" ? await this.#disarmed(options.signal) : {};
    const everything = [...leadingOptions(this.#trust, this.location.workTree), command, ...flags, ...args];
    return run(this.#program.path, everything, {
      cwd: this.location.workTree,
      env: { ...this.#environment, ...overrides },
      ...options,
    });
  }

  async #must(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    const result = await this.run(command, args, options);
    if (result.code !== 0) throw gitFailure(command, this.location.workTree, result);
    return result;
  }

  /** Overrides for every program the configuration names by a name of its own: filters, and hooks of newer gits. */
  async #disarmed(signal: AbortSignal): Promise<Record<string, string>> {
    const result = await this.run("config", ["--includes", "-z", "--name-only", "--get-regexp", armedSections], {
      signal,
    });
    const noneFound = result.code === 1;
    if (noneFound) return {};
    if (result.code !== 0) throw gitFailure("config", this.location.workTree, result);
    const keys = new Set(result.stdout.toString().split("\0").slice(0, -1));
    if (keys.size > mostPrograms || result.truncated)
      throw refusedConfiguration(this.location.workTree, `names more than ${mostPrograms} filter and hook settings`);
    // Such a name cannot be handed to a child process, so it could not be switched off.
    if (!isUtf8(result.stdout))
      throw refusedConfiguration(this.location.workTree, "names a filter or hook that is not UTF-8");
    if (keys.size > 0) await requireVersion(() => this.#must("version", [], { signal }), this.#program.path);
    return disarm(keys);
  }
}

function refusedConfiguration(workTree: string, why: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `The git configuration of ${workTree} ${why}; Forge does not read it.`, {
    details: { workTree },
    suggestions: ["Look at `git config --list --show-origin` there and take out what you do not know."],
  });
}
