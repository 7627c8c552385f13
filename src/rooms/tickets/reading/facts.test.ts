import { expect, test } from "vitest";
import { readFacts } from "./facts.ts";

test("a server's ticket is understood", () => {
  const document = {
    id: "aec_3f0c",
    slug: "acme-12",
    status: "approved",
    title: " Add\n logout ",
    type: "Feature",
    priority: "MEDIUM",
    assignedTo: { id: "u1", displayName: "Ada", email: "ada@example.com" },
    createdBy: "u2",
    createdAt: "2026-03-01T10:00:00.000Z",
    updatedAt: "2026-03-02T12:00:00+02:00",
  };
  expect(readFacts(document)).toEqual({
    id: "aec_3f0c",
    slug: "acme-12",
    status: "READY",
    title: "Add logout",
    type: "feature",
    priority: "medium",
    assignee: "u1",
    createdBy: "u2",
    createdAt: "2026-03-01T10:00:00.000Z",
    updatedAt: "2026-03-02T10:00:00.000Z",
    warnings: [],
  });
});

test.each([
  [{ status: "in-question-round-2" }, "IN_QUESTION_ROUND_2"],
  [{ status: "DEV_REFINING" }, "VALIDATED"],
  [{ status: "executing", driftDetectedAt: "2026-03-02T10:00:00.000Z" }, "DRIFTED"],
  [{ status: "Approved", driftDetectedAt: "2026-03-02T10:00:00.000Z" }, "DRIFTED"],
  [{ status: "executing", driftDetectedAt: null }, "CREATED"],
  [{ status: "delivered", driftDetectedAt: "2026-03-02T10:00:00.000Z" }, "COMPLETE"],
  [{ status: "READY", driftDetectedAt: "2026-03-02T10:00:00.000Z" }, "READY"],
])("%j is %s", (document, status) => {
  expect(readFacts(document)).toEqual({ status, warnings: [] });
});

test.each([
  [
    { status: "archived", previousStatus: "forged" },
    { status: "ARCHIVED", previousStatus: "READY" },
  ],
  [
    { status: "archived", previous_status: "draft" },
    { status: "ARCHIVED", previousStatus: "DRAFT" },
  ],
  [{ status: "archived", previousStatus: "archived" }, { status: "ARCHIVED" }],
  [{ status: "ready", previousStatus: "draft" }, { status: "READY" }],
])("%j keeps what it was before where it is archived", (document, facts) => {
  expect(readFacts(document)).toEqual({ ...facts, warnings: [] });
});

test.each([
  [{ assignedTo: "u1", assignee: "u2" }, "u1"],
  [{ assignedTo: null, assignee: { displayName: "Ada", email: "a@b" } }, "Ada"],
  [{ assignee: { email: "a@b" } }, "a@b"],
])("%j is assigned to %s", (document, assignee) => {
  expect(readFacts(document)).toEqual({ assignee, warnings: [] });
});

test.each([
  [{ status: "done" }, 'status "done" was not understood and was ignored.'],
  [{ status: { a: 1 } }, "status is not text and was ignored."],
  [{ status: "archived", previousStatus: "x\u202e" }, 'previousStatus "x\\u202e" was not understood and was ignored.'],
  [{ id: "../../etc/passwd" }, 'id "../../etc/passwd" was not understood and was ignored.'],
  [{ type: "epic" }, 'type "epic" was not understood and was ignored.'],
  [{ priority: "y".repeat(100) }, `priority "${"y".repeat(64)}…" was not understood and was ignored.`],
  [{ createdAt: "yesterday" }, 'createdAt "yesterday" was not understood and was ignored.'],
  [{ updatedAt: "2026-02-30" }, 'updatedAt "2026-02-30" was not understood and was ignored.'],
  [{ assignee: "a".repeat(201) }, `assignedTo "${"a".repeat(64)}…" was not understood and was ignored.`],
])("of %j a warning tells", (document, warning) => {
  const { warnings, status, ...facts } = readFacts(document);
  expect(warnings).toEqual([warning]);
  expect(facts).toEqual({});
});

test("a title that is too long is cut between characters, and a warning tells", () => {
  const { title, warnings } = readFacts({ title: `${"x".repeat(298)}🙂${"y".repeat(10)}` });
  expect(title).toBe(`${"x".repeat(298)}…`);
  expect(warnings).toEqual(["The title has 310 characters and was cut to 300."]);
});

test.each([
  ["2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["2026-03-01T10:00", "2026-03-01T10:00:00.000Z"],
  ["2026-03-01T10:00:00.123456Z", "2026-03-01T10:00:00.123Z"],
  ["2026-03-01T23:00:00-02:00", "2026-03-02T01:00:00.000Z"],
])("the date %s is %s wherever it is read", (createdAt, moment) => {
  expect(readFacts({ createdAt }).createdAt).toBe(moment);
});
