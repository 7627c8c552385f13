import fc from "fast-check";
import { expect, test } from "vitest";
import { jsoncDocuments } from "../../../../test/harness/fs/jsonc-documents.ts";
import { nothing, SetupPlace } from "../../../../test/harness/rooms/setup.ts";
import { clients } from "../clients/clients.ts";

const all = clients.map(({ id }) => id);
const everything = { clients: all, agentsMd: true, claudeMd: true, skill: true };

test("a first run and its removal leave the folders as they were", async () => {
  const place = new SetupPlace();
  place.write("shop/README.md", "# Shop\n");
  const before = place.contents();
  await place.init(everything);
  expect(Object.keys(place.contents()).length).toBeGreaterThan(30);
  await place.remove({ outside: true });
  expect(place.contents()).toEqual(before);
});

test("a second run has nothing to do and changes no byte", async () => {
  const place = new SetupPlace();
  await place.init(everything);
  const first = place.contents();
  const again = place.setup.plan({ ...nothing, ...everything });
  expect(again.changes).toEqual([]);
  await again.apply();
  expect(place.contents()).toEqual(first);
});

test("any file comes back to the byte, also after a second run", async () => {
  const place = new SetupPlace();
  await fc.assert(
    fc.asyncProperty(jsoncDocuments("mcpServers"), fc.string({ maxLength: 40 }), async ({ text }, words) => {
      place.write("shop/.mcp.json", text);
      place.write("shop/AGENTS.md", words);
      await place.init({ clients: ["claude-code"], agentsMd: true });
      await place.init({ clients: ["claude-code"], agentsMd: true, npx: true });
      await place.remove();
      expect(place.read("shop/.mcp.json")).toBe(text);
      expect(place.read("shop/AGENTS.md")).toBe(words);
    }),
    { numRuns: 40 },
  );
});

test("what somebody added since stays, and only ours goes", async () => {
  const place = new SetupPlace();
  await place.init({ clients: ["cursor"], agentsMd: true });
  place.write(
    "shop/.cursor/mcp.json",
    place
      .read("shop/.cursor/mcp.json")
      .replace('"mcpServers": {', '"mcpServers": {\n    "docs": { "command": "docs" },'),
  );
  place.write("shop/AGENTS.md", `# Rules\n\n${place.read("shop/AGENTS.md")}\nMore.\n`);
  await place.remove();
  expect(place.read("shop/.cursor/mcp.json")).toBe('{\n  "mcpServers": {\n    "docs": { "command": "docs" }\n  }\n}\n');
  expect(place.read("shop/AGENTS.md")).toBe("# Rules\n\nMore.\n");
});

test("a colleague's clone has no record: entries go by structure, a file of ours alone goes altogether", async () => {
  const place = new SetupPlace();
  place.write("shop/.vscode/mcp.json", '{ "servers": { "a": { "url": "http://a" } } }');
  await place.init({ clients: ["claude-code", "vscode", "codex"], agentsMd: true, skill: true });
  place.write("shop/.forge/init.json", "not JSON");
  await place.remove();
  const left = Object.keys(place.contents()).filter((name) => !name.includes(".forge"));
  expect(left).not.toContain("shop/.mcp.json");
  expect(left).not.toContain("shop/AGENTS.md");
  expect(place.read("shop/.vscode/mcp.json")).toBe('{ "servers": { "a": { "url": "http://a" } } }');
});

test("a state folder that is in use is kept", async () => {
  const place = new SetupPlace();
  await place.init({ clients: ["claude-code"] });
  place.write("shop/.forge/forge.db", "data");
  await place.remove();
  expect(place.read("shop/.forge/forge.db")).toBe("data");
  expect(place.read("shop/.forge/.gitignore")).toBe("*\n");
});

test("the state folder is private, and a project's file is for everybody", async () => {
  const place = new SetupPlace();
  await place.init({ clients: ["claude-code", "windsurf"] });
  const contents = place.contents();
  expect(contents["shop/.forge"]).toBe("folder 700");
  expect(contents["shop/.mcp.json"]).toMatch(/^6\d4 /);
  expect(contents["home/.codeium/windsurf/mcp_config.json"]).toMatch(/^600 /);
});

test("a file keeps its permissions", async () => {
  const place = new SetupPlace();
  place.write("home/.codex/config.toml", 'token = "x"\n');
  place.setMode("home/.codex/config.toml", 0o640);
  await place.init({ clients: ["codex"], scope: "user" });
  expect(place.contents()["home/.codex/config.toml"]).toMatch(/^640 token/);
});

