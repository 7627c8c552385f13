import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { ForgeProcess, forge } from "../harness/cli/forge-process.ts";
import { testWith } from "../harness/faults/faults.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { Browser } from "../harness/http/browser.ts";
import { makeClient } from "../harness/mcp/client.ts";

testWith(
  ["chromium"],
  "a team's server, a login approved in a browser, an assistant's work seen on the server",
  async () => {
    const sandbox = makeSandbox();
    onTestFinished(() => sandbox.dispose());
    const env = { ...sandbox.environment, HOME: join(sandbox.root, "home") };
    const cwd = sandbox.repository("shop", { "README.md": "# Shop\n", "src/auth.ts": "export {};\n" });
    const laptop = { cwd, env };
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [forge, ...args], { cwd, env, encoding: "utf8" });
      return { status, stdout, stderr };
    };

    expect(run("create", "Written before there was a server")).toMatchObject({ status: 0, stdout: "T-001\n" });

    const server = new ForgeProcess(["serve", "--port", "0", "--data", join(sandbox.root, "server")], laptop);
    const setup = await server.says(/(http:\/\/127\.0\.0\.1:\d+\/setup\?code=\S+)/);
    const { origin } = new URL(setup);

    const browser = await Browser.open();
    await browser.go(setup);
    expect(await browser.overflow()).toBeLessThanOrEqual(0);
    await browser.fill({
      Email: "ada@example.com",
      "Your name": "Ada",
      Password: "correct horse",
      "Team name": "Engines",
    });
    await browser.press("Set up");
    expect(await browser.text()).toContain("ada@example.com");

    const login = new ForgeProcess(["login", "--link", "--url", origin], laptop);
    const page = await login.says(/(http:\/\/127\.0\.0\.1:\d+\/device\?code=\S+)/);
    const code = new URL(page).searchParams.get("code") ?? "";
    await browser.go(page);
    expect(await browser.text()).toContain(code);
    expect(await browser.overflow()).toBeLessThanOrEqual(0);
    await browser.press("Approve");
    expect(await browser.text()).toContain("connected");
    await login.says(/Signed in to .* as ada@example\.com/);
    expect((await login.exited)[0]).toBe(0);
    expect(run("login", "--url", origin).stderr).toContain("forge logout");
    expect(JSON.parse(run("whoami", "--json").stdout)).toMatchObject({
      there: { role: "admin", team: { name: "Engines" } },
    });

    expect(run("push-local")).toMatchObject({ status: 0, stdout: expect.stringContaining("Copied 1 ticket") });
    expect(run("push-local").stdout).toContain("Copied 0 tickets");
    expect(run("create", "Add logout", "--criterion", "The cookie is gone", "--status", "READY")).toMatchObject({
      status: 0,
      stdout: "T-002\n",
    });

    const client = makeClient("legacy");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [forge, "execute", "T-002"],
      ...laptop,
      stderr: "pipe",
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const context = await client.callTool({ name: "get_ticket_context", arguments: { ticketId: "T-002" } });
    expect(JSON.stringify(context)).toContain("The cookie is gone");
    const moved = await client.callTool({
      name: "update_ticket_status",
      arguments: { ticketId: "T-002", status: "CREATED" },
    });
    expect(moved.isError ?? false, JSON.stringify(moved)).toBe(false);

    const { accessToken } = JSON.parse(readFileSync(join(env.HOME, ".forge", "config.json"), "utf8"));
    const answer = await fetch(`${origin}/api/tickets/T-002`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await answer.json()).toMatchObject({ status: "CREATED", title: "Add logout" });

    const made = run("token", "create", "ci", "--scope", "tickets:read", "--days", "1");
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^fgp_\S+\n$/) });
    const given = { FORGE_API_URL: `${origin}/api`, FORGE_TOKEN: made.stdout.trim() };
    const asToken = (...args: string[]) =>
      spawnSync(process.execPath, [forge, ...args], { cwd, env: { ...env, ...given }, encoding: "utf8" });
    expect(JSON.parse(asToken("whoami", "--json").stdout)).toMatchObject({
      by: "FORGE_TOKEN",
      there: { scopes: ["tickets:read"] },
    });
    expect(asToken("create", "Not allowed").stderr).toContain("tickets:write");
    const tokens: { id: string; name: string }[] = JSON.parse(run("token", "list", "--json").stdout);
    expect(run("token", "revoke", tokens.find(({ name }) => name === "ci")?.id ?? "").status).toBe(0);
    expect(asToken("whoami").stderr).toContain("FORGE_TOKEN is not accepted");

    const link = run("invite", "--role", "viewer").stdout.trim();
    await browser.go(link);
    expect(await browser.text()).toContain("Join Engines");

    expect(run("logout").stdout).toBe("Signed out.\n");
    expect(asToken("login").stderr).toContain("FORGE_TOKEN is set");
    const ended = await fetch(`${origin}/api/me`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(ended.status).toBe(401);
    expect(run("list").stdout).toContain("T-001");
  },
  180_000,
);

test("a sign-in that cannot be used says how to make another, and does not keep anybody from it", () => {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const home = join(sandbox.root, "home");
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [forge, ...args], {
      cwd: sandbox.root,
      env: { ...sandbox.environment, HOME: home },
      encoding: "utf8",
    });
  mkdirSync(join(home, ".forge"), { recursive: true, mode: 0o700 });
  const file = join(home, ".forge", "config.json");
  writeFileSync(file, '{"accessToken": "secret-in-a-broken-file', { mode: 0o600 });
  const broken = run("whoami");
  expect(broken.status).toBe(1);
  expect(broken.stderr).toContain("forge login");
  expect(broken.stderr).not.toContain("secret-in-a-broken-file");
  const unreachable = run("login", "--url", "http://127.0.0.1:1");
  expect(unreachable.status).toBe(2);
  expect(unreachable.stderr).toContain("Cannot reach the Forge server at http://127.0.0.1:1");
  expect(run("logout").stdout).toBe("Signed out.\n");
  expect(existsSync(file)).toBe(false);
  expect(run("logout").stdout).toBe("You were not signed in.\n");
  expect(run("login").stderr).toContain("--url");

  const user = { email: "ada@example.com", displayName: "Ada" };
  const tokens = { accessToken: "fga_x", refreshToken: "fgr_x", expiresAt: "2026-01-01T00:00:00Z" };
  const kept = { ...tokens, userId: "u", teamId: "t", user, apiUrl: "http://127.0.0.1:1/api" };
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
  const away = run("logout");
  expect(away).toMatchObject({ status: 0, stdout: "Signed out.\n" });
  expect(away.stderr).toContain("could not be told");
  expect(existsSync(file)).toBe(false);
});
