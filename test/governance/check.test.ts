import { spawnSync } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SafeRoot } from "../../src/platform/files/root/safe-root.ts";
import { countMigrations } from "../../src/rooms/governance/check/counts/count-migrations.ts";
import { testWith } from "../harness/faults/faults.ts";
import { GovernanceProject } from "../harness/rooms/governance.ts";

type Invariant = { name: string; value: number | null; status: string; expected: number };
type Result = {
  status: string;
  invariants: Invariant[];
  violations: { layer: string; file: string; line: number; rule: string; status: string }[];
  fixed_violations: unknown[];
  syntax_errors: { file: string; line: number }[];
  expired_waivers: unknown[];
  warnings: string[];
};

const layered = JSON.stringify({
  layers: [
    {
      name: "routers",
      glob: "app/routers/*.py",
      forbidden: [{ pattern: "\\bSELECT\\b.*\\bFROM\\b", reason: "SQL belongs in repositories" }, "print\\("],
    },
    {
      name: "domain",
      glob: "src/domain/**/*.ts",
      forbidden_imports: ["src/http/**", { import: "express", reason: "no web" }],
    },
  ],
  known_violations: [{ layer: "routers", file: "app/routers/old.py", pattern: "print\\(" }],
});

const sources = {
  "app/routers/a.py": "x = 1\nq = 'select id from users'\n",
  "app/routers/old.py": "print(1)\n",
  "app/routers/__init__.py": "print(1)\n",
  "app/routers/deep/b.py": "print(1)\n",
  "src/http/server.ts": "export const a = 1;\n",
  "src/domain/order.ts":
    'import { a } from "../http/server.ts";\nimport express from "express";\nexport const b = [a, express];\n',
  "Forge/Contracts/boundaries.json": layered,
};

function open(files: Record<string, string> = {}) {
  const project = new GovernanceProject(files);
  project.git("init", "--quiet", "--initial-branch", "main");
  return project;
}

async function check(project: GovernanceProject, options = "") {
  const { code, out, err } = await project.run(`governance check --json ${options}`);
  if (out === "") throw new Error(err);
  const result = JSON.parse(out) as Result;
  const invariantNamed = (name: string) => result.invariants.find((invariant) => invariant.name === name);
  return { code, ...result, invariantNamed };
}

