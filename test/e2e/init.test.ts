import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

const bin = join(import.meta.dirname, "..", "..", "bin");

let sandbox: Sandbox;

beforeAll(() => {
  sandbox = makeSandbox();
  mkdirSync(join(sandbox.root, "bin"));
  symlinkSync(join(bin, "forge.cjs"), join(sandbox.root, "bin", "forge"));
});
afterAll(() => sandbox.dispose());

const environment = () => ({
  ...sandbox.environment,
  PATH: `${join(sandbox.root, "bin")}:${sandbox.environment["PATH"]}`,
});

const forge = (cwd: string, ...args: string[]) =>
  promisify(execFile)("forge", args, { cwd, env: environment() }).catch((error) => error);

test("the built program sets a repository up so that git sees the shared files and nothing of Forge's own", async () => {
  const project = sandbox.repository("shared", { "README.md": "# Hello\n" });
  await forge(project, "init", "--client", "claude-code,codex");
  expect(sandbox.git(project, "status", "--porcelain", "--untracked-files=all").trim().split("\n")).toEqual([
    "?? .codex/config.toml",
    "?? .mcp.json",
    "?? AGENTS.md",
  ]);
  expect(JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8"))).toEqual({
    mcpServers: { forge: { command: "forge", args: ["mcp"] } },
  });
  expect(await forge(project, "init", "--check")).not.toHaveProperty("code");
  await forge(project, "init", "--remove");
  expect(sandbox.git(project, "status", "--porcelain", "--ignored")).toBe("");
});

test("--check ends with 1", async () => {
  const project = sandbox.repository("check", { "README.md": "# Hello\n" });
  expect(await forge(project, "init", "--check", "--client", "cursor")).toMatchObject({ code: 1 });
});

test("several at once do it once, and whole", async () => {
  const project = sandbox.repository("together", {
    ".mcp.json": '{\n  "mcpServers": {\n    "a": { "command": "a" }\n  }\n}\n',
  });
  const runs = Array.from({ length: 4 }, () =>
    forge(project, "init", "--client", "claude-code,cursor,codex", "--skill"),
  );
  for (const result of await Promise.all(runs)) expect(result).not.toHaveProperty("code");
  expect(Object.keys(JSON.parse(readFileSync(join(project, ".mcp.json"), "utf8")).mcpServers)).toEqual(["a", "forge"]);
  expect((await forge(project, "init", "--client", "claude-code,cursor,codex", "--skill")).stdout).toContain(
    "Nothing to do",
  );
  await forge(project, "init", "--remove");
  expect(sandbox.git(project, "status", "--porcelain", "--ignored")).toBe("");
});

test("`forge` of another maker on the path is not taken for ours", async () => {
  const project = sandbox.repository("stranger", {});
  const folder = join(sandbox.root, "foundry");
  mkdirSync(folder);
  writeFileSync(join(folder, "forge"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  symlinkSync(join(bin, "forge-mcp.cjs"), join(folder, "forge-mcp"));
  const env = { ...sandbox.environment, PATH: `${folder}:${sandbox.environment["PATH"]}` };
  await promisify(execFile)(process.execPath, [join(bin, "forge.cjs"), "init", "--client", "claude-code"], {
    cwd: project,
    env,
  });
  expect(readFileSync(join(project, ".mcp.json"), "utf8")).toContain('"command": "forge-mcp"');
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

test("at a real terminal it asks", async ({ skip }) => {
  if (!hasScript) skip("needs `script` (Debian: bsdutils)");
  const project = sandbox.repository("terminal", { "CLAUDE.md": "# Rules\n" });
  const { stdout } = spawnSync("script", ["--quiet", "--return", "--command", "forge init", "/dev/null"], {
    cwd: project,
    env: { ...environment(), TERM: "dumb" },
    input: "none\n",
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(stdout).toContain("1. Claude Code     .mcp.json (the project has CLAUDE.md)");
  expect(stdout).toContain("Set up which?");
  expect(stdout).toContain("Created  AGENTS.md");
});
