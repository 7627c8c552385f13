import { type ChildProcess, spawn } from "node:child_process";
import { childEnvironment } from "../../host/environment.ts";
import { endTree, trackChild } from "../children.ts";
import { startError } from "../errors.ts";

type PendingAnswer = { resolve(line: string): void; reject(error: Error): void };

const maxLine = 64 * 1_048_576;

/** A program that answers each line on its standard input with one on its standard output, in their order. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #waiting: PendingAnswer[] = [];
  #rest = "";
  #end: Error | undefined;

  constructor(command: string, args: readonly string[], cwd: string) {
    const child = spawn(command, args, {
      cwd,
      env: childEnvironment(),
      stdio: ["pipe", "pipe", "ignore"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    if (child.pid !== undefined) trackChild(child.pid);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    child.stdin?.on("error", () => undefined);
    child.on("error", () => this.#fail(startError("ENOENT", command, cwd)));
    child.on("exit", (code) => this.#fail(new Error(`it ended with ${code ?? "a signal"}`)));
  }

  get isEnded(): boolean {
    return this.#end !== undefined;
  }

  /** Rejects where the program ends before it has answered, or the signal is aborted. */
  ask(line: string, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#end) return reject(this.#end);
      signal.throwIfAborted();
      // Answers come in order: one that nobody waits for any more is still the next.
      this.#waiting.push({ resolve, reject });
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#child.stdin?.write(`${line}\n`);
    });
  }

  async stop(): Promise<void> {
    this.#child.stdin?.end();
    await endTree(this.#child, "group");
  }

  #read(text: string): void {
    this.#rest += text;
    for (let at = this.#rest.indexOf("\n"); at >= 0; at = this.#rest.indexOf("\n")) {
      this.#waiting.shift()?.resolve(this.#rest.slice(0, at));
      this.#rest = this.#rest.slice(at + 1);
    }
    if (this.#rest.length > maxLine) {
      this.#fail(new Error("it printed too much"));
      void this.stop();
    }
  }

  #fail(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#end);
  }
}