describe("Boundaries", () => {
  it("are patterns and imports per layer, with known violations as a baseline", async () => {
    const project = open(sources);
    const { code, violations, status } = await check(project);
    expect([code, status]).toEqual([1, "failed"]);
    expect(violations.map(({ layer, file, line, status: kind }) => [layer, file, line, kind])).toEqual([
      ["routers", "app/routers/a.py", 2, "new"],
      ["routers", "app/routers/old.py", 1, "known"],
      ["domain", "src/domain/order.ts", 1, "new"],
      ["domain", "src/domain/order.ts", 2, "new"],
    ]);
  });

  it("name a fixed violation, which `record` takes off the list", async () => {
    const project = open({ ...sources, "app/routers/old.py": "x = 1\n" });
    expect((await check(project)).fixed_violations).toHaveLength(1);
    await project.do("governance record");
    expect((await check(project)).fixed_violations).toEqual([]);
    const written = JSON.parse(readFileSync(join(project.root, "Forge/Contracts/boundaries.json"), "utf8"));
    expect(written.layers).toHaveLength(2);
    expect(written.known_violations).toEqual([]);
  });

  it("are those of the base commit with --since: a change cannot add to the baseline", async () => {
    const project = open({ ...sources, "app/routers/a.py": "", "src/domain/order.ts": "" });
    project.commit("base");
    expect((await check(project)).code).toBe(0);
    project.write("app/routers/a.py", "print(2)\n");
    project.write(
      "Forge/Contracts/boundaries.json",
      layered.replace('"known_violations":[', '"known_violations":[{"layer":"routers","file":"app/routers/a.py"},'),
    );
    expect((await check(project)).code).toBe(0);
    expect((await check(project, "--since main")).code).toBe(1);
    expect((await project.run("governance check --since nowhere")).err).toContain("not a commit");
  });

  it("are those of the base commit with --since, and of no tag that somebody gave its name", async () => {
    const project = open(sources);
    project.commit("base");
    const base = project.git("rev-parse", "main").trim();
    project.git("update-ref", "refs/remotes/origin/main", base);
    project.git("checkout", "-q", "-b", "lax");
    project.write("Forge/Contracts/boundaries.json", '{"layers":[]}');
    project.commit("lax");
    for (const tag of ["main", "origin/main", base.slice(0, 8)]) {
      project.git("tag", "-a", "-m", "Lax", tag);
      const { code, err } = await project.run(`governance check --since ${tag}`);
      expect([code, err]).toEqual([1, expect.stringContaining(`refs/tags/${tag}`)]);
      project.git("tag", "-d", tag);
    }
    expect((await check(project, "--since refs/remotes/origin/main")).code).toBe(1);
    project.git("tag", "-a", "-m", "Same", "main", base);
    expect((await check(project, "--since main")).code).toBe(1);
  });

  it("are those of the base commit with --since, also in a partial clone that has not got them", async () => {
    const origin = open(sources);
    origin.commit("base");
    origin.git("config", "uploadpack.allowFilter", "true");
    origin.git("checkout", "-q", "-b", "lax");
    origin.write("Forge/Contracts/boundaries.json", '{"layers":[]}');
    origin.commit("lax");
    const clone = new GovernanceProject();
    rmSync(clone.root, { recursive: true });
    origin.git("clone", "-q", "--filter=blob:none", "--branch=lax", `file://${origin.root}`, clone.root);
    const partial = await clone.run("governance check --since origin/main");
    expect([partial.code, partial.err]).toEqual([
      1,
      expect.stringMatching(/Forge\/Contracts\/boundaries\.json at \w+ is not in this clone/),
    ]);
    clone.git("show", "origin/main:Forge/Contracts/boundaries.json");
    expect((await check(clone, "--since origin/main")).code).toBe(1);
  });

  it("are those of the base commit with --since: a change cannot leave tests out", async () => {
    const project = open({ "forge.json": '{"frontend":{"enabled":true,"dir":"web"}}' });
    project.commit("base");
    project.write("forge.json", '{"frontend":false}');
    const failures = async (options: string) => {
      const { invariants } = JSON.parse((await project.run(`governance check --json${options}`)).out);
      return invariants.find(({ name }: { name: string }) => name === "frontend_test_failures").status;
    };
    expect(await failures("")).toBe("held");
    expect(await failures(" --since main")).toBe("not_measured");
  });

  it("do not hang on a hostile pattern", async () => {
    const project = open({
      "Forge/Contracts/boundaries.json": JSON.stringify({
        layers: [{ name: "l", glob: "*.txt", forbidden: ["^(a+)+$"] }],
      }),
      "a.txt": `${"a".repeat(40)}b`,
    });
    const { code, err } = await project.run("governance check");
    expect(code).toBe(2);
    expect(err).toContain("took too long on a.txt");
  });

  it.each([
    "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
    `${"**/".repeat(40)}${"*a".repeat(40)}b`,
    "+(a|aa)+(a|aa)+(a|aa)b",
  ])("do not hang on a hostile glob: %s", async (glob) => {
    const deep = `${"a/".repeat(30)}${"a".repeat(100)}.txt`;
    const project = open({
      "Forge/Contracts/boundaries.json": JSON.stringify({ layers: [{ name: "l", glob, forbidden: ["x"] }] }),
      [deep]: "x",
    });
    const { code, err } = await project.run("governance check");
    expect([code, err.includes("glob")]).toEqual(code === 0 ? [0, false] : [2, true]);
  });

  it.each([
    ["an invalid pattern", { layers: [{ name: "l", glob: "*", forbidden: ["("] }] }, "not a regular expression"],
    ["an invalid glob", { layers: [{ name: "l", glob: "[a", forbidden: ["x"] }] }, "glob"],
  ])("say what is wrong with %s", async (_what, content, message) => {
    const project = open({ "Forge/Contracts/boundaries.json": JSON.stringify(content) });
    expect((await project.run("governance check")).err).toContain(message);
    expect((await project.run("governance lint")).out).toContain(message);
  });
});

