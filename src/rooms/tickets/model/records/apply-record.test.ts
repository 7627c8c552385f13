import { expect, test } from "vitest";
import type { Outcome } from "../../../../commons/evidence/checks.ts";
import { readCriterionStates } from "../../../../commons/evidence/criterion-states.ts";
import { maxChecks } from "../../../../commons/evidence/limits.ts";
import { localPrincipal } from "../../../../kernel/principal.ts";
import { limits } from "../limits.ts";
import type { Ticket } from "../ticket.ts";
import { applyRecord } from "./apply-record.ts";
import { maxFailedTrees } from "./keep-verifications.ts";
import type { RecordEntry } from "./schema.ts";

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
  const comments = Array.from({ length: limits.comments - 1 }, () => ({ by: "ann", at: recorder.at, text: "Hello" }));
  const add = (records: Ticket["records"]) =>
    applyRecord({ ...ticket, ...(records && { records }) }, { kind: "comment", text: "One more" }, recorder);
  const last = add({ comments } as Ticket["records"])?.records;
  expect(last?.comments).toHaveLength(limits.comments);
  expect(() => add(last)).toThrow(String(limits.comments));
});

test("a check that is run cannot be looked at instead", () => {
  const person = { ...recorder, principal: { ...localPrincipal("ann"), atKeyboard: true as const } };
  const check = { criterion: "AC-1", how: { type: "file" as const, path: "a" } };
  const records = applyRecord(ticket, { kind: "check", check }, person)?.records;
  const look = () =>
    applyRecord(
      { ...ticket, ...(records && { records }) },
      { kind: "look", check: "C-1", passed: true, saw: "Fine" },
      person,
    );
  expect(look).toThrow("is run, not looked at");
});

const ci = { ...recorder, principal: { ...recorder.principal, scopes: ["proof:write" as const] } };
const how = { type: "test" as const, file: "a.test.js", name: "works" };
const bound = applyRecord(ticket, { kind: "check", check: { criterion: "AC-1", how } }, recorder)?.records;

/** A ticket with one check, and what was reported of it. */
function reports() {
  let current = { ...ticket, ...(bound && { records: bound }) };
  const report = (outcome: Outcome, tree: string, as: typeof recorder = recorder) => {
    const results = [{ check: "C-1", outcome, base: "failed" as const, why: "Because.", ms: 1 }];
    const verification = { commit: tree, tree, clean: true, machine: "m", results };
    const records = applyRecord(current, { kind: "verification", verification }, as)?.records;
    current = { ...current, ...(records && { records }) };
  };
  const state = (ciOnly = false) => readCriterionStates(ticket.criteria, current.records ?? {}, { ciOnly })[0];
  return { report, state, kept: () => current.records?.verifications ?? [] };
}
const treeOf = (index: number) => String(index).padStart(40, "0");

test("a failure is not pushed out: the check stays flaky on that tree, however much is reported later", () => {
  const { report, state } = reports();
  report("failed", treeOf(1), ci);
  for (let index = 0; index < 10; index++) report("passed", treeOf(1), ci);
  expect(state(true)).toMatchObject({ state: "unproven", why: expect.stringContaining("Flaky") });
  for (let index = 2; index < 60; index++) report("failed", treeOf(index), { ...recorder, by: `bob/agent${index}` });
  for (let index = 2; index < 12; index++) report("passed", treeOf(index), ci);
  report("passed", treeOf(1), ci);
  expect(state(true)).toMatchObject({ state: "unproven", why: expect.stringContaining("Flaky") });
});

test("nobody pushes out what CI or another member reported, and what is kept is bounded", () => {
  const { report, state, kept } = reports();
  report("passed", treeOf(1), ci);
  report("failed", treeOf(1), { ...recorder, by: "eve" });
  for (let index = 0; index < 300; index++) report("failed", treeOf(index % 100), { ...recorder, by: `bob/${index}` });
  expect(state(true)).toMatchObject({ state: "proven" });
  expect(kept().map(({ by }) => by)).toContain("eve");
  expect(kept().length).toBeLessThanOrEqual(maxFailedTrees + 2 + 2);
  for (let index = 0; index < 100; index++) report("passed", treeOf(1), { ...recorder, by: `member ${index}` });
  expect(state(true)).toMatchObject({ state: "proven" });
  expect(kept().length).toBeLessThanOrEqual(20);
  expect(new Set(kept().map(({ id }) => id)).size).toBe(kept().length);
});

