import type { RunResult } from "../../exec/run.ts";
import type { ReadCommand } from "../run/commands.ts";
import { ambiguousRevision, gitFailure, missingContent, tooLargeAt } from "../run/errors.ts";
import type { RepositoryLocation } from "../run/locate-repository.ts";
import type { GitOptions, GitRunner } from "../run/runner.ts";
import { type ChangedFile, countLines, readNumstat } from "./numstat.ts";
import { type RepositoryStatus, StatusReader, statusArguments } from "./status.ts";
import { emptyTree } from "./tree-entries.ts";
import { type FileList, TreeReader, treeArguments } from "./tree-reader.ts";

/** As of files in the work tree. */
const maxTextBytes = 10 * 1_048_576;

/** One repository, read through git. */
export class Repository {
  readonly location: RepositoryLocation;
  readonly #runner: GitRunner;

  constructor(runner: GitRunner) {
    this.location = runner.location;
    this.#runner = runner;
  }

  /** What differs from HEAD, and where HEAD is; `limit` names of each kind. */
  async status(limit: number, signal: AbortSignal): Promise<RepositoryStatus> {
    const reader = new StatusReader(limit);
    await this.#runner.must("status", statusArguments, { signal, onStdout: (chunk) => reader.write(chunk) });
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
    if (result.code !== 0) return undefined;
    await this.#requireOneMeaning(revision, signal);
    return result.stdout.toString().trim();
  }

  /** Git prefers a tag to a branch of its name, and both to the digits of a commit: whoever pushes a tag must not choose what is meant. */
  async #requireOneMeaning(revision: string, signal: AbortSignal): Promise<void> {
    const [name = ""] = revision.split(/[~^:@]/, 1);
    if (name === "" || name === "HEAD") return;
    const places = ["", "tags/", "heads/", "remotes/"].map((place) => `refs/${place}${name}`);
    places.push(`refs/remotes/${name}/HEAD`);
    const format = "--format=%(refname) %(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end)";
    const { stdout } = await this.run("for-each-ref", [format, ...places], { signal });
    const lines = stdout.toString().split("\n");
    const refs = lines.map((line): [string, string] => [line.split(" ", 1)[0] ?? "", line.split(" ").at(-1) ?? ""]);
    const found = new Map(refs.filter(([ref]) => places.includes(ref)));
    const commits = new Set(found.values());
    if (commits.size > 1 || (commits.size > 0 && /^[0-9a-f]{4,39}$/.test(name)))
      throw ambiguousRevision(name, [...found.keys()]);
  }

  /** HEAD's commit in as few digits as name it for certain here. */
  async shortHead(signal: AbortSignal): Promise<string> {
    const result = await this.#runner.must("rev-parse", ["--short", "--verify", "HEAD"], { signal });
    return result.stdout.toString().trim();
  }

  /**
   * Files that differ from a commit in the work tree or the index, with lines added and taken away; new files too. Without a
   * commit, all files.
   */
  async changedSince(commit: string | undefined, limit: number, signal: AbortSignal): Promise<ChangedFile[]> {
    const base = commit ?? (await this.#emptyTree(signal));
    const args = ["--numstat", "-z", "--no-renames", "--end-of-options", base, "--"];
    const result = await this.#runner.must("diff", args, { signal });
    const changed = readNumstat(result.stdout.toString(), limit);
    const known = new Set(changed.map(({ path }) => path));
    const { untracked } = await this.status(limit, signal);
    const added = untracked.names.filter((path) => !known.has(path));
    const { workTree } = this.location;
    return [...changed, ...added.map((path) => ({ path, additions: countLines(workTree, path), deletions: 0 }))]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .slice(0, limit);
  }

  async #emptyTree(signal: AbortSignal): Promise<string> {
    const result = await this.#runner.must("rev-parse", ["--show-object-format"], { signal });
    return emptyTree(result.stdout.toString().trim() === "sha256" ? 64 : 40);
  }

  /** The last commit of HEAD's own line that was made at this time or earlier. */
  async commitBefore(time: Date, signal: AbortSignal): Promise<string | undefined> {
    const args = ["-1", "--first-parent", "--format=%H", `--before=${time.toISOString()}`, "HEAD", "--"];
    const result = await this.run("log", args, { signal });
    const commit = result.stdout.toString().trim();
    return result.code === 0 && commit !== "" ? commit : undefined;
  }

  /**
   * The text of a file in a commit; undefined where the commit has no such file, or there is no such commit. A partial clone leaves out
   * the content of files, and Forge fetches nothing. All of the text or an error: settings that were cut would not be found.
   */
  async textAt(commit: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    let length = 0;
    const onStdout = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxTextBytes) throw tooLargeAt(commit, path, maxTextBytes);
      chunks.push(chunk);
    };
    const shown = await this.run("show", ["--end-of-options", `${commit}:${path}`], { signal, onStdout });
    if (shown.code === 0) return Buffer.concat(chunks).toString();
    if ((await this.resolveCommit(commit, signal)) === undefined) return undefined;
    const { stdout } = await this.must("ls-tree", ["-z", "--full-tree", commit, "--", path], { signal });
    if (stdout.length > 0) throw missingContent(commit, path);
    return undefined;
  }

  /** Runs one reading git command of the allow-list; throws where git fails. */
  must(command: ReadCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    return this.#runner.must(command, args, options);
  }

  /** The same, whatever its exit code says. */
  run(command: ReadCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    return this.#runner.run(command, args, options);
  }
}