describe("Invariants", () => {
  it("count files, migrations and files that do not parse", async () => {
    const project = open({
      "shop/migrations/0001_initial.py": "x = 1\n",
      "shop/migrations/0002_next.py": "def f(:\n",
      "ok.json": "{}",
      "tsconfig.json": '{ "a": 1, // comment\n }',
      "bad.json": "{",
      "bad.yaml": "a: [1\n",
      "bad.toml": "a = \n",
      "bad.ts": "const a: = 1;\n",
      "good.tsx": "export const A = () => <b>{1 as number}</b>;\n",
      "node_modules/x/bad.json": "{",
      "test/fixtures/bad.json": "{",
    });
    const { invariantNamed, syntax_errors: faults, code } = await check(project);
    expect(code).toBe(1);
    expect(invariantNamed("total_files")?.value).toBe(11);
    expect(invariantNamed("migration_count")?.value).toBe(2);
    expect(faults.map(({ file }) => file).sort()).toEqual(
      ["bad.json", "bad.toml", "bad.ts", "bad.yaml", "shop/migrations/0002_next.py"].sort(),
    );
    expect(invariantNamed("syntax_errors")).toMatchObject({ value: 5, status: "broken" });
    expect(invariantNamed("backend_test_count")).toMatchObject({ value: null, status: "not_measured" });
  });

  testWith(["go"], "count Go files that do not parse", async () => {
    const project = open({ "main.go": "package main\nfunc main() {\n", "ok.go": "package main\n" });
    const { syntax_errors: faults } = await check(project);
    expect(faults.map(({ file }) => file)).toEqual(["main.go"]);
  });

  const parsers = [
    ["bash", "ok.sh", "if true; then echo 1; fi\n", "bad.sh", "echo 1\nif true; then\n"],
    ["rustfmt", "ok.rs", "mod elsewhere;\nfn main()  {}\n", "bad.rs", "fn main() {\n  let x = ;\n}\n"],
    ["java", "Ok.java", "record Ok(int x) {}\n", "Bad.java", "class Bad {\n  int x = ;\n}\n"],
  ] as const;
  /** Right in a dialect that differs from what the parser would assume. */
  const dialects: Record<string, Record<string, string>> = {
    bash: { "other.zsh": "[[ $1 == (a|b) ]]\n" },
    rustfmt: {
      "Cargo.toml": '[workspace.package]\nedition = "2024"\n',
      "new/Cargo.toml": "[package]\nedition.workspace = true\n",
      "new/chain.rs": "fn f(a: Option<u8>) {\n    if let Some(x) = a && x > 1 {}\n}\n",
      "old/Cargo.toml": '[package]\nedition = "2018"\n',
      "old/gen.rs": "fn f() {\n    let gen = 1;\n}\n",
    },
  };
  it.each(parsers)(
    "have %s parse its files, and say so where it is not installed",
    async (program, ok, good, bad, text) => {
      const project = open({ [ok]: good, [bad]: text, ...dialects[program] });
      const { syntax_errors: faults, warnings } = await check(project);
      if (spawnSync(program, ["--version"]).status === 0)
        expect(faults).toEqual([{ file: bad, line: program === "bash" ? 3 : 2, message: expect.any(String) }]);
      else expect(warnings[0]).toContain("Not checked for syntax errors");
    },
  );

  it("are compared with recorded values; a falling file count is a warning unless the project says error", async () => {
    const project = open({ "a.txt": "", "b.txt": "" });
    await project.do("governance record");
    unlinkSync(join(project.root, "a.txt"));
    unlinkSync(join(project.root, "b.txt"));
    expect((await check(project)).invariantNamed("total_files")?.status).toBe("warning");
    const policy = JSON.parse(readFileSync(join(project.root, "Forge/invariants.json"), "utf8"));
    writeFileSync(
      join(project.root, "Forge/invariants.json"),
      JSON.stringify({ ...policy, severity: { total_files: "error" } }),
    );
    expect((await check(project)).code).toBe(1);
  });

  it("can be a project's own: a count of files, of lines, or a command's last line, which needs trust", async () => {
    const own = [
      { name: "todo_count", constraint: "monotonic_down", glob: "src/**", pattern: "TODO" },
      { name: "pages", constraint: "non_zero", glob: "pages/*.html" },
      { name: "size", constraint: "equal", value: 3, command: ["node", "size.mjs"] },
    ];
    const project = open({
      "Forge/invariants.json": JSON.stringify({ invariants: own.slice(0, 2) }),
      "src/a.ts": "// TODO one TODO\n// todo two\n",
      "pages/a.html": "",
      "size.mjs": "console.log('sizes');\nconsole.log(3);\n",
    });
    const first = await check(project);
    expect(first.invariantNamed("todo_count")?.value).toBe(2);
    expect(first.invariantNamed("pages")).toMatchObject({ value: 1, status: "held" });
    await project.do("governance record");
    project.write("src/a.ts", "// TODO\n// TODO\n// TODO\n");
    expect((await check(project)).invariantNamed("todo_count")).toMatchObject({
      value: 3,
      expected: 2,
      status: "broken",
    });
    project.write("src/a.ts", "");
    project.write("Forge/invariants.json", JSON.stringify({ invariants: own }));
    const refused = await project.run("governance check");
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("not trusted")]);
    await project.do("trust --yes");
    expect((await check(project)).invariantNamed("size")).toMatchObject({ value: 3, status: "held" });
    // Another script is another program: it is not run before a person has seen it.
    project.write("size.mjs", "console.log('none');\n");
    expect((await project.run("governance check")).err).toContain("changed");
    await project.do("trust --yes");
    expect((await project.run("governance check")).err).toContain("last line is not a number");
  });

  it("take the number of tests from a report", async () => {
    const report =
      '<testsuites><testsuite><testcase name="a"/><testcase name="b"><failure message="x"/></testcase></testsuite></testsuites>';
    const project = open({ "junit.xml": report });
    const { invariantNamed, code } = await check(project, `--report ${join(project.root, "junit.xml")}`);
    expect([invariantNamed("backend_test_count")?.value, invariantNamed("backend_test_failures")?.value, code]).toEqual(
      [2, 1, 1],
    );
    project.write("empty.xml", "<testsuites></testsuites>");
    const none = await check(project, `--report ${join(project.root, "empty.xml")}`);
    expect(none.invariantNamed("backend_test_failures")).toMatchObject({
      status: "broken",
      message: "could not be measured: the report names no test",
    });
    await project.do(`governance record --report ${join(project.root, "junit.xml")}`);
    project.write("junit.xml", '<testsuites><testsuite><testcase name="a"/></testsuite></testsuites>');
    const later = await check(project, `--report ${join(project.root, "junit.xml")}`);
    expect(later.invariantNamed("backend_test_count")).toMatchObject({ value: 1, expected: 2, status: "warning" });
    // Fewer tests are a warning, a failing one is an error.
    expect(later.code).toBe(0);
  });

  it("count the tests of a package that depends on a frontend library as the frontend's", async () => {
    const project = open({
      "package.json": '{"scripts":{"test":"node --test"},"dependencies":{"react":"19"}}',
      "a.test.js": 'require("node:test").test("one", () => { throw new Error("no"); });\n',
    });
    project.commit();
    await project.do("trust --yes");
    const { invariantNamed, code } = await check(project, "--tests");
    expect(code).toBe(1);
    expect(invariantNamed("frontend_test_count")).toMatchObject({ value: 1 });
    expect(invariantNamed("frontend_test_failures")).toMatchObject({ value: 1, status: "broken" });
  });

  it("do not run the tests of a folder of its own, which trust does not cover, and say what to do", async () => {
    const project = open({
      "forge.json": '{"frontend":{"enabled":true,"dir":"web"}}',
      "web/package.json": '{"scripts":{"test":"node --test"},"dependencies":{"react":"19"}}',
      "web/a.test.js": 'require("node:test").test("one", () => {});\n',
    });
    project.commit();
    await project.do("trust --yes");
    const { invariantNamed, warnings } = await check(project, "--tests");
    expect(invariantNamed("frontend_test_count")).toMatchObject({ status: "not_measured" });
    expect(warnings).toContainEqual(expect.stringContaining("The tests in web were not run"));
  });

  it("take it from a run of the tests, which counts for the same files only", async () => {
    const project = open({
      "package.json": '{ "scripts": { "test": "node --test" } }',
      "a.test.js": 'const { test } = require("node:test");\ntest("one", () => {});\ntest("two", () => {});\n',
    });
    project.commit();
    expect((await project.run("governance check --tests")).err).toContain("not trusted");
    await project.do("trust --yes");
    expect((await check(project, "--tests")).invariantNamed("backend_test_count")?.value).toBe(2);
    const assistant = await project.connect();
    const known = (await assistant.get("forge_check_governance"))["invariants"] as Invariant[];
    expect(known.find(({ name }) => name === "backend_test_count")).toMatchObject({ value: 2, status: "held" });
    project.write("b.js", "");
    const later = (await assistant.get("forge_check_governance"))["invariants"] as Invariant[];
    expect(later.find(({ name }) => name === "backend_test_count")).toMatchObject({ status: "not_measured" });
  });

  it("keep values by commit, which a trend shows", async () => {
    const project = open({ "a.txt": "" });
    project.commit();
    await check(project);
    project.write("b.txt", "");
    await check(project);
    project.commit();
    await check(project);
    const { values } = (await project.run("governance trend total_files --json")).json() as {
      values: { value: number }[];
    };
    expect(values.map(({ value }) => value)).toEqual([1, 2]);
    expect((await project.run("governance trend total_file")).err).toContain("total_files");
  });
});

