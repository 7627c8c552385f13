import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished } from "vitest";
import { ForgeProcess, forge } from "../harness/cli/forge-process.ts";
import { eventually } from "../harness/cli/processes.ts";
import { testWith } from "../harness/faults/faults.ts";
import { WrongClock } from "../harness/faults/wrong-clock.ts";
import { makeSandbox } from "../harness/git/git.ts";
import { Visitor } from "../harness/http/page-visitor.ts";
import { makeClient } from "../harness/mcp/client.ts";

type Clocks = { laptop: number; server: number };

const minute = 60;
const ada = { email: "ada@example.com", password: "correct horse" };

/** A team's server and a laptop that is signed in to it, each with a clock of its own. */
async function signIn({ laptop, server }: Clocks) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const [laptopClock, serverClock] = [new WrongClock(laptop), new WrongClock(server)];
  const home = join(sandbox.root, "home");
  const cwd = sandbox.repository("shop", { "README.md": "# Shop\n" });
  const place = (clock: WrongClock) => ({ cwd, env: { ...sandbox.environment, HOME: home, ...clock.environment } });
  for (const [clock, seconds] of [
    [laptopClock, laptop],
    [serverClock, server],
  ] as const) {
    const shown = execFileSync(process.execPath, ["-p", "Date.now()"], place(clock));
    expect(Math.abs(Number(shown) / 1000 - (Date.now() / 1000 + seconds))).toBeLessThan(minute);
  }
  const serving = new ForgeProcess(
    ["serve", "--port", "0", "--data", join(sandbox.root, "server")],
    place(serverClock),
  );
  const setup = new URL(await serving.says(/(http:\/\/127\.0\.0\.1:\d+\/setup\?code=\S+)/));
  const { origin } = setup;
  const visitor = new Visitor({ request: (path, init) => fetch(`${origin}${path}`, { ...init, redirect: "manual" }) });
  await visitor.open(`${setup.pathname}${setup.search}`);
  await visitor.send("/setup", { ...ada, name: "Ada", team: "Engines" });
  expect(visitor.title).toBe("You are signed in");

  const login = new ForgeProcess(["login", "--link", "--url", origin], place(laptopClock));
  const page = new URL(await login.says(/(http:\/\/127\.0\.0\.1:\d+\/device\?code=\S+)/));
  await visitor.open(`${page.pathname}${page.search}`);
  await visitor.send("/device", { decision: "approve" });
  expect(visitor.title).toBe("Device connected");
  expect(await login.exited, login.output).toEqual([0, null]);

  /** One of the laptop's commands. */
  async function run(...args: string[]) {
    const child = spawn(process.execPath, [forge, ...args], {
      ...place(laptopClock),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => (output[name] += text));
    const [status] = await once(child, "close");
    return { status, ...output };
  }

  const tokens = (): { accessToken: string; refreshToken: string; expiresAt: string } =>
    JSON.parse(readFileSync(join(home, ".forge", "config.json"), "utf8"));

  /** A request with the laptop's token, or another. */
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}/api${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${tokens().accessToken}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });

  return { origin, run, tokens, send, serverClock, laptop: place(laptopClock) };
}

const clocks: [what: string, Clocks][] = [
  ["the laptop's clock is ten minutes fast", { laptop: 10 * minute, server: 0 }],
  ["the laptop's clock is ten minutes slow", { laptop: -10 * minute, server: 0 }],
  ["the server's clock is ten minutes fast", { laptop: 0, server: 10 * minute }],
  ["the server's clock is ten minutes slow", { laptop: 0, server: -10 * minute }],
];

for (const [what, off] of clocks) {
  testWith(["faketime"], `K35 a login is made, used, renewed and ended while ${what}`, async () => {
    const { run, tokens, send, serverClock } = await signIn(off);
    const first = tokens();
    const lifetime = Date.parse(first.expiresAt) - (Date.now() + off.server * 1000);
    expect(lifetime / 1000 / minute).toBeGreaterThan(10);
    expect(lifetime / 1000 / minute).toBeLessThanOrEqual(15);
    expect(await run("create", "Add logout")).toEqual({ status: 0, stdout: "T-001\n", stderr: "" });
    expect(tokens()).toEqual(first);

    serverClock.set(off.server + 16 * minute);
    expect((await send("/tickets", { title: "Too late" })).status).toBe(401);
    expect(await run("create", "Renewed for this")).toEqual({ status: 0, stdout: "T-002\n", stderr: "" });
    const second = tokens();
    expect(second.accessToken).not.toBe(first.accessToken);

    const copied = await send("/auth/refresh", { refreshToken: first.refreshToken });
    expect(copied.status).toBe(401);
    expect((await run("create", "After a theft")).stderr).toContain("Your session has expired.");
  });
}

testWith(
  ["faketime"],
  "K35 a change is made once and a claim is one's own though the server's clock is put right",
  async () => {
    const fast = 10 * minute;
    const { run, send, serverClock, laptop } = await signIn({ laptop: -fast, server: fast });
    const change = { title: "Add logout", status: "READY", acceptanceCriteria: ["The cookie is gone"] };
    const keyed = () => send("/tickets", change, { "idempotency-key": "once-and-for-all" });
    const made = await keyed();
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };

    const client = makeClient("legacy");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [forge, "execute", id],
      ...laptop,
      stderr: "pipe",
    });
    await client.connect(transport);
    onTestFinished(() => client.close());
    await client.callTool({ name: "get_ticket_context", arguments: { ticketId: id } });
    const claim = async () =>
      (await send(`/tickets/${id}/claim`, {}, { "x-forge-agent": "another", "x-forge-instance": "2" })).status;
    for (const seconds of [fast, 0, fast, -fast]) {
      serverClock.set(seconds);
      const again = await keyed();
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
      expect(await again.json()).toMatchObject({ id });
      expect(await claim()).toBe(409);
    }
    const moved = await client.callTool({
      name: "update_ticket_status",
      arguments: { ticketId: id, status: "CREATED" },
    });
    expect(moved.isError ?? false, JSON.stringify(moved)).toBe(false);
    await client.close();
    await eventually("the claim to end with its process", async () => (await claim()) === 200);
    expect(JSON.parse((await run("list", "--json")).stdout).tickets).toHaveLength(1);
  },
);
