import { expect, test, vi } from "vitest";
import { ForgeError } from "../../src/kernel/errors.ts";
import { SigningKey } from "../../src/rooms/registry/client/packages/signature.ts";
import { fractaryForgeAgentInfo } from "../../src/rooms/registry/tools/agent/fractary-forge-agent-info.ts";
import { fractaryForgeAgentList } from "../../src/rooms/registry/tools/agent/fractary-forge-agent-list.ts";
import { fractaryForgeAgentValidate } from "../../src/rooms/registry/tools/agent/fractary-forge-agent-validate.ts";
import { fractaryForgeConfigGet } from "../../src/rooms/registry/tools/config/fractary-forge-config-get.ts";
import { fractaryForgeConfigShow } from "../../src/rooms/registry/tools/config/fractary-forge-config-show.ts";
import { fractaryForgeForkDiff } from "../../src/rooms/registry/tools/fork/fractary-forge-fork-diff.ts";
import { fractaryForgeForkInfo } from "../../src/rooms/registry/tools/fork/fractary-forge-fork-info.ts";
import { fractaryForgeForkList } from "../../src/rooms/registry/tools/fork/fractary-forge-fork-list.ts";
import { fractaryForgePluginInfo } from "../../src/rooms/registry/tools/plugin/fractary-forge-plugin-info.ts";
import { fractaryForgePluginList } from "../../src/rooms/registry/tools/plugin/fractary-forge-plugin-list.ts";
import { fractaryForgePluginSearch } from "../../src/rooms/registry/tools/plugin/fractary-forge-plugin-search.ts";
import { registryInstall } from "../../src/rooms/registry/tools/supply/registry-install.ts";
import { registryLogin } from "../../src/rooms/registry/tools/supply/registry-login.ts";
import { registryPublish } from "../../src/rooms/registry/tools/supply/registry-publish.ts";
import { registryUninstall } from "../../src/rooms/registry/tools/supply/registry-uninstall.ts";
import { registryUpdate } from "../../src/rooms/registry/tools/supply/registry-update.ts";
import { CliProject } from "../harness/cli/cli.ts";
import { serve, TestFetcher } from "../harness/http/fetching.ts";
import { agent, RegistryProject } from "../harness/rooms/registry.ts";
import { checksumOf, serveRegistry } from "../harness/rooms/registry-packages.ts";

/** Registries, checkouts and packages that try to get somewhere else than into their own folder. */

const plugin = "@acme/review";
const folderOf = (name: string) => `.fractary/plugins/${name}`;

async function open(files: Record<string, string> = {}) {
  const registry = await serveRegistry();
  const registries = [{ name: "r", type: "stockyard", url: registry.url, priority: 1, cache_ttl: 0 }];
  const project = new RegistryProject(
    { "~/.fractary/config.json": JSON.stringify({ registries }), ...files },
    { fetcher: new TestFetcher() },
  );
  const install = (name: string, more: object = {}) => project.call(registryInstall, { plugin: name, ...more });
  return { project, registry, install };
}

const manifest = (name: string, version = "1.0.0") => JSON.stringify({ name, version });
const own = { [`${folderOf("mine")}/plugin.json`]: manifest("mine"), [`${folderOf("mine")}/agents/x.md`]: "Mine" };

test("a project's file has no variable sent anywhere, asks no private address and takes no sign-in", async () => {
  const asked: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    asked.push(request.headers.authorization);
    response.end("{}");
  });
  const env = { AWS_SECRET_ACCESS_KEY: "planted" };
  const registries = [{ name: "r", type: "stockyard", url, priority: 1, token_env: "AWS_SECRET_ACCESS_KEY" }];
  const project = new RegistryProject(
    { ".fractary/config.json": JSON.stringify({ registries }) },
    { env, fetcher: new TestFetcher() },
  );
  const search = () => project.call(fractaryForgePluginSearch, { query: "hello" });
  expect(await search()).toMatchObject({ code: "NETWORK_ERROR" });
  expect(await project.call(fractaryForgeAgentInfo, { name: "any" })).toHaveProperty("code");
  expect(await project.call(registryLogin, { registry: "r", token: "typed" })).toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining("Only the project's files name"),
  });
  // The user's own registry of this name, at another address, changes nothing.
  const own = [{ name: "r", type: "stockyard", url: "https://registry.example", priority: 1 }];
  project.write("~/.fractary/config.json", JSON.stringify({ registries: own }));
  project.write("~/.fractary/auth/credentials.json", JSON.stringify({ registries: { r: { token: "stored" } } }));
  expect(await search()).toMatchObject({ code: "NETWORK_ERROR" });
  expect(asked).toEqual([]);
});

