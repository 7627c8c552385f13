import { expect, test } from "vitest";
import { teamStarter } from "../harness/http/listening-team.ts";
import { ada, home } from "../harness/rooms/access.ts";

/**
 * The requests of forge-cli 1.0.1 as it sends them: what Node's fetch sends, a team, and JSON. Recorded from login, list, show,
 * execute, review and its MCP tools.
 */
const startTeam = teamStarter();

type Tokens = { accessToken: string; refreshToken: string; userId: string; teamId: string; user: { email: string } };

async function signInAsOriginal() {
  const team = await startTeam();
  const post = async (path: string, body?: object) => {
    const sent = { method: "POST", headers: { "Content-Type": "application/json", "User-Agent": "node" } };
    return fetch(`${team.url}/api${path}`, { ...sent, ...(body && { body: JSON.stringify(body) }) });
  };
  const { deviceCode, userCode } = (await (await post("/auth/device/request")).json()) as Record<string, string>;
  await team.access.devices.decide(team.admin.cookie, userCode ?? "", "approve", home);
  const tokens = (await (await post("/auth/device/token", { deviceCode })).json()) as Tokens;
  const send = async (method: string, path: string, body?: object, token = tokens.accessToken) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      "x-team-id": tokens.teamId,
      "User-Agent": "node",
    };
    const response = await fetch(`${team.url}/api${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return { team, tokens, post, send };
}

test("forge-cli 1.0.1 is served its own shapes, and nobody else is", async () => {
  const { team, tokens, send } = await signInAsOriginal();
  expect(tokens.user.email).toBe(ada.email);
  await send("POST", "/tickets", { title: "Add logout", status: "ready", acceptanceCriteria: ["Gone"] });
  await send("POST", "/tickets", { title: "Bare" });
  const all = await send("GET", `/tickets?teamId=${tokens.teamId}&all=true`);
  expect(all.body).toMatchObject([
    { id: "T-002", status: "draft", assignedTo: null },
    { id: "T-001", status: "ready", title: "Add logout" },
  ]);
  expect((await send("GET", `/teams/${tokens.teamId}/members`)).body).toMatchObject({ success: true });
  expect((await send("GET", "/tickets/T-002")).body).toMatchObject({ status: "draft", acceptanceCriteria: [] });
  expect((await send("PATCH", "/tickets/T-001", { assignedTo: tokens.userId })).body).toMatchObject({
    status: "ready",
  });
  expect((await send("GET", `/tickets?teamId=${tokens.teamId}&assignedToMe=true`)).body).toMatchObject([
    { id: "T-001" },
  ]);
  const qaItems = [{ question: "For guests?", answer: "No." }];
  expect((await send("POST", "/tickets/T-001/review-session", { qaItems })).body).toMatchObject({
    success: true,
    ticketId: "T-001",
    status: "ready",
  });
  const branchName = "forge/T-001-add-logout";
  expect((await send("POST", "/tickets/T-001/start-implementation", { branchName, qaItems })).body).toMatchObject({
    success: true,
    ticketId: "T-001",
    branchName,
    status: "created",
  });
  expect((await send("POST", "/tickets/T-001/start-implementation", { branchName: "main" })).status).toBe(400);
  expect((await send("PATCH", "/tickets/T-001", { status: "complete" })).body).toMatchObject({ status: "complete" });
  const own = { authorization: `Bearer ${tokens.accessToken}`, "user-agent": "forge" };
  const page = await (await fetch(`${team.url}/api/tickets`, { headers: own })).json();
  expect(page).toMatchObject({
    tickets: [
      { id: "T-002", status: "DRAFT" },
      { id: "T-001", status: "COMPLETE" },
    ],
  });
});

test("its refresh token stays, also for several requests at once", async () => {
  const { tokens, post, send } = await signInAsOriginal();
  const refresh = async () => {
    const response = await post("/auth/refresh", { refreshToken: tokens.refreshToken });
    return (await response.json()) as Tokens;
  };
  const pairs = [...(await Promise.all([refresh(), refresh()])), await refresh()];
  for (const { accessToken, refreshToken } of pairs) {
    expect(refreshToken).toBe(tokens.refreshToken);
    expect((await send("GET", "/tickets?all=true", undefined, accessToken)).status).toBe(200);
  }
});
