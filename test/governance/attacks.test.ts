import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { FixedToken, RemoteServer, serverAddress } from "../../src/commons/remote/index.ts";
import { Redactor } from "../../src/kernel/text/redactor.ts";
import { Fetcher } from "../../src/platform/fetch/fetcher.ts";
import { judgeViolations, WaiverList } from "../../src/rooms/governance/check/judge.ts";
import { ScanCache } from "../../src/rooms/governance/check/scan/scan-cache.ts";
import { parseContract } from "../../src/rooms/governance/contracts/parse-contract.ts";
import { GovernanceClient } from "../../src/rooms/governance/remote/governance-client.ts";
import { RemoteContracts } from "../../src/rooms/governance/remote/remote-contracts.ts";
import { GovernanceProject } from "../harness/rooms/governance.ts";

type Result = {
  status: string;
  invariants: { name: string; value: number | null; status: string; message?: string }[];
  violations: { file: string; line: number; rule: string; status: string }[];
};

async function check(files: Record<string, string>): Promise<Result> {
  return JSON.parse((await new GovernanceProject(files).run("governance check --json")).out);
}

describe("Hostile contracts", () => {
  const laughs = Array.from({ length: 30 }, (_, level) =>
    level === 0 ? "a0: &a0 [x, x]" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}, *a${level - 1}]`,
  ).join("\n");
  it.each([
    ["aliases of aliases", "physics", laughs],
    ["one long text many times", "physics", `a: &a "${"x".repeat(200_000)}"\nb: [${"*a, ".repeat(60)}*a]\n`],
    ["an alias of itself", "physics", "a: &a [*a]\n"],
    ["brackets without end", "physics", "[".repeat(300_000)],
    [
      "a key twice among very many",
      "physics",
      `${Array.from({ length: 30_000 }, (_, at) => `k${at}: v`).join("\n")}\nk7: v\n`,
    ],
    ["more values than a server has time for", "physics", "- {a: 1, b: 2}\n".repeat(6_000)],
    ["anchors without a value", "physics", "&a ".repeat(150_000)],
    ["a tag", "physics", "a: !!js/function 'function () {}'\n"],
    ["lists in lists", "boundaries", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ] as const)("are text with a warning: %s", async (_what, name, text) => {
    const { content, warnings } = await parseContract(name, text);
    expect(content).toBe(text);
    expect(warnings?.[0]).toContain("is returned as it is");
  });

  it("see source code that hides behind a NUL, UTF-16 or its size; what they cannot see is named", async () => {
    const layer = { name: "domain", glob: "src/**", forbidden: ["forbidden\\("], forbidden_imports: ["db/**"] };
    const code = 'import "../db/q.js"; forbidden()';
    const project = new GovernanceProject({
      "Forge/Contracts/boundaries.json": JSON.stringify({ layers: [layer] }),
      "db/q.js": "",
      "src/nul.js": `/*\0*/ ${code}`,
      "src/large.js": `${" ".repeat(1_100_000)}${code}`,
      "src/huge.js": `${" ".repeat(4_300_000)}${code}`,
      "src/picture.png": `\0 ${code}`,
    });
    writeFileSync(join(project.root, "src/wide.ts"), Buffer.from(`\ufeff${code}`, "utf16le"));
    for (let time = 0; time < 2; time++) {
      const { violations, warnings } = JSON.parse((await project.run("governance check --json")).out);
      expect(violations.map(({ file, kind }: { file: string; kind: string }) => `${file} ${kind}`)).toEqual(
        ["src/large.js", "src/nul.js", "src/wide.ts"].flatMap((file) => [`${file} import`, `${file} pattern`]),
      );
      expect(warnings).toContain(
        "Not checked against the rules, because they are links, too large, or have names that are not UTF-8: src/huge.js.",
      );
    }
  });

  it("see what is only named like a package's `__init__.py`; a name that is not UTF-8 is named", async () => {
    const project = new GovernanceProject({
      "Forge/Contracts/boundaries.json": '{"layers":[{"name":"source","glob":"src/**","forbidden":["eval"]}]}',
      "src/hidden__init__.py": "eval(x)\n",
      "src/a/__init__.py": "eval(x)\n",
    });
    writeFileSync(
      Buffer.concat([Buffer.from(`${project.root}/src/`), Buffer.from([0xff]), Buffer.from(".js")]),
      "eval(x)\n",
    );
    project.git("init", "--quiet");
    project.commit();
    const { violations, warnings } = await (await project.connect()).get("forge_check_governance");
    expect(violations).toMatchObject([{ file: "src/hidden__init__.py" }]);
    expect(JSON.stringify(warnings)).toContain("names that are not UTF-8: src/\ufffd.js");
  });

  it("that name what every object has are values like others", async () => {
    const { content } = await parseContract("boundaries", '{"__proto__": {"layers": [1]}, "constructor": 1}');
    expect(JSON.stringify(content)).toBe('{"__proto__":{"layers":[1]},"constructor":1}');
    const { invariants, status } = await check({
      "Forge/invariants.json": JSON.stringify({
        invariants: [{ name: "constructor", constraint: "monotonic_down", glob: "*.txt", pattern: "x" }],
        severity: { total_files: "off" },
      }),
      "a.txt": "x\nx\n",
      "b.txt": "x\n",
    });
    expect(invariants.at(-1)).toMatchObject({ name: "constructor", value: 3, status: "held" });
    expect(status).toBe("passed");
  });

  it("that are a pipe are not waited for", async () => {
    const project = new GovernanceProject({ "Forge/Contracts/ui.md": "x" });
    execFileSync("mkfifo", [join(project.root, "Forge/Contracts/stack.md")]);
    const assistant = await project.connect();
    expect(await assistant.fail("forge_get_contract", { name: "stack" })).toMatchObject({ code: expect.any(String) });
    expect((await assistant.get("forge_get_governance"))["available_contracts"]).toContain("ui");
  });
});

describe("A check", () => {
  const forbidden = JSON.stringify({ layers: [{ name: "l", glob: "src/**", forbidden_imports: ["express"] }] });

  it("finds a forbidden import after hundreds of others, after a comment, and on its own line", async () => {
    const many = Array.from({ length: 400 }, (_, at) => `import "package-${at}";\n`).join("");
    const { violations } = await check({
      "Forge/Contracts/boundaries.json": forbidden,
      "src/a.ts": `${many}import "express";\n`,
      "src/b.ts": '// express\n/* why */ import "express";\n',
      "src/c.ts": "await import(/* why */ `express`);\n",
      "src/d.ts": `${" ".repeat(1_000)}import "express";\n`,
    });
    expect(violations.map(({ file, line }) => [file, line])).toEqual([
      ["src/a.ts", 401],
      ["src/b.ts", 2],
      ["src/c.ts", 1],
      ["src/d.ts", 1],
    ]);
  });

  it("does not hang on a source file that its parser would take years for", async () => {
    const { invariants, ...rest } = await check({
      "a.ts": "export const a = 1;\n",
      "b.ts": `x = ${"<T>(".repeat(40)}b${")".repeat(40)}\n`,
      "c.js": `x = ${"a ? (b) : c => ".repeat(40)}d\n`,
      "d.ts": "const = 1;\n",
    });
    expect(invariants.find(({ name }) => name === "syntax_errors")?.value).toBe(3);
    expect(JSON.stringify(rest)).toContain("too long to parse");
  });

  it("lets others have their turn while such files are parsed, and ends where there are many", async () => {
    const hostile = `x = ${"<T>(".repeat(40)}b${")".repeat(40)}\n`;
    const project = new GovernanceProject(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}.ts`, hostile])),
    );
    const assistant = await project.connect();
    const started = process.cpuUsage();
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const { isError, value } = await assistant.call("forge_check_governance", {});
    clearInterval(timer);
    expect(isError).toBe(true);
    expect(JSON.stringify(value)).toContain("files take too long to parse: a0.ts");
    expect(turns).toBeGreaterThanOrEqual(9);
    // Of all 60 it would be minutes.
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(40);
  }, 60_000);

  it("refuses more rules than could be held against every file", async () => {
    const layers = Array.from({ length: 2_001 }, (_, at) => ({
      name: `l${at}`,
      glob: `**/a${at}*/**/b`,
      forbidden: [],
    }));
    const project = new GovernanceProject({ "Forge/Contracts/boundaries.json": JSON.stringify({ layers }) });
    expect((await project.run("governance check")).err).toContain("the limit is 2000");
  });

  it("refuses longer globs than could be compared with every path", async () => {
    const globs = Array.from({ length: 200 }, (_, at) => `**/{${`*a${at},`.repeat(150)}b}`);
    const layers = [{ name: "l", glob: globs.slice(1), forbidden_imports: globs.slice(0, 1) }];
    const project = new GovernanceProject({ "Forge/Contracts/boundaries.json": JSON.stringify({ layers }) });
    expect((await project.run("governance check")).err).toContain("the limit is 100000");
  });

  it("lets others have their turn while very many imports are held against very many rules", async () => {
    const rules = Array.from({ length: 90 }, (_, at) => ({ import: "**", reason: `${at}` }));
    const imports = Array.from({ length: 1_000 }, (_, at) => `import a from \`x${at}\`\n`).join("");
    const project = new GovernanceProject({
      "Forge/Contracts/boundaries.json": JSON.stringify({
        layers: [{ name: "l", glob: "src/**", forbidden_imports: rules }],
      }),
      "src/a.js": `let x = "${"a".repeat(1_500_000)}"\n${imports}`,
    });
    const assistant = await project.connect();
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    const { isError, value } = await assistant.call("forge_check_governance", {});
    clearInterval(timer);
    expect([isError, value["status"]]).toEqual([false, "failed"]);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it("never runs tests outside the project", async () => {
    const files = { "forge.json": '{"frontend": {"enabled": true, "dir": "../../elsewhere"}}' };
    const { err } = await new GovernanceProject(files).run("governance check");
    expect(err).toContain("outside the project");
  });

  it("takes nothing from a damaged or forged record of earlier checks", () => {
    const project = new GovernanceProject();
    const stamp = "1";
    const forged: unknown[] = [
      ["a", null],
      ["a", { stamp, found: {} }],
      ["a", { stamp, found: { layers: [], counts: { x: "1" }, violations: [] } }],
      ["a", { stamp, found: { layers: [], counts: {}, violations: [null] } }],
      ["a", { stamp, fault: "x" }],
    ];
    const read = (entry: unknown) => {
      const files = [["fine", { stamp }], entry];
      writeFileSync(join(project.root, "governance-scan.json"), JSON.stringify({ version: 2, rules: "", files }));
      return new ScanCache(project.root).open("").size;
    };
    for (const entry of forged) expect(read(entry)).toBe(0);
    expect(read(["a", { stamp, fault: null, found: { layers: ["l"], counts: {}, violations: [] } }])).toBe(2);
  });

  it("ends where rules find more than a check can list, and lets others have their turn before", async () => {
    const rules = (...all: object[]) => ({ "Forge/Contracts/boundaries.json": JSON.stringify({ layers: all }) });
    const layer = { name: "l", glob: "src/**" };
    const imports = Array.from({ length: 2_000 }, (_, at) => `import "./${at}";\n`).join("");
    const lines = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`src/${at}.txt`, "a\n".repeat(200)]));
    const hostile = [
      { ...rules({ ...layer, forbidden_imports: Array(300).fill("**") }), "src/a.js": imports },
      { ...rules({ ...layer, forbidden: Array(300).fill("a") }), ...lines },
    ];
    for (const files of hostile) {
      const { out, err } = await new GovernanceProject(files).run("governance check --json");
      expect(out + err).toContain("broken in more than 100000 places");
    }
    const project = new GovernanceProject({
      ...rules({ ...layer, forbidden_imports: Array.from({ length: 1_500 }, (_, at) => `${at}/*.x`) }),
      "src/a.js": imports,
    });
    let turns = 0;
    const timer = setInterval(() => turns++, 10);
    await project.run("governance check --json");
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(9);
    // The second would end the program: an expression is compiled by one that calls itself for each group.
    const nested = `${"(?=".repeat(100_000)}a${")".repeat(100_000)}`;
    for (const long of [{ name: "l".repeat(300) }, { forbidden: [nested] }]) {
      const { err } = await new GovernanceProject(rules({ ...layer, ...long })).run("governance check");
      expect(err).toContain("a layer's name can have 250 characters, and a rule 4000");
    }
  });

  it("reads no more of a line that imports than a program could", async () => {
    const names = Array.from({ length: 1_000 }, (_, at) => `n${at}`).join(", ");
    const { violations } = await check({
      "Forge/Contracts/boundaries.json": forbidden.replace("express", "*"),
      "src/a.py": `from ${"a".repeat(2_000)} import ${names}\nfrom b import c\n`,
      "nested.yaml": "- ".repeat(100_000),
    });
    expect(violations).toHaveLength(2);
  });

  it("compares many violations with a long baseline", () => {
    const count = 50_000;
    const fact = { layer: "l", rule: "r", kind: "pattern", reason: "" } as const;
    const violations = Array.from({ length: count }, (_, at) => ({ ...fact, file: `f${at}`, line: at }));
    const known = Array.from({ length: count }, (_, at) => ({
      layer: "l",
      file: `f${at + 10}`,
      ...(at % 2 === 0 && { pattern: "r" }),
    }));
    const judged = judgeViolations(violations, known, new WaiverList([], "2026-01-01"));
    expect(judged.violations.filter(({ status }) => status === "new")).toHaveLength(10);
    expect(judged.fixed).toHaveLength(10);
  });
});

