import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";

/** How a server is started. `env` is its complete environment. */
export type ServerCommand = { name: string; args: string[]; cwd: string; env: Record<string, string> };

type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

const patienceMs = 30_000;

/** A client for a server on a pipe that speaks plain JSON-RPC, so that its own cost is small and equal for all. */
export class BenchClient {
  readonly startedAt = performance.now();
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #name: string;
  #lastId = 0;
  #unread = "";
  #complaints = "";

  constructor({ name, args, cwd, env }: ServerCommand) {
    this.#name = name;
    this.#child = spawn(process.execPath, args, { cwd, env });
    this.#child.stdout.setEncoding("utf8");
    this.#child.stdout.on("data", (text: string) => this.#read(text));
    this.#child.stderr.on("data", (chunk: Buffer) => {
      this.#complaints = `${this.#complaints}${chunk}`.slice(-2000);
    });
    // The exit says more than the broken pipe that it causes.
    this.#child.stdin.on("error", () => {});
    this.#child.on("exit", (code, signal) => this.#failAll(`ended with ${signal ?? code}`));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async greet(): Promise<void> {
    const clientInfo = { name: "forge-bench", version: "1.0.0" };
    await this.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  /** Resolves with the tool's result; rejects if the call failed, because the time of a failure must not count. */
  async call(name: string, given: Record<string, unknown>): Promise<unknown> {
    const result = await this.request("tools/call", { name, arguments: given });
    if (isFailure(result)) throw this.#problem(`${name} failed: ${JSON.stringify(result).slice(0, 500)}`);
    return result;
  }

  request(method: string, params: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Closes the server's input and waits for its end. A server that does not end is killed and reported. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), patienceMs);
    await exited;
    clearTimeout(timer);
    if (this.#child.signalCode === "SIGKILL") throw this.#problem("did not end when its input was closed");
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(text: string): void {
    const lines = (this.#unread + text).split("\n");
    this.#unread = lines.pop() ?? "";
    for (const line of lines) this.#receive(JSON.parse(line));
  }

  #receive({ id, result, error }: { id?: number; result?: unknown; error?: { message: string } }): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || !waiting) return;
    this.#waiting.delete(id);
    if (error) waiting.reject(this.#problem(error.message));
    else waiting.resolve(result);
  }

  #failAll(reason: string): void {
    for (const { reject } of this.#waiting.values()) reject(this.#problem(reason));
    this.#waiting.clear();
  }

  #problem(reason: string): Error {
    return new Error(`${this.#name}: ${reason}\n${this.#complaints}`.trim());
  }
}

export function isFailure(result: unknown): boolean {
  return typeof result === "object" && result !== null && "isError" in result && result.isError === true;
}