it("waivers are listed with who allowed what, and whether that has expired", async () => {
  const waiver = { rule: "total_files", reason: "Moved out", by: "ada" };
  const waivers = [
    { ...waiver, until: "2020-01-31" },
    { ...waiver, until: "2999-12-31" },
  ];
  const project = open({ "Forge/invariants.json": JSON.stringify({ waivers }) });
  expect((await project.run("governance waivers --json")).json()).toEqual({
    waivers: [
      { ...waivers[0], expired: true },
      { ...waivers[1], expired: false },
    ],
  });
  expect((await project.run("governance waivers")).out).toContain("2020-01-31 (expired)");
});

describe("What a check found", () => {
  const places = ({ violations }: Result) => violations.map(({ file, line, rule }) => `${file}:${line} ${rule}`);

  it("is kept for files that have not changed, and looked for again where a file, a rule or an import's target has", async () => {
    // Files as new as the check itself are never kept.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const project = open({ ...sources, "a.json": "{", "src/domain/late.ts": 'import "../http/late.ts";\n' });
    const first = await check(project);
    expect(first.syntax_errors.map(({ file }) => file)).toEqual(["a.json"]);
    const kept = join(project.root, ".forge/governance-scan.json");
    const text = readFileSync(kept, "utf8");
    expect(text).toContain("app/routers/a.py");
    // Nothing is read again: what is kept says otherwise than the file, and counts.
    const scan = JSON.parse(text) as { files: [path: string, file: { fault?: { line: number } }][] };
    for (const [path, { fault }] of scan.files) if (path === "a.json" && fault) fault.line = 7;
    writeFileSync(kept, JSON.stringify(scan));
    expect((await check(project)).syntax_errors).toMatchObject([{ file: "a.json", line: 7 }]);
    project.write("a.json", "{}");
    project.write("app/routers/a.py", "\n\nprint(2)\n");
    expect((await check(project)).syntax_errors).toEqual([]);
    expect(places(await check(project))).toContain("app/routers/a.py:3 print\\(");
    project.write("src/http/late.ts", "export {};\n");
    expect(places(await check(project))).toContain("src/domain/late.ts:1 src/http/**");
    project.write("Forge/Contracts/boundaries.json", layered.replace("print", "import|print"));
    expect(places(await check(project))).toContain("app/routers/a.py:3 import|print\\(");
    writeFileSync(kept, "{ damaged");
    expect((await check(project)).code).toBe(1);
  });
});

