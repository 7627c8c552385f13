import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startForge } from "../harness/cli/program.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";
import { eras, makeClient } from "../harness/mcp/client.ts";
import { describeTotality } from "../harness/mcp/totality.ts";
import { stateless } from "../harness/mcp/wire.ts";

const clean = { code: 0, signal: null };
let sandbox: Sandbox;
let repository: string;
/** One user's project: every program is started in the same home. */
let place: { cwd: string; env: Record<string, string> };

beforeAll(() => {
  sandbox = makeSandbox();
  repository = sandbox.repository("project", { "README.md": "# Hello\n" });
  place = { cwd: repository, env: { HOME: sandbox.environment["HOME"] ?? "" } };
});
afterAll(() => sandbox.dispose());

const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_repository_context", arguments: {} } };

describe("one line piped into forge mcp", () => {
  test("a list is answered without a handshake", async () => {
    const program = startForge(["mcp"], place);
    program.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    expect(await program.finish()).toEqual(clean);
    expect(program.messages).toMatchObject([{ id: 1, result: { tools: expect.any(Array) } }]);
    expect(program.stderr).toBe("");
  });

  test.each(["\n", ""])("a call is answered before the program ends (last line ends with %j)", async (end) => {
    const program = startForge(["mcp"], place);
    program.write(JSON.stringify(call) + end);
    expect(await program.finish()).toEqual(clean);
    expect(program.messages).toMatchObject([{ id: 1, result: { structuredContent: { branch: "main" } } }]);
  });

  test("nothing at all is a clean end", async () => {
    const program = startForge(["mcp"], place);
    expect(await program.finish()).toEqual(clean);
    expect([program.bytes, program.stderr]).toEqual([0, ""]);
  });
});

test("settings that name no server are told to whoever calls, and the program stays", async () => {
  const program = startForge(["mcp"], { ...place, env: { ...place.env, FORGE_TOKEN: "fgp_x" } });
  await program.initialize();
  for (const name of ["get_repository_context", "forge_get_tasks"]) {
    const { result } = await program.call(name);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/CONFIG_ERROR.*FORGE_TOKEN is set.*Set FORGE_API_URL/s) }],
    });
  }
  expect((await program.request("tools/list")).result).toMatchObject({ tools: expect.any(Array) });
  expect(await program.finish()).toEqual(clean);
});

test("A16 the lists are the same bytes in every process, locale, time zone and folder", async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), "forge-elsewhere-"));
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
  const places = [
    { cwd: repository },
    { cwd: repository, env: { LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" } },
    { cwd: repository, env: { TZ: "Pacific/Kiritimati" } },
    { cwd: elsewhere, env: { LANG: "C", FORGE_CODE_CACHE: "off" } },
    { cwd: tmpdir() },
  ];
  const methods = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
  const seen = new Set<string>();
  for (const place of places) {
    const program = startForge(["mcp", "--toolsets", "all"], place);
    const stateful = [...methods, ...methods].map((method) => program.request(method));
    seen.add(JSON.stringify((await Promise.all(stateful)).map(({ result }) => result)));
  }
  expect(seen.size).toBe(1);
});

describe("B10 what cannot start says why in a few words and leaves stdout empty", () => {
  test.each([
    ["an unknown toolset", ["mcp", "--toolsets", "nonsense"], /nonsense/],
    ["an unknown profile", ["mcp", "--profile", "nonsense"], /nonsense/],
    ["a project that is not there", ["mcp", "--project", "/nowhere/at/all"], /\/nowhere\/at\/all/],
    ["an unknown option", ["mcp", "--nonsense"], /--nonsense/],
    ["an address that is none", ["mcp", "--http", "a::b"], /a::b/],
    ["an address beyond this machine", ["mcp", "--http", "0.0.0.0:0"], /only serves on this machine/],
  ])("%s", async (_what, args, reason) => {
    const program = startForge(args, place);
    expect(await program.exited).toEqual({ code: 1, signal: null });
    expect(program.stderr.split("\n")[0]).toMatch(reason);
    expect(program.stderr.trim().split("\n").length).toBeLessThan(4);
    expect(program.stderr).not.toMatch(/\n\s+at /);
    expect(program.bytes).toBe(0);
  });

  test("a port that is in use", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const program = startForge(["mcp", "--no-token", "--http", `127.0.0.1:${port}`], place);
    const { code } = await program.exited;
    expect(code).toBeGreaterThan(0);
    expect(program.stderr.split("\n")[0]).toContain(String(port));
    expect(program.bytes).toBe(0);
  });
});

describe("the real program on stdio", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("B04 ends on %s with a call in flight", async (signal) => {
    const program = startForge(["mcp"], place);
    await program.initialize();
    program.send(call);
    program.child.kill(signal);
    expect(await program.exited).toEqual(clean);
    expect(program.stderr).toBe("");
  });

  test("its start and stop are logged at INFO, on stderr only", async () => {
    const program = startForge(["mcp"], { cwd: repository, env: { FORGE_LOG: "info" } });
    await program.initialize();
    expect(program.stderr).toMatch(/^\[forge\] info: MCP server started transport=stdio version=\S+\n$/);
    expect(await program.finish()).toEqual(clean);
    expect(program.stderr).toMatch(/\n\[forge\] info: MCP server stopped transport=stdio\n$/);
    expect(program.faults).toEqual([]);
  });

  test("B05 keeps stdout pure with every debug switch on", async () => {
    const env = { NODE_DEBUG: "*", DEBUG: "*", NODE_OPTIONS: "--trace-warnings --pending-deprecation" };
    const program = startForge(["mcp"], { ...place, env: { ...place.env, ...env } });
    await program.initialize();
    await program.request("tools/call", call.params);
    expect(await program.finish()).toEqual(clean);
    expect(program.faults).toEqual([]);
  });

  test("answers the stateless revision too, in one connection after a discovery", async () => {
    const program = startForge(["mcp"], place);
    expect((await program.request("server/discover", stateless())).result?.["supportedVersions"]).toEqual([
      "2026-07-28",
    ]);
    const { result } = await program.request("tools/call", stateless(call.params));
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { branch: "main" } });
  });
});

describe("the real program over HTTP", () => {
  test.each(eras)("serves a client (%s) and ends on SIGTERM", async (era) => {
    const program = startForge(["mcp", "--no-token", "--http", "127.0.0.1:0"], place);
    const [url = ""] = await program.until("the address", () => /http:\S+/.exec(program.stderr) ?? undefined);
    const client = makeClient(era);
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await client.listTools();
    const { structuredContent } = await client.callTool(call.params);
    expect(structuredContent).toMatchObject({ branch: "main" });
    await client.close();
    program.child.kill("SIGTERM");
    expect(await program.exited).toEqual(clean);
    expect(program.bytes).toBe(0);
  });
});

describeTotality("every tool of the program", () => startForge(["mcp", "--toolsets", "all"], place));
