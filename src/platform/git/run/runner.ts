import { isUtf8 } from "node:buffer";
import { setTimeout as pause } from "node:timers/promises";
import { ForgeError } from "../../../kernel/errors.ts";
import { type RunOptions, type RunResult, run } from "../../exec/run.ts";
import { userPath } from "../../host/user-folder.ts";
import { withTemporaryFolder } from "../../state/temporary-folder.ts";
import { type RawName, toRecords } from "../names/raw-names.ts";
import { mayBeArmed } from "./armed-config.ts";
import { factsOf, type GitCommand } from "./commands.ts";
import { gitFailure } from "./errors.ts";
import type { Program } from "./find-git.ts";
import { armedSections, disarm, gitEnvironment, leadingOptions, type Trust, type TrustedHooks } from "./hardening.ts";
import { locateRepository, type RepositoryLocation } from "./locate-repository.ts";
import { findHeldLock } from "./locks.ts";
import { refuseLinksOut } from "./repository-links.ts";
import { type GitVersion, requireVersion } from "./version.ts";

export type GitOptions = Pick<RunOptions, "onStdout" | "input" | "deadlineMs" | "maxOutputBytes"> & {
  signal: AbortSignal;
  /** On top of what every git process gets. */
  environment?: Record<string, string>;
  /** On top of the command's own. */
  settings?: readonly string[];
};

/** Of data; the history of the largest projects needs a quarter of it. */
const maxTreeMegabytes = 2_048;
const maxPrograms = 200;
const maxListBytes = 128 * 1024 * 1024;
const lockTries = 10;
const lockPauseMs = 100;

type RunnerOptions = {
  environment: Record<string, string>;
  trust: Trust;
  /** Default: those that git finds. */
  hooks?: TrustedHooks | undefined;
  workTreesHome: string;
};

/** Runs git in one work tree. The only place that does. Throws a ForgeError where the repository's links lead elsewhere. */
export class GitRunner {
  readonly location: RepositoryLocation;
  readonly trust: Trust;
  /** The folder that Forge's work trees are in, with a folder for each project. */
  readonly workTreesHome: string;
  readonly #hooks: TrustedHooks | undefined;
  readonly #program: Program;
  readonly #given: Record<string, string>;
  readonly #environment: Record<string, string>;
  /** Where they are known already. */
  readonly #overrides: Record<string, string> | undefined;

  constructor(
    location: RepositoryLocation,
    program: Program,
    { environment, trust, hooks, workTreesHome }: RunnerOptions,
    overrides?: Record<string, string>,
  ) {
    refuseLinksOut(location);
    this.location = location;
    this.trust = trust;
    this.workTreesHome = workTreesHome;
    this.#hooks = hooks;
    this.#program = program;
    this.#given = environment;
    this.#overrides = overrides;
    this.#environment = gitEnvironment(environment, program, location);
  }

  get workTree(): string {
    return this.location.workTree;
  }

