import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { isProtected, needsPerson } from "../../src/platform/files/protected-names.ts";
import { AddedText } from "../../src/platform/git/write/added-text.ts";
import { clients } from "../../src/rooms/setup/clients/clients.ts";
import { forgeCommitChanges } from "../../src/rooms/workbench/tools/executions/forge-commit-changes.ts";
import { forgeExecuteTask } from "../../src/rooms/workbench/tools/executions/forge-execute-task.ts";
import { openRoom } from "../harness/rooms/workbench/workbench-executions.ts";

/** Made up here, so that no file of ours looks like it holds one. */
const random = "9fK2mQ7xR4tLc8Vb3Nw6Zd1Jh5Pg0SaYuEiT";
const tokens: [kind: string, token: string][] = [
  ["stripe-key", `sk_live_${random.slice(0, 24)}`],
  ["huggingface-token", `hf_${"AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh"}`],
  ["sendgrid-key", `SG.${random.slice(0, 22)}.${random}aaBBc`],
  ["google-token", `GOCSPX-${random.slice(0, 28)}`],
  ["google-key", `AIza${random.slice(0, 35)}`],
  ["slack-webhook", `https://hooks.slack.com/services/T0AB12CD3/B0EF45GH6/${random.slice(0, 24)}`],
  ["azure-key", `AccountKey=${random}${random.slice(0, 20)}${random.slice(0, 28)}==`],
  ["github-token", `ghp_${random}`],
  ["password-in-url", "postgres://app:hunter2hunter@db.shop.io/shop"],
  ["password-in-url", "postgres://app:pa$$w0rd*13@db.shop.io/shop"],
];

async function begin(files?: Record<string, string>) {
  const room = openRoom(files ? { files } : {});
  const task = await room.task();
  await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  return room;
}

test("G a token of any kind in a tracked file is not committed, named or not", async () => {
  const room = await begin();
  for (const [kind, token] of tokens) {
    expect(new Redactor().find(`key = "${token}"`).map((found) => found.kind)).toContain(kind);
    room.put({ "a.txt": `one\nkey = "${token}"\n` });
    for (const files of [["a.txt"], ["a.txt"]]) {
      const refused = await room.refused(forgeCommitChanges, { message: "Add the key", files });
      expect(refused, kind).toMatchObject({ code: "PERMISSION_DENIED", details: { approval: expect.any(String) } });
      expect(JSON.stringify(refused)).not.toContain(token);
    }
    expect(room.git("log", "--all", "-p")).not.toContain(token);
  }
});

