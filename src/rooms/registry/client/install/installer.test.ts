import { expect, test } from "vitest";
import { TestFetcher } from "../../../../../test/harness/http/fetching.ts";
import { RegistryProject } from "../../../../../test/harness/rooms/registry.ts";
import { serveRegistry } from "../../../../../test/harness/rooms/registry-packages.ts";
import { registryInstall } from "../../tools/supply/registry-install.ts";
import { registryLock } from "../../tools/supply/registry-lock.ts";
import { registryUninstall } from "../../tools/supply/registry-uninstall.ts";
import { registryUpdate } from "../../tools/supply/registry-update.ts";
import { SigningKey } from "../packages/signature.ts";

/** Installations from a stand-in that serves what a test says, as a registry that lies would. */

const plugin = "@acme/review";
const place = ".fractary/plugins/@acme/review/plugin.json";
const lockfile = ".fractary/plugins/forge/lock.json";

async function open(files: Record<string, string> = {}, count = 1) {
  const registries = await Promise.all(Array.from({ length: count }, () => serveRegistry()));
  const configured = registries.map(({ url }, index) => ({
    name: `r${index}`,
    type: "stockyard",
    url,
    priority: index + 1,
    cache_ttl: 0,
  }));
  const project = new RegistryProject(
    { "~/.fractary/config.json": JSON.stringify({ registries: configured }), ...files },
    { fetcher: new TestFetcher() },
  );
  const [registry] = registries;
  if (!registry) throw new Error("there is no registry");
  const install = (name: string | undefined = plugin, more: object = {}) =>
    project.call(registryInstall, { ...(name !== "" && { plugin: name }), ...more });
  const versionThere = () =>
    project.has(place) ? (JSON.parse(project.read(place)) as { version: string }).version : undefined;
  return { project, registry, registries, install, versionThere };
}

test("installs the latest version, records it, and changes nothing the second time", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  registry.publish(plugin, "1.1.0");
  expect(await install()).toMatchObject({
    steps: [{ name: plugin, version: "1.1.0", change: "install", registry: "r0" }],
  });
  expect(project.names(".fractary/plugins/@acme/review")).toContain("agents");
  const locked = JSON.parse(project.read(lockfile)) as { locked: { plugins: object[] } };
  expect(locked.locked.plugins).toMatchObject([
    { name: plugin, version: "1.1.0", integrity: expect.stringMatching(/^sha512-/) },
  ]);
  expect(await install()).toMatchObject({ steps: [{ change: "unchanged" }] });
  expect(await install(`${plugin}@1.0.0`)).toMatchObject({
    steps: [{ from: "1.1.0", version: "1.0.0", change: "update" }],
  });
  expect(project.names(".fractary/plugins/@acme")).toEqual(["review"]);
});

test("--dry-run writes nothing; parts can be left out; a plugin can be global", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  expect(await install(plugin, { dryRun: true })).toMatchObject({ dryRun: true, steps: [{ change: "install" }] });
  expect(project.has(".fractary")).toBe(false);
  await install(plugin, { agentsOnly: true });
  expect(project.names(".fractary/plugins/@acme/review")).toEqual([".forge-package.json", "agents", "plugin.json"]);
  await install(plugin, { global: true, commands: false });
  expect(project.names("~/.fractary/registry/plugins/@acme/review")).toEqual([
    ".forge-package.json",
    "agents",
    "plugin.json",
    "tools",
  ]);
});

test("installs dependencies, and names the path of a conflict", async () => {
  const { registry, install } = await open();
  registry.publish("@acme/base", "1.0.0");
  registry.publish("@acme/base", "2.0.0");
  registry.publish("@acme/other", "1.0.0", { dependencies: { "@acme/base": "^2.0.0" } });
  registry.publish(plugin, "1.0.0", { dependencies: { "@acme/base": "^1.0.0" } });
  expect(await install()).toMatchObject({
    steps: [
      { name: "@acme/base", version: "1.0.0", requiredBy: plugin },
      { name: plugin, version: "1.0.0" },
    ],
  });
  registry.publish(plugin, "2.0.0", { dependencies: { "@acme/base": "^1.0.0", "@acme/other": "*" } });
  expect(await install()).toMatchObject({
    code: "DEPENDENCY_ERROR",
    message: expect.stringContaining("@acme/other → @acme/base"),
  });
  // A circle ends.
  registry.publish("@acme/ring", "1.0.0", { dependencies: { "@acme/pair": "*" } });
  registry.publish("@acme/pair", "1.0.0", { dependencies: { "@acme/ring": "*" } });
  expect(await install("@acme/ring")).toMatchObject({ steps: [{ name: "@acme/pair" }, { name: "@acme/ring" }] });
});

