import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, vi } from "vitest";
import { testWith } from "../../../test/harness/faults/faults.ts";
import { runAttached } from "./run-attached.ts";

testWith(["linux"], "Ctrl+C that comes just after the end of the program that it ended is not for us", async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-attached-"));
  const heard = vi.fn();
  process.on("SIGINT", heard);
  onTestFinished(() => {
    process.off("SIGINT", heard);
    rmSync(folder, { recursive: true });
  });
  const running = runAttached("sh", ["-c", "echo $$ > pid; until [ -e go ]; do :; done; exit 3"], {
    cwd: folder,
    signal: new AbortController().signal,
  });
  await vi.waitFor(() => expect(readFileSync(join(folder, "pid"), "utf8")).toMatch(/\d/));
  const pid = readFileSync(join(folder, "pid"), "utf8").trim();
  // In one turn, in which its end is not heard of.
  writeFileSync(join(folder, "go"), "");
  while (/\) [RSD]/.test(readFileSync(`/proc/${pid}/stat`, "utf8")));
  await nextTurn();
  process.kill(process.pid, "SIGINT");
  expect(await running).toEqual({ code: 3 });
  expect(heard).not.toHaveBeenCalled();
  process.kill(process.pid, "SIGINT");
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce());
});
