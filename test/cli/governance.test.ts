import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { estimateTokens } from "../../src/hosts/mcp/lists/lists.ts";
import { PersonTerminal } from "../harness/cli/person-terminal.ts";
import { startForge } from "../harness/cli/program.ts";
import { describeWith } from "../harness/faults/faults.ts";
import { makeSandbox } from "../harness/git/git.ts";

const binary = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");

function open(files: Record<string, string>) {
  const sandbox = makeSandbox();
  onTestFinished(() => sandbox.dispose());
  const project = sandbox.repository("project", files);
  const onTerminal = (...args: string[]) =>
    new PersonTerminal([process.execPath, binary, ...args], { cwd: project, env: sandbox.environment });
  const policy = () => JSON.parse(readFileSync(join(project, "Forge", "invariants.json"), "utf8"));
  return { onTerminal, policy, sandbox, project };
}

test("The profile has exactly the 16 tools of its specification, at most 2,200 tokens; the toolset has one more", async () => {
  const { project } = open({ "package.json": "{}\n" });
  const start = (...args: string[]) => startForge(["mcp", ...args], { cwd: project });
  const listed = async (program: ReturnType<typeof start>) => {
    const { result } = await program.request("tools/list");
    return Object(result).tools as Parameters<typeof estimateTokens>[0];
  };
  const names = (tools: Parameters<typeof estimateTokens>[0]) => tools.map(({ name }) => name);
  const profile = start("--profile", "governance");
  const tools = await listed(profile);
  const exact = names(tools);
  expect(exact).toHaveLength(16);
  expect(estimateTokens(tools)).toBeLessThanOrEqual(2_200);
  const toolset = names(await listed(start("--toolsets", "governance")));
  expect(toolset.filter((name) => !exact.includes(name))).toEqual(["forge_check_governance"]);
  const call = (name: string) => profile.request("tools/call", { name, arguments: {} });
  expect(await call("forge_check_governance")).toMatchObject({ error: { message: expect.stringMatching(/unknown/i) } });
  for (const shortcut of ["boundaries", "physics", "directive", "stack"])
    expect(await call(`forge_get_${shortcut}`)).toMatchObject({ result: { isError: true } });
});

test("The hook stops a push that breaks a rule, and lets another through", () => {
  const { sandbox, project } = open({ "package.json": "{}\n" });
  const programs = join(sandbox.root, "programs");
  mkdirSync(programs);
  writeFileSync(join(programs, "forge"), `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`);
  chmodSync(join(programs, "forge"), 0o755);
  const { PATH = "" } = sandbox.environment;
  const run = (path: string, program: string, ...args: string[]) => {
    const env = { ...sandbox.environment, PATH: path };
    const { status, stderr, stdout } = spawnSync(program, args, { cwd: project, env, encoding: "utf8" });
    return { status, text: stdout + stderr };
  };
  const both = `${programs}:${PATH}`;
  run(both, "git", "init", "--quiet", "--bare", join(sandbox.root, "remote.git"));
  run(both, "git", "remote", "add", "origin", join(sandbox.root, "remote.git"));
  expect(run(both, "forge", "governance", "install-hook").status).toBe(0);
  const push = (path: string) => run(path, "git", "push", "origin", "HEAD:main");
  writeFileSync(join(project, "package.json"), "{ broken\n");
  expect(push(both)).toMatchObject({ status: 1, text: expect.stringContaining("package.json:1") });
  writeFileSync(join(project, "package.json"), "{}\n");
  expect(push(both).status).toBe(0);
  expect(push(PATH)).toMatchObject({ status: 1, text: expect.stringContaining("not on the PATH") });
});

describeWith(["script"], "A person at a terminal", () => {
  test("edits a contract in an editor, and loses nothing where its file was changed meanwhile", async () => {
    const { onTerminal, project, sandbox } = open({ "Forge/Contracts/ui.md": "# Screens\n" });
    const file = join(project, "Forge", "Contracts", "ui.md");
    const editor = join(sandbox.root, "editor");
    writeFileSync(editor, '#!/bin/sh\necho "- One" >> "$1"\n[ -n "$RIVAL" ] && echo theirs > "$RIVAL"\nexit 0\n');
    chmodSync(editor, 0o755);
    sandbox.environment["VISUAL"] = editor;
    const first = onTerminal("governance", "edit", "ui");
    expect(await first.exitCode, first.output).toBe(0);
    expect(readFileSync(file, "utf8")).toBe("# Screens\n- One\n");
    sandbox.environment["RIVAL"] = file;
    const second = onTerminal("governance", "edit", "ui");
    expect(await second.exitCode).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe("theirs\n");
    const [, draft = ""] = /Your text is in (\S+?)\.?\s/.exec(second.output) ?? [];
    expect(readFileSync(draft, "utf8")).toBe("# Screens\n- One\n- One\n");
  });

  test("is asked before a rule is waived, and a no changes nothing", async () => {
    const { onTerminal, policy } = open({ "Forge/invariants.json": "{}\n" });
    const line = ["governance", "waive", "syntax_errors", "--reason", "moving", "--until", "2999-12-31"];
    const first = onTerminal(...line);
    await first.until("Allow syntax_errors to be broken until 2999-12-31? (moving) [y/N]");
    first.type("n\r");
    expect(await first.exitCode).toBe(1);
    expect(policy()).toEqual({});
    const second = onTerminal(...line);
    await second.until("[y/N]");
    second.type("y\r");
    expect(await second.exitCode, second.output).toBe(0);
    expect(policy()).toEqual({
      waivers: [{ rule: "syntax_errors", reason: "moving", by: expect.any(String), until: "2999-12-31" }],
    });
  });

  test("is asked before a worse value is recorded", async () => {
    const { onTerminal, policy } = open({ "Forge/invariants.json": '{"recorded":{"total_files":{"value":30}}}\n' });
    const refused = onTerminal("governance", "record");
    expect(await refused.exitCode).toBe(1);
    expect(refused.output).toContain("total_files: 30 to 1");
    const accepted = onTerminal("governance", "record", "--accept-worse");
    await accepted.until("[y/N]");
    accepted.type("y\r");
    expect(await accepted.exitCode, accepted.output).toBe(0);
    expect(policy().recorded.total_files.value).toBe(1);
  });
});