test("I01 wrong bytes are not installed, nor kept; what was there still is", async () => {
  const { project, registry, install, versionThere } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  registry.publish(plugin, "1.1.0");
  registry.damage(plugin, "1.1.0");
  expect(await install()).toMatchObject({ code: "INTEGRITY_ERROR" });
  expect(versionThere()).toBe("1.0.0");
  await expect(project.library.open().cache.stats()).resolves.toMatchObject({ downloads: { count: 1 } });
});

test("I02 a registry without a strong hash is not installed from", async () => {
  const { registry, install, versionThere } = await open();
  registry.publish(plugin, "1.0.0");
  for (const integrity of [undefined, "sha1-qvTGHdzF6KLavt4PO0gs2a6pQ00="]) {
    registry.say(plugin, "1.0.0", { integrity });
    expect(await install()).toMatchObject({ code: "INTEGRITY_ERROR" });
  }
  expect(versionThere()).toBeUndefined();
});

test("I03 a version with new bytes is refused, also without a lock file; --force accepts it", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  registry.publish(plugin, "1.0.0", { description: "Replaced" });
  await project.call(registryUninstall, { plugin });
  expect(await install()).toMatchObject({ code: "INTEGRITY_ERROR", message: expect.stringContaining("never change") });
  expect(await install(plugin, { force: true })).toMatchObject({ steps: [{ change: "install" }] });
});

test("an archive of another plugin, or of another version, is refused", async () => {
  const { registry, install } = await open();
  registry.publish("@acme/evil", "9.0.0");
  registry.publish(plugin, "1.0.0");
  registry.swap(plugin, "1.0.0", "@acme/evil", "9.0.0");
  expect(await install()).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("and not @acme/review"),
  });
});

test("I12 a private name that is also public comes from its own registry, or not at all", async () => {
  const { registries, project, install } = await open({}, 2);
  const [inner, outer] = registries;
  inner?.publish(plugin, "1.0.0");
  outer?.publish(plugin, "99.0.0");
  expect(await install()).toMatchObject({ steps: [{ version: "1.0.0", registry: "r0" }] });
  // Away, it must not be replaced by the other.
  outer?.publish("@acme/secret", "99.0.0");
  inner?.fail(503);
  expect(await install("@acme/secret")).toMatchObject({ code: "NETWORK_ERROR" });
  inner?.fail(undefined);
  // Claimed by scope, the other is never asked, whatever the priority.
  project.write(
    "~/.fractary/config.json",
    JSON.stringify({
      registries: [
        { name: "outer", type: "stockyard", url: outer?.url, priority: 1 },
        { name: "inner", type: "stockyard", url: inner?.url, priority: 9, scopes: ["@acme"] },
      ],
    }),
  );
  const asked = outer?.requests.length;
  expect(await install("@acme/none")).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
  expect(await install(plugin, { force: true })).toMatchObject({ steps: [{ version: "1.0.0", registry: "inner" }] });
  expect(outer?.requests.length).toBe(asked);
});

test("I14 a withdrawn version is not chosen; the lock file still gets it, with the reason", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  registry.publish(plugin, "1.1.0");
  await install();
  registry.say(plugin, "1.1.0", { yanked: true, reason: "Deletes files" });
  expect(await install(`${plugin}@1.1.0`)).toMatchObject({
    code: "PLUGIN_NOT_FOUND",
    message: expect.stringContaining("Deletes files"),
  });
  expect(await install("", { force: true })).toMatchObject({
    steps: [{ version: "1.1.0" }],
    warnings: expect.arrayContaining([expect.stringContaining("withdrawn: Deletes files")]),
  });
  await project.call(registryUninstall, { plugin });
  expect(await install()).toMatchObject({ steps: [{ version: "1.0.0" }] });
});

