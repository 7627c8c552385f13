import { expect, test } from "vitest";
import { serverOpener } from "../../../test/harness/http/team-server.ts";

const open = serverOpener();

test.each([
  ["POST", "/api/tickets", "tickets:write"],
  ["POST", "/api/projects", "access:write"],
])("whose role does not allow %s %s is told the role and whom to ask, and of no token", async (method, path, scope) => {
  const { request, viewerToken: token } = await open();
  const answer = await request(method, path, { token, body: {} });
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    code: "PERMISSION_DENIED",
    message: `Bob is a viewer in this team, and that role does not allow this: it needs ${scope}.`,
    details: { scope, role: "viewer" },
    suggestions: [expect.stringContaining("Ask an admin")],
  });
});

test.each([
  ["POST", "/api/tickets", "tickets:write"],
  ["GET", "/api/events", "activity:read"],
])(
  "a token that does not allow %s %s is told the scope, and how to make one that has it",
  async (method, path, scope) => {
    const { request, tokenWith } = await open();
    const answer = await request(method, path, { token: await tokenWith("tickets:read") });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      message: `The token of Ada does not allow this: it does not have the scope ${scope}.`,
      suggestions: [expect.stringContaining(`--scope ${scope}`)],
    });
  },
);

test("a viewer who would give a token more than the role has is told the role", async () => {
  const { request, viewerToken: token } = await open();
  const body = { name: "CI", scopes: ["tickets:write"], days: 1 };
  expect(await (await request("POST", "/api/tokens", { token, body })).json()).toMatchObject({
    message: "The role viewer lacks tickets:write.",
    suggestions: [expect.stringContaining("Ask an admin")],
  });
});