test("CODEX_HOME names another place", async () => {
  const place = new SetupPlace();
  const elsewhere = new SetupPlace({ ...place.surroundings, env: { PATH: "", CODEX_HOME: `${place.folder}/codex` } });
  await elsewhere.init({ clients: ["codex"], scope: "user" });
  expect(place.read("codex/config.toml")).toContain("[mcp_servers.forge]");
});

test.each<[NodeJS.Platform, Record<string, string>, string]>([
  ["linux", {}, "home/.config/Claude/claude_desktop_config.json"],
  ["linux", { XDG_CONFIG_HOME: "%/xdg" }, "xdg/Claude/claude_desktop_config.json"],
  ["darwin", {}, "home/Library/Application Support/Claude/claude_desktop_config.json"],
  ["win32", { APPDATA: "%/roaming" }, "roaming/Claude/claude_desktop_config.json"],
])("settings on %s %j", async (platform, env, path) => {
  const first = new SetupPlace();
  const named = Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replace("%", first.folder)]),
  );
  const place = new SetupPlace({ ...first.surroundings, platform, env: { PATH: "", ...named } });
  await place.init({ clients: ["claude-desktop"] });
  expect(JSON.parse(first.read(path)).mcpServers.forge).toEqual({
    command: "/opt/node/bin/node",
    args: ["/opt/forge/bin/forge.cjs", "mcp", "--project", first.root],
  });
});

test("found clients are set up in the project; files outside wait for a word", async () => {
  const place = new SetupPlace();
  place.makeFolder("shop/.cursor");
  place.makeFolder("home/.codeium/windsurf");
  place.makeFolder("home/.gemini");
  expect(place.setup.find().map(({ id, isOutside }) => [id, isOutside])).toEqual([
    ["cursor", false],
    ["gemini", false],
    ["windsurf", true],
  ]);
  const { changes, remarks } = place.setup.plan({ ...nothing, clients: undefined });
  expect(changes.map(({ file }) => file)).toEqual([".cursor/mcp.json", ".gemini/settings.json"]);
  expect(remarks).toEqual([
    {
      command: "init --client windsurf",
      why: "to set up Windsurf in ~/.codeium/windsurf/mcp_config.json, outside this project",
    },
  ]);
  const withConsent = place.setup.plan({ ...nothing, clients: undefined, outside: true });
  expect(withConsent.changes.map(({ file }) => file)).toContain("~/.codeium/windsurf/mcp_config.json");
});

test("an entry with options of its own is kept", async () => {
  const place = new SetupPlace();
  const text = '{"mcpServers":{"forge":{"command":"forge","args":["mcp","--read-only"],"env":{"A":"1"}}}}';
  place.write("shop/.mcp.json", text);
  const plan = place.setup.plan({ ...nothing, clients: ["claude-code"], npx: true });
  expect(plan).toMatchObject({
    changes: [],
    remarks: [expect.stringContaining("custom settings (args, env)")],
  });
});

test.each([
  ['"command":"forge","args":["mcp"],"env":{"NODE_OPTIONS":"--require ./evil.js"}', "custom settings (env)"],
  ['"command":"forge","args":["mcp"],"cwd":"/tmp","envFile":".env"', "custom settings (cwd, envFile)"],
  ['"command":"npx","args":["-y","forge-mcp@1.2.3","mcp"]', "custom settings (npx)"],
  ['"url":"https://evil.example/mcp"', "at evil.example."],
  ['"url":"http://127.0.0.1:4000/mcp"', "connects to Forge by URL."],
])("what a project's file adds to Forge's entry is said before the user approves it: %s", (entry, said) => {
  const place = new SetupPlace();
  place.write("shop/.mcp.json", `{"mcpServers":{"forge":{${entry}}}}`);
  const plan = place.setup.plan({ ...nothing, clients: ["claude-code"] });
  expect(plan).toMatchObject({ changes: [], remarks: [expect.stringContaining(said)] });
});

test("what clients write by themselves is not worth a word", () => {
  const place = new SetupPlace();
  const entry = { type: "stdio", command: "forge", args: ["mcp"], env: {}, timeout: 60 };
  place.write("shop/.mcp.json", JSON.stringify({ mcpServers: { forge: entry } }));
  expect(place.setup.plan({ ...nothing, clients: ["claude-code"] })).toMatchObject({ changes: [], remarks: [] });
});

