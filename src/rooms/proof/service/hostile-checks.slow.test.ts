import { join } from "node:path";
import { expect, test } from "vitest";
import { writeDated } from "../../../../test/harness/fs/dated-files.ts";
import { ProofProject, rightSum, sumTest } from "../../../../test/harness/rooms/proof/proof-project.ts";

type Criterion = { id: string; state: string; why: string; checks: Record<string, unknown>[] };

/** Each script does what a check must not do, on a project whose sum is right. */
const scripts: Record<string, [script: string, why: string]> = {
  hang: ["setInterval(() => undefined, 1000);", "longer than 15 s"],
  flood: [
    // In a few large writes: many small ones take longer than the limit on a slow machine.
    'for (let i = 0; i < 30; i++) process.stdout.write("x".repeat(1_000_000)); process.exitCode = 1;',
    "exit code 1",
  ],
  remove: ['import { rmSync } from "node:fs"; rmSync("src", { recursive: true });', "changed files"],
  change: [
    'import { writeFileSync } from "node:fs"; writeFileSync("src/sum.js", "export const sum = () => 4;");',
    "changed files",
  ],
  network: ['import { connect } from "node:net"; connect(1, "127.0.0.1");', "exit code 1"],
  fork: [
    'import { spawn } from "node:child_process"; spawn(process.execPath, ["-e", "setInterval(() => undefined, 1000)"], { detached: true, stdio: "ignore" }).unref(); process.exitCode = 3;',
    "exit code 3",
  ],
};

test("checks that hang, flood, delete the tree, change the code, need the network or leave processes prove nothing", async () => {
  const names = Object.keys(scripts);
  const project = await ProofProject.open({
    "package.json": JSON.stringify({
      ...{ name: "shop", type: "module" },
      scripts: { test: "node --test", ...Object.fromEntries(names.map((name) => [name, `node ${name}.mjs`])) },
    }),
    ...Object.fromEntries(Object.entries(scripts).map(([name, [text]]) => [`${name}.mjs`, text])),
  });
  const id = await project.ticket(...names);
  for (const [index, name] of names.entries())
    await project.do(["check", "add", id, `AC-${index + 1}`, "--command", `npm run ${name}`, "--expect-green"], {
      atKeyboard: true,
    });
  await project.change(id, { "src/sum.js": rightSum });
  const shown = await project.json(["verify", id, "--timeout", "15"]);
  const criteria = shown["criteria"] as unknown as Criterion[];
  const came = Object.fromEntries(criteria.map(({ state, why }, index) => [names[index], [state, why]]));
  for (const [name, [, why]] of Object.entries(scripts))
    expect([name, came[name]]).toEqual([name, ["failed", expect.stringContaining(why)]]);
  // The project itself is as it was, and no work tree is left.
  expect(project.git("status", "--porcelain")).toBe("");
  expect(project.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});

test("a test that changes the code it tests proves nothing; one that hangs is ended", async () => {
  const liar = sumTest.replace(
    'test("adds", () =>',
    'import { writeFileSync } from "node:fs";\ntest("adds", () => writeFileSync("src/sum.js", "") ??',
  );
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": liar });
  const [changed] = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(changed).toMatchObject({ state: "failed", why: expect.stringContaining("changed while it ran") });
  const slow = sumTest.replace("assert.equal(sum(2, 2), 4)", "new Promise((done) => setTimeout(done, 600_000))");
  await project.change(id, { "test/sum.test.js": slow });
  const [hung] = (await project.json(["verify", id, "--timeout", "1"]))["criteria"] as unknown as Criterion[];
  expect(hung).toMatchObject({ state: "failed", why: expect.stringMatching(/longer than 1 s|took too long|1 s/) });
  // It was stopped without the change, too, which shows nothing.
  expect(hung?.checks[0]).not.toHaveProperty("base");
});

test("two verifications at once do not disturb each other, and both are recorded", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": sumTest });
  const both = await Promise.all([project.json(["verify", id]), project.json(["verify", id])]);
  for (const one of both) expect(one).toMatchObject({ proven: true });
  expect((await project.json(["show", id]))["records"]?.["verifications"]).toHaveLength(2);
});

