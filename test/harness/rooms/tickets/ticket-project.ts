import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import { PersonTerminal } from "../../cli/person-terminal.ts";
import { type RunningProgram, startForge } from "../../cli/program.ts";
import { sharedCodeCache } from "../../vitest/programs.ts";

const forgeBinary = join(import.meta.dirname, "..", "..", "..", "..", "bin", "forge.cjs");

/** A project with tickets, the built program, and the user's own programs. */
export class TicketProject {
  readonly root = realpathSync.native(mkdtempSync(join(tmpdir(), "forge-tickets-")));
  readonly cwd = join(this.root, "shop");
  readonly home = join(this.root, "home");
  readonly bin = join(this.root, "bin");

  constructor() {
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
    for (const folder of [this.cwd, this.home, this.bin]) mkdirSync(folder);
  }

  get env(): Record<string, string> {
    const { PATH = "" } = process.env;
    return {
      PATH: `${this.bin}${delimiter}${PATH}`,
      HOME: this.home,
      TMPDIR: this.root,
      TERM: "xterm",
      ...sharedCodeCache(),
    };
  }

  /** Runs a command to its end; returns what it printed. */
  forge(...args: string[]): string {
    return execFileSync(process.execPath, [forgeBinary, ...args], {
      cwd: this.cwd,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      encoding: "utf8",
    });
  }

  create(title: string, status: string): string {
    const first = ["CREATED", "DRIFTED"].includes(status) ? "READY" : status;
    const id = this.forge("create", title, "--status", first).trim();
    if (first !== status) this.forge("status", id, status);
    return id;
  }

  show(id: string): Record<string, unknown> {
    return JSON.parse(this.forge("show", id, "--json"));
  }

  /** The program on a pipe, as a client starts it. */
  serve(...args: string[]): RunningProgram {
    return startForge(args, { cwd: this.cwd, env: { HOME: this.home } });
  }

  /** The program on a terminal, as a person starts it. */
  atTerminal(args: string[], env: Record<string, string> = {}): PersonTerminal {
    const place = { cwd: this.cwd, env: { ...this.env, ...env } };
    return new PersonTerminal([process.execPath, forgeBinary, ...args], place);
  }

  /** Adds a program of the user to the PATH; returns its path. */
  program(name: string, script: string): string {
    const path = join(this.bin, name);
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return path;
  }
}