test("nothing is published to an address that only a project's file gives to a registry's name and scope", async () => {
  const fetcher = new TestFetcher();
  const asked = vi.spyOn(fetcher, "request").mockRejectedValue(new ForgeError("NETWORK_ERROR", "Asked."));
  const at = (url: string, scopes = ["@acme"]) =>
    JSON.stringify({ registries: [{ name: "acme", type: "stockyard", url, priority: 1, scopes }] });
  const project = new RegistryProject(
    {
      "~/.fractary/config.json": at("https://registry.acme.example", []),
      ".fractary/config.json": at("https://other.example"),
      "plugin/plugin.json": manifest(plugin),
    },
    { fetcher },
  );
  expect(await project.call(registryPublish, { folder: "plugin" })).toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining("Only the project's files name"),
  });
  expect(asked).not.toHaveBeenCalled();
  // Where the user has said whose the scope is, it goes there.
  project.write("~/.fractary/config.json", at("https://registry.acme.example"));
  await project.again({ fetcher }).call(registryPublish, { folder: "plugin" });
  expect(asked.mock.calls.map(([, url]) => new URL(url).host)).toEqual(["registry.acme.example"]);
});

test("a stored token is not sent to another server that gets the name of its registry", async () => {
  const asked: string[] = [];
  const start = async (server: string) =>
    serve((request, response) => {
      asked.push(`${server}: ${request.headers.authorization}`);
      response.end(JSON.stringify({ name: "ada", email: "ada@example.com", results: [] }));
    });
  const [own, other] = [await start("own"), await start("other")];
  const configured = (url: string) =>
    JSON.stringify({ registries: [{ name: "r", type: "stockyard", url, priority: 1, cache_ttl: 0 }] });
  const project = new RegistryProject(
    { "~/.fractary/config.json": configured(own.url) },
    { fetcher: new TestFetcher() },
  );
  await project.call(registryLogin, { registry: "r", token: "secret" });
  await project.call(fractaryForgePluginSearch, { query: "one" });
  project.write("~/.fractary/config.json", configured(other.url));
  await project.again({ fetcher: new TestFetcher() }).call(fractaryForgePluginSearch, { query: "one" });
  expect(asked).toEqual(["own: Bearer secret", "own: Bearer secret", "other: undefined"]);
});

test("an assistant sends nothing to a registry that only the files of an untrusted project name", async () => {
  const fetcher = new TestFetcher();
  const asked = vi.spyOn(fetcher, "request").mockRejectedValue(new ForgeError("NETWORK_ERROR", "Asked."));
  const registries = ["stockyard", "manifest"].map((type) => ({
    name: type,
    type,
    url: `https://${type}.example/r.json`,
  }));
  const files = { ".fractary/config.json": JSON.stringify({ registries }) };
  let isTrusted = false;
  const project = new RegistryProject(files, { fetcher, isTrusted: async () => isTrusted });
  const ask = async () => [
    await project.call(fractaryForgePluginSearch, { query: "the user's secret" }),
    await project.call(fractaryForgeAgentInfo, { name: "the-users-secret" }),
    await project.call(fractaryForgePluginInfo, { plugin: "the-users-secret", remote: true }),
    await project.call(registryInstall, { plugin: "the-users-secret" }),
  ];
  for (const answer of await ask()) expect(JSON.stringify(answer)).toContain("was not asked: only the project's files");
  expect(asked).not.toHaveBeenCalled();
  isTrusted = true;
  await ask();
  expect(asked).toHaveBeenCalled();
  // The program gives the room the user's own record of trust.
  const clone = new CliProject(files);
  expect((await clone.run("call fractary_forge_plugin_search query=x")).err).toContain("was not asked");
});

