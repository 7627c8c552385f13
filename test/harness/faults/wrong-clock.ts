import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** The library that gives a process another time; undefined if it is not installed. */
export function findFaketime(): string | undefined {
  const libraries = "/usr/lib";
  if (!existsSync(libraries)) return undefined;
  const found = readdirSync(libraries).map((folder) => join(libraries, folder, "faketime", "libfaketime.so.1"));
  return found.find((library) => existsSync(library));
}

/** A wrong clock for processes with its environment. It can be corrected while they run; durations stay right. */
export class WrongClock {
  readonly environment: Record<string, string>;
  readonly #file: string;

  constructor(secondsAhead: number) {
    const library = findFaketime();
    if (library === undefined) throw new Error("libfaketime was not found");
    const folder = mkdtempSync(join(tmpdir(), "forge-clock-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    this.#file = join(folder, "offset");
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    this.set(secondsAhead);
  }

  set(secondsAhead: number): void {
    writeFileSync(`${this.#file}.new`, `${secondsAhead < 0 ? "" : "+"}${secondsAhead}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