describe("A worse value", () => {
  it("is recorded by a person only", async () => {
    const project = open({ "a.txt": "", "b.txt": "", "c.txt": "" });
    await project.do("governance record");
    const text = readFileSync(join(project.root, "Forge/invariants.json"), "utf8");
    project.write("Forge/invariants.json", text.replace('"value": 3', '"value": 30'));
    const { code, err } = await project.run("governance record");
    expect([code, err]).toEqual([1, expect.stringContaining("needs a person at a terminal")]);
  });
});

describe("Waivers", () => {
  const waivers = (until: string, file?: string) =>
    JSON.stringify({
      waivers: [{ rule: "boundary:routers", reason: "moving", by: "ada", until, ...(file && { file }) }],
    });
  const one = { ...sources, "src/domain/order.ts": "" };

  it("allow a violation until their day, and fail a check once it has passed", async () => {
    expect((await check(open({ ...one, "Forge/invariants.json": waivers("2999-12-31") }))).code).toBe(0);
    const expired = await check(open({ ...one, "Forge/invariants.json": waivers("2020-01-01") }));
    expect([expired.code, expired.expired_waivers.length]).toEqual([1, 1]);
    const other = await check(open({ ...one, "Forge/invariants.json": waivers("2999-12-31", "app/routers/b.py") }));
    expect(other.code).toBe(1);
  });

  it("are given by a person at a terminal only, and not over MCP", async () => {
    const project = open(one);
    const line = ["governance", "waive", "boundary:routers", "--reason", "moving", "--until", "2999-12-31"];
    expect((await project.run(line)).err).toContain("needs a person at a terminal");
    const assistant = await project.connect();
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain("waive_rule");
    await expect(
      assistant.call("waive_rule", { rule: "syntax_errors", reason: "x", until: "2999-01-01" }),
    ).rejects.toThrow();
  });
});