test("folders of definitions behind a link out of the project are not read", async () => {
  const { project } = await open({ "~/private/agents/mine.yaml": agent("mine", { description: "private" }) });
  const paths = { forge: { registry: { local: { agents_path: "linked" } } } };
  project.write(".fractary/config.json", JSON.stringify(paths));
  project.link("linked", "~/private/agents");
  const listed = await project.call(fractaryForgeAgentList, { source: "local" });
  expect(JSON.stringify(listed)).not.toContain("mine");
  for (const folder of [".claude", ".agents"]) project.link(folder, "~/private");
  expect(JSON.stringify(await project.call(fractaryForgeAgentList, { source: "local" }))).not.toContain("mine");
});

test("a name that is no plain folder is refused wherever it comes from", async () => {
  const { project, registry, install } = await open();
  for (const name of ["../../evil", "@acme/../../evil", "a/b/c", ".git", "@acme/.forge-lock", "con", "x.", "@/x"]) {
    registry.publish(plugin, "1.0.0", { dependencies: { [name]: "*" } });
    expect(await install(plugin)).toMatchObject({ code: expect.stringMatching(/^(?:VALIDATION|INTEGRITY)_ERROR$/) });
  }
  registry.publish(plugin, "1.0.0", { dependencies: { "@acme/base": "not a range" } });
  expect(await install(plugin)).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(project.has(".fractary")).toBe(false);
});

test("a plugin that needs itself in ever older versions, or more than there can be, is given up", async () => {
  const { registry, install } = await open();
  const many = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`d${index}`, "*"]));
  registry.publish("many", "1.0.0");
  registry.say("many", "1.0.0", { dependencies: many });
  expect(await install("many")).toMatchObject({ code: "DEPENDENCY_ERROR" });
  const archive = registry.publish(plugin, "1.0.0");
  for (let minor = 1; minor < 2_000; minor++)
    registry.list(plugin, `1.${minor}.0`, archive, { dependencies: { [plugin]: `<1.${minor}.0` } });
  expect(await install(plugin)).toMatchObject({ code: "DEPENDENCY_ERROR" });
});

test("what only a version needed that was given up is not installed", async () => {
  const { registry, install } = await open();
  registry.publish("@acme/extra", "1.0.0");
  registry.publish("@acme/base", "1.0.0");
  registry.publish("@acme/base", "2.0.0", { dependencies: { "@acme/extra": "*" } });
  registry.publish("@acme/other", "1.0.0", { dependencies: { "@acme/base": "^1.0.0" } });
  registry.publish(plugin, "1.0.0", { dependencies: { "@acme/base": "*", "@acme/other": "*" } });
  const { steps } = (await install(plugin)) as { steps: { name: string; version: string }[] };
  expect(steps.map(({ name, version }) => `${name} ${version}`)).toEqual([
    "@acme/base 1.0.0",
    "@acme/other 1.0.0",
    "@acme/review 1.0.0",
  ]);
});

