import { expect, test } from "vitest";
import { localTime } from "../../../../commons/cli/print/local-time.ts";
import { noStyle } from "../../../../platform/terminal/style.ts";
import type { HistoryView } from "../../model/ticket/ticket-view.ts";
import type { HistoryEntry } from "../../model/ticket.ts";
import { historyLines } from "./history-lines.ts";

const at = "2026-11-01T12:00:00.000Z";
const until = "2026-11-02T12:00:00.000Z";
const lines = (entries: HistoryView[]) => historyLines(entries, { style: noStyle, width: undefined });

test.each<[HistoryEntry["kind"], HistoryEntry["details"], string]>([
  ["created", { status: "DRAFT" }, "as DRAFT"],
  ["imported", { source: "a.json" }, "from a.json"],
  ["imported", { source: "a.json", replaced: { id: "T-001" } }, "from a.json, replacing the former text"],
  ["status", { from: "READY", to: "CREATED" }, "READY → CREATED"],
  ["updated", { former: { title: "Old", description: null } }, "title, description"],
  ["assigned", { from: "ada", to: "grace" }, "to grace, before: ada"],
  ["assigned", { from: "ada", to: null }, "unassigned, before: ada"],
  ["assigned", { from: null, to: "ada" }, "to ada"],
  [
    "started",
    { branch: "main", commit: "8527e39aa7cdd40b2e1c", assignee: "ada" },
    "on main at 8527e39, assigned to ada",
  ],
  ["started", {}, ""],
  ["claimed", { holder: "claude", until }, `by claude until ${localTime(until)}`],
  ["released", { holder: "claude" }, "from claude"],
  ["questions", { questions: ["Q-1", "Q-2"] }, "Q-1, Q-2"],
  ["answers", { questions: ["Q-1"] }, "Q-1"],
  ["completed", { from: "CREATED", filesChanged: [{ path: "a" }], branch: "main" }, "CREATED → COMPLETE"],
])("%s with %j", (kind, details, words) => {
  const [, line] = lines([{ at, by: "ada", kind, details: { ...details, call: "c1" } }]);
  expect(line).toBe(`  ${localTime(at)}  ada  ${kind}  ${words}`.trimEnd());
});

test("one line per event, safe to show, and short", () => {
  const later = { at: "2026-11-03T12:00:00.000Z", by: "eve\x1b[2J" };
  const names = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`\n${index}`, null]));
  const shown = lines([
    { at, by: "ada", agent: "claude", kind: "created", details: {} },
    { ...later, kind: "updated", details: { former: names } },
    { ...later, kind: "constructor", details: { of: "a newer server" } },
  ]);
  expect(shown).toHaveLength(4);
  expect(shown[1]).toMatch(/ada \(claude\) +created$/);
  expect(shown[2]).toContain("eve\\x1b[2J");
  expect(shown[2]?.length).toBeLessThan(400);
  expect(shown[3]).toContain('{"of":"a newer server"}');
});