describe("Output and hooks", () => {
  it("writes SARIF that names rule, file and line", async () => {
    const files = { ...sources, "app/routers/with space#1.py": "print(1)\n" };
    const { code, out } = await open(files).run("governance check --sarif");
    expect(code).toBe(1);
    expect(out).toContain("app/routers/with%20space%231.py");
    const { version, runs } = JSON.parse(out);
    expect(version).toBe("2.1.0");
    expect(runs[0].results).toContainEqual(
      expect.objectContaining({
        ruleId: "boundary/routers",
        level: "error",
        locations: [{ physicalLocation: { artifactLocation: { uri: "app/routers/a.py" }, region: { startLine: 2 } } }],
      }),
    );
  });

  it("prints a table with what is broken", async () => {
    const { out } = await open(sources).run("governance check");
    expect(out).toContain("app/routers/a.py:2: routers must not contain");
    expect(out).toMatch(/syntax_errors\s+0\s+= 0\s+held/);
  });

  it("installs a pre-push hook once, and leaves another's alone", async () => {
    const project = open();
    expect(await project.do("governance install-hook")).toContain("Installed");
    expect(await project.do("governance install-hook")).toContain("already");
    const hook = join(project.root, ".git/hooks/pre-push");
    expect(statSync(hook).mode & 0o111).toBe(0o111);
    writeFileSync(hook, "#!/bin/sh\necho mine\n");
    expect((await project.run("governance install-hook")).code).toBe(1);
    expect(readFileSync(hook, "utf8")).toContain("mine");
    const job = await project.do("governance install-hook --github-actions");
    expect(job).toContain("forge governance check --since");
    // Until it is published, anybody could have the name.
    expect(job).not.toMatch(/npm (?:install|i) |npx /);
  });
});

