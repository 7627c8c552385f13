import { expect, test } from "vitest";
import { readApiChanges } from "./api-changes.ts";
import { readProblem, readSolution } from "./narrative.ts";
import { readTestPlan } from "./test-plan.ts";

const problem = {
  narrative: "Users cannot end a session",
  whyItMatters: "Shared computers",
  context: "Sessions are cookies",
  assumptions: ["One session a browser"],
  constraints: ["No new table", "No redirect"],
};
const problemText = `Users cannot end a session

Why it matters:
Shared computers

Context:
Sessions are cookies

Assumptions:
- One session a browser

Constraints:
- No new table
- No redirect`;

test.each<[string, unknown, string | undefined]>([
  ["a text", " As written.\n", " As written.\n"],
  ["its parts", problem, problemText],
  ["its parts as JSON in a text", ` ${JSON.stringify(problem)} `, problemText],
  ["only what is there", { narrative: "Slow", whyItMatters: "", assumptions: [], constraints: null }, "Slow"],
  ["parts of another name", { summary: "Slow", users: ["a", "b"] }, "summary: Slow\nusers: a, b"],
  ["what looks like JSON and is not", "{not json}", "{not json}"],
  ["nothing", {}, undefined],
  ["blanks", " \n", undefined],
  ["null", null, undefined],
])("a problem from %s", (_what, value, text) => {
  expect(readProblem(value)).toBe(text);
});

const solution = {
  overview: "Add endpoint + button",
  steps: [
    { order: 2, description: "Button", file: "src/button.ts", lineNumbers: "10-20", codeSnippet: "a();\nb();" },
    { order: 1, description: "Route", file: "src/auth.ts" },
  ],
  fileChanges: { create: ["src/logout.ts"] },
  databaseChanges: ["drop the index"],
  environmentChanges: { COOKIE: "secure" },
};
const solutionText = `Add endpoint + button

Steps:
1. Route (src/auth.ts)
2. Button (src/button.ts, lines 10-20)
   a();
   b();

Database changes:
- drop the index

Environment changes:
COOKIE: secure`;

test.each<[string, unknown, string | undefined]>([
  ["a text", "Do it", "Do it"],
  ["its parts", solution, solutionText],
  ["its parts as JSON in a text", JSON.stringify(solution), solutionText],
  ["a list", ["First", { description: "Then", file: "b.ts" }, null, 3], "1. First\n2. Then (b.ts)\n3. 3"],
  ["a list as JSON in a text", '["First","Second"]', "1. First\n2. Second"],
  ["steps of which one has no number", [{ order: 2, description: "b" }, { description: "a" }], "1. b\n2. a"],
  ["nothing but files", { fileChanges: { create: ["a"] } }, undefined],
])("a solution from %s", (_what, value, text) => {
  expect(readSolution(value)).toBe(text);
});

const endpoint = { method: "post", route: "/x", description: "Ends it", authentication: "required", status: "new" };

test.each<[string, unknown, string | undefined]>([
  ["a text", "POST /x", "POST /x"],
  ["endpoints", { endpoints: [endpoint, { route: "/y" }] }, "POST /x (auth required, new): Ends it\n/y"],
  ["a list of endpoints", [endpoint], "POST /x (auth required, new): Ends it"],
  ["one endpoint", endpoint, "POST /x (auth required, new): Ends it"],
  ["JSON in a text", JSON.stringify({ endpoints: ["GET /z"] }), "GET /z"],
  [
    "open ones",
    [
      { route: "/a", authentication: false },
      { route: "/b", auth: "none" },
    ],
    "/a (no auth)\n/b (no auth)",
  ],
  ["a role", [{ route: "/a", authentication: "admin" }], "/a (auth admin)"],
  [
    "data",
    [{ method: "GET", route: "/a", dto: { request: "A", response: "B" } }],
    "GET /a\n  Data: request: A; response: B",
  ],
  ["no endpoints", { endpoints: [] }, undefined],
])("API changes from %s", (_what, value, text) => {
  expect(readApiChanges(value)).toBe(text);
});

const unitTest = {
  type: "unit",
  description: "the cookie goes",
  testFile: "logout.test.ts",
  testName: "logs out",
  setup: "a session",
  action: "click",
  assertion: "no cookie",
};
const plan = {
  summary: "Both ways out",
  unitTests: [unitTest, "by hand"],
  integrationTests: [{ description: "all of it" }],
  edgeCases: ["no session"],
  testingNotes: "slow",
  coverageGoal: 80,
};
const planText = `Both ways out

Unit tests:
- logs out (logout.test.ts): the cookie goes; setup: a session; action: click; assertion: no cookie
- by hand

Integration tests:
- all of it

Edge cases:
- no session

Notes:
slow

Coverage goal:
80`;

test.each<[string, unknown, string | undefined]>([
  ["a text", "Try it", "Try it"],
  ["its parts", plan, planText],
  ["its parts as JSON in a text", JSON.stringify(plan), planText],
  ["a list", [unitTest.description, { testName: "b" }], "- the cookie goes\n- b"],
  ["empty parts", { summary: "", unitTests: [] }, undefined],
])("a test plan from %s", (_what, value, text) => {
  expect(readTestPlan(value)).toBe(text);
});

test("what is nested beyond sense is cut, not followed", () => {
  const deep = Array.from({ length: 50_000 }).reduce<unknown>((inner) => ({ in: inner }), "end");
  expect(readProblem(deep)).toBe("in: in: in: in: …");
  expect(readProblem("[".repeat(200_000) + "]".repeat(200_000))).toBe("- …");
});