test("nobody keeps others from reporting by reporting much", () => {
  let current = { ...ticket, ...(bound && { records: bound }) };
  const report = (by: string, count: number, why: string, rules = 0) => {
    const files = Object.fromEntries(Array.from({ length: count }, (_, index) => [`src/${index}.js`, treeOf(index)]));
    const results = [{ check: "C-1", outcome: "passed" as const, base: "failed" as const, why, ms: 1, files }];
    const told = Array.from({ length: rules }, (_, index) => ({ name: `rule${index}`, status: "held" as const, why }));
    const verification = { commit: treeOf(1), tree: treeOf(1), clean: true, machine: "m", results, rules: told };
    const records = applyRecord(current, { kind: "verification", verification }, { ...recorder, by })?.records;
    current = { ...current, ...(records && { records }) };
  };
  report("ann", 400, "Because.");
  for (let index = 0; index < 2; index++) report("eve", 12_000, "x".repeat(10_000), 90);
  expect(JSON.stringify(current.records).length).toBeLessThan(800_000);
  expect(current.records?.verifications).toMatchObject([
    { by: "ann", results: [{ files: { "src/399.js": treeOf(399) } }] },
    { by: "eve", results: [{ outcome: "passed" }] },
    { by: "eve", results: [{ outcome: "passed" }] },
  ]);
});

test("a verification without a result of a check of the ticket is refused", () => {
  const verification = { commit: treeOf(1), tree: treeOf(1), clean: true, machine: "m", results: [] };
  const entry = { kind: "verification" as const, verification };
  expect(() => applyRecord({ ...ticket, ...(bound && { records: bound }) }, entry, recorder)).toThrow("no result");
});

test("what is reported of a removed check, however late, counts for no other", () => {
  const person = { ...recorder, principal: { ...localPrincipal("ann"), atKeyboard: true as const } };
  const apply = (records: Ticket["records"], entry: RecordEntry, as: typeof recorder = person) =>
    applyRecord({ ...ticket, ...(records && { records }) }, entry, as)?.records;
  const hard = { kind: "check" as const, check: { criterion: "AC-1", how: { ...how, name: "hard" } } };
  const results = [{ check: "C-1", outcome: "passed" as const, base: "failed" as const, why: "Because.", ms: 1 }];
  const verification = { commit: treeOf(1), tree: treeOf(1), clean: true, machine: "m", results };
  // Also where the first check was added before the number was kept.
  const { lastCheck: _, ...older } = bound ?? {};
  for (const before of [bound, older]) {
    const after = apply(apply(before, { kind: "unbind", check: "C-1" }), hard);
    expect(after?.checks).toMatchObject([{ id: "C-2" }]);
    expect(() => apply(after, { kind: "verification", verification }, ci)).toThrow("no result");
    expect(apply(apply(after, { kind: "unbind", check: "C-2" }), hard)?.checks).toMatchObject([{ id: "C-3" }]);
  }
});

test("where an execution started is said once", () => {
  const work = { execution: "E-1", status: "started" as const, base: treeOf(1) };
  const records = applyRecord(ticket, { kind: "work", work }, recorder)?.records;
  const again = { ...work, status: "merged" as const, base: treeOf(2) };
  const after = applyRecord({ ...ticket, ...(records && { records }) }, { kind: "work", work: again }, recorder);
  expect(after?.records?.work).toMatchObject([{ status: "merged", base: treeOf(1) }]);
});

test("what a person did stays, however much work another reports, also under its name", () => {
  let current = ticket;
  const add = (name: string, execution: string) => {
    const principal = { ...localPrincipal(name), kind: "user" as const };
    const work = { execution, status: "merged" as const, commit: treeOf(name === "ann" ? 1 : 2) };
    const records = applyRecord(current, { kind: "work", work }, { ...recorder, principal, by: name })?.records;
    current = { ...current, ...(records && { records }) };
  };
  add("ann", "E-1");
  for (let index = 0; index < 2 * limits.work; index++) add("eve", `E-${index + 1}`);
  expect(current.records?.work).toHaveLength(limits.work);
  expect(current.records?.work?.[0]).toMatchObject({ execution: "E-1", by: "ann", commit: treeOf(1) });
});
