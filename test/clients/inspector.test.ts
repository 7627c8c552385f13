import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

const root = join(import.meta.dirname, "..", "..");
const inspector = join(
  import.meta.dirname,
  "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
);
const forge = join(root, "bin/forge.cjs");

let sandbox: Sandbox;
let repository: string;

beforeAll(() => {
  sandbox = makeSandbox();
  repository = sandbox.repository("project", { "README.md": "# Hello\n" });
});
afterAll(() => sandbox.dispose());

/** Runs the Inspector's command line on the built program; a refusal of any kind is an exit code, and thrown. */
async function inspect(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [inspector, "--cli", process.execPath, forge, "mcp", ...args],
    {
      cwd: repository,
      env: { ...sandbox.environment },
      maxBuffer: 16 * 1_048_576,
    },
  );
  return JSON.parse(stdout);
}

describe.skipIf(!existsSync(inspector)).each(["legacy", "modern"])("MCP Inspector (%s)", (era) => {
  test("lists the tools and finds nothing that a client might stumble over", async () => {
    const { tools } = await inspect("--method", "tools/list", "--strict", "--protocol-era", era);
    expect((tools as { name: string }[]).map(({ name }) => name)).toContain("get_repository_context");
  });

  test("calls a tool", async () => {
    const { structuredContent, isError } = await inspect(
      ...["--method", "tools/call", "--tool-name", "get_repository_context", "--protocol-era", era],
    );
    expect(isError).toBeUndefined();
    expect(structuredContent).toMatchObject({ branch: "main" });
  });

  test("lists prompts and resources", async () => {
    expect(await inspect("--method", "prompts/list", "--protocol-era", era)).toHaveProperty("prompts");
    expect(await inspect("--method", "resources/list", "--protocol-era", era)).toHaveProperty("resources");
  });
});
