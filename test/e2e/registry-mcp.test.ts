import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startScript } from "../harness/cli/program.ts";
import { serve } from "../harness/http/fetching.ts";
import { agent, tool } from "../harness/rooms/registry.ts";

/** The built `fractary-forge-mcp`, as an MCP client meets it: every tool, and every error code of theirs. */

const program = join(import.meta.dirname, "..", "..", "bin", "fractary-forge-mcp.cjs");
const sha256 = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;

type Answer = Record<string, unknown>;

async function open(files: Record<string, string>, env: Record<string, string> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "forge-registry-mcp-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "project");
  for (const [path, text] of Object.entries({ ".fractary/keep": "", ...files })) {
    const file = path.startsWith("~/") ? join(folder, "home", path.slice(2)) : join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const running = startScript(program, [], { cwd: root, env: { HOME: join(folder, "home"), ...env } });
  await running.initialize();
  const call = async (name: string, args: Answer = {}): Promise<Answer> => {
    const { result } = (await running.call(`fractary_forge_${name}`, args as never)) as unknown as {
      result: { structuredContent?: Answer; content: { text: string }[]; isError?: boolean };
    };
    const text = JSON.parse(result.content[0]?.text ?? "null") as Answer;
    if (result.isError) expect(text).toMatchObject({ error: true, suggestions: expect.any(Array) });
    else expect(result.structuredContent).toEqual(text);
    return text;
  };
  const ask = async (method: string, params: Answer) =>
    ((await running.request(method, params as never)) as unknown as { result: Answer }).result;
  return { call, ask, root, running };
}

const manifest = JSON.stringify({
  name: "@acme/review",
  version: "1.2.0",
  description: "Reviews",
  dependencies: { "@acme/base": "^1.0.0" },
  commands: ["go"],
});
const forked = agent("mine", { fork_of: { name: "reviewer", version: "1.0.0", forked_at: "2026-01-01T00:00:00Z" } });
const files = {
  ".fractary/config.json": JSON.stringify({ registries: [] }),
  ".fractary/agents/reviewer.yaml": agent("reviewer", { tools: ["run-tests"] }),
  ".fractary/agents/mine.yaml": forked,
  ".fractary/tools/run-tests.yaml": tool("run-tests"),
  ".fractary/agents/loop.yaml": agent("loop", { extends: "pool" }),
  ".fractary/agents/pool.yaml": agent("pool", { extends: "loop" }),
  ".fractary/plugins/@acme/review/plugin.json": manifest,
  ".fractary/plugins/@acme/review/agents/critic.yaml": agent("critic"),
  "~/.fractary/registry/agents/reviewer@1.0.0/agent.yaml": agent("reviewer", { tools: ["run-tests"] }),
  "~/.fractary/registry/agents/reviewer@2.0.0/agent.yaml": agent("reviewer", { version: "2.0.0" }),
};

test("all 18 tools answer, and their errors have the specified shape and codes", async () => {
  const { call, root } = await open(files);
  expect(await call("agent_list")).toMatchObject({ total: 6, limit: 100, offset: 0 });
  expect(await call("agent_info", { name: "reviewer" })).toMatchObject({ source: "local", tools: ["run-tests"] });
  expect(await call("agent_validate", { name: "reviewer" })).toMatchObject({ valid: true, errors: [] });
  expect(await call("tool_list", { source: "local" })).toMatchObject({ total: 1 });
  expect(await call("tool_info", { name: "run-tests" })).toMatchObject({ inputSchema: { type: "object" } });
  expect(await call("tool_validate", { path: ".fractary/tools/run-tests.yaml" })).toMatchObject({ valid: true });
  expect(await call("plugin_list")).toMatchObject({ total: 1, plugins: [{ name: "@acme/review", scope: "local" }] });
  expect(await call("plugin_info", { plugin: "@acme/review" })).toMatchObject({
    components: { agents: ["critic"], commands: ["go"] },
    dependencies: { "@acme/base": "^1.0.0" },
  });
  expect(await call("config_get", { key: "cache.ttl" })).toMatchObject({ exists: true });
  expect(await call("config_show")).toMatchObject({ sources: [join(root, ".fractary/config.json")] });
  expect(await call("config_registry_list")).toEqual({ registries: [] });
  expect(await call("cache_stats")).toMatchObject({ downloads: { count: 0 } });
  expect(await call("cache_clear")).toMatchObject({ success: true });
  expect(await call("fork_list")).toMatchObject({ total: 1, forks: [{ name: "mine", hasUpstreamUpdate: true }] });
  expect(await call("fork_info", { name: "mine" })).toMatchObject({ upstream: { currentVersion: "2.0.0" } });
  expect(await call("fork_diff", { name: "mine" })).toMatchObject({ upstreamVersion: "1.0.0" });
  expect(await call("fork_check")).toMatchObject({ hasUpdates: true, updates: [{ breakingChanges: true }] });

  expect(await call("agent_info", { name: "reviwer" })).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(await call("tool_info", { name: "none" })).toMatchObject({ code: "TOOL_NOT_FOUND" });
  expect(await call("plugin_info", { plugin: "none" })).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
  expect(await call("agent_info", { name: "loop" })).toMatchObject({ code: "DEPENDENCY_ERROR" });
  expect(await call("tool_validate", { path: "/etc/passwd" })).toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await call("fork_diff", { name: "none" })).toMatchObject({ code: "NOT_FOUND" });
  for (const name of ["agent_list", "tool_list", "plugin_list", "cache_clear", "fork_check", "config_show"])
    expect(await call(name, { surprise: 1 })).toMatchObject({ code: "VALIDATION_ERROR" });
  for (const name of ["agent_validate", "tool_validate", "plugin_search", "config_get", "fork_info"])
    expect(await call(name, {})).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a broken configuration is CONFIG_ERROR for the calls that need it, and the server starts", async () => {
  const { call } = await open({ ".fractary/config.json": "{" });
  for (const name of ["agent_list", "config_show", "config_registry_list", "cache_stats", "fork_list", "plugin_list"])
    expect(await call(name)).toMatchObject({ code: "CONFIG_ERROR" });
});