  /** The same in another work tree of this repository; undefined where the folder is none, whatever it claims. */
  at(workTree: string): GitRunner | undefined {
    const location = locateRepository(workTree);
    if (location?.commonDir !== this.location.commonDir || location.workTree !== workTree) return undefined;
    return new GitRunner(location, this.#program, this.#options());
  }

  /** In a repository inside this work tree, such as a submodule; nobody has reviewed what it would run. */
  inside(workTree: string): GitRunner | undefined {
    const location = locateRepository(workTree);
    if (location?.workTree !== workTree || location.gitDir === this.location.gitDir) return undefined;
    return new GitRunner(location, this.#program, { ...this.#options(), trust: "untrusted" });
  }

  /** The same for several commands in a row: what the configuration would run is looked up once, now. */
  async withDisarmedConfig(signal: AbortSignal): Promise<GitRunner> {
    if (this.trust === "trusted") return this;
    const overrides = await this.#findOverrides(signal);
    return new GitRunner(this.location, this.#program, this.#options(), overrides);
  }

  #options(): RunnerOptions {
    return { environment: this.#given, trust: this.trust, hooks: this.#hooks, workTreesHome: this.workTreesHome };
  }

  /** Runs one git command of the allow-list, whatever its exit code says. */
  async run(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    const { locks } = factsOf(command);
    for (let left = lockTries; ; left--) {
      const result = await this.#once(command, args, options);
      if (result.code === 0 || left <= 1) return result;
      const said = result.stderr.toString();
      if (!isBeingCreated(said) && !(locks && findHeldLock(said))) return result;
      await pause(lockPauseMs, undefined, { signal: options.signal }).catch(() => undefined);
    }
  }

  async must(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    const result = await this.run(command, args, options);
    if (result.code !== 0) throw gitFailure(command, this.workTree, result);
    return result;
  }

  /** What a command says, without the line's end. */
  async line(command: GitCommand, args: readonly string[], options: GitOptions): Promise<string> {
    return (await this.must(command, args, options)).stdout.toString().replace(/\n$/, "");
  }

  /** The NUL-ended records of a command's output, as {@link RawName}s: their bytes one to one. */
  async records(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RawName[]> {
    const chunks: Buffer[] = [];
    let length = 0;
    const onStdout = (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxListBytes) throw listTooLong(command, this.workTree);
      chunks.push(chunk);
    };
    await this.must(command, args, { ...options, onStdout });
    return toRecords(Buffer.concat(chunks));
  }

  /** Throws where this git is older. */
  async require(needed: GitVersion, signal: AbortSignal): Promise<void> {
    await requireVersion(() => this.must("version", [], { signal }), this.#program.path, needed);
  }

  async #once(command: GitCommand, args: readonly string[], options: GitOptions): Promise<RunResult> {
    const { flags, armed, writes, comparesTrees, settings = [] } = factsOf(command);
    const { environment, settings: more = [], ...rest } = options;
    const overrides =
      armed && this.trust === "untrusted" ? (this.#overrides ?? (await this.#findOverrides(options.signal))) : {};
    const start = (hooks?: string) => {
      const leading = leadingOptions(this.trust, this.workTree, hooks);
      const own = [...settings, ...more].flatMap((setting) => ["-c", setting]);
      return run(this.#program.path, [...leading, ...own, command, ...flags, ...args], {
        cwd: this.workTree,
        env: { ...this.#environment, ...overrides, ...environment },
        ...(comparesTrees && { memoryMegabytes: maxTreeMegabytes }),
        ...rest,
      });
    };
    if (this.trust === "untrusted" || !this.#hooks) return start();
    if ("folder" in this.#hooks) return start(this.#hooks.folder);
    if (!writes) return start("/dev/null");
    const { write } = this.#hooks;
    // In the home folder: programs may not be allowed to run in the system's temporary folder.
    return withTemporaryFolder("hooks", async (folder) => start(write(folder)), userPath("run"));
  }

  /** Overrides for every program the configuration names by a name of its own. */
  async #findOverrides(signal: AbortSignal): Promise<Record<string, string>> {
    if (!mayBeArmed(this.location, this.#program, this.#environment)) return {};
    const result = await this.run("config", ["--includes", "-z", "--name-only", "--get-regexp", armedSections], {
      signal,
    });
    const noneFound = result.code === 1;
    if (noneFound) return {};
    if (result.code !== 0) throw gitFailure("config", this.workTree, result);
    const keys = new Set(result.stdout.toString().split("\0").slice(0, -1));
    if (keys.size > maxPrograms || result.truncated)
      throw refusedConfiguration(this.workTree, `names more than ${maxPrograms} filter, merge and hook settings`);
    // Such a name cannot be handed to a child process, so it could not be switched off.
    if (!isUtf8(result.stdout))
      throw refusedConfiguration(this.workTree, "names a filter, merge driver or hook that is not UTF-8");
    if (keys.size > 0) await this.require("2.31", signal);
    return disarm(keys);
  }
}

function refusedConfiguration(workTree: string, why: string): ForgeError {
  return new ForgeError("PERMISSION_DENIED", `The git configuration of ${workTree} ${why}, so Forge does not use it.`, {
    details: { workTree },
    next: ["Run `git config --list --show-origin` there, and remove what you do not recognize."],
  });
}

/** Another process is adding or removing a work tree, and git, which reads all of them, found it incomplete. */
function isBeingCreated(said: string): boolean {
  const lines = said.split("\n").filter((line) => line.includes("failed to read "));
  return lines.some((line) => /commondir|gitdir|HEAD/.test(line));
}

function listTooLong(command: string, workTree: string): ForgeError {
  return new ForgeError("DEPENDENCY_ERROR", `git ${command} lists more in ${workTree} than Forge can read.`, {
    details: { workTree, limitBytes: maxListBytes },
    next: ["Add large folders of generated files to .gitignore."],
  });
}
