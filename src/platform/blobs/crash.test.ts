import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bundleProgram } from "../../../test/harness/cli/bundle-program.ts";
import { eventually } from "../../../test/harness/cli/processes.ts";
import { describeOnBlobStores, type TestStore } from "../../../test/harness/fs/blob-stores.ts";

const writer = await bundleProgram(new URL("../../../test/harness/fs/blob-writer.ts", import.meta.url));

class Writer {
  output = "";
  readonly #child: ChildProcess;

  constructor(store: TestStore, seed: string) {
    this.#child = spawn(process.execPath, [writer, JSON.stringify(store.place), seed], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child.stdout?.on("data", (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    onTestFinished(() => this.kill());
  }

  /** The whole lines: what was acknowledged. */
  get acknowledged(): string[] {
    return this.output.split("\n").slice(0, -1);
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, "close");
    this.#child.kill("SIGKILL");
    await closed;
  }
}

describeOnBlobStores("J01 kill -9 while blobs are stored", (open) => {
  test("whatever was acknowledged is there, and nothing that is there is half", { timeout: 180_000 }, async () => {
    const store = await open();
    const acknowledged = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const writers = [new Writer(store, `${round}-a`), new Writer(store, `${round}-b`)];
      await eventually("both to have stored something", () =>
        writers.every((one) => one.acknowledged.length > 10 + 7 * round),
      );
      for (const one of writers) {
        await one.kill();
        for (const name of one.acknowledged) acknowledged.add(name);
      }
    }
    expect(acknowledged.size).toBeGreaterThan(60);
    const names = await store.names();
    expect([...acknowledged].filter((name) => !names.includes(name))).toEqual([]);
    for (const name of names) expect((await store.blobs.get(name)).length).toBe(50_000);
    expect(await store.kept()).toEqual([]);
    if ("stateDir" in store.place) expect(readdirSync(join(store.place.stateDir, "blobs"))).not.toContain("damaged");
  });
});
