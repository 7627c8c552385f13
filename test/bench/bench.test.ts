import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Rounds } from "../../bench/rounds.ts";
import { missedTargets, type Row, verdict } from "../../bench/row.ts";

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

test("a ratio is taken within each round, and the middle one of them counts", () => {
  const rounds = new Rounds<number>();
  for (const [ours, floor] of [
    [20, 10],
    [900, 300],
    [40, 10],
  ] as const) {
    rounds.add("ours", ours);
    rounds.add("floor", floor);
  }
  expect(rounds.ratio("ours", "floor", (sample) => sample)).toBe(3);
  expect(rounds.over("ours", "floor", (sample) => sample)).toBe(30);
  expect(rounds.median("ours", (sample) => sample)).toBe(40);
  expect(rounds.ratio("ours", "nobody", (sample) => sample)).toBeUndefined();
});

test("a verdict needs a goal and a figure", () => {
  const row: Row = { id: "x", what: "x", unit: "ms", forge: 3, against: "floor", other: 2, ratio: 1.5, over: 1 };
  expect(verdict(row)).toBe("for information");
  expect(verdict({ ...row, goal: { kind: "target", atMost: 1.5 } })).toBe("pass");
  expect(verdict({ ...row, goal: { kind: "aim", atMost: 1.4 } })).toBe("miss");
  expect(verdict({ ...row, goal: { kind: "target", atLeast: 1.6 } })).toBe("miss");
  expect(verdict({ ...row, goal: { kind: "target", atMostOver: 1 } })).toBe("pass");
  expect(verdict({ ...row, goal: { kind: "target", atMostOver: 0.9 } })).toBe("miss");
  expect(verdict({ ...row, ratio: undefined, goal: { kind: "target", atMost: 1 } })).toBe("not measured");
});

test("only a missed target is a failure, not an aim, nor what was not measured", () => {
  const row = { what: "x", unit: "ms", forge: 3, against: "floor", other: 2, ratio: 1.5, over: 1 } as const;
  const rows: Row[] = [
    { ...row, id: "kept", goal: { kind: "target", atMost: 2 } },
    { ...row, id: "missed", goal: { kind: "target", atMost: 1 } },
    { ...row, id: "aimed", goal: { kind: "aim", atMost: 1 } },
    { ...row, id: "unknown", ratio: undefined, goal: { kind: "target", atMost: 1 } },
    { ...row, id: "information" },
  ];
  expect(missedTargets(rows).map(({ id }) => id)).toEqual(["missed"]);
});
