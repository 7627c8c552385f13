import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { serve, TestFetcher } from "../../../../../test/harness/http/fetching.ts";
import { agent, RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { fractaryForgeAgentInfo } from "../../tools/agent/fractary-forge-agent-info.ts";
import { fractaryForgeAgentList } from "../../tools/agent/fractary-forge-agent-list.ts";
import { registryAddSource } from "../../tools/change/registry-add-source.ts";
import { fractaryForgePluginInfo } from "../../tools/plugin/fractary-forge-plugin-info.ts";
import { fractaryForgePluginSearch } from "../../tools/plugin/fractary-forge-plugin-search.ts";

type Seen = { path: string; authorization: string | undefined; etag: string | undefined };
type Page = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> };

/** A registry that knows these paths and no other, and keeps what it was asked. */
async function standIn(pages: Record<string, Page>) {
  const seen: Seen[] = [];
  const state = { down: false };
  const answer: Parameters<typeof serve>[0] = (request, response) => {
    const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
    seen.push({ path, authorization: request.headers.authorization, etag: request.headers["if-none-match"] });
    if (state.down) return void request.socket.destroy();
    const page = pages[path];
    if (!page) return void response.writeHead(404).end("{}");
    const text = page.text ?? JSON.stringify(page.body ?? {});
    const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 8)}"`;
    if (request.headers["if-none-match"] === etag) return void response.writeHead(304).end();
    response.writeHead(page.status ?? 200, { "content-type": "application/json", etag, ...page.headers }).end(text);
  };
  const { url } = await serve(answer);
  return { url, seen, state };
}

type Configured = {
  name: string;
  url: string;
  priority?: number;
  scopes?: string[];
  cache_ttl?: number;
  type?: string;
  auth?: object;
};

function open(
  registries: Configured[],
  options: { env?: Record<string, string>; where?: string; files?: Record<string, string> } = {},
): RegistryProject {
  const { env = {}, where = "~/.fractary/config.json", files = {} } = options;
  return new RegistryProject(
    { [where]: JSON.stringify({ registries }), ...files },
    { env, fetcher: new TestFetcher() },
  );
}

const metadata = (name: string, versions: string[]) => ({ name, type: "agent", description: `The ${name}`, versions });
const definition = (name: string, version: string) => ({ body: { definition: JSON.parse(agent(name, { version })) } });

test("a stockyard: versions, ranges, lists, search; what was withdrawn is not chosen", async () => {
  const { url } = await standIn({
    "/api/v1/agents/far/metadata": {
      body: { ...metadata("far", []), versions: ["1.0.0", { version: "1.2.0" }, { version: "2.0.0", yanked: true }] },
    },
    "/api/v1/agents/far/versions/1.2.0": definition("far", "1.2.0"),
    "/api/v1/agents/far/versions/1.0.0": { body: { content: `---\n${agent("far")}\n---\nHi\n`, format: "md" } },
    "/api/v1/search": {
      body: {
        results: [
          { name: "far", type: "agent", version: "1.2.0" },
          { name: "kit", type: "plugin", version: "3.0.0", downloads: 7 },
        ],
        total: 2,
        page: 1,
        pageSize: 100,
      },
    },
    "/api/v1/plugins/kit/metadata": { body: { name: "kit", latest: "3.0.0", versions: ["3.0.0", "2.0.0"] } },
    "/api/v1/plugins/kit/versions/3.0.0": { body: { name: "kit", version: "3.0.0", agents: ["a"], license: "MIT" } },
  });
  const project = open([{ name: "yard", url }]);
  expect(await project.call(fractaryForgeAgentInfo, { name: "far" })).toMatchObject({
    version: "1.2.0",
    source: "stockyard",
  });
  expect(await project.call(fractaryForgeAgentInfo, { name: "far", version: "~1.0" })).toMatchObject({
    version: "1.0.0",
    prompt: "Hi",
  });
  expect(await project.call(fractaryForgeAgentList, { source: "stockyard" })).toMatchObject({
    agents: [{ name: "far", version: "1.2.0", source: "stockyard" }],
  });
  expect(await project.call(fractaryForgePluginSearch, { query: "kit" })).toMatchObject({
    results: [{ name: "kit", downloads: 7, registry: "yard" }],
    total: 1,
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "kit", remote: true })).toMatchObject({
    license: "MIT",
    components: { agents: ["a"] },
    availableVersions: ["3.0.0", "2.0.0"],
  });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "gone", remote: true })).toMatchObject({
    code: "PLUGIN_NOT_FOUND",
    details: { searchedRegistries: ["yard"] },
  });
  expect(project.untrustedReads).toBeGreaterThan(3);
});