test("I12 a scope that the user gave to one registry comes from no other, whatever an untrusted project's file says", async () => {
  const [team, open] = [await serveRegistry(), await serveRegistry()];
  team.publish(plugin, "1.0.0");
  open.publish(plugin, "9.0.0");
  const acme = { name: "acme", type: "stockyard", url: team.url, priority: 1, scopes: ["@acme"] };
  const everyone = { name: "everyone", type: "stockyard", url: open.url, priority: 2 };
  const configured = (...registries: object[]) => JSON.stringify({ registries });
  const project = new RegistryProject({ "~/.fractary/config.json": configured(acme, everyone) });
  const claimed = { ...everyone, scopes: ["@acme"], priority: 0 };
  for (const theirs of [
    [everyone],
    [claimed],
    [claimed, { ...acme, scopes: [] }],
    [claimed, { ...acme, enabled: false }],
  ]) {
    project.write(".fractary/config.json", configured(...theirs));
    const clone = project.again({ fetcher: new TestFetcher(), isTrusted: async () => false });
    for (const global of [false, true]) {
      const answer = await clone.call(registryInstall, { plugin, global, dryRun: true });
      expect(JSON.stringify(answer), JSON.stringify(theirs)).not.toContain("9.0.0");
    }
  }
  expect(open.requests).toEqual([]);
  project.write(".fractary/config.json", configured(claimed, { ...acme, scopes: [] }));
  const clone = project.again({ fetcher: new TestFetcher(), isTrusted: async () => false });
  expect(await clone.call(registryInstall, { plugin })).toMatchObject({
    steps: [{ version: "1.0.0", registry: "acme" }],
  });
});

test("I12 a folder that did not come from a registry is not replaced by one of the same name", async () => {
  const { project, registry, install } = await open(own);
  registry.publish("mine", "1.9.0");
  registry.publish(plugin, "1.0.0", { dependencies: { mine: "*" } });
  for (const name of ["mine", plugin]) expect(await install(name)).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(await project.call(registryUpdate)).toMatchObject({
    steps: [],
    warnings: [expect.stringContaining("mine was not updated")],
  });
  expect(await project.call(registryUpdate, { plugin: "mine" })).toMatchObject({ code: "CONFLICT_ERROR" });
  expect(project.read(`${folderOf("mine")}/agents/x.md`)).toBe("Mine");
  expect(await install("mine", { force: true })).toMatchObject({ steps: [{ version: "1.9.0" }] });
});

test("I12 what came from one registry or folder is not updated from another", async () => {
  const { project, registry, install } = await open({
    "shelf/one/plugin.json": manifest("one"),
    "shelf/one/agents/a.md": "---\nname: a\n---\nA\n",
  });
  await install("./shelf/one");
  registry.publish("one", "2.0.0");
  registry.publish(plugin, "1.0.0");
  await install(plugin);
  const second = await serveRegistry();
  second.publish(plugin, "3.0.0");
  project.write(
    "~/.fractary/config.json",
    JSON.stringify({
      registries: [
        { name: "second", type: "stockyard", url: second.url, priority: 1 },
        { name: "r", type: "stockyard", url: registry.url, priority: 2, cache_ttl: 0 },
      ],
    }),
  );
  expect(await project.call(registryUpdate, { major: true })).toMatchObject({
    steps: [],
    warnings: [expect.stringContaining("was not updated"), expect.stringContaining("was not updated")],
  });
  expect(await install(plugin)).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining(second.url),
  });
  expect(await install("one")).toMatchObject({ code: "INTEGRITY_ERROR" });
  expect(await install("./shelf/one", { force: true })).toMatchObject({ steps: [{ version: "1.0.0" }] });
});

