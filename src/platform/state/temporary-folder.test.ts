import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { faultFolder, testWith } from "../../../test/harness/faults/faults.ts";

const script = `import { withTemporaryFolder } from ${JSON.stringify(join(import.meta.dirname, "temporary-folder.ts"))};
await withTemporaryFolder("tests", async (folder) => {
  console.log(folder);
  if (process.argv.includes("stay")) await new Promise(() => setInterval(() => {}, 1000));
});`;

testWith(
  ["posix"],
  "what a killed process left is removed by the next one; what a live one uses stays",
  async () => {
    const folder = faultFolder();
    const start = (...args: string[]) =>
      spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script, "--", ...args], {
        env: { ...process.env, TMPDIR: folder },
        stdio: ["ignore", "pipe", "inherit"],
      });
    const names = () => readdirSync(folder).filter((name) => name.startsWith("forge-tests-"));
    const [killed, alive] = [start("stay"), start("stay")];
    await Promise.all([once(killed.stdout, "data"), once(alive.stdout, "data")]);
    expect(names()).toHaveLength(2);
    const gone = once(killed, "exit");
    killed.kill("SIGKILL");
    await gone;
    expect(names()).toHaveLength(2);
    const next = start("go");
    await once(next, "exit");
    expect(names()).toHaveLength(1);
    const ended = once(alive, "exit");
    alive.kill("SIGKILL");
    await ended;
  },
  120_000,
);
