import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isJsonRpc, type Json, requireValidResult, type WireMessage } from "../mcp/wire.ts";
import { canaryPrefix, plantedEnvironment, plantSecret, requireNoCanary } from "../vitest/canary.ts";
import { sharedCodeCache } from "../vitest/programs.ts";

export type Ended = { code: number | null; signal: NodeJS.Signals | null };

type StartOptions = {
  /** Where it runs (default: a new folder). */
  cwd?: string;
  /** In addition to PATH and its own HOME. */
  env?: Record<string, string>;
};

const forgeBinary = join(import.meta.dirname, "..", "..", "..", "bin", "forge.cjs");
const patienceMs = 20_000;

/**
 * A process that speaks newline-delimited JSON-RPC, connected directly to the test. A test fails if the process writes to
 * stdout anything but JSON-RPC, a result that does not fit its method, or a planted secret.
 */
export class RunningProgram {
  readonly child: ChildProcess;
  readonly home: string;
  readonly messages: WireMessage[] = [];
  readonly exited: Promise<Ended>;
  /** What was on stdout and should not have been. */
  readonly faults: string[] = [];
  stderr = "";
  bytes = 0;
  #partial: string[] = [];
  #lastWritten = "";
  #isOver = false;
  #wake: () => void = () => undefined;
  #nextId = 1000;
  readonly #asked = new Map<string | number, string>();

  private constructor(child: ChildProcess, home: string) {
    this.child = child;
    this.home = home;
    this.exited = once(child, "close").then(([code, signal]) => {
      this.#isOver = true;
      return { code, signal };
    });
    child.stdin?.on("error", () => undefined);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
  }

  static start(file: string, args: string[], { cwd, env = {} }: StartOptions = {}): RunningProgram {
    const home = mkdtempSync(join(tmpdir(), "forge-home-"));
    const own = join(home, "project");
    mkdirSync(own);
    plantSecret(home);
    const { PATH = "" } = process.env;
    const child = spawn(process.execPath, [file, ...args], {
      cwd: cwd ?? own,
      env: { PATH, HOME: home, ...sharedCodeCache(), ...plantedEnvironment(), ...env },
      stdio: "pipe",
    });
    return new RunningProgram(child, home);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  write(text: string | Buffer): void {
    this.child.stdin?.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify(message)}\n`);
  }

  /** Sends a request and returns its id, for tests that do not wait for the answer. */
  ask(method: string, params?: Json, id: string | number = this.#nextId++): string | number {
    this.#asked.set(id, method);
    this.send({ jsonrpc: "2.0", id, method, ...(params && { params }) });
    return id;
  }

  async request(method: string, params?: Json): Promise<WireMessage> {
    return this.reply(this.ask(method, params));
  }

  call(name: string, args: Json = {}, extra: Json = {}): Promise<WireMessage> {
    return this.request("tools/call", { name, arguments: args, ...extra });
  }

  async initialize(protocolVersion = "2025-11-25", capabilities: Json = {}): Promise<WireMessage> {
    const clientInfo = { name: "harness", version: "1" };
    const reply = await this.request("initialize", { protocolVersion, capabilities, clientInfo });
    this.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    return reply;
  }

  reply(id: string | number): Promise<WireMessage> {
    return this.until(`an answer to ${id}`, () =>
      this.messages.findLast((message) => !message.method && message.id === id),
    );
  }

  repliesTo(id: string | number): WireMessage[] {
    return this.messages.filter((message) => !message.method && message.id === id);
  }

  notifications(method: string): WireMessage[] {
    return this.messages.filter((message) => message.method === method);
  }

  /** Waits until a condition on the received messages is true. */
  async until<T>(what: string, look: () => T | undefined | false): Promise<T> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const isOver = this.#isOver || Date.now() > deadline;
      const found = look();
      if (found !== undefined && found !== false) return found;
      if (isOver) throw new Error(`waited in vain for ${what}; stderr: ${this.stderr.slice(-2000)}`);
      await this.#somethingNew();
    }
  }

  /** Waits for the next message, the end, or a short time, because a condition need not be about a message. */
  #somethingNew(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 20);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Its peak memory in MiB; zero if the system does not report it. */
  peakMemoryMiB(): number {
    if (process.platform !== "linux") return 0;
    const [, kilobytes = "0"] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${this.pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  }

  /** Waits until it is idle: no CPU time used for a while. On systems other than Linux, waits a second. */
  async untilIdle(): Promise<void> {
    const isLinux = process.platform === "linux";
    let [last, unchanged] = [-1, 0];
    while (unchanged < (isLinux ? 15 : 50)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const now = isLinux ? this.#processorTicks() : last;
      unchanged = now === last ? unchanged + 1 : 0;
      last = now;
    }
  }

  #processorTicks(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return Number(fields[11]) + Number(fields[12]);
  }

  endInput(): void {
    this.child.stdin?.end();
  }

  /** Closes the input and waits for the end; running requests are answered first. */
  async finish(): Promise<Ended> {
    this.endInput();
    return this.exited;
  }

  async dispose(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill("SIGKILL");
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    await this.exited;
    rmSync(this.home, { recursive: true, force: true });
    requireNoCanary(this.stderr, "stderr");
    if (this.faults.length > 0) throw new Error(`stdout is not pure MCP: ${this.faults.join(" | ").slice(0, 2000)}`);
  }

  #take(text: string): void {
    this.bytes += text.length;
    const written = this.#lastWritten + text;
    if (written.includes(canaryPrefix)) this.faults.push("a planted secret (G13)");
    this.#lastWritten = written.slice(-canaryPrefix.length);
    const [first = "", ...rest] = text.split("\n");
    this.#partial.push(first);
    for (const next of rest) {
      this.#takeLine(this.#partial.join(""));
      this.#partial = [next];
    }
  }

  #takeLine(line: string): void {
    const message = isJsonRpc(line);
    if (!message) {
      this.faults.push(line);
      return;
    }
    const method = message.method ? undefined : this.#asked.get(message.id ?? "");
    const fault = method && message.result ? requireValidResult(method, message.result) : undefined;
    if (fault) this.faults.push(fault);
    this.messages.push(message);
    this.#wake();
  }
}

/** Starts a script; it is ended after the test. */
export function startScript(file: string, args: string[] = [], options: StartOptions = {}): RunningProgram {
  const program = RunningProgram.start(file, args, options);
  onTestFinished(() => program.dispose());
  return program;
}

/** Starts the built program; it is ended after the test. */
export function startForge(args: string[], options: StartOptions = {}): RunningProgram {
  return startScript(forgeBinary, args, options);
}