test("a clone's own folder of plugins and its default scope replace, remove and add none of the user's", async () => {
  const shelf = (name: string, version: string, text: string) => ({
    [`${name}/plugins/review/plugin.json`]: manifest(plugin, version),
    [`${name}/plugins/review/agents/a.md`]: `---\nname: a\n---\n${text}\n`,
  });
  const configured = (url: string) => ({ registries: [{ name: url, url, priority: 1 }] });
  const project = new RegistryProject({
    "~/.fractary/config.json": JSON.stringify(configured("shelf")),
    ...shelf("~/shelf", "1.0.0", "Mine"),
    ...shelf("theirs", "1.0.9", "Theirs"),
  });
  const inGlobal = () => project.read("~/.fractary/registry/plugins/@acme/review/agents/a.md");
  await project.call(registryInstall, { plugin, global: true });
  const install = { default_scope: "global" };
  project.write(".fractary/config.json", JSON.stringify({ install, ...configured("theirs") }));
  const clone = project.again({ isTrusted: async () => false });
  for (const global of [false, true]) {
    expect(JSON.stringify(await clone.call(registryInstall, { plugin, global }))).toContain("not trusted the project");
    await clone.call(registryUpdate, { global });
    if (!global) expect(await clone.call(registryUninstall, { plugin })).toHaveProperty("code");
    expect(inGlobal()).toContain("Mine");
  }
  expect(clone.has(folderOf(plugin))).toBe(false);
  // In a trusted project they count, for the project; what came from elsewhere is not replaced.
  const trusted = project.again({ isTrusted: async () => true });
  expect(await trusted.call(registryInstall, { plugin })).toMatchObject({ steps: [{ version: "1.0.9" }] });
  expect(trusted.read(`${folderOf(plugin)}/agents/a.md`)).toContain("Theirs");
  expect(await trusted.call(registryUpdate, { plugin, global: true })).toMatchObject({ code: "INTEGRITY_ERROR" });
  expect(inGlobal()).toContain("Mine");
});

test("no plugin takes the folder of the lock file, and none is removed in place of another", async () => {
  const { project, registry, install } = await open();
  registry.publish("forge", "1.0.0");
  registry.publish(plugin, "1.0.0");
  await install(plugin);
  expect(await install("forge", { force: true })).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(project.has(".fractary/plugins/forge/lock.json")).toBe(true);
  // A folder whose manifest says that it is another.
  project.write(`${folderOf("liar")}/plugin.json`, manifest("@acme/other"));
  project.write(`${folderOf("@acme/other")}/plugin.json`, manifest("@acme/third"));
  await project.call(registryUninstall, { plugin: "@acme/other" });
  expect(project.has(folderOf("liar"))).toBe(false);
  expect(project.has(folderOf("@acme/other"))).toBe(true);
});

test("a link in a marketplace does not bring files of the user", async () => {
  const market = { name: "m", plugins: [{ name: "keys", source: "./keys" }] };
  const { project, install } = await open({
    "market/.claude-plugin/marketplace.json": JSON.stringify(market),
    "~/.secret/id": "private",
  });
  project.link("market/keys", "~/.secret");
  expect(await install("./market#keys")).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
  expect(project.has(folderOf("keys"))).toBe(false);
});

test("a list whose manifest is of another plugin is refused", async () => {
  const { project, registry, install } = await open();
  const text = manifest("@acme/review");
  registry.serveText("/plugin.json", text);
  registry.serveText("/registry.json", JSON.stringify({ plugins: [registry.listed("@evil/x", "/plugin.json", text)] }));
  const registries = [{ name: "list", type: "manifest", url: `${registry.url}/registry.json`, priority: 1 }];
  project.write("~/.fractary/config.json", JSON.stringify({ registries }));
  expect(await install("@evil/x")).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("for @acme/review instead of @evil/x"),
  });
});

/** A static list with one plugin of one agent; all of it can be replaced. */
async function openList(options: { part?: string | Buffer; manifest?: object; listed?: object; sum?: string } = {}) {
  const { part = "---\nname: a\n---\nHi\n", manifest: own = {}, listed = {}, sum = checksumOf(part) } = options;
  const { project, registry, install } = await open();
  const agents = [{ name: "a", version: "1.0.0", source: `${registry.url}/a.md`, checksum: sum }];
  const text = JSON.stringify({ name: "@acme/kit", version: "1.0.0", agents, ...own });
  registry.serveText("/a.md", part);
  registry.serveText("/plugin.json", text);
  const plugins = [{ ...registry.listed("@acme/kit", "/plugin.json", text), ...listed }];
  registry.serveText("/registry.json", JSON.stringify({ plugins }));
  const registries = [{ name: "list", type: "manifest", url: `${registry.url}/registry.json`, priority: 1 }];
  project.write("~/.fractary/config.json", JSON.stringify({ registries }));
  return { project, registry, install: () => install("@acme/kit", { force: true }) };
}

