import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { invoke, type Runtime } from "../../../src/kernel/calls/invoke.ts";
import type { Tool } from "../../../src/kernel/definitions/tool.ts";
import { localPrincipal } from "../../../src/kernel/principal.ts";
import { Redactor } from "../../../src/kernel/text/redactor.ts";
import type { Fetcher } from "../../../src/platform/fetch/fetcher.ts";
import { Library } from "../../../src/rooms/registry/client/library.ts";
import type { RegistryServices } from "../../../src/rooms/registry/services.ts";

export { agent, tool } from "./registry-definitions.ts";

export type Answer = Record<string, unknown>;

type Surroundings = { env?: Record<string, string>; fetcher?: Fetcher; isTrusted?: () => Promise<boolean> };

/** A project and a home of its own, and the registry's tools called as hosts call them. */
export class RegistryProject {
  readonly root: string;
  readonly home: string;
  library: Library;
  /** How often somebody was told that they read text of others. */
  untrustedReads = 0;
  /** Of the project's own text, which is the user's once the project is trusted. */
  repositoryReads = 0;

  /** Files by path: below `~/` they are in the home, others in the project. */
  constructor(files: Record<string, string> = {}, options: Surroundings = {}) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "forge-registry-")));
    this.root = join(folder, "project");
    this.home = join(folder, "home");
    for (const made of [this.root, this.home]) mkdirSync(made);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
    this.library = this.#open(options);
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  }

  #open({ env = {}, fetcher, isTrusted }: Surroundings): Library {
    return new Library({
      projectRoot: this.root,
      home: this.home,
      env,
      ...(isTrusted && { isTrusted }),
      fetcher: async () => fetcher ?? Promise.reject(new Error("this test has no network")),
    });
  }

  /** As a new process finds it. */
  again(options: Surroundings): this {
    this.library = this.#open(options);
    return this;
  }

  path(file: string): string {
    return file.startsWith("~/") ? join(this.home, file.slice(2)) : join(this.root, file);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  read(file: string): string {
    return readFileSync(this.path(file), "utf8");
  }

  has(file: string): boolean {
    return existsSync(this.path(file));
  }

  rename(file: string, to: string): void {
    renameSync(this.path(file), this.path(to));
  }

  remove(file: string): void {
    rmSync(this.path(file), { recursive: true, force: true });
  }

  names(folder: string): string[] {
    return readdirSync(this.path(folder)).sort();
  }

  /** Makes a symbolic link that leads to another place. */
  link(file: string, target: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    symlinkSync(this.path(target), this.path(file));
  }

  /** The result, or the body of the error. */
  async call(called: Tool<RegistryServices>, input: Record<string, unknown> = {}): Promise<Answer> {
    const runtime: Runtime<RegistryServices> = {
      services: { library: this.library },
      recorder: { open: async () => undefined, close: async () => undefined },
      noteUntrusted: async (_principal: unknown, from: string) => {
        if (from === "others") this.untrustedReads++;
        else this.repositoryReads++;
      },
      redactor: new Redactor(),
      newId: () => "call",
      now: () => Date.now(),
      log: () => undefined,
    };
    const outcome = await invoke(runtime, "registry", called, input, {
      principal: localPrincipal("ada", "harness"),
      signal: new AbortController().signal,
      report: () => undefined,
      log: () => undefined,
      canAsk: () => false,
      ask: async () => ({}),
    });
    if (outcome.kind === "value") return outcome.value.structured as Answer;
    if (outcome.kind === "error") return outcome.body as unknown as Answer;
    throw new Error("a question");
  }
}

/** No registry is asked: what a test is not about must not reach the network. */
export const noRegistries = JSON.stringify({ registries: [] });
