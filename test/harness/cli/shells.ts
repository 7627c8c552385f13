import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { sharedCodeCache } from "../vitest/programs.ts";
import { eventually } from "./processes.ts";

const forgeBinary = join(import.meta.dirname, "..", "..", "..", "bin", "forge.cjs");

/** A folder with its own home directory, and `forge` on the PATH. */
export class ShellPlace {
  readonly folder = mkdtempSync(join(tmpdir(), "forge-shell-"));
  readonly env: Record<string, string>;

  constructor() {
    const bin = join(this.folder, "bin");
    mkdirSync(bin);
    symlinkSync(forgeBinary, join(bin, "forge"));
    const { PATH = "" } = process.env;
    this.env = {
      PATH: `${bin}${delimiter}${PATH}`,
      HOME: this.folder,
      TERM: "xterm",
      LANG: "C.UTF-8",
      ...sharedCodeCache(),
    };
  }

  script(shell: string): string {
    const file = join(this.folder, `forge.${shell}`);
    const options = { env: this.env, cwd: this.folder, stdio: "ignore" } as const;
    execFileSync("bash", ["-c", `forge completion ${shell} > ${file}`], options);
    return file;
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** An interactive shell on a pseudo terminal: tests type keys and read the command line. */
export class InteractiveShell {
  readonly #child: ChildProcess;
  readonly #line: string;
  readonly #ready: string;

  /** `dump` is a line of the shell that makes Ctrl+X write the command line to the file. */
  constructor(place: ShellPlace, command: string, setUp: (lineFile: string) => string[]) {
    this.#line = join(place.folder, "line");
    this.#ready = join(place.folder, "ready");
    this.#child = spawn("script", ["-qfec", command, "/dev/null"], {
      cwd: place.folder,
      env: place.env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    for (const line of [...setUp(this.#line), `echo > '${this.#ready}'`]) this.#type(`${line}\n`);
  }

  /** The command line after these keys. */
  async lineAfter(keys: string): Promise<string> {
    await eventually("the shell to be ready", () => existsSync(this.#ready));
    rmSync(this.#line, { force: true });
    this.#type(`\u0015${keys}\u0018`);
    return eventually(`the line after ${JSON.stringify(keys)}`, () => {
      const text = existsSync(this.#line) ? readFileSync(this.#line, "utf8") : "";
      return text.endsWith("|") && text.slice(0, -1);
    });
  }

  #type(text: string): void {
    this.#child.stdin?.write(text);
  }

  async end(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}
