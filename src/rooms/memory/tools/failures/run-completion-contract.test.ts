import { expect, test, vi } from "vitest";
import { processesIn } from "../../../../../test/harness/commons/testing.ts";
import { type MemoryServerOptions, startMemoryServer } from "../../../../../test/harness/rooms/memory/memory-server.ts";
import { TrustEditor } from "../../../../commons/trust/trust-editor.ts";
import { Git } from "../../../../platform/git/git.ts";

type Run = {
  id: string;
  status: string;
  output: string;
  stacks: string[];
  checks: { check: string; outcome: string; why?: string }[];
  known_failures?: { title: string; count: number; lesson?: string }[];
  next?: unknown[];
};

const script = "_bmad/_config/custom/cc-verify.sh";

/** Takes its folder first, and the stack from the environment, as the kit's does. */
const verify = (body: string) => `#!/usr/bin/env bash\nset -u\nROOT="\${1:-.}"\ncd "$ROOT" || exit 2\n${body}\n`;

async function trust(root: string): Promise<void> {
  const editor = new TrustEditor({ git: new Git() });
  await editor.grant(await editor.state(root, new AbortController().signal), "ada");
}

async function trusted(options: MemoryServerOptions) {
  const server = await startMemoryServer(options);
  await trust(server.cwd);
  return server;
}

test("the project's script: passed, failed and nothing to check are three outcomes", async () => {
  const { ok, write } = await trusted({
    files: { [script]: verify("cat result; [ -f fail ] && exit 1; exit 0") },
  });
  write("result", "\u001b[32m✅ go build\u001b[0m\n⚠️ shellcheck non installé, skip\n✅ CC PASS — [go] — 2026-01-01\n");
  const passed = await ok<Run>("run_completion_contract");
  expect(passed).toMatchObject({
    status: "PASS",
    stacks: ["go"],
    checks: [{ check: "go build", outcome: "passed" }, { outcome: "skipped" }],
  });
  expect(passed.output).not.toContain("\u001b");
  write("result", "⚠️ aucune stack\n");
  expect(await ok<Run>("run_completion_contract")).toMatchObject({ status: "NO_STACK" });
  write("result", `${`${"x".repeat(200)}\n`.repeat(5_000)}🔴 CC FAIL — [go] — now\nlast line\n`);
  write("fail", "");
  const failed = await ok<Run>("run_completion_contract");
  expect(failed.status).toBe("FAIL");
  expect(failed.output.endsWith("last line")).toBe(true);
  expect(failed.output.length).toBeLessThan(13_000);
});

test("a stack goes into the environment, and the folder comes first", async () => {
  const { ok, write } = await trusted({
    files: { [script]: verify('echo "$CC_STACK $(basename "$PWD") $#"; echo "CC PASS"') },
  });
  write("sub/x.txt", "");
  const run = await ok<Run>("run_completion_contract", { stack: "go", working_dir: "sub" });
  expect(run.output).toContain("go sub 1");
});

test("without trust nothing runs, and a changed script asks again", async () => {
  const { fails, write, cwd } = await startMemoryServer({ files: { [script]: verify("touch ran; echo CC PASS") } });
  expect((await fails("run_completion_contract")).code).toBe("TRUST_REQUIRED");
  await trust(cwd);
  write(script, verify("touch ran; echo CC PASS # changed"));
  expect((await fails("run_completion_contract")).code).toBe("TRUST_REQUIRED");
});

test("a script that reads stdin, forks and floods does no harm, and nothing of it keeps running", async () => {
  const flood = "yes | head -c 3000000; printf '\\342\\200\\256%.0s' {1..3500}";
  const { ok, cwd, client } = await trusted({
    files: { [script]: verify(`read -r line; (sleep 300 &) ; ${flood}; echo; echo "CC PASS"`) },
  });
  // From then on the client checks answers against the tool's schema.
  await client.listTools();
  expect((await ok<Run>("run_completion_contract")).status).toBe("PASS");
  if (process.platform === "linux") await vi.waitFor(() => expect(processesIn(cwd)).toEqual([]));
});