test("trouble with registries has its code: no network, no token, a wrong token, wrong bytes", async () => {
  const plugin = JSON.stringify({ name: "@acme/review", version: "1.0.0" });
  const listed = { name: "@acme/review", version: "1.0.0", manifest_url: "plugin.json", checksum: sha256("other") };
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === "/closed/registry.json") return response.writeHead(401).end("{}");
    response.setHeader("content-type", "application/json");
    return response.end(request.url?.endsWith("plugin.json") ? plugin : JSON.stringify({ plugins: [listed] }));
  };
  const { url } = await serve(answer);
  const config = (path: string, token_env?: string) =>
    JSON.stringify({
      registries: [
        {
          name: "one",
          type: "manifest",
          url: `${url}${path}`,
          ...(token_env && { auth: { type: "bearer", token_env } }),
        },
      ],
    });
  const asked = { plugin: "@acme/review", remote: true };
  const good = await open({ "~/.fractary/config.json": config("/open/registry.json") });
  expect(await good.call("plugin_search", { query: "review" })).toMatchObject({ total: 1 });
  expect(await good.call("plugin_info", asked)).toMatchObject({ code: "INTEGRITY_ERROR" });
  const closed = await open({ "~/.fractary/config.json": config("/closed/registry.json") });
  expect(await closed.call("plugin_info", asked)).toMatchObject({ code: "AUTH_REQUIRED" });
  const wrong = await open({ "~/.fractary/config.json": config("/closed/registry.json", "ACME") }, { ACME: "wrong" });
  expect(await wrong.call("plugin_search", { query: "review" })).toMatchObject({ code: "AUTH_FAILED" });
  const away = await open({
    "~/.fractary/config.json": JSON.stringify({
      registries: [{ name: "one", url: "http://127.0.0.1:1/registry.json" }],
    }),
  });
  expect(await away.call("plugin_search", { query: "review" })).toMatchObject({ code: "NETWORK_ERROR" });
});

test("definitions and manifests are resources, and names are completed", async () => {
  const { ask } = await open(files);
  const listed = (await ask("resources/list", {})) as { resources: { uri: string }[] };
  expect(listed.resources.map(({ uri }) => uri)).toContain("fractary://definitions");
  const read = async (uri: string) =>
    ((await ask("resources/read", { uri })) as { contents: { text: string }[] }).contents[0]?.text ?? "";
  expect(JSON.parse(await read("fractary://definitions"))).toMatchObject({ total: 7 });
  expect(await read("fractary://agents/reviewer")).toContain("You are reviewer.");
  expect(await read("fractary://tools/run-tests")).toContain("npm test");
  expect(JSON.parse(await read("fractary://plugins/%40acme%2Freview"))).toMatchObject({ version: "1.2.0" });
  const complete = async (kind: string, value: string) =>
    await ask("completion/complete", {
      ref: { type: "ref/resource", uri: `fractary://${kind}s/{name}` },
      argument: { name: "name", value },
    });
  expect(await complete("agent", "re")).toMatchObject({ completion: { values: ["reviewer"] } });
  expect(await complete("tool", "run")).toMatchObject({ completion: { values: ["run-tests"] } });
  expect(await complete("plugin", "@acme")).toMatchObject({ completion: { values: ["@acme/review"] } });
});