test("I01 a registry.json: manifests and definitions are checked against their checksums", async () => {
  const sum = (text: string) => `sha256:${createHash("sha256").update(text).digest("hex")}`;
  const good = agent("good");
  const manifest = JSON.stringify({
    name: "@acme/kit",
    version: "1.0.0",
    agents: [
      { name: "good", version: "1.0.0", source: "good.yaml", checksum: sum(good) },
      { name: "changed", version: "1.0.0", source: "changed.yaml", checksum: sum("other") },
    ],
  });
  const pages: Record<string, Page> = {
    "/good.yaml": { text: good },
    "/changed.yaml": { text: agent("changed") },
    "/kit.json": { text: manifest },
  };
  pages["/registry.json"] = {
    body: {
      name: "core",
      plugins: [
        {
          name: "@acme/kit",
          version: "1.0.0",
          description: "Kit",
          manifest_url: "kit.json",
          checksum: sum(manifest),
          tags: ["t"],
        },
      ],
    },
  };
  const { url } = await standIn(pages);
  const project = open([{ name: "core", url: `${url}/registry.json` }]);
  expect(await project.call(fractaryForgeAgentInfo, { name: "good" })).toMatchObject({
    name: "good",
    source: "stockyard",
  });
  expect(await project.call(fractaryForgeAgentInfo, { name: "changed" })).toMatchObject({ code: "INTEGRITY_ERROR" });
  expect(await project.call(fractaryForgePluginInfo, { plugin: "@acme/kit", remote: true })).toMatchObject({
    components: { agents: ["changed", "good"] },
  });
});

test("I12 a claimed scope is asked of its registry alone, and a name comes from the first that has it", async () => {
  const inside = await standIn({
    "/api/v1/agents/@acme/secret/metadata": { body: metadata("@acme/secret", ["1.0.0"]) },
    "/api/v1/agents/@acme/secret/versions/1.0.0": definition("@acme/secret", "1.0.0"),
    "/api/v1/agents/both/metadata": { body: metadata("both", ["1.0.0"]) },
    "/api/v1/agents/both/versions/1.0.0": definition("both", "1.0.0"),
  });
  const outside = await standIn({
    "/api/v1/agents/@acme/secret/metadata": { body: metadata("@acme/secret", ["9.9.9"]) },
    "/api/v1/agents/@acme/other/metadata": { body: metadata("@acme/other", ["9.9.9"]) },
    "/api/v1/agents/both/metadata": { body: metadata("both", ["9.9.9"]) },
  });
  const scoped = open([
    { name: "outside", url: outside.url, priority: 1 },
    { name: "inside", url: inside.url, priority: 2, scopes: ["@acme"] },
  ]);
  expect(await scoped.call(fractaryForgeAgentInfo, { name: "@acme/secret" })).toMatchObject({ version: "1.0.0" });
  expect(await scoped.call(fractaryForgeAgentInfo, { name: "@acme/other" })).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(outside.seen).toEqual([]);
  const ordered = open([
    { name: "outside", url: outside.url, priority: 5 },
    { name: "inside", url: inside.url, priority: 2 },
  ]);
  expect(await ordered.call(fractaryForgeAgentInfo, { name: "both" })).toMatchObject({ version: "1.0.0" });
  expect(await ordered.call(fractaryForgeAgentInfo, { name: "both", version: "^9" })).toMatchObject({
    code: "AGENT_NOT_FOUND",
  });
  inside.state.down = true;
  const cut = open([
    { name: "outside", url: outside.url, priority: 5 },
    { name: "inside", url: inside.url, priority: 2 },
  ]);
  expect(await cut.call(fractaryForgeAgentInfo, { name: "both" })).toMatchObject({
    code: "AGENT_NOT_FOUND",
    details: { warnings: [expect.stringContaining("inside")] },
  });
});

