import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { plainLines } from "../../src/platform/terminal/text.ts";
import { eventually } from "../harness/cli/processes.ts";
import { makeSandbox, type Sandbox } from "../harness/git/git.ts";

const binary = join(import.meta.dirname, "..", "..", "bin", "forge.cjs");

let sandbox: Sandbox;
let project: string;

beforeEach(() => {
  sandbox = makeSandbox();
  project = sandbox.repository("project", { "README.md": "# Hello\n" });
  const made = sandbox;
  onTestFinished(() => made.dispose());
});

type Ran = { code: number; out: string; err: string };

function forge(args: string[], { input = "", cwd = project } = {}): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd, env: sandbox.environment, timeout: 60_000, maxBuffer: 64 * 1_048_576 };
    const child = execFile(process.execPath, [binary, ...args], options, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end(input);
  });
}

async function json(...args: string[]) {
  return JSON.parse((await forge([...args, "--json"])).out);
}

async function succeeds(...args: string[]): Promise<string> {
  const { code, out, err } = await forge(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  return out;
}

test("a ticket's life, each command a process of its own, all of it in the ledger", async () => {
  const criteria = ["--criterion", "A reload keeps it.", "--file", "create:src/session.ts"];
  expect(await succeeds("create", "Keep people signed in", ...criteria)).toBe("T-001\n");
  expect(await succeeds("list")).toBe("T-001\tDRAFT\tKeep people signed in\t\n");
  await succeeds("questions", "t-1", "--ask", "For how long?", "--blocking");
  expect(await succeeds("questions", "T-001", "--answer", "Q-1=A day.")).toContain("→ A day.");
  expect(await succeeds("status", "T-001", "forged")).toBe("Moved T-001 from DRAFT to READY.\n");
  await succeeds("assign", "T-001", "grace");
  await succeeds("status", "T-001", "created");
  const divergence = "session|a day|an hour|auditors";
  const completed = await forge(["complete", "T-001", "--summary", "Kept.", "--divergence", divergence]);
  expect(completed).toMatchObject({ code: 0, out: expect.stringMatching(/^T-001 is COMPLETE/) });
  expect(completed.err).toBe("Not all of its criteria are proven. Run `forge proof T-001`.\n");
  expect(await json("show", "T-001", "--history")).toMatchObject({
    id: "T-001",
    status: "COMPLETE",
    assignee: "grace",
    criteria: [{ id: "AC-1", text: "A reload keeps it." }],
    fileChanges: [{ path: "src/session.ts", action: "create" }],
    questions: [{ id: "Q-1", answer: "A day.", blocking: true }],
    changeRecord: { executionSummary: "Kept.", divergences: [{ area: "session", actual: "an hour" }] },
    history: expect.arrayContaining([expect.objectContaining({ kind: "completed" })]),
  });
  const deeds = await json("log", "--about", "ticket:T-001");
  expect(deeds.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(["forge create", "forge questions", "forge status", "forge assign", "forge complete"]),
  );
});

test("pages follow each other by the command that is told", async () => {
  for (const title of ["First one", "Second one", "Third one"]) await succeeds("create", title);
  const { out, err } = await forge(["list", "-n", "2"]);
  expect(out).toBe("T-003\tDRAFT\tThird one\t\nT-002\tDRAFT\tSecond one\t\n");
  const [, words = ""] = /^More: forge (.*)\n$/.exec(err) ?? [];
  expect(await succeeds(...words.split(" "))).toBe("T-001\tDRAFT\tFirst one\t\n");
});

test("out of one project and into another, in every format", async () => {
  const other = sandbox.repository("other", { "README.md": "# Other\n" });
  const title = 'Quotes " & <tags>, ]]> and émojis 👩‍💻';
  await succeeds("create", title, "--description", "One.\n\n## Two\n\n```\nthree\n```", "--criterion", "It | works.");
  const before = await json("show", "T-001");
  for (const format of ["json", "xml", "markdown"]) {
    const { out } = await forge(["export", "T-001", "--output", `out/${format}/`, "--format", format]);
    const file = out.trimEnd().replace("Wrote ", "");
    const { code } = await forge(["import", join(project, file), "--on-existing", "replace"], { cwd: other });
    expect(code).toBe(0);
    const { out: after } = await forge(["show", "T-001", "--json"], { cwd: other });
    const { title, description, criteria, status } = before;
    expect(JSON.parse(after)).toMatchObject({ title, description, criteria, status });
  }
});

test("C04 what a ticket says never reaches a terminal raw", async () => {
  const hostile = "Fix \x1b]0;owned\x07\x1b[2J\r\nT-666\tCOMPLETE\u202e it";
  await forge(["create", hostile, "--description", hostile, "--assignee", "eve\x1b[31m", "--criterion", hostile]);
  for (const args of [["list"], ["list", "--plain"], ["list", "--json"], ["show", "T-001"], ["status", "T-001"]]) {
    const { out, err } = await forge(args);
    expect(plainLines(out + err)).toBe(out + err);
    expect(out).toContain("T-001");
  }
  expect((await succeeds("list")).trimEnd().split("\n")).toHaveLength(1);
  const { out } = await forge(["export", "T-001"]);
  expect(plainLines(out)).toBe(out);
});

test("what export writes to a pipe, import reads as it was", async () => {
  const text = "One\r\ntwo 👩\u200d💻 \u200b \x1b[2J end";
  await succeeds("create", "Odd characters", "--description", text, "--criterion", text);
  const before = await json("show", "T-001");
  for (const format of ["xml", "markdown"]) {
    const { out } = await forge(["export", "T-001", "--format", format]);
    const input = ["import", "-", "--format", format, "--on-existing", "replace"];
    expect(await forge(input, { input: out })).toMatchObject({ out: "T-001  unchanged\n1 ticket: 1 unchanged.\n" });
  }
  expect(await json("show", "T-001")).toEqual(before);
});

describe("bad input", () => {
  test.each(["../../etc/passwd", "https://example.com/T-1", "T-001?x=1", "", "x".repeat(5000)].map((id) => ({ id })))(
    "an id like $id is refused in a line or two",
    async ({ id }) => {
      const { code, out, err } = await forge(["show", id]);
      expect({ code, out }).toEqual({ code: 1, out: "" });
      expect(err.length).toBeLessThan(500);
    },
  );

  const bomb = `<!DOCTYPE t [<!ENTITY a "${"x".repeat(1000)}"><!ENTITY b "${"&a;".repeat(1000)}">]><ticket><title>&b;</title></ticket>`;

  test.each([
    ["broken XML", "a.xml", "<ticket><metadata>"],
    ["an entity bomb", "a.xml", bomb],
    ["broken JSON", "a.json", '[{"title": "One two"},'],
    ["a ticket of 5 MB", "a.json", JSON.stringify({ title: "Big one", description: "x".repeat(5_000_000) })],
    ["a long array that breaks at its end", "a.json", `${longArray(2000)},`],
  ])("%s is one error that names the file, and nothing is taken in", async (_, file, text) => {
    writeFileSync(join(project, file), text);
    const { code, out, err } = await forge(["import", file]);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^error: .*a\.(xml|json)/);
    expect(err.length).toBeLessThan(2000);
    expect((await forge(["list"])).out).toBe("");
  });
});

