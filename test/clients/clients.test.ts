import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

/** Real clients, each with the configuration that `forge init` wrote and the trust that a person would give the folder. */

const root = join(import.meta.dirname, "..", "..");
const programs = join(import.meta.dirname, "node_modules", ".bin");
const inspector = join(
  import.meta.dirname,
  "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);
const tool = "get_repository_context";

let sandbox: Sandbox;
let project: string;

beforeAll(async () => {
  sandbox = makeSandbox();
  project = sandbox.repository("shop", { "README.md": "# Shop\n" });
  mkdirSync(join(sandbox.root, "bin"));
  symlinkSync(join(root, "bin", "forge.cjs"), join(sandbox.root, "bin", "forge"));
  await run("forge", "init", "--client", "claude-code,codex,gemini,vscode,cursor");
});
afterAll(() => sandbox.dispose());

function environment(): Record<string, string> {
  const { PATH = "", HOME = "", ...rest } = sandbox.environment;
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_AUTOUPDATER: "1", NO_COLOR: "1" };
  return { ...rest, ...quiet, HOME, PATH: `${join(sandbox.root, "bin")}:${dirname(process.execPath)}:${PATH}` };
}

async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, args, {
    cwd: project,
    env: environment(),
    timeout: 120_000,
  });
  return stdout + stderr;
}

function inHome(path: string, text: string): void {
  const file = join(sandbox.root, "home", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const need = (name: string) => `needs ${name}: npm run test:clients installs it`;
const missing = (name: string) => !existsSync(join(programs, name));

test("Claude Code lists the server as connected", async ({ skip }) => {
  if (missing("claude")) skip(need("Claude Code"));
  const trust = { hasTrustDialogAccepted: true, enabledMcpjsonServers: ["forge"] };
  inHome(".claude.json", JSON.stringify({ projects: { [project]: trust } }));
  expect(await run(join(programs, "claude"), "mcp", "list")).toMatch(/forge: forge mcp - ✔ Connected/);
});

test("Gemini CLI lists the server as connected", async ({ skip }) => {
  if (missing("gemini")) skip(need("Gemini CLI"));
  inHome(".gemini/trustedFolders.json", JSON.stringify({ [project]: "TRUST_FOLDER" }));
  expect(await run(join(programs, "gemini"), "mcp", "list")).toMatch(/✓ forge: forge mcp \(stdio\) - Connected/);
});

describe("Codex", () => {
  const codex = join(programs, "codex");

  test("lists the project's server once the project is trusted", async ({ skip }) => {
    if (missing("codex")) skip(need("Codex"));
    inHome(".codex/config.toml", `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`);
    expect(await run(codex, "mcp", "list")).toMatch(/^forge +forge +mcp +.*enabled/m);
  });

  test("connects to the person's server and sees its tools", async ({ skip }) => {
    if (missing("codex")) skip(need("Codex"));
    await run("forge", "init", "--client", "codex", "--scope", "user");
    const [server] = await codexServers(codex);
    expect(server).toMatchObject({ name: "forge", serverInfo: { name: "forge" }, tools: { [tool]: { name: tool } } });
  });
});

type CodexServer = { name: string; serverInfo: unknown; tools: Record<string, unknown> };

/** `codex mcp list` only reads the file; the app server connects. */
async function codexServers(codex: string): Promise<CodexServer[]> {
  const child = execFile(codex, ["app-server"], { cwd: project, env: environment(), timeout: 120_000 });
  const exited = once(child, "close");
  const send = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);
  send({ id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1" } } });
  try {
    if (!child.stdout) return [];
    for await (const line of createInterface({ input: child.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method: "mcpServerStatus/list", params: {} });
      }
      if (id === 2) return result.data;
    }
    return [];
  } finally {
    child.kill();
    await exited;
  }
}

test.for([".mcp.json", ".cursor/mcp.json", ".gemini/settings.json"])(
  "MCP Inspector lists the tools with %s",
  async (file, { skip }) => {
    if (!existsSync(inspector)) skip(need("@modelcontextprotocol/inspector"));
    const args = ["--cli", "--config", join(project, file), "--server", "forge", "--method", "tools/list"];
    const { stdout } = await promisify(execFile)(process.execPath, [inspector, ...args], {
      cwd: project,
      env: environment(),
    });
    expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toContain(tool);
  },
);

test("LangChain lists and calls", async ({ skip }) => {
  if (!existsSync(join(import.meta.dirname, "node_modules/@langchain/mcp-adapters")))
    skip(need("@langchain/mcp-adapters"));
  const script = join(import.meta.dirname, "langchain.mjs");
  const { stdout } = await promisify(execFile)(process.execPath, [script, join(project, ".mcp.json"), tool], {
    cwd: project,
    env: environment(),
  });
  const { tools, result } = JSON.parse(stdout);
  expect(tools).toContain(tool);
  expect(JSON.stringify(result)).toContain(readFileSync(join(project, ".git/HEAD"), "utf8").trim().split("/").at(-1));
});

test("LangChain lists the 18 tools of fractary-forge-mcp and calls each", async ({ skip }) => {
  if (!existsSync(join(import.meta.dirname, "node_modules/@langchain/mcp-adapters")))
    skip(need("@langchain/mcp-adapters"));
  const config = join(sandbox.root, "registry-mcp.json");
  const command = join(root, "bin", "fractary-forge-mcp.cjs");
  const files = {
    "config.json": JSON.stringify({ registries: [] }),
    "agents/critic.yaml":
      "name: critic\ntype: agent\nversion: 1.0.0\ndescription: Finds faults\nsystem_prompt: Be strict.\n",
    "agents/mine.yaml":
      "name: mine\ntype: agent\nversion: 1.0.0\nfork_of: {name: critic, version: 1.0.0, forked_at: 2026-01-01}\nsystem_prompt: Be kind.\n",
    "tools/lint.yaml": "name: lint\ntype: tool\nversion: 1.0.0\ndescription: Lints\n",
    "plugins/kit/plugin.json": JSON.stringify({ name: "kit", version: "1.0.0" }),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, ".fractary", path)), { recursive: true });
    writeFileSync(join(project, ".fractary", path), text);
  }
  const inputs = {
    agent_info: { name: "critic" },
    agent_validate: { name: "critic" },
    tool_info: { name: "lint" },
    tool_validate: { name: "lint" },
    plugin_info: { plugin: "kit" },
    plugin_search: { query: "kit" },
    config_get: { key: "registries" },
    fork_info: { name: "mine" },
    fork_diff: { name: "mine" },
  };
  const named = Object.fromEntries(Object.entries(inputs).map(([name, input]) => [`fractary_forge_${name}`, input]));
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { registry: { command: process.execPath, args: [command], cwd: project } } }),
  );
  const script = join(import.meta.dirname, "langchain.mjs");
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, config, "fractary_forge_agent_list", JSON.stringify(named)],
    {
      cwd: project,
      env: environment(),
      timeout: 120_000,
    },
  );
  const { tools, result, failed } = JSON.parse(stdout);
  expect(tools).toHaveLength(18);
  expect(JSON.stringify(result)).toContain("Finds faults");
  expect(failed).toEqual([]);
});