test("a script that hangs is cancelled with the call", async () => {
  const { services } = await trusted({ files: { [script]: verify("sleep 300") } });
  const { completion } = await services();
  const cancel = new AbortController();
  const running = completion.run({
    stack: "auto",
    workingDir: undefined,
    signal: cancel.signal,
    deadlineMs: 60_000,
    report: () => cancel.abort(),
  });
  await expect(running).rejects.toMatchObject({ code: "CANCELLED" });
  const late = completion.run({
    stack: "auto",
    workingDir: undefined,
    signal: new AbortController().signal,
    deadlineMs: 300,
    report: () => undefined,
  });
  await expect(late).rejects.toMatchObject({ code: "TIMEOUT" });
});

test.each(["..", "/etc", "a\0b", "missing"])("working_dir %j is refused", async (folder) => {
  const { fails } = await trusted({ files: { [script]: verify("echo CC PASS") } });
  expect((await fails("run_completion_contract", { working_dir: folder })).code).toBe("VALIDATION_ERROR");
});

test("built-in checks: what ran, what is advice, and what was skipped for want of a tool", async () => {
  const files = { "go.mod": "module x\n", "pyproject.toml": "", "deploy.sh": "echo hi\n" };
  const server = await startMemoryServer({ files });
  server.usePrograms({
    go: 'echo "go $*"; [ "$1" = test ] && [ -f fail ] && { echo "main.go:7: undefined: x"; exit 1; }; exit 0',
    ruff: "exit 1",
    pytest: "exit 5",
    shellcheck: "exit 0",
  });
  await trust(server.cwd);
  const said: string[] = [];
  const onprogress = ({ message = "" }) => void said.push(message);
  const { structuredContent } = await server.client.callTool({ name: "run_completion_contract" }, { onprogress });
  const run = structuredContent as unknown as Run & { duration_ms: number };
  expect(said[0]).toBe("go build ./...");
  expect(run.duration_ms).toBeGreaterThan(0);
  const outcomes = Object.fromEntries(
    run.checks.map(({ check, outcome }) => [check.split(" ").slice(0, 2).join(" "), outcome]),
  );
  expect(run.stacks).toEqual(["go", "python", "shell"]);
  expect(outcomes).toMatchObject({
    "go build": "passed",
    "go test": "passed",
    "ruff check": "warned",
    "pytest -q": "skipped",
  });
  expect(run.status).toBe("PASS");
  expect(run.checks.find(({ check }) => check.startsWith("mypy"))).toMatchObject({
    outcome: "skipped",
    why: "mypy is not installed",
  });
  server.write("fail", "");
  expect((await server.ok<Run>("run_completion_contract", { stack: "go" })).status).toBe("FAIL");
});

test.each([
  ["go", { "go.mod": "module x\n" }, ["go build ./...", "go vet ./...", "go test ./..."]],
  ["typescript", { "package.json": '{"scripts":{"test":"x"}}', "yarn.lock": "" }, ["yarn test"]],
  [
    "typescript",
    { "package.json": "{}", "tsconfig.json": "{}", "vitest.config.ts": "" },
    ["tsc --noEmit", "vitest run"],
  ],
  ["terraform", { "infra/main.tf": "" }, ["terraform validate", "terraform fmt -check -recursive", "tflint"]],
  ["ansible", { "playbook-site.yml": "" }, ["ansible-lint", "yamllint ."]],
  ["python", { "requirements.txt": "" }, ["pytest -q", "ruff check .", "mypy ."]],
  ["docker", { Dockerfile: "", "compose.yaml": "" }, ["docker compose config --quiet", "docker build --check ."]],
  ["k8s", { "k8s/app.yaml": "" }, ["kubectl apply --dry-run=client --recursive -f k8s"]],
  ["shell", { "deploy.sh": "" }, ["shellcheck -- deploy.sh"]],
])("the stack %s is found, and runs its own programs: %j", async (stack, files, commands) => {
  const server = await startMemoryServer({ files });
  const programs = new Set(commands.map((command) => command.split(" ")[0] ?? ""));
  server.usePrograms(Object.fromEntries([...programs].map((name) => [name, `echo "$(basename "$0") $*"`])));
  await trust(server.cwd);
  const run = await server.ok<Run>("run_completion_contract");
  expect(run.stacks).toEqual([stack]);
  for (const command of commands) expect(run.output).toContain(`$ ${command}\n`);
  expect(run.status).toBe("PASS");
});

