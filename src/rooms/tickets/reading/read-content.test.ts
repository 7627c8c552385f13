import { expect, test } from "vitest";
import { readContent } from "./read-content.ts";

const empty = {
  criteria: [],
  fileChanges: [],
  designRefs: [],
  assumptions: [],
  inScope: [],
  outOfScope: [],
  questions: [],
  labels: [],
  dependsOn: [],
};

const serverTicket = {
  id: "aec_3f0c",
  slug: "acme-12",
  status: "approved",
  title: "Add logout",
  type: "feature",
  priority: "medium",
  description: "…",
  acceptanceCriteria: ["Given a session When I click logout Then the cookie is gone"],
  assignedTo: null,
  implementationBranch: null,
  reviewSession: null,
  techSpec: {
    problemStatement: { narrative: "Users cannot end a session", assumptions: [], constraints: [] },
    solution: {
      overview: "Add endpoint + button",
      steps: [{ order: 1, description: "Route", file: "src/auth.ts" }],
      fileChanges: { create: ["src/logout.ts"], modify: ["src/auth.ts"] },
    },
    fileChanges: [{ path: "src/logout.ts", action: "create" }],
  },
  createdAt: "2026-03-01T10:00:00.000Z",
  updatedAt: "2026-03-02T10:00:00.000Z",
};
const serverContent = {
  ...empty,
  description: "…",
  problemStatement: "Users cannot end a session",
  solution: "Add endpoint + button\n\nSteps:\n1. Route (src/auth.ts)",
  criteria: [{ id: "AC-1", text: "Given a session When I click logout Then the cookie is gone" }],
  fileChanges: [{ path: "src/logout.ts", action: "create" }],
};

test("a server's ticket says what its specification says", () => {
  expect(readContent(serverTicket)).toEqual(serverContent);
});

test("also where the specification is JSON in a text", () => {
  expect(readContent({ ...serverTicket, techSpec: JSON.stringify(serverTicket.techSpec) })).toEqual(serverContent);
});

test("a ticket of the command line is what it says", () => {
  const ticket = {
    description: "d",
    problemStatement: "p",
    solution: "s",
    acceptanceCriteria: ["a"],
    fileChanges: [{ path: "f", action: "delete", notes: "n" }],
    apiChanges: "api",
    testPlan: "t",
    designRefs: ["https://example.com/1"],
    reviewSession: { qaItems: [{ question: "q", answer: "a" }], submittedAt: "2026-03-01T10:00:00.000Z" },
  };
  const { acceptanceCriteria: _, ...rest } = ticket;
  expect(readContent(ticket)).toEqual({ ...empty, ...rest, criteria: [{ id: "AC-1", text: "a" }] });
});

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ["the top level's text", { solution: "top", techSpec: { solution: "spec" } }, { solution: "top" }],
  [
    "the specification's where the top level has none",
    { solution: " ", techSpec: { solution: "spec" } },
    { solution: "spec" },
  ],
  ["or only empty parts", { testPlan: { summary: "" }, techSpec: { testPlan: "spec" } }, { testPlan: "spec" }],
  [
    "scope",
    { inScope: ["a"], techSpec: { inScope: ["b"], outOfScope: ["c", { text: "d" }] } },
    { inScope: ["a"], outOfScope: ["c", "d"] },
  ],
  ["assumptions", { assumptions: ["a", "", 3, null] }, { assumptions: ["a", "3"] }],
  [
    "designs",
    { designReferences: [{ url: "https://a", title: "A" }, { url: "https://b" }, "https://c", {}] },
    { designRefs: ["https://a (A)", "https://b", "https://c"] },
  ],
  [
    "our designs before a server's",
    { designRefs: ["https://a"], designReferences: ["https://b"] },
    { designRefs: ["https://a"] },
  ],
  ["the repository", { repositoryContext: { repositoryFullName: "a/b", branchName: "main" } }, { repository: "a/b" }],
  [
    "one of several repositories",
    { repositories: [{ repositoryFullName: "a/b" }, { repositoryFullName: "c/d" }] },
    { repository: "a/b" },
  ],
  ["the branch", { implementationBranch: "forge/x" }, { branch: "forge/x" }],
  [
    "a record of changes",
    {
      changeRecord: {
        executionSummary: "s",
        filesChanged: [{ path: "a", additions: 1, deletions: -1 }, {}],
        divergences: [{ area: "x" }, {}],
        other: 1,
      },
    },
    {
      changeRecord: {
        executionSummary: "s",
        filesChanged: [{ path: "a", additions: 1, deletions: 0 }],
        divergences: [{ area: "x", intended: "", actual: "", justification: "" }],
      },
    },
  ],
  ["no record where it says nothing", { changeRecord: { other: 1 } }, {}],
  ["nothing that is only inherited", { techSpec: Object.create({ solution: "s" }) as unknown }, {}],
])("%s", (_what, document, content) => {
  expect(readContent(document)).toEqual({ ...empty, ...content });
});