test("I01 a file of a static list is installed byte for byte as its checksum has it, or not at all", async () => {
  const marked = "\uFEFF---\nname: a\n---\nHi\n";
  const { project, install } = await openList({ part: marked });
  expect(await install()).toMatchObject({ steps: [{ version: "1.0.0" }] });
  expect(project.read(`${folderOf("@acme/kit")}/agents/a.md`)).toBe(marked);
  const binary = Buffer.from([0x2d, 0xff, 0xfe]);
  for (const options of [{ part: binary }, { part: marked, sum: checksumOf(marked.slice(1)) }]) {
    const other = await openList(options);
    expect(await other.install()).toMatchObject({ code: expect.stringMatching(/^(?:NETWORK|INTEGRITY)_ERROR$/) });
    expect(other.project.has(folderOf("@acme/kit"))).toBe(false);
  }
});

test("a static list whose manifest is of another version, or whose version is none, is refused", async () => {
  for (const version of ["9.0.0", "../../x", "1.0.0\u001b[31m"]) {
    const { project, install } = await openList({
      manifest: { version },
      ...(version !== "9.0.0" && { listed: { version } }),
    });
    expect(await install()).toMatchObject({ code: expect.stringMatching(/^(?:INTEGRITY_ERROR|PLUGIN_NOT_FOUND)$/) });
    expect(project.has(folderOf("@acme/kit"))).toBe(false);
  }
});

test("a static list that names more files than a plugin has is refused before they are fetched", async () => {
  const agents = Array.from({ length: 5_000 }, (_, index) => ({ name: `a${index}`, source: "a.md", checksum: "x" }));
  const { registry, install } = await openList({ manifest: { agents } });
  expect(await install()).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("more than 1000"),
  });
  expect(registry.requests).not.toContain("/a.md");
});

test("I18 a cached file whose hash was changed with it is fetched again", async () => {
  const { project, install } = await openList();
  await install();
  const folder = "~/.fractary/cache/downloads";
  const [entry = ""] = project.names(folder);
  const kept = JSON.parse(project.read(`${folder}/${entry}`)) as { body: string };
  const body = kept.body.replace("Hi", "Evil");
  project.write(
    `${folder}/${entry}`,
    JSON.stringify({ ...kept, body, sha256: checksumOf(body).slice("sha256:".length) }),
  );
  expect(await install()).toMatchObject({ steps: [{ change: "update" }] });
  expect(project.read(`${folderOf("@acme/kit")}/agents/a.md`)).toContain("Hi");
});

test("I17 answers and manifests that are nested without end are one error, and nothing is installed", async () => {
  const { project, registry, install } = await open();
  const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  registry.publish(plugin, "1.0.0", JSON.parse(`{"x":${deep(1_000)}}`));
  expect(await install(plugin)).toMatchObject({ code: "INTEGRITY_ERROR" });
  for (const text of [`{"versions":${deep(1_000_000)}}`, deep(1_000_000)]) {
    registry.serveText(`/api/v1/plugins/${plugin}/metadata`, text);
    registry.serveText("/api/v1/search", text);
    expect(await install(plugin)).toMatchObject({ code: "NETWORK_ERROR" });
    expect(await project.call(fractaryForgePluginSearch, { query: "x" })).toMatchObject({ code: "NETWORK_ERROR" });
  }
  expect(project.has(folderOf(plugin))).toBe(false);
});