test.each([
  '"command":"./tools/forge","args":["mcp"]',
  '"command":"npx","args":["-y","--package=evil","forge-mcp","mcp"]',
  '"command":"./evil","args":[],"url":"http://127.0.0.1:4000/mcp"',
  // Clients put variables and the project's folder in their place.
  '"command":"/$PWD/tools/forge","args":["mcp"]',
  '"command":"node","args":["/{workspaceFolder}/forge.cjs","mcp"]',
  '"command":"/proc/self/cwd/tools/forge","args":["mcp"]',
  '"command":"/opt/../proc/self/cwd/forge","args":["mcp"]',
  '"command":"/dev/fd/../cwd/forge","args":["mcp"]',
  '"command":"ROOT/tools/forge","args":["mcp"]',
  '"command":"/usr/bin/node","args":["ROOT/tools/forge.cjs","mcp"]',
  '"command":"FOLDER/link/tools/forge","args":["mcp"]',
  '"command":"npx","args":["-y","forge-mcp@1.2.3","mcp"]',
])("a server that only looks like Forge is a conflict: %s", (shown) => {
  const place = new SetupPlace();
  const entry = shown.replace("ROOT", place.root).replace("FOLDER", place.folder);
  for (const file of ["node_modules/forge-mcp/package.json", "tools/forge"]) place.write(`shop/${file}`, "");
  place.link("link", "shop");
  place.write("shop/.mcp.json", `{"mcpServers":{"forge":{${entry}}}}`);
  expect(() => place.setup.plan({ ...nothing, clients: ["claude-code"] })).toThrow("starts another program");
});

test("an outdated pin is moved, and everything around it stays", async () => {
  const place = new SetupPlace();
  const text = '{"mcpServers":{"forge":{"command":"npx","args":["-y","forge-mcp@0.0.1","mcp"],"env":{"A":"1"}}}}';
  place.write("shop/.mcp.json", text);
  await place.init({ clients: ["claude-code"], npx: true });
  expect(place.read("shop/.mcp.json")).toBe(text.replace("0.0.1", "1.2.3"));
});

test("a server of that name that is another program is a conflict, and stays on removal", async () => {
  const place = new SetupPlace();
  place.write("shop/.mcp.json", '{"mcpServers":{"forge":{"command":"forge","args":["script"]}}}');
  const before = place.contents();
  expect(() => place.setup.plan({ ...nothing, clients: ["cursor", "claude-code"] })).toThrow("starts another program");
  await place.remove();
  expect(place.contents()).toEqual(before);
});

test.each([
  ["broken JSON", "shop/.cursor/mcp.json", '{\n"a": \n', ".cursor/mcp.json, line 3:"],
  ["broken TOML", "shop/.codex/config.toml", "a = 1\n[", ".codex/config.toml, line 2:"],
  ["wrong type", "shop/.cursor/mcp.json", '{"mcpServers": []}', ".cursor/mcp.json, line 1:"],
  ["merge conflict", "shop/AGENTS.md", "a\n<<<<<<< HEAD\n", "AGENTS.md, line 2:"],
  ["half a block", "shop/AGENTS.md", "<!-- forge:begin -->\n", "AGENTS.md, line 1:"],
])("%s: one clear error, and nothing is written anywhere", (_what, path, text, message) => {
  const place = new SetupPlace();
  place.write(path, text);
  const before = place.contents();
  expect(() => place.setup.plan({ ...nothing, ...everything })).toThrow(message);
  expect(place.contents()).toEqual(before);
});

test("text that is not UTF-8 is refused, since its bytes could not be kept", () => {
  const place = new SetupPlace();
  place.writeBytes("shop/.mcp.json", Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => place.setup.plan({ ...nothing, clients: ["claude-code"] })).toThrow("is not UTF-8");
});

test("a read-only file is somebody's decision", () => {
  const place = new SetupPlace();
  place.write("shop/.mcp.json", "{}");
  place.setMode("shop/.mcp.json", 0o444);
  expect(() => place.setup.plan({ ...nothing, clients: ["claude-code"] })).toThrow("is read-only");
});

