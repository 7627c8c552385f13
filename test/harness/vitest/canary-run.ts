import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canaryFor, newPrefix, seedVariable } from "./canary.ts";
import { findCanaries } from "./canary-search.ts";

export const folderVariable = "FORGE_TEST_RUN_FOLDER";
export const keptFolder = "kept";
/** Where workers write what they found in folders that are gone. */
export const findingsFile = "findings.txt";

const lookEveryMs = 250;

/**
 * One folder for everything that the tests of a run write, and secrets planted around it. What tests remove is searched before it
 * is gone (canary-setup.ts), the rest at the end. Nothing may contain a planted secret.
 */
export class CanaryRun {
  readonly folder: string;
  readonly #prefix = newPrefix();
  readonly #commandLines = new Set<string>();
  readonly #watch: NodeJS.Timeout;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(this.folder, keptFolder));
    const canary = canaryFor("environment", this.#prefix);
    Object.assign(process.env, { [seedVariable]: this.#prefix, [folderVariable]: this.folder, TMPDIR: this.folder });
    Object.assign(process.env, { GITHUB_TOKEN: canary, AWS_SECRET_ACCESS_KEY: canary });
    this.#watch = setInterval(() => this.#lookAtCommandLines(), lookEveryMs);
    this.#watch.unref();
  }

  /** Where secrets leaked: files, and command lines that any user on the machine could have read. */
  findings(): string[] {
    clearInterval(this.#watch);
    return [...this.#earlierFindings(), ...findCanaries(this.folder, this.#prefix), ...this.#commandLines];
  }

  #earlierFindings(): string[] {
    const file = join(this.folder, findingsFile);
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #lookAtCommandLines(): void {
    if (process.platform !== "linux") return;
    for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
      const words = commandLine(pid);
      if (words.includes(this.#prefix)) this.#commandLines.add(`the command line of ${words.split("\0")[0]}`);
    }
  }
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
