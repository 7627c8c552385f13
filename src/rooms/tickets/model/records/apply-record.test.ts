import { expect, test } from "vitest";
import { maxChecks } from "../../../../commons/evidence/checks.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import type { Ticket } from "../ticket.ts";
import { applyRecord } from "./apply-record.ts";
import { maxComments } from "./schema.ts";

const recorder = { principal: localPrincipal("ann", "claude-code", "one"), by: "ann", at: "2026-01-01T00:00:00Z" };
const ticket = { id: "T-1", criteria: [{ id: "AC-1", text: "It works" }] } as unknown as Ticket;

test("a ticket takes as many checks as it may have, and no more", () => {
  let current = ticket;
  const bind = (index: number) => {
    const check = { criterion: "AC-1", how: { type: "file" as const, path: `f${index}` } };
    return applyRecord(current, { kind: "check", check }, recorder);
  };
  for (let index = 0; index < maxChecks; index++) {
    const records = bind(index)?.records;
    expect(records?.checks).toHaveLength(index + 1);
    current = { ...current, ...(records && { records }) };
  }
  expect(() => bind(maxChecks)).toThrow(String(maxChecks));
});

test("a ticket takes as many comments as it may have, and no more", () => {
  const comments = Array.from({ length: maxComments - 1 }, () => ({ by: "ann", at: recorder.at, text: "Hello" }));
  const add = (records: Ticket["records"]) =>
    applyRecord({ ...ticket, ...(records && { records }) }, { kind: "comment", text: "One more" }, recorder);
  const last = add({ comments } as Ticket["records"])?.records;
  expect(last?.comments).toHaveLength(maxComments);
  expect(() => add(last)).toThrow(String(maxComments));
});