test.each([
  ["the file", "shop/.mcp.json", "../outside.json"],
  ["its folder", "shop/.cursor", "../home"],
  ["the state folder", "shop/.forge", "../home"],
])("a link of %s out of the project is not followed", (_what, path, target) => {
  const place = new SetupPlace();
  place.write("outside.json", "{}");
  place.link(path, target);
  const before = place.contents();
  expect(() => place.setup.plan({ ...nothing, clients: ["claude-code", "cursor"] })).toThrow();
  expect(place.contents()).toEqual(before);
});

test("a link that stays inside the project is followed and stays a link", async () => {
  const place = new SetupPlace();
  place.write("shop/CLAUDE.md", "# Rules\n");
  place.link("shop/AGENTS.md", "CLAUDE.md");
  await place.init({ agentsMd: true, claudeMd: true });
  expect(place.isLink("shop/AGENTS.md")).toBe(true);
  expect(place.read("shop/CLAUDE.md")).toContain("<!-- forge:begin -->\n## Forge");
  expect(place.read("shop/CLAUDE.md")).not.toContain("@AGENTS.md");
  await place.remove();
  expect(place.read("shop/CLAUDE.md")).toBe("# Rules\n");
});

test("a person's dotfiles may be links to anywhere, and stay links", async () => {
  const place = new SetupPlace();
  place.write("dotfiles/codex.toml", "a = 1\n");
  place.link("home/.codex/config.toml", "../../dotfiles/codex.toml");
  await place.init({ clients: ["codex"], scope: "user" });
  expect(place.isLink("home/.codex/config.toml")).toBe(true);
  expect(place.read("dotfiles/codex.toml")).toContain("[mcp_servers.forge]");
});

test("a link that leads nowhere is named", () => {
  const place = new SetupPlace();
  place.link("shop/.mcp.json", "gone.json");
  expect(() => place.setup.plan({ ...nothing, clients: ["claude-code"] })).toThrow("is a broken link");
});

test("a file that changes between plan and write is not overwritten; what was done is said", async () => {
  const place = new SetupPlace();
  place.write("shop/.cursor/mcp.json", "{}");
  const plan = place.setup.plan({ ...nothing, clients: ["claude-code", "cursor", "vscode"] });
  place.write("shop/.cursor/mcp.json", '{"mine": 1}');
  await expect(plan.apply()).rejects.toMatchObject({
    code: "CONFLICT_ERROR",
    details: { written: [".mcp.json"], notWritten: [".cursor/mcp.json", ".vscode/mcp.json"] },
  });
  expect(place.read("shop/.cursor/mcp.json")).toBe('{"mine": 1}');
  await place.init({ clients: ["claude-code", "cursor", "vscode"] });
  await place.remove();
  expect(place.read("shop/.cursor/mcp.json")).toBe('{"mine": 1}');
});

test("CLAUDE.md that imports AGENTS.md already is left alone", async () => {
  const place = new SetupPlace();
  place.write("shop/CLAUDE.md", "@AGENTS.md\n");
  await place.init({ agentsMd: true, claudeMd: true });
  expect(place.read("shop/CLAUDE.md")).toBe("@AGENTS.md\n");
});

test("a skill that somebody changed is kept, by both", async () => {
  const place = new SetupPlace();
  await place.init({ skill: true });
  place.write("shop/.claude/skills/forge/SKILL.md", "mine");
  expect(place.setup.plan({ ...nothing, skill: true })).toMatchObject({
    changes: [],
    remarks: [expect.stringContaining("not changed")],
  });
  await place.remove();
  expect(place.read("shop/.claude/skills/forge/SKILL.md")).toBe("mine");
  expect(Object.keys(place.contents())).not.toContain("shop/.agents");
});

test("a token beside the change does not show in a diff", () => {
  const place = new SetupPlace();
  const token = `ghp_${"a".repeat(36)}`;
  place.write("shop/.mcp.json", `{\n  "mcpServers": {\n    "a": { "env": { "T": "${token}" } }\n  }\n}\n`);
  const [change] = place.setup.plan({ ...nothing, clients: ["claude-code"] }).changes;
  expect(change?.diff).toContain('+    "forge": {');
  expect(change?.diff).not.toContain(token);
});

test("the record holds no text but ours", async () => {
  const place = new SetupPlace();
  place.write("shop/.mcp.json", '{ "mcpServers": { "a": { "env": { "KEY": "hush-hush" } } } }');
  await place.init({ clients: ["claude-code"] });
  expect(place.read("shop/.forge/init.json")).not.toContain("hush");
});