test("I18 a cached archive that was changed is fetched again", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  const [entry = ""] = project.names("~/.fractary/cache/downloads");
  const file = `~/.fractary/cache/downloads/${entry}`;
  project.write(file, project.read(file).replace(/"body":"...../, '"body":"AAAAA'));
  const before = registry.requests.length;
  expect(await install(plugin, { force: true })).toMatchObject({ steps: [{ change: "update" }] });
  expect(registry.requests.slice(before).some((path) => path.endsWith("/archive"))).toBe(true);
});

test("I23 the first key of a scope is remembered; another one, or none, blocks", async () => {
  const { project, registry, install, versionThere } = await open();
  const [key, other] = [await SigningKey.open(project.path("~/k/1")), await SigningKey.open(project.path("~/k/2"))];
  registry.publish(plugin, "1.0.0", {}, key);
  expect(await install()).toMatchObject({ steps: [{ signed: true }], warnings: [] });
  registry.publish(plugin, "1.1.0", {}, other);
  expect(await install()).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("used to be signed"),
  });
  registry.publish("@acme/second", "1.0.0");
  expect(await install("@acme/second")).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("not signed"),
  });
  registry.publish(plugin, "1.2.0", {}, key);
  registry.say(plugin, "1.2.0", { signature: { ...key.sign({ name: plugin, version: "1.0.0", integrity: "x" }) } });
  expect(await install()).toMatchObject({ code: "INTEGRITY_ERROR", message: expect.stringContaining("not valid") });
  expect(versionThere()).toBe("1.0.0");
});

test("an index that went back is refused, and one that is never made again is warned of", async () => {
  const { registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  registry.publish(plugin, "1.1.0");
  await install();
  registry.forget(plugin, "1.1.0");
  expect(await install()).toMatchObject({
    code: "INTEGRITY_ERROR",
    message: expect.stringContaining("no longer lists version 1.1.0"),
  });
  registry.publish("@acme/old", "1.0.0");
  registry.generatedAt = "2020-01-01T00:00:00Z";
  expect(await install("@acme/old")).toMatchObject({
    warnings: expect.arrayContaining([expect.stringContaining("older than a week")]),
  });
});

test("an index that no longer counts its changes, or says how old it is, cannot hide that it went back", async () => {
  const { registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  registry.serial = 7;
  await install();
  for (const serial of [6, null, "8", 1e300]) {
    registry.serial = serial;
    expect(await install(plugin, { force: true }), String(serial)).toMatchObject({
      code: "INTEGRITY_ERROR",
      message: expect.stringContaining("older state"),
    });
  }
  registry.serial = 8;
  registry.generatedAt = null;
  expect(await install()).toMatchObject({ warnings: [expect.stringContaining("no longer says how old it is")] });
});

test("an update names the registry that is away, and is an error where it was asked for by name", async () => {
  const { project, registry, install, versionThere } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  project.remove("~/.fractary/cache");
  registry.fail(500);
  expect(await project.call(registryUpdate, { plugin })).toMatchObject({ code: "NETWORK_ERROR" });
  expect(await project.call(registryUpdate)).toMatchObject({
    steps: [],
    warnings: [expect.stringMatching(/^@acme\/review was not updated\. .*r0/)],
  });
  expect(versionThere()).toBe("1.0.0");
});

test("updates within a major version, and across one only with --major", async () => {
  const { project, registry, install, versionThere } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  registry.publish(plugin, "1.4.0");
  registry.publish(plugin, "2.0.0");
  expect(await project.call(registryUpdate, { dryRun: true })).toMatchObject({
    steps: [{ from: "1.0.0", version: "1.4.0" }],
  });
  expect(versionThere()).toBe("1.0.0");
  await project.call(registryUpdate);
  expect(versionThere()).toBe("1.4.0");
  expect(await project.call(registryUpdate, { plugin: "review", major: true })).toMatchObject({
    steps: [{ version: "2.0.0" }],
  });
  expect(await project.call(registryUpdate, { plugin: "none" })).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
});

test("uninstalls, and says what is not there", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  expect(await project.call(registryUninstall, { plugin: "reviw" })).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
  expect(await project.call(registryUninstall, { plugin, dryRun: true })).toMatchObject({ dryRun: true });
  expect(project.has(place)).toBe(true);
  await project.call(registryUninstall, { plugin });
  expect(project.names(".fractary/plugins/@acme")).toEqual([]);
  expect(JSON.parse(project.read(lockfile))).toMatchObject({ locked: { plugins: [] } });
});

test("both lock files are read and one is written; what was changed since is named", async () => {
  const { project, registry, install } = await open({
    ".fractary/agents/critic.yaml": JSON.stringify({
      name: "critic",
      type: "agent",
      version: "1.0.0",
      system_prompt: "New",
    }),
    ".fractary/plugins/forge/lockfile.json": JSON.stringify({
      version: 1,
      agents: { critic: { version: "1.0.0", resolved: "local", integrity: "sha256-00" } },
    }),
  });
  expect(await project.call(registryLock)).toMatchObject({
    parts: 1,
    warnings: [expect.stringContaining("critic 1.0.0 was changed")],
  });
  expect(JSON.parse(project.read(lockfile))).toMatchObject({
    lockfile_version: "1.0.0",
    locked: { agents: [{ name: "critic" }] },
  });
  expect(await project.call(registryLock)).toMatchObject({ warnings: [] });
  // What the lock file has is what is installed, not the latest.
  registry.publish(plugin, "1.0.0");
  await install();
  registry.publish(plugin, "1.5.0");
  project.remove(".fractary/plugins/@acme");
  expect(await install("")).toMatchObject({ steps: [{ version: "1.0.0", change: "install" }] });
  const locked = project.read(lockfile);
  for (const text of [
    "{",
    locked.replace('"version": "1.0.0"', '"version": "^1.0.0"'),
    locked.replaceAll("1.0.0", "*"),
  ]) {
    project.write(lockfile, text);
    expect(await install("")).toMatchObject({ code: "CONFIG_ERROR" });
  }
});

test("I11 two at once: each is complete, and so is the lock file", async () => {
  const { project, registry, install } = await open();
  const names = ["@acme/a", "@acme/b", "@acme/c", "@acme/d"];
  for (const name of names) registry.publish(name, "1.0.0");
  await Promise.all([...names, ...names].map((name) => install(name)));
  const { locked } = JSON.parse(project.read(lockfile)) as { locked: { plugins: { name: string }[] } };
  expect(locked.plugins.map(({ name }) => name)).toEqual(names);
  expect(project.names(".fractary/plugins/@acme")).toEqual(["a", "b", "c", "d"]);
});

test("I10 what an interrupted installation left is read, and put right by the next one", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  await install();
  project.rename(".fractary/plugins/@acme/review", ".fractary/plugins/@acme/.forge-old-review");
  project.write(".fractary/plugins/@acme/.forge-new-review/plugin.json", "{");
  const { plugins } = await project.library.open().plugins.list({}, new AbortController().signal);
  expect(plugins.map(({ name, version }) => [name, version])).toEqual([[plugin, "1.0.0"]]);
  registry.publish(plugin, "1.1.0");
  expect(await install()).toMatchObject({ steps: [{ version: "1.1.0" }] });
  expect(project.names(".fractary/plugins/@acme")).toEqual(["review"]);
});