test.each<[string, Record<string, string>]>([
  ["a file that git takes for binary", { "z.txt": "\0\nTOKEN\n" }],
  ["text in UTF-16", { "z.txt": "TOKEN\n" }],
  ["a file that an attribute hides from diffs", { ".gitattributes": "*.txt -diff\n", "z.txt": "TOKEN\n" }],
])("G nor one in %s", async (what, given) => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin();
  const wide = (text: string) => (what.endsWith("UTF-16") ? [...text].map((letter) => `${letter}\0`).join("") : text);
  const files = Object.fromEntries(
    Object.entries(given).map(([name, text]) => [name, wide(text.replace("TOKEN", token))]),
  );
  room.put(files);
  expect(await room.refused(forgeCommitChanges, { message: "Add it", files: Object.keys(files) })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

test("G nor one beside a link that has become a file, which is two changes in a patch", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = openRoom({ files: { "a.txt": "one\n" } });
  symlinkSync("a.txt", join(room.project, "b"));
  room.git("add", "b");
  room.git("commit", "--quiet", "-m", "Link");
  const task = await room.task();
  await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  rmSync(join(room.project, "b"));
  room.put({ b: "plain\n", "z.txt": `${token}\n` });
  expect(await room.refused(forgeCommitChanges, { message: "Add it", files: ["b", "z.txt"] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

test("G nor one in the name of a file or folder, or behind an escape in source code", async () => {
  const [, token] = tokens.find(([kind]) => kind === "github-token") ?? ["", ""];
  for (const [path, text] of [
    [`${token}.txt`, "one\n"],
    [`${token}/a.txt`, "one\n"],
    ["a.js", `const text = "one\\n${token}";\n`],
  ] as const) {
    const room = await begin();
    room.put({ [path]: text });
    const refused = await room.refused(forgeCommitChanges, { message: "Add it", files: [path] });
    expect(refused, path).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(JSON.stringify(refused)).not.toContain(token);
  }
});

test("G nor one in the commit message, or in a commit that another tool made", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin();
  room.put({ "a.txt": "two\n" });
  expect(await room.refused(forgeCommitChanges, { message: `Use ${token}`, files: ["a.txt"] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
  room.put({ "b.txt": `${token}\n` });
  room.git("add", "b.txt");
  room.git("commit", "--quiet", "-m", "Other tool");
  expect(await room.refused(forgeCommitChanges, { message: "Done", files: ["a.txt"] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(room.git("log", "main", "-p")).not.toContain(token);
});

test("G nor one in the name of a task, which is in its branch and its merge", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = openRoom();
  const task = await room.task({ name: token });
  const input = { block_id: task.blockId, task_id: task.id, options: { isolation: "worktree" } };
  const { root } = await room.ok<{ root: string }>(forgeExecuteTask, input);
  expect(room.git("branch", "--list").toLowerCase()).not.toContain(token.toLowerCase().slice(0, 16));
  writeFileSync(join(root, "b.txt"), "two\n");
  room.put({ "c.txt": "theirs\n" });
  room.git("add", "c.txt");
  room.git("commit", "--quiet", "-m", "The base moves");
  expect(await room.ok(forgeCommitChanges, { message: "Add b", files: ["b.txt"] })).toMatchObject({
    branch_merged: true,
  });
  const log = room.git("log", "--format=%B", "main");
  expect(log).toMatch(/^Merge .*\[redacted stripe-key\]$/m);
  expect(log).not.toContain(token);
});

test("G nor one that another tool's commit adds and its next removes, or has in its message", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  for (const [text, message] of [
    [token, "First"],
    ["harmless", `First ${token}`],
  ] as const) {
    const room = await begin();
    room.put({ "b.txt": `${text}\n` });
    room.git("add", "b.txt");
    room.git("commit", "--quiet", "-m", message);
    room.put({ "b.txt": "clean\n" });
    room.git("commit", "--quiet", "-am", "Second");
    expect(await room.refused(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(room.git("log", "main", "-p")).not.toContain(token);
  }
});

test("G nor one that a merge of another tool brings and the next commit removes", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin();
  room.git("switch", "--quiet", "-c", "side", "main");
  room.put({ "side.txt": "side\n" });
  room.git("add", "side.txt");
  room.git("commit", "--quiet", "-m", "Side");
  room.git("switch", "--quiet", "-");
  room.git("merge", "--quiet", "--no-ff", "--no-commit", "side");
  room.put({ "b.txt": `${token}\n` });
  room.git("add", "b.txt");
  room.git("commit", "--quiet", "-m", "Merge side");
  room.git("rm", "--quiet", "b.txt");
  room.git("commit", "--quiet", "-m", "Clean up");
  expect(await room.refused(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(room.git("log", "main", "-m", "-p")).not.toContain(token);
});

test("E nor one in a commit that the repository shows as another", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin();
  room.put({ "b.txt": `${token}\n` });
  room.git("add", "b.txt");
  room.git("commit", "--quiet", "-m", "Other tool");
  const clean = room.git("hash-object", "-w", "a.txt").trim();
  room.git("replace", room.git("rev-parse", "HEAD:b.txt").trim(), clean);
  expect(await room.refused(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
  expect(room.git("--no-replace-objects", "log", "main", "-p")).not.toContain(token);
});

test("G nor one far behind in a large file, on a line of its own or on an endless one", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const find = (text: string) => new Redactor().find(text);
  for (const filler of ["x".repeat(63), "x".repeat(63).concat("\n")]) {
    const added = new AddedText(find);
    const head = `diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+`;
    const body = `${filler.repeat((9 * 1_048_576) / 64)} ${token}`.replaceAll("\n", "\n+");
    const bytes = Buffer.from(`${head}${body}\ndiff --git a/b b/b\n--- a/b\n+++ b/b\n@@ -0,0 +1 @@\n+clean\n`);
    for (let at = 0; at < bytes.length; at += 65_536) added.read(bytes.subarray(at, at + 65_536));
    expect(added.end()).toEqual([[{ kind: "stripe-key", secret: token }], []]);
  }
  const room = await begin();
  room.put({ "large.txt": `${`${"x".repeat(1_023)}\n`.repeat(9 * 1_024)}${token}\n` });
  expect(await room.refused(forgeCommitChanges, { message: "Add it", files: ["large.txt"] })).toMatchObject({
    code: "PERMISSION_DENIED",
  });
});

test("G the user's approval lifts it, for that content and path, and is remembered", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin();
  room.put({ "a.txt": `one\n${token}\n` });
  await room.refused(forgeCommitChanges, { message: "Fixture", files: ["a.txt"] });
  const [waiting] = await room.approvals.listWaiting();
  if (!waiting) throw new Error("nothing waits");
  expect(waiting.summary).toContain(
    "looks like a secret (stripe-key) in a.txt, and the same there from then on without asking",
  );
  await room.approvals.decide(waiting, "approved", "ada");
  expect(await room.ok(forgeCommitChanges, { message: "Fixture", files: ["a.txt"] })).toMatchObject({ success: true });
});

test("G what is in the file already, a placeholder or an address of this machine asks nothing", async () => {
  const [, token] = tokens[0] ?? ["", ""];
  const room = await begin({ "a.txt": `${token}\n` });
  const text =
    "sk_test_xxxxxxxxxxxxxxxxxxxxxxxx postgres://app:app@localhost/x postgres://u:p@db:5432/x AKIAIOSFODNN7EXAMPLE " +
    "https://app:$PASSWORD@shop.io https://app:{password}@shop.io https://app:****@shop.io";
  room.put({ "a.txt": `${token}\nmore\n`, "b.txt": `${text}\n` });
  expect(await room.ok(forgeCommitChanges, { message: "More", files: ["a.txt", "b.txt"] })).toMatchObject({
    success: true,
  });
});

test.each([".vscode/tasks.json", ".husky/pre-commit"])(
  "D08 %s that another tool wrote is not committed or merged without the user",
  async (path) => {
    const room = await begin();
    room.put({ [path]: "evil\n" });
    const input = { message: "Set up", files: [path] };
    expect(await room.refused(forgeCommitChanges, input)).toMatchObject({ code: "PERMISSION_DENIED" });
    room.git("add", "-f", path);
    room.git("commit", "--quiet", "-m", "Other tool");
    expect(await room.refused(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(room.git("ls-tree", "-r", "--name-only", "main")).not.toContain(path);
    for (const waiting of await room.approvals.listWaiting()) await room.approvals.decide(waiting, "approved", "ada");
    expect(await room.ok(forgeCommitChanges, { message: "Done", files: [] })).toMatchObject({ success: true });
  },
);

test("D08 a protected file that the user allowed once is asked for again in the next execution", async () => {
  const path = ".mcp.json";
  const room = await begin();
  const input = { message: "Set up", files: [path] };
  room.put({ [path]: "{}\n" });
  await room.refused(forgeCommitChanges, input);
  for (const waiting of await room.approvals.listWaiting()) await room.approvals.decide(waiting, "approved", "ada");
  expect(await room.ok(forgeCommitChanges, input)).toMatchObject({ success: true });
  room.git("rm", "--quiet", path);
  room.git("commit", "--quiet", "-m", "Not any more");
  const task = await room.task();
  await room.ok(forgeExecuteTask, { block_id: task.blockId, task_id: task.id });
  room.put({ [path]: "{}\n" });
  expect(await room.refused(forgeCommitChanges, input)).toMatchObject({ code: "PERMISSION_DENIED" });
});

test("D08 every place that a client of the table reads in a project is protected or guarded", () => {
  for (const { id, files, signs } of clients) {
    if (files.project) expect(isProtected(files.project.path), `${id}: ${files.project.path}`).toBe(true);
    for (const sign of signs.project ?? []) expect(needsPerson(sign), `${id}: ${sign}`).toBe(true);
  }
  for (const path of [
    "opencode.json",
    ".aider.conf.yml",
    ".fleet/run.json",
    "x.code-workspace",
    ".amazonq/mcp.json",
    ".bazelrc",
    ".husky/a",
    ".vimrc",
    ".pnpmfile.mjs",
    ".config/mise/config.toml",
    ".mise.local.toml",
    ".gitpod.yml",
    ".github/hooks/x.json",
    ".github/lsp.json",
    ".kilocode/mcp.json",
    ".idx/dev.nix",
    ".dir-locals-2.el",
  ])
    expect(isProtected(path), path).toBe(true);
  for (const path of [
    ".forgejo/workflows/ci.yml",
    // Those of programs that nobody here knows.
    ".assistant-of-tomorrow/rules.md",
    "packages/web/.eslintrc.cjs",
    ".GitHub/whatever.json",
    ".gitignore.d/x",
    ".github/skills/x/SKILL.md",
    ".gitea/workflows/ci.yml",
    ".woodpecker.yaml",
    "azure-pipelines.yaml",
    "lefthook.yaml",
    "lefthook-local.yml",
    ".lefthook.toml",
    ".cirrus.yml",
    ".builds/main.yml",
    "renovate.json",
    "cloudbuild.yaml",
    "buildspec.yml",
    "infra/netlify.toml",
    "vercel.json",
    "pnpm-workspace.yaml",
    "AGENT.md",
    "docs/CRUSH.md",
    ".github/prompts/x.prompt.md",
    ".openhands/microagents/repo.md",
  ])
    expect(needsPerson(path), path).toBe(true);
  for (const path of [".gitignore", "web/.prettierignore", ".nvmrc", ".well-known/x.txt", "./src/a.ts", "README.md"])
    expect(needsPerson(path), path).toBe(false);
});