test("what a registry says cannot move a cursor, reorder a line or fill a screen", async () => {
  const { project, registry, install } = await open();
  const odd = "\u001b[31m\u202e\u200b";
  const result = { type: "plugin", version: "1.0.0", description: "d" };
  const results = [
    { ...result, name: `a${odd}` },
    { ...result, name: "b", version: `1${odd}` },
    { ...result, name: "c" },
  ];
  registry.serveText("/api/v1/search", JSON.stringify({ results, total: 3 }));
  expect(await project.call(fractaryForgePluginSearch, { query: "x" })).toMatchObject({ results: [{ name: "c" }] });
  registry.publish(plugin, "1.0.0");
  await install(plugin);
  registry.say(plugin, "1.0.0", { yanked: true, reason: `${odd}${"r".repeat(100_000)}` });
  const { warnings } = (await project.call(registryInstall, { force: true })) as { warnings: string[] };
  const shown = warnings.find((warning) => warning.includes("withdrawn"));
  expect(shown).toMatch(/withdrawn: \\x1b\[31m\\u202e\\u200br+$/);
  expect(shown?.length).toBeLessThan(1_200);
  registry.serveText(
    `/api/v1/plugins/${plugin}/metadata`,
    JSON.stringify({ versions: [`1${odd}`, "1".repeat(9_999), "2.0.0"] }),
  );
  expect(await project.call(fractaryForgePluginInfo, { plugin, remote: true })).toMatchObject({
    availableVersions: ["2.0.0"],
  });
});

test("I23 two installations at once pin one key, and two publications make one", async () => {
  const { project, registry } = await open();
  const [key, other] = [await SigningKey.open(project.path("~/k/1")), await SigningKey.open(project.path("~/k/2"))];
  registry.publish("@acme/a", "1.0.0", {}, key);
  registry.publish("@acme/b", "1.0.0", {}, other);
  registry.publish("@other/c", "1.0.0", {}, key);
  const answers = await Promise.all(
    ["@acme/a", "@acme/b", "@other/c"].map((name) => project.call(registryInstall, { plugin: name })),
  );
  expect(answers.filter(({ code }) => code === "INTEGRITY_ERROR")).toHaveLength(1);
  const known = JSON.parse(project.read("~/.fractary/auth/known-packages.json")) as { keys: object; indexes: object };
  expect(Object.keys(known.keys)).toEqual(expect.arrayContaining(["@acme", "@other"]));
  const file = project.path("~/.fractary/auth/signing-key.pem");
  const keys = await Promise.all(Array.from({ length: 8 }, () => SigningKey.open(file)));
  expect(new Set(keys.map((one) => one.sign({ name: "a", version: "1.0.0", integrity: "x" }).key)).size).toBe(1);
});

test("what is known of registries is not forgotten when its file is broken", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  project.write("~/.fractary/auth/known-packages.json", "{");
  expect(await install(plugin)).toMatchObject({
    code: "CONFIG_ERROR",
    message: expect.stringContaining("known-packages"),
  });
});

test("--no-hooks and the like do not depend on letter case", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0", {}, undefined, { "Hooks/run.js": "x", "hooks2/run.js": "x" });
  await install(plugin, { hooks: false });
  expect(project.names(folderOf(plugin))).not.toContain("Hooks");
  expect(project.names(folderOf(plugin))).toContain("hooks2");
});

test("I17 a registry that breaks off or stops sending: one error, and what was installed still works", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  await install(plugin);
  registry.publish(plugin, "1.1.0");
  // The list of versions was seen before, so the first of these only means that no newer one is found.
  const unchanged = {
    steps: [{ version: "1.0.0", change: "unchanged" }],
    warnings: [expect.stringContaining("could not be reached")],
  };
  const failed = { code: "NETWORK_ERROR" };
  const cases = [
    ["cut-off", "/metadata", unchanged],
    ["cut-off", "/archive", failed],
    ["stall", "/metadata", failed],
    ["stall", "/archive", failed],
  ] as const;
  for (const [how, ending, answer] of cases) {
    // Each in a process of its own: a registry that could not be reached is not asked again for a while.
    const later = project.again({ fetcher: new TestFetcher({}, { limits: { chunkMs: 300, headersMs: 2_000 } }) });
    registry.trouble(ending, how);
    expect(await later.call(registryInstall, { plugin })).toMatchObject(answer);
    const { plugins } = await later.library.open().plugins.list({}, new AbortController().signal);
    expect(plugins).toMatchObject([{ name: plugin, version: "1.0.0" }]);
    expect(project.names(folderOf("@acme"))).toEqual(["review"]);
  }
  registry.trouble("", undefined);
  expect(await project.again({ fetcher: new TestFetcher() }).call(registryInstall, { plugin })).toMatchObject({
    steps: [{ version: "1.1.0" }],
  });
});

