import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listen } from "../../src/hosts/http/serve/listen.ts";
import { ForgeProcess } from "../harness/cli/forge-process.ts";
import { ChaosProxy, httpAnswer } from "../harness/faults/chaos-proxy.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { saveLink } from "../harness/http/listening-team.ts";
import { serverOpener } from "../harness/http/team-server.ts";
import { startAecServer } from "../remote/aec-server.ts";

const open = serverOpener();

/** A laptop with a project, from which the built program is run against a server of the test's own. */
function makeLaptop() {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const { HOME = "" } = sandbox.environment;
  const cwd = sandbox.repository("shop", { "README.md": "# Shop\n" });

  function signIn(apiUrl: string): void {
    const user = { email: "ada@example.org", displayName: "Ada" };
    const tokens = { accessToken: "access-token-0001", refreshToken: "refresh-token-0001" };
    const login = { ...tokens, expiresAt: "2099-01-01T00:00:00.000Z", userId: "u1", teamId: "t1", user, apiUrl };
    mkdirSync(join(HOME, ".forge"), { mode: 0o700 });
    writeFileSync(join(HOME, ".forge", "config.json"), JSON.stringify(login), { mode: 0o600 });
    saveLink(HOME, cwd, login);
  }

  const runWith =
    (settings: Record<string, string>) =>
    async (...args: string[]): Promise<{ code: unknown; output: string }> => {
      const forge = new ForgeProcess(args, { cwd, env: { ...sandbox.environment, ...settings } });
      const [code] = await forge.exited;
      return { code, output: forge.output };
    };

  return { run: runWith({}), runWith, signIn };
}

const withToken = (url: string, token = "given-token-0001") => ({ FORGE_API_URL: `${url}/api`, FORGE_TOKEN: token });

describe("a server in trouble", () => {
  test.each([
    ["fails", httpAnswer(500), ["GET /api/me", "GET /api/me"]],
    ["is a web page", httpAnswer(200, { "content-type": "text/html" }, "<html>"), ["GET /api/me"]],
  ])("that %s is one error, found out by one question", async (_name, answer, asked) => {
    const { url, requests } = await ChaosProxy.start({ answer });
    const { code, output } = await makeLaptop().runWith(withToken(url))("list");
    expect([code, requests.map(({ head }) => head.split(" HTTP")[0])]).toEqual([2, asked]);
    expect(output.match(/Forge server at/g)).toHaveLength(1);
    expect(output).not.toMatch(/ledger|change|queued/i);
  });

  test("that is away is said once: to a command that reads, and to one that changes", async () => {
    const run = makeLaptop().runWith(withToken("http://127.0.0.1:1"));
    const listed = await run("list");
    expect([listed.code, listed.output.match(/Cannot reach/g)]).toEqual([2, ["Cannot reach"]]);
    expect(listed.output).not.toMatch(/ledger|queued/);
    const created = await run("create", "Anything");
    expect(created.output.match(/Cannot reach|Nothing was changed and nothing is queued/g)).toHaveLength(2);
    expect(created.output).not.toContain("ledger");
  });
});

test("an AEC server: `me` is the id of the sign-in, its ledger is asked for once, and it may go away", async () => {
  const members = [
    { userId: "u9", displayName: "Ada" },
    { userId: "u1", displayName: "Ada Lovelace" },
  ];
  const { api, add, requests, tickets, stop } = await startAecServer({ members });
  const ids = [add({ title: "First" }), add({ title: "Second" }), add({ title: "Third" })];
  const { run, signIn } = makeLaptop();
  signIn(api);
  const [id = ""] = ids;
  expect((await run("assign", id, "me")).output).toContain("to Ada.");
  expect(tickets.get(id)?.["assignedTo"]).toBe("u1");
  await run("list", "--limit=3");
  await run("list", "--limit=2");
  const asked = (path: string) => requests.filter((request) => request.path === path).length;
  expect([asked("/api/activity"), asked("/api/me")]).toEqual([1, 3]);

  await stop();
  const shown = await run("show", ids[1] ?? "");
  expect([shown.code, shown.output]).toEqual([0, expect.stringContaining("Second")]);
  expect(shown.output).toMatch(
    /^The server cannot be reached\. This is the last known copy, as of .*\. Only a summary is known/,
  );
  expect((await run("list", "--limit=1")).output).toContain("Third");
  const found = await run("list", "second");
  expect(found.output).toContain("tickets may be missing");
  const { output } = await run("call", "list_tickets", "status=DRAFT");
  expect(JSON.parse(output)).toMatchObject({ tickets: { length: 3 }, stale: expect.any(String) });
  expect((await run("export", ids[1] ?? "")).output).toContain("Cannot reach");
});

test("two push-local at once: one copies all tickets, and the other copies none", async () => {
  const { app, token, request, end } = await open();
  const listening = await listen(app, { host: "127.0.0.1", port: 0 }, false);
  onTestFinished(async () => {
    end();
    await listening.close();
  });
  await request("POST", "/api/tickets", { token, body: { title: "Has the id T-001" } });
  const { run, runWith } = makeLaptop();
  for (const title of ["First", "Second"]) await run("create", title);
  const push = () => runWith(withToken(listening.url, token))("push-local");
  const ended = await Promise.all([push(), push()]);
  expect(ended.map(({ code }) => code)).toEqual([0, 0]);
  expect(ended.map(({ output }) => /Copied \d tickets?/.exec(output)?.[0]).sort()).toEqual([
    "Copied 0 tickets",
    "Copied 2 tickets",
  ]);
  const { tickets } = (await (await request("GET", "/api/tickets", { token })).json()) as {
    tickets: { title: string }[];
  };
  expect(tickets.map(({ title }) => title).sort()).toEqual(["First", "Has the id T-001", "Second"]);
});