function longArray(count: number, ...more: object[]): string {
  const tickets = Array.from({ length: count }, (_, index) => ({
    title: `Ticket number ${index}`,
    description: "x".repeat(400),
  }));
  return JSON.stringify([...tickets, ...more]);
}

test("of a long array, the parts before an error are in, and it is said how many", async () => {
  writeFileSync(join(project, "big.json"), longArray(2000, { description: "no title" }));
  const { code, err } = await forge(["import", "big.json"]);
  expect(code).toBe(1);
  expect(err).toMatch(/big\.json \(tickets \d+ to 2001\)/);
  const [, kept = ""] = /kept: (\d+) tickets/.exec(err) ?? [];
  expect(Number(kept)).toBeGreaterThan(500);
  expect(JSON.parse((await forge(["export", "--all"])).out)).toHaveLength(Number(kept));
});

function bytesIn(folder: string): number {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const sizes = names.map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("Ctrl+C stops a long import between two parts, says what is in, and ends with 130", async () => {
  writeFileSync(join(project, "big.json"), longArray(20_000));
  await succeeds("create", "Here before the import");
  const before = bytesIn(join(project, ".forge"));
  const child = spawn(process.execPath, [binary, "import", "big.json"], { cwd: project, env: sandbox.environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  child.stderr.on("data", (chunk) => (err += chunk));
  const closed = once(child, "close");
  await eventually("the first part to be in the store", () => bytesIn(join(project, ".forge")) > before + 1_500_000);
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(err).toContain("The import of big.json was stopped.");
  const [, kept = "0"] = /kept: (\d+) tickets/.exec(err) ?? [];
  expect(Number(kept)).toBeLessThan(20_000);
  expect(JSON.parse((await forge(["export", "--all"])).out)).toHaveLength(Number(kept) + 1);
});

test("export writes a file each and never over another", async () => {
  await succeeds("create", "First one");
  await succeeds("create", "Second one");
  await succeeds("export", "--all", "--output", "tickets", "--format", "markdown");
  const files = readdirSync(join(project, "tickets")).sort();
  expect(files).toEqual(["T-001-first-one.md", "T-002-second-one.md"]);
  writeFileSync(join(project, "tickets", "T-001-first-one.md"), "precious");
  expect(await forge(["export", "T-001", "--output", "tickets/", "--format", "markdown"])).toMatchObject({ code: 1 });
  expect(readFileSync(join(project, "tickets", "T-001-first-one.md"), "utf8")).toBe("precious");
});

test("a shell's Tab offers ids with their titles", async () => {
  await succeeds("create", "First one");
  expect(await succeeds("__complete", "--", "show", "t-")).toBe("t-001\tDRAFT  First one\n:words\n");
});