test("one odd file or entry of a registry does not break the lists that it would be in", async () => {
  const long = "x".repeat(5_000);
  const odd = {
    [`.fractary/agents/name.yaml`]: agent(long),
    [`.fractary/agents/version.yaml`]: agent("version", { version: long }),
    [`.fractary/agents/texts.yaml`]: agent("texts", {
      author: long,
      license: long,
      tags: [long, ...Array(5_000).fill("t")],
      tools: [long],
      extends: "good",
      fork_of: { name: "../a b", version: long, forked_at: long },
    }),
    [`.fractary/agents/good.yaml`]: agent("good"),
    ".fractary/plugins/kit/plugin.json": JSON.stringify({
      name: "kit",
      version: long,
      description: long.repeat(100),
      ...{ author: long, license: long, homepage: long, keywords: [long], dependencies: { [long]: long } },
      agents: [long],
    }),
  };
  const { project, registry } = await open(odd);
  const result = { name: "@acme/fine", version: "1.0.0", description: long.repeat(100), author: long, tags: [long] };
  const results = [{ ...result, name: long }, { ...result, version: long }, result];
  registry.serveText(
    "/api/v1/search",
    JSON.stringify({ results: results.map((one) => ({ ...one, type: "agent" })), total: 3 }),
  );
  const broken: unknown[] = [];
  const call = async (tool: Parameters<typeof project.call>[0], input: object = {}) => {
    const answer = await project.call(tool, { ...input });
    if (answer["code"] === "INTERNAL_ERROR") broken.push([tool.name, answer["message"]]);
    return answer;
  };
  expect(await call(fractaryForgeAgentList)).toMatchObject({ total: 3, warnings: expect.any(Array) });
  await call(fractaryForgeAgentInfo, { name: "texts" });
  await call(fractaryForgeAgentValidate, { name: "texts" });
  await call(fractaryForgeAgentValidate, { path: ".fractary/agents/name.yaml" });
  expect(await call(fractaryForgeForkList)).toMatchObject({ total: 1 });
  await call(fractaryForgeForkInfo, { name: "texts" });
  await call(fractaryForgeForkDiff, { name: "texts" });
  expect(await call(fractaryForgePluginList)).toMatchObject({ total: 1 });
  await call(fractaryForgePluginInfo, { plugin: "kit" });
  await call(fractaryForgePluginSearch, { query: "fine" });
  expect(broken).toEqual([]);
});

test.each([
  [".fractary/forge", "~/.config/tool"],
  [".fractary", "~/.config"],
])(
  "a project's folder %s that is a link does not make a file of the user's its configuration",
  async (link, target) => {
    const file = link === ".fractary" ? "~/.config/config.yaml" : `${target}/config.yaml`;
    const project = new RegistryProject({ [file]: "contexts:\n  team: planted\n" });
    project.link(link, target);
    for (const answer of [
      await project.call(fractaryForgeConfigShow, {}),
      await project.call(fractaryForgeConfigGet, { key: "contexts.team" }),
    ]) {
      expect(answer).toMatchObject({ code: "CONFIG_ERROR" });
      expect(JSON.stringify(answer)).not.toContain("planted");
    }
  },
);

test("nor does a plugin's folder make one its manifest", async () => {
  const project = new RegistryProject({
    [`${folderOf("mine")}/agents/x.md`]: "Mine",
    "~/.config/plugin.json": JSON.stringify({ name: "mine", description: "planted" }),
  });
  project.link(`${folderOf("mine")}/.claude-plugin`, "~/.config");
  const answer = await project.call(fractaryForgePluginInfo, { plugin: "mine" });
  expect(answer).toMatchObject({ name: "mine" });
  expect(JSON.stringify(answer)).not.toContain("planted");
});
