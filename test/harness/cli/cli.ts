import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { onTestFinished } from "vitest";
import { makeCli } from "../../../src/app/cli.ts";
import { Program } from "../../../src/app/local/program.ts";
import type { RoomSet } from "../../../src/app/room-set.ts";
import { resolveSettings } from "../../../src/app/settings/config.ts";
import type { Settings } from "../../../src/app/settings/settings-table.ts";
import type { App, CommandSource } from "../../../src/commons/cli/app.ts";
import { type Io, runCli } from "../../../src/hosts/cli/run-cli.ts";
import type { CallRecord } from "../../../src/kernel/calls/call.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import type { Lifecycle } from "../../../src/platform/host/lifecycle.ts";
import { findProject } from "../../../src/platform/state/project.ts";

/** Collects output, and can act as a terminal. */
export class CapturedStream extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number;

  constructor({ isTTY = false, columns = 80 } = {}) {
    super({ decodeStrings: false });
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: unknown, _encoding: string, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

const esc = "\x1b";
const colour = new RegExp(`${esc}\\[\\d+m`, "g");

export function withoutColours(text: string): string {
  return text.replaceAll(colour, "");
}

export type Ran = {
  code: number;
  out: string;
  err: string;
  /** What `--json` printed. */
  json(): Record<string, unknown>;
  /** Whether a signal would have counted as a failure. */
  failsOnSignals: boolean;
};

export type RunOptions = Partial<Pick<Io, "stdout" | "stderr" | "term" | "signal" | "redactor">> & {
  /** Environment variables that settings are read from; none by default. */
  env?: Record<string, string>;
  /** The settings file. */
  file?: { path: string; text: string };
  binary?: { prefix: readonly string[]; fallback?: string };
  commands?: CommandSource;
  /** Rooms in place of the program's own. */
  roomSet?: RoomSet;
  /** Parts of the program that a test replaces: the user's terminal, the servers. */
  with?: (app: App) => Partial<App>;
  /** A person types the command on a terminal; by default a script or an assistant's shell runs it. */
  atKeyboard?: boolean;
};

/**
 * The real program in this process: its commands, rooms and store, in its own project and home. A run opens it as a
 * process would and closes it again, so that the next run sees only what was stored.
 */
export class CliProject {
  readonly root: string;
  readonly home: string;
  /** The settings of the latest run. */
  settings: Settings | undefined;

  constructor(files: Record<string, string> = {}) {
    const folder = mkdtempSync(join(tmpdir(), "forge-cli-"));
    this.home = join(folder, "home");
    this.root = join(folder, "project");
    for (const made of [this.home, this.root]) mkdirSync(made);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    const { HOME } = process.env;
    process.env["HOME"] = this.home;
    onTestFinished(() => {
      process.env["HOME"] = HOME;
      rmSync(folder, { recursive: true, force: true });
    });
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8" });
  }

  async run(line: string | string[], options: RunOptions = {}): Promise<Ran> {
    const { env = {}, file, roomSet, binary = { prefix: [] } } = options;
    const stdout = options.stdout ?? new CapturedStream();
    const stderr = options.stderr ?? new CapturedStream();
    const redactor = options.redactor ?? new Redactor();
    const lifecycle = new RunLifecycle();
    const made = makeCli({
      binary,
      redactor,
      lifecycle: lifecycle as unknown as Lifecycle,
      ...(roomSet && { roomSet }),
      ...(options.atKeyboard && { atKeyboard: true }),
      resolve: (flags) => resolveSettings({ flags: { project: this.root, ...flags }, env, file }),
    });
    const cli: typeof made = {
      ...made,
      ...(options.commands && { commands: options.commands }),
      open: (settings, problems) => {
        this.settings = settings;
        const app = made.open(settings, problems);
        return { ...app, ...(options.commands && { commands: options.commands }), ...options.with?.(app) };
      },
    };
    const signal = options.signal ?? lifecycle.signal;
    try {
      const argv = typeof line === "string" ? wordsOf(line) : line;
      const code = await runCli(cli, argv, { stdout, stderr, term: options.term, redactor, signal });
      const [out, err] = [textOf(stdout), textOf(stderr)];
      const { failsOnSignals } = lifecycle;
      return { code, out, err, json: () => JSON.parse(out) as Record<string, unknown>, failsOnSignals };
    } finally {
      await lifecycle.end();
    }
  }

  /** The program in this project, to prepare or check things without the command line. */
  async inside<T>(work: (program: Program) => Promise<T>): Promise<T> {
    const { settings } = resolveSettings({ flags: { project: this.root }, env: {}, file: undefined });
    const place = { settings, project: findProject(this.root), cwd: this.root };
    const program = new Program({ ...place, redactor: new Redactor(), log: () => undefined, atKeyboard: false });
    try {
      return await work(program);
    } finally {
      await program.close();
    }
  }

  /** Runs a command that must succeed; fails the test otherwise. Returns its output. */
  async do(line: string | string[], options: RunOptions = {}): Promise<string> {
    const { code, out, err } = await this.run(line, options);
    if (code !== 0) throw new Error(`forge ${typeof line === "string" ? line : line.join(" ")} failed: ${err}`);
    return out.trimEnd();
  }
}

/** Runs one command line in a new project. */
export function run(line: string | string[], options: RunOptions = {}): Promise<Ran> {
  return new CliProject().run(line, options);
}

/** A process's streams and lifecycle, without exiting. */
class RunLifecycle {
  failsOnSignals = false;
  readonly #steps: (() => unknown)[] = [];
  readonly #controller = new AbortController();
  readonly signal = this.#controller.signal;

  onEnd(step: () => unknown): void {
    this.#steps.unshift(step);
  }

  failOnSignals(): void {
    this.failsOnSignals = true;
  }

  endOnFaults(): void {}
  endWithParent(): void {}
  allowForEnd(): void {}

  async end(): Promise<void> {
    this.#controller.abort();
    for (const step of this.#steps) await step();
  }
}

function textOf(stream: unknown): string {
  return stream instanceof CapturedStream ? stream.text : "";
}

/** Splits a line as a shell does: double quotes keep words together. */
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([word, quoted]) => quoted ?? word);
}

export function callRecord(overrides: Partial<CallRecord> = {}): CallRecord {
  return {
    id: "call-1",
    at: Date.UTC(2026, 10, 1, 12),
    kind: "tool",
    name: "get_repository_context",
    effect: "read",
    principal: "local:ada",
    agent: "claude-code",
    about: ["file:src/main.ts"],
    outcome: "ok",
    code: undefined,
    durationMs: 12.4,
    evidence: [],
    committed: false,
    ...overrides,
  };
}