it("Tests that cannot start are not a number of tests: the check fails and says why", async () => {
  const project = new GovernanceProject({
    "package.json": '{ "scripts": { "test": "node --test --no-such-flag" } }',
    "a.test.js": 'require("node:test").test("one", () => {});\n',
  });
  project.git("init", "--quiet");
  await project.do("trust --yes");
  const { code, out } = await project.run("governance check --tests --json");
  const { invariants } = JSON.parse(out) as Result;
  const named = (name: string) => invariants.find((invariant) => invariant.name === name);
  expect(code).toBe(1);
  const message = expect.stringContaining("before any of them ran");
  expect(named("backend_test_failures")).toMatchObject({ value: null, status: "broken", message });
  expect(named("backend_test_count")).toMatchObject({ value: null, status: "warning", message });
});

it("A server that takes a request and says nothing is a NETWORK_ERROR within the timeout, and the next call works", async () => {
  let isSilent = true;
  const server = createServer((_request, response) => {
    if (isSilent) return;
    const contract = { name: "ui", filename: "ui.md", format: "markdown", content: "# Screens" };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(contract));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const fetcher = new Fetcher({ log: () => undefined, limits: { headersMs: 50 } });
  onTestFinished(() => {
    fetcher.close();
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = new FixedToken({ token: "fg_1", redactor: new Redactor() });
  const remote = new RemoteServer({ address: serverAddress(url, "FORGEGUARD_URL"), credentials, fetcher });
  const contracts = new RemoteContracts(new GovernanceClient(remote, "guard"));
  const { signal } = new AbortController();
  await expect(contracts.get("ui", signal)).rejects.toMatchObject({ code: "NETWORK_ERROR" });
  isSilent = false;
  expect(await contracts.get("ui", signal)).toMatchObject({ content: "# Screens" });
});
