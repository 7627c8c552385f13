import { expect, test } from "vitest";
import { ProofProject } from "../../../../test/harness/rooms/proof/proof-project.ts";

test("an assistant binds checks, which say who proposed them; the same one is not bound twice", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const how = { ticketId: id, criterion: "ac-1", test: "./test/sum.test.js::adds" };
  expect(await project.tool("forge_bind_check", how)).toEqual({ ticketId: id, check: "C-1", criterion: "AC-1" });
  expect(await project.refused("forge_bind_check", how)).toContain("T-001 already has this check: C-1");
  expect((await project.json(["show", id]))["records"]?.["checks"]).toMatchObject([
    { id: "C-1", criterion: "AC-1", how: { type: "test", file: "test/sum.test.js", name: "adds" } },
  ]);
});

test("what cannot be a check is refused with what to do", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const refused = (how: object) => project.refused("forge_bind_check", { ticketId: id, criterion: "AC-1", ...how });
  expect(await refused({})).toContain("exactly one of");
  expect(await refused({ test: "a::b", look: "c" })).toContain("exactly one of");
  for (const test of ["adds", "::adds", "a.js::", "../a.js::x", "/a.js::x"])
    expect(await refused({ test })).toContain("does not name a test");
  // A runner would run it all the same, and with it whatever a script does.
  expect(await refused({ test: "figure.mjs::x" })).toContain("figure.mjs is not a test file for node:test");
  expect(await refused({ command: ["npm", "test"], pattern: "x" })).toContain("max or min");
  for (const file of ["/etc/passwd", "../x", "a/../../x", "C:/x"])
    expect(await refused({ file })).toContain("not a path in the project");
  for (const pattern of ["(", "(?=x)"])
    expect(await refused({ file: "a.txt", pattern })).toContain("not a valid pattern");
  expect(await refused({ criterion: "AC-7", look: "x" })).toContain("Its criteria are AC-1");
  // An assistant may bind scripts of the project, and nothing else that is run.
  for (const command of [
    ["curl", "x"],
    ["sh", "-c", "id", "package.json"],
    ["node", "-e", "1", "package.json"],
    ["npm", "run", "test", "--script-shell=/tmp/x"],
    ["make", "SHELL=/tmp/x", "test"],
  ])
    expect(await refused({ command })).toContain("cannot be a check's command");
  expect((await project.json(["show", id]))["records"]).toBeUndefined();
});
