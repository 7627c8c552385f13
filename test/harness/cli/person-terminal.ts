import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { sharedCodeCache } from "../vitest/programs.ts";
import { eventually } from "./processes.ts";

type Place = { cwd?: string; env?: Record<string, string>; columns?: number; rows?: number };

const opened = "\x1b[?1049h";
const closed = "\x1b[?1049l";

/** A program on a pseudo terminal: tests type keys and read the screen. Needs `script`. */
export class PersonTerminal {
  readonly #folder = mkdtempSync(join(tmpdir(), "forge-terminal-"));
  readonly #child: ChildProcess;
  readonly exitCode: Promise<number | null>;
  output = "";

  constructor(program: string[], { cwd, env = {}, columns = 80, rows = 24 }: Place = {}) {
    const inner = `echo $$ > ${this.#file("pid")}; exec "$@"`;
    // The trap keeps the shell, to which Ctrl+C goes as well, until it has looked at what is left of the terminal.
    const outer = [
      `trap : INT; tty > ${this.#file("tty")}; stty cols ${columns} rows ${rows}; stty -g > ${this.#file("before")}`,
      `sh -c '${inner}' sh ${program.map(quoted).join(" ")}; code=$?`,
      `stty -g > ${this.#file("after")}; exit $code`,
    ].join("\n");
    const { PATH = "" } = process.env;
    this.#child = spawn("script", ["-qefc", outer, "/dev/null"], {
      cwd: cwd ?? this.#folder,
      env: { PATH, HOME: this.#folder, TERM: "xterm", LANG: "C.UTF-8", SHELL: "/bin/sh", ...sharedCodeCache(), ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.output += text;
    });
    this.exitCode = once(this.#child, "close").then(([code]) => code);
    onTestFinished(async () => {
      this.#child.kill("SIGKILL");
      await this.exitCode;
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  type(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Waits until the program has written this, after `from` characters of all it has written. */
  async until(text: string, from = 0): Promise<void> {
    await eventually(text, () => this.output.slice(from).includes(text)).catch(() => {
      throw new Error(`waited in vain for ${JSON.stringify(text)} in ${JSON.stringify(this.output.slice(-1500))}`);
    });
  }

  get pid(): number {
    return Number(readFileSync(this.#file("pid"), "utf8"));
  }

  kill(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  resize(columns: number, rows: number): void {
    const tty = readFileSync(this.#file("tty"), "utf8").trim();
    execFileSync("stty", ["-F", tty, "cols", String(columns), "rows", String(rows)]);
  }

  /** Closes the window: no more input, and output is no longer read. */
  hangUp(): void {
    this.#child.kill("SIGKILL");
  }

  /** Whether terminal mode, screen and cursor are restored; call it after the program has ended. */
  get isAsFound(): boolean {
    const [before, after] = ["before", "after"].map((name) => readFileSync(this.#file(name), "utf8"));
    const screens = this.output.split(opened).length === this.output.split(closed).length;
    const cursor = this.output.lastIndexOf("\x1b[?25h") >= this.output.lastIndexOf("\x1b[?25l");
    return before === after && screens && cursor && this.output.lastIndexOf(closed) >= this.output.lastIndexOf(opened);
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