test("a check that both passed and failed on one tree is flaky, and proves nothing", async () => {
  const project = await ProofProject.open();
  const id = await project.ticket();
  const mark = join(project.root, "..", "ran-before");
  const flaky = sumTest
    .replace('import test from "node:test";', 'import test from "node:test";\nimport { existsSync } from "node:fs";')
    .replace(
      "assert.equal(sum(2, 2), 4)",
      `{ assert.equal(sum(2, 2), 4); assert.ok(!existsSync(${JSON.stringify(mark)})); }`,
    );
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(id, { "src/sum.js": rightSum, "test/sum.test.js": flaky });
  expect(await project.json(["verify", id])).toMatchObject({ proven: true });
  project.write("../ran-before", "");
  const [criterion] = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(criterion).toMatchObject({ state: "unproven", why: expect.stringContaining("Flaky") });
});

test("what came to no result without the change proves nothing; without it there are the same packages", async () => {
  const packed = sumTest.replace("node:assert/strict", "tinyassert");
  const project = await ProofProject.open({
    ".gitignore": ".forge/\nnode_modules/\n",
    "package.json": '{"type":"module","scripts":{"test":"node --test","build":"node build.mjs"}}\n',
    "build.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("built.txt", "x");\n',
    "src/sum.js": rightSum,
    "test/sum.test.js": packed,
  });
  project.write("node_modules/tinyassert/package.json", '{"type":"module","exports":"./index.js"}');
  project.write("node_modules/tinyassert/index.js", 'export { default } from "node:assert/strict";');
  const id = await project.ticket("Test", "Build");
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.do(["check", "add", id, "AC-2", "--command", "npm run build"]);
  const manifest = '{"type":"module","description":"Sums","scripts":{"test":"node --test","build":"node build.mjs"}}\n';
  await project.change(id, { "package.json": manifest, "built.txt": "x" });
  const criteria = (await project.json(["verify", id]))["criteria"] as unknown as Criterion[];
  expect(criteria).toMatchObject([
    { state: "unproven", why: "It also passes without the change, so it proves nothing." },
    {
      state: "unproven",
      why: expect.stringContaining("had no result without the change, so it proves nothing: It changed files"),
    },
  ]);
});

test("packages that were changed after their installation prove nothing, and neither does what the base showed with them", async () => {
  const project = await ProofProject.open({
    ".gitignore": ".forge/\nnode_modules/\n",
    "test/sum.test.js": sumTest.replace("node:assert/strict", "tinyassert"),
  });
  const helper = "node_modules/tinyassert/index.js";
  const write = (path: string, text: string, secondsAgo: number) =>
    writeDated(project.root, path, Date.now() / 1_000 - secondsAgo, text);
  const right = 'export { default } from "node:assert/strict";\n';
  write("node_modules/tinyassert/package.json", '{"type":"module","exports":"./index.js"}', 120);
  write("node_modules/.package-lock.json", "{}", 60);
  const id = await project.ticket();
  await project.do(["check", "add", id, "AC-1", "--test", "test/sum.test.js::adds"]);
  await project.change(id, { "src/sum.js": "export const sum = (a, b) => a - b; // fixed\n" });
  const lie =
    'export default { equal: (a) => { if (!readFileSync("src/sum.js", "utf8").includes("fixed")) throw a; } };\n';
  write(helper, `import { readFileSync } from "node:fs";\n${lie}`, 0);
  const [lied] = (await project.json(["verify", id]))["criteria"] ?? [];
  expect(lied).toMatchObject({
    state: "unproven",
    why: `It passed, but ${helper} was changed after the packages were installed. Install them again and verify.`,
  });
  expect(lied?.["checks"]?.[0]).not.toHaveProperty("base");
  write(helper, right, 120);
  expect((await project.json(["verify", id]))["criteria"]).toMatchObject([{ state: "failed" }]);
});