describe("A folder of hooks that is not in the repository", () => {
  it.each([
    ["the repository's own", ".git/hooks", undefined],
    ["one that came with the files", ".husky", ".husky"],
    ["one inside such a link", "tools", "tools/deep/hooks"],
  ])("is not written to: %s", async (_, link, setting) => {
    const project = open();
    if (setting !== undefined) project.git("config", "core.hooksPath", setting);
    const elsewhere = mkdtempSync(join(tmpdir(), "forge-elsewhere-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    rmSync(join(project.root, link), { recursive: true, force: true });
    symlinkSync(elsewhere, join(project.root, link));
    const { code, err } = await project.run("governance install-hook");
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("leads out of the repository") });
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it.each(["absolute", "relative"])(
    "is not written to where the repository's own settings name it: %s",
    async (kind) => {
      const project = open();
      const elsewhere = mkdtempSync(join(tmpdir(), "forge-elsewhere-"));
      onTestFinished(() => rmSync(elsewhere, { recursive: true }));
      const folder = join(elsewhere, "new", "hooks");
      project.git("config", "core.hooksPath", kind === "absolute" ? folder : relative(project.root, folder));
      expect(await project.run("governance install-hook")).toMatchObject({ code: 1 });
      expect(readdirSync(elsewhere)).toEqual([]);
      // The user's settings are the user's choice.
      project.git("config", "--unset", "core.hooksPath");
      project.git("config", "--global", "core.hooksPath", folder);
      onTestFinished(() => void project.git("config", "--global", "--unset", "core.hooksPath"));
      expect(await project.do("governance install-hook")).toContain("Installed");
      expect(readdirSync(folder)).toEqual(["pre-push"]);
    },
  );
});

describe("Protected rules", () => {
  it("cannot be changed with an assistant's file tools", async () => {
    const project = open({ "Forge/Contracts/ui.md": "" });
    const root = SafeRoot.at(project.root);
    for (const path of ["Forge/Contracts/ui.md", "Forge/invariants.json", "forge/contracts/new.md"])
      await expect(root.write(path, "x")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("Starter contracts", () => {
  it("are written for all 15 names from what the repository shows, and never over a file", async () => {
    const project = open({
      "package.json":
        '{ "name": "shop", "description": "Sells things.", "scripts": { "test": "vitest" }, "dependencies": { "express": "5" } }',
      "src/routes/a.ts": 'import "../services/a.ts";\n',
      "src/services/a.ts": 'import "../routes/a.ts";\nexport const a = 1;\n',
      "db/migrations/0001_a.sql": "CREATE TABLE IF NOT EXISTS orders (id int);\n",
      "openapi.yaml": "paths:\n  /orders:\n    get:\n      summary: List orders\n",
      "Forge/Contracts/ui.md": "mine",
      "examples/{odd}.json": "{",
    });
    project.commit();
    const { written, kept } = JSON.parse(await project.do("governance init --json"));
    expect([written.length, kept]).toEqual([15, ["Forge/Contracts/ui.md"]]);
    const text = (name: string) => readFileSync(join(project.root, "Forge/Contracts", name), "utf8");
    expect(text("ui.md")).toBe("mine");
    expect(text("stack.md")).toContain("express");
    expect(text("manifesto.md")).toContain("Sells things.");
    expect(text("schema.md")).toContain("- `orders`");
    expect(text("physics.yaml")).toContain("/orders");
    expect(JSON.parse(text("boundaries.json"))).toMatchObject({
      layers: [{ name: "entry points", glob: "src/routes/**/*.{ts,tsx}" }, { name: "services" }],
      known_violations: [{ layer: "services", file: "src/services/a.ts", pattern: "src/routes/**" }],
    });
    expect((await project.run("governance lint")).code).toBe(0);
    expect(await project.do("governance show ui")).toBe("mine");
    expect(await project.do("governance list")).toMatch(/boundaries\s+yes\s+json\s+boundaries\.json/);
    expect((await check(project)).code).toBe(0);
    expect(JSON.parse(await project.do("governance init --json")).written).toEqual([]);
  });

  it("are checked for mistakes", async () => {
    const project = open({
      "Forge/Contracts/boundries.json": "{}",
      "Forge/Contracts/physics.yaml": "a: [1",
      "Forge/invariants.json": JSON.stringify({
        waivers: [{ rule: "nothing", reason: "x", by: "a", until: "2999-01-01" }],
      }),
    });
    const { code, out } = await project.run("governance lint");
    expect(code).toBe(1);
    expect(out).toContain("Did you mean boundaries.json?");
    expect(out).toContain("not valid YAML");
    expect(out).toContain('"nothing"');
  });
});

it.each([
  [["app/migrations/0001_initial.py", "app/migrations/__init__.py"], 1],
  [["alembic/versions/abc_x.py", "migrations/versions/1_y.py"], 2],
  [["db/migrate/20200101_a.rb"], 1],
  [["prisma/migrations/1_init/migration.sql", "migrations/2020/up.sql", "migrations/2020/down.sql"], 2],
  [["migrations/1_a.up.sql", "migrations/1_a.down.sql"], 1],
  [["src/main/resources/db/migration/V1__a.sql", "src/main/resources/db/migration/R__b.sql"], 1],
  [["tests/app/migrations/0001_initial.py", "vendor/x/migrations/1.sql", "docs/migrations/guide.md"], 0],
])("counts migrations in %j: %d", (paths, count) => {
  expect(countMigrations(paths)).toBe(count);
});
