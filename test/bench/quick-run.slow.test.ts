import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Row } from "../../bench/row.ts";

const figures = [
  "start",
  "start-against-raw",
  "start-without-cache",
  "start-with-60-tools",
  "start-cpu",
  "start-cpu-against-raw",
  "lists",
  "memory-after-lists",
  "memory-after-call",
  "call",
  "call-against-raw",
  "call-cpu",
  "calls-pipelined",
  "first-answer",
  "memory-after-load",
  "repository",
  "repository-against-plain",
  "repository-cpu",
  "store",
  "store-time",
  "file-read",
  "file-read-text",
  "file-write",
  "exec-group",
  "exec-namespace",
  "cli-help",
  "cli-version",
  "cli-call-help",
  "cli-complete",
  "cli-complete-argument",
  "cli-toolsets",
  "ticket",
  "ticket-answer",
  "ticket-page",
  "ticket-page-answer",
  "ticket-prompt",
  "ticket-start",
  "ticket-list-few",
  "ticket-list",
  "ticket-creates",
  "ticket-updates",
  "server-read-SQLite",
  "server-read-spread-SQLite",
  "server-read-tail-SQLite",
  "server-update-SQLite",
  "server-update-tail-SQLite",
  "server-page-SQLite",
  "server-read-PostgreSQL",
  "server-read-spread-PostgreSQL",
  "server-read-tail-PostgreSQL",
  "server-update-PostgreSQL",
  "server-update-tail-PostgreSQL",
  "server-page-PostgreSQL",
  "workbench-read-file",
  "workbench-tasks",
  "workbench-execute",
  "workbench-tests",
];
/** Read from /proc, which only Linux has; and counted in steps too large for a quick run to see always. */
const notAlwaysKnown = process.platform === "linux" ? /^repository-cpu$|namespace/ : /cpu|memory|namespace/;

/** The rooms' own figures need large stores, which take minutes to make. */
const groups = "starts,calls,repository,store,files,exec,cli,tickets,writers,server,workbench";

test("a quick run measures every figure of the platform, tickets and the workbench", { timeout: 900_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "forge-bench-test-"));
  try {
    const file = join(folder, "figures.json");
    const args = ["--import", "tsx", "bench/run.ts", "--quick", "--only", groups, "--json", file];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { rows }: { rows: Row[] } = JSON.parse(readFileSync(file, "utf8"));
    expect(rows.map(({ id }) => id)).toEqual(figures);
    const missing = rows.filter(({ ratio }) => ratio === undefined || ratio === null).map(({ id }) => id);
    expect(missing.filter((id) => !notAlwaysKnown.test(id))).toEqual([]);
    for (const { what } of rows) expect(stdout).toContain(`| ${what} |`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