test("a folder of plugins that is a link is not written through", async () => {
  const { project, registry, install } = await open();
  registry.publish(plugin, "1.0.0");
  project.write("~/elsewhere/keep", "");
  project.link(".fractary/plugins", "~/elsewhere");
  expect(await install()).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(project.names("~/elsewhere")).toEqual(["keep"]);
});

test("installs from a marketplace's folder, pinned by its hash", async () => {
  const market = {
    name: "m",
    plugins: [
      { name: "one", source: "./one", version: "1.0.0" },
      { name: "two", source: "./two" },
    ],
  };
  const { project, install } = await open({
    "market/.claude-plugin/marketplace.json": JSON.stringify(market),
    "market/one/agents/critic.md": "---\nname: critic\ndescription: Finds faults\n---\nBe strict.\n",
    "market/two/.claude-plugin/plugin.json": JSON.stringify({ name: "two", version: "2.0.0" }),
  });
  expect(await install("./market")).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
  expect(await install("./market#one")).toMatchObject({
    steps: [{ name: "one", version: "1.0.0", registry: "folder" }],
  });
  expect(await install("./market/two")).toMatchObject({ steps: [{ name: "two", version: "2.0.0" }] });
  expect(JSON.parse(project.read(".fractary/plugins/one/.forge-package.json"))).toMatchObject({
    integrity: expect.stringMatching(/^sha512-/),
  });
  project.link("market/one/agents/secret.md", "~/.fractary/config.json");
  expect(await install("./market#one", { force: true })).toMatchObject({ code: "INTEGRITY_ERROR" });
  project.write("~/elsewhere/mine/plugin.json", JSON.stringify({ name: "mine", version: "1.0.0" }));
  project.link("market/plugins", "~/elsewhere");
  expect(await install("./market#mine")).toMatchObject({ code: "PLUGIN_NOT_FOUND" });
});