test("a real project's tests decide, with the programs of this machine", async () => {
  const check = (sum: number) =>
    `require("node:test")("adds", () => require("node:assert").strictEqual(1 + 1, ${sum}));\n`;
  const { ok, write } = await trusted({
    files: { "package.json": '{"scripts":{"test":"node --test"}}', "sum.test.js": check(2) },
  });
  expect(await ok<Run>("run_completion_contract")).toMatchObject({ status: "PASS", stacks: ["typescript"] });
  write("sum.test.js", check(3));
  const failed = await ok<Run>("run_completion_contract");
  expect(failed.status).toBe("FAIL");
  expect(failed.output).toContain("adds");
});

test("no known stack is its own outcome", async () => {
  const { ok } = await startMemoryServer({ files: { "notes.txt": "" } });
  expect(await ok<Run>("run_completion_contract")).toMatchObject({ status: "NO_STACK", checks: [] });
});

test("a failure is filed in one step, counted, and shown when it comes back", async () => {
  const { ok, write, fails, store } = await trusted({
    files: {
      [script]: verify("cat out; exit 1"),
      out: "src/shop.ts:12: error: expected 1, got 2\n🔴 CC FAIL — [typescript]\n",
    },
  });
  const first = await ok<Run>("run_completion_contract");
  expect(first.known_failures).toBeUndefined();
  expect(first.next).toEqual([expect.objectContaining({ tool: "record_failure", input: { run: first.id } })]);
  const filed = await ok("record_failure", { run: first.id, lesson: "Totals are in cents" });
  expect(filed).toMatchObject({ count: 1, category: "CC-FAIL", files: ["src/shop.ts"] });
  write("out", "src/shop.ts:99: error: expected 7, got 8\n🔴 CC FAIL — [typescript]\n");
  const second = await ok<Run>("run_completion_contract");
  expect(second.known_failures).toMatchObject([{ lesson: "Totals are in cents", count: 1 }]);
  expect(await ok("record_failure", { run: second.id })).toMatchObject({
    count: 2,
    fingerprint: filed["fingerprint"],
    lesson: "Totals are in cents",
  });
  const museum = await ok<{ failures: { count: number }[]; total: number }>("get_failure_museum", {
    category: "CC-FAIL",
  });
  expect(museum).toMatchObject({ total: 1, failures: [{ count: 2 }] });
  // Another error in the same file comes with what is known about that file.
  write("out", "src/shop.ts:3: panic: out of memory\n🔴 CC FAIL — [typescript]\n");
  const third = await ok<Run>("run_completion_contract");
  expect(third.known_failures).toMatchObject([{ lesson: "Totals are in cents", count: 2 }]);
  write("out", "src/other.ts:3: panic: out of memory\n🔴 CC FAIL — [typescript]\n");
  expect((await ok<Run>("run_completion_contract")).known_failures).toBeUndefined();
  expect((await fails("record_failure", { run: "cc_0000000000000000" })).code).toBe("NOT_FOUND");
  expect((await fails("record_failure", {})).code).toBe("VALIDATION_ERROR");
  const entries = await (await store()).ledger.latest({});
  const evidence = entries.flatMap((entry) => (entry.name === "run_completion_contract" ? entry.evidence : []));
  expect(evidence).toEqual(expect.arrayContaining([first, second, third].map(({ id }) => `completion-run:${id}`)));
});
