import { expect, it } from "vitest";
import type { CriterionProof } from "../../../commons/evidence/criterion-states.ts";
import type { TicketEvent } from "../model/ports.ts";
import { summarizeClaims } from "./summarize-claims.ts";

const start = Date.parse("2030-01-01T00:00:00Z");

function event(hours: number, kind: string, details: Record<string, unknown> = {}, agent?: string): TicketEvent {
  return { at: new Date(start + hours * 3_600_000).toISOString(), by: "ada", kind, details, ...(agent && { agent }) };
}

function item(state: CriterionProof["state"], why: string, history: TicketEvent[]) {
  const work = [{ execution: "e", status: "merged", by: "ada", at: new Date(start).toISOString() }];
  const ticket = { id: "T-1", title: "", status: "", criteria: [], fileChanges: [], revision: 1, records: { work } };
  const check = { id: "C-1", criterion: "AC-1", how: { type: "look", what: "" }, by: "", at: "" } as const;
  const checks = [{ check, state: state === "waived" ? "unproven" : state, why } as const];
  return { ticket, history, states: [{ id: "AC-1", text: "", state, why, checks }] };
}

it("compares what each assistant claimed with what was proven", () => {
  const done = (agent: string) => event(9, "completed", { to: "COMPLETE" }, agent);
  const [failed, verified] = [
    (hours: number) => event(hours, "verified", { failed: ["C-1"] }),
    event(3, "verified", { failed: [] }),
  ];
  const reopened = event(10, "status", { from: "COMPLETE", to: "CREATED" });
  const rows = summarizeClaims([
    item("proven", "Passed.", [verified, done("careful")]),
    item("proven", "Passed.", [failed(1), event(5, "verified", { failed: [] }), done("careful")]),
    item("unproven", "Proven at 3f2a91c, 4 commits ago; 2 of its 5 files changed.", [done("hasty"), reopened]),
    item("unproven", "No check is bound to it.", [event(1, "work", {}, "hasty")]),
  ]);
  expect(rows).toEqual([
    { who: "ada with careful", claimed: 2, proven: 2, firstTry: 1, reopened: 0, lapsed: 0, hoursToProof: 3 },
    { who: "ada with hasty", claimed: 1, proven: 0, firstTry: 0, reopened: 1, lapsed: 1 },
  ]);
});