test("I20 asks with the ETag, and answers from the cache with stale where the registry is away", async () => {
  const { url, seen, state } = await standIn({
    "/api/v1/search": { body: { results: [{ name: "kit", type: "plugin", version: "1.0.0" }], total: 1 } },
  });
  const project = open([{ name: "yard", url, cache_ttl: 0 }]);
  const search = () => project.call(fractaryForgePluginSearch, { query: "kit" });
  expect(await search()).not.toHaveProperty("stale");
  expect(await search()).toMatchObject({ total: 1 });
  expect(seen.at(-1)?.etag).toMatch(/^"/);
  state.down = true;
  expect(await search()).toMatchObject({ total: 1, stale: true });
  expect(await project.call(fractaryForgePluginSearch, { query: "other" })).toMatchObject({ code: "NETWORK_ERROR" });
  const fresh = open([{ name: "yard", url, cache_ttl: 600 }]);
  state.down = false;
  await fresh.call(fractaryForgePluginSearch, { query: "kit" });
  const asked = seen.length;
  await fresh.call(fractaryForgePluginSearch, { query: "kit" });
  expect(seen.length).toBe(asked);
});

test("one registry down is a warning, all down an error", async () => {
  const good = await standIn({
    "/api/v1/search": { body: { results: [{ name: "kit", type: "plugin", version: "1.0.0" }], total: 1 } },
  });
  const bad = await standIn({});
  bad.state.down = true;
  const partial = open([
    { name: "good", url: good.url },
    { name: "bad", url: bad.url },
  ]);
  expect(await partial.call(fractaryForgePluginSearch, { query: "kit" })).toMatchObject({
    total: 1,
    warnings: [expect.stringContaining("bad")],
  });
  const none = open([{ name: "bad", url: bad.url }]);
  expect(await none.call(fractaryForgePluginSearch, { query: "kit" })).toMatchObject({ code: "NETWORK_ERROR" });
  expect(await none.call(fractaryForgeAgentList, { source: "stockyard" })).toMatchObject({ code: "NETWORK_ERROR" });
});

test("I17 pages, wrong types, redirects to private addresses and missing tokens are one typed error each", async () => {
  const pages: [Page, string][] = [
    [{ text: "<html>Sign in</html>" }, "NETWORK_ERROR"],
    [{ body: { results: "no list" } }, "NETWORK_ERROR"],
    [{ text: "[1,2" }, "NETWORK_ERROR"],
    [{ status: 500, body: {} }, "NETWORK_ERROR"],
    [{ status: 401, body: {} }, "AUTH_REQUIRED"],
    [{ status: 302, headers: { location: "http://169.254.169.254/latest" } }, "NETWORK_ERROR"],
    [{ status: 302, headers: { location: "file:///etc/passwd" } }, "NETWORK_ERROR"],
    [{ text: JSON.stringify({ results: "x".repeat(11 * 1_048_576) }) }, "NETWORK_ERROR"],
    [{ text: "\x1f\x8b\x08", headers: { "content-encoding": "gzip" } }, "NETWORK_ERROR"],
    [{ status: 429, body: {}, headers: { "retry-after": "3600" } }, "NETWORK_ERROR"],
  ];
  for (const [page, code] of pages) {
    const { url } = await standIn({ "/api/v1/search": page });
    expect(
      await open([{ name: "r", url }]).call(fractaryForgePluginSearch, { query: "x" }),
      JSON.stringify(page),
    ).toMatchObject({ code });
  }
});

test("G07 tokens go to the registry they are for; a project's own gets none, and no private address, before the user names it", async () => {
  const { url, seen } = await standIn({
    "/api/v1/search": { body: { results: [], total: 0 } },
    "/denied/api/v1/search": { status: 403, body: {} },
  });
  const env = { MINE: "my-token" };
  const mine = open([{ name: "r", url, auth: { token_env: "MINE" } }], { env });
  await mine.call(fractaryForgePluginSearch, { query: "x" });
  expect(seen.at(-1)?.authorization).toBe("Bearer my-token");
  const denied = open([{ name: "r", url: `${url}/denied`, auth: { token_env: "MINE" } }], { env });
  expect(await denied.call(fractaryForgePluginSearch, { query: "x" })).toMatchObject({ code: "AUTH_FAILED" });
  const before = seen.length;
  const theirs = open([{ name: "r", url, auth: { token_env: "MINE" } }], { env, where: ".fractary/config.json" });
  expect(await theirs.call(fractaryForgePluginSearch, { query: "x" })).toMatchObject({
    code: "NETWORK_ERROR",
    message: expect.stringContaining("Only the project's files name"),
  });
  expect(seen.length).toBe(before);
  const adopted = await theirs.call(registryAddSource, { name: "r", url, global: true, tokenEnv: "MINE" });
  expect(adopted).not.toHaveProperty("warnings");
  expect(await theirs.call(fractaryForgePluginSearch, { query: "x" })).toMatchObject({ total: 0 });
  expect(seen.at(-1)?.authorization).toBe("Bearer my-token");
});

test("what the original program had cached is read once, and answers while the registry is away", async () => {
  const { url, state } = await standIn({});
  state.down = true;
  const [one, two] = [`${url}/one/registry.json`, `${url}/two/registry.json`];
  const listed = (name: string) => ({ plugins: [{ name: `@acme/${name}`, version: "1.0.0" }] });
  const old = "~/.fractary/registry/cache";
  const project = open(
    [
      { name: "one", url: one, type: "manifest" },
      { name: "two", url: two, type: "manifest" },
    ],
    {
      files: {
        [`${old}/one.json`]: JSON.stringify({
          url: one,
          manifest: listed("first"),
          fetched_at: 1_760_000_000_000,
          ttl: 60,
        }),
        [`${old}/metadata.json`]: JSON.stringify({ entries: { two: { file: "two.json", cached_at: "2026-01-01" } } }),
        [`${old}/manifests/two.json`]: JSON.stringify(listed("second")),
      },
    },
  );
  const search = async () => (await project.call(fractaryForgePluginSearch, { query: "acme" })) as { total: number };
  expect(await search()).toMatchObject({ total: 2, stale: true });
  project.remove(old);
  expect(await search()).toMatchObject({ total: 2, stale: true });
});
