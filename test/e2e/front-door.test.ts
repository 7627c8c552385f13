import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { readLinkTokens } from "../../src/platform/secrets/link-token.ts";
import { serverMarkFile } from "../../src/platform/state/server-mark.ts";
import { eventually } from "../harness/cli/processes.ts";
import { runForgeOnTerminal } from "../harness/cli/terminal.ts";
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

const links = () => join(sandbox.environment["HOME"] ?? "", ".forge", "links");

/** Where `forge up` notes its address: one project, so one name. */
function serverMark(): string {
  vi.stubEnv("HOME", sandbox.environment["HOME"]);
  return serverMarkFile(join(project, ".forge"));
}

type Ran = { code: number; out: string; err: string };

function forge(
  args: string[],
  { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ran> {
  return new Promise((done) => {
    const options = { cwd: project, env: { ...sandbox.environment, ...env }, timeout: 60_000 };
    const child = execFile(process.execPath, [binary, ...args], options, (_error, out, err) =>
      done({ code: child.exitCode ?? -1, out, err }),
    );
    child.stdin?.end(input);
  });
}

async function finding(id: string, ...args: string[]): Promise<{ state: string; message: string; fixed?: string }> {
  const { out } = await forge(["doctor", "--json", ...args]);
  return JSON.parse(out).find((found: { id: string }) => found.id === id);
}

describe("every tool from a shell", () => {
  test("a call prints the structured result on one line and is in the ledger", async () => {
    const { code, out, err } = await forge(["call", "get_repository_context"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out)).toMatchObject({ branch: "main", workingDirectory: project });
    expect(out.trimEnd()).not.toContain("\n");
    const { out: log } = await forge(["log", "--json"]);
    expect(JSON.parse(log)).toMatchObject([{ name: "get_repository_context", outcome: "ok" }]);
  });

  test("arguments as words, from a file and from standard input", async () => {
    const file = join(project, "input.json");
    writeFileSync(file, JSON.stringify({ path: project }));
    const whole = (await forge(["call", "get_repository_context", `path=${project}`])).out;
    expect(JSON.parse(whole)).toMatchObject({ workingDirectory: project });
    expect((await forge(["call", "get_repository_context", "--input", file])).out).toBe(whole);
    const input = readFileSync(file, "utf8");
    expect((await forge(["call", "get_repository_context", "--input", "-"], { input })).out).toBe(whole);
  });

  test.each([
    [["call", "get_repository_contxt"], "Did you mean `get_repository_context`?"],
    [["call", "get_repository_context", "path:=5"], "path"],
    [["call", "get_repository_context", "--input", "missing.json"], "File missing.json not found."],
    [["call", "get_repository_context", "--input", "."], "cannot be read"],
    [["resource", "forge://activty"], "Did you mean `forge://activity`?"],
    [["prompt", "nothing"], "There is no prompt"],
  ])("forge %j is refused with what to do", async (args, words) => {
    const { code, out, err } = await forge(args);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(words);
    expect(JSON.parse((await forge([...args, "--json"])).out)).toMatchObject({ error: true });
  });

  test("a resource", async () => {
    await forge(["call", "get_repository_context"]);
    expect(JSON.parse((await forge(["resource", "forge://activity"])).out)).toMatchObject({
      entries: [{ name: "get_repository_context" }],
    });
  });
});

describe("doctor", () => {
  test("a fresh project has no problem, and nothing was made", async () => {
    const { code, out } = await forge(["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^0 problems, \d warnings?\.$/m);
    expect(existsSync(join(project, ".forge"))).toBe(false);
  });

  test("it sees `forge up`, misses it when it was killed, and tidies up after it", async () => {
    const start = () => {
      const child = spawn(process.execPath, [binary, "up", "--no-token", "--port", "0"], {
        cwd: project,
        env: sandbox.environment,
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const mark = serverMark();
    const first = start();
    await eventually("the server", () => existsSync(mark) && readFileSync(mark, "utf8").endsWith("}"));
    expect(await finding("server")).toMatchObject({
      state: "ok",
      message: expect.stringContaining("answers at http://"),
    });
    first.kill("SIGINT");
    await eventually("its end", () => first.exitCode !== null && !existsSync(mark));
    const second = start();
    await eventually("the server", () => existsSync(mark) && readFileSync(mark, "utf8").endsWith("}"));
    second.kill("SIGKILL");
    await eventually("its end", () => second.signalCode !== null);
    expect(await finding("server")).toMatchObject({ state: "warning" });
    expect(await finding("server", "--fix")).toMatchObject({ state: "ok", fixed: "Removed the old address." });
    expect(sandbox.git(project, "status", "--porcelain")).toBe("");
  });

  test("a second `forge up` says where the first is; the port stays the same from start to start", async () => {
    const mark = serverMark();
    const start = async () => {
      const env = { ...sandbox.environment, FORGE_LOG: "info" };
      const child = spawn(process.execPath, [binary, "up"], { cwd: project, env });
      onTestFinished(() => void child.kill("SIGKILL"));
      let log = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        log += text;
      });
      await eventually("the server", () => existsSync(mark) && readFileSync(mark, "utf8").endsWith("}"));
      return { child, url: JSON.parse(readFileSync(mark, "utf8")).url as string, log: () => log };
    };
    const first = await start();
    const second = await forge(["up"]);
    expect(second).toMatchObject({ code: 0, err: "" });
    expect(second.out).toContain(`is already serving ${project} (process ${first.child.pid})`);
    expect(second.out).toContain(`${first.url}/mcp`);
    expect(JSON.parse((await forge(["up", "--json"])).out)).toMatchObject({ running: { pid: first.child.pid } });
    first.child.kill("SIGINT");
    await eventually("its end", () => first.child.exitCode !== null && !existsSync(mark));
    await eventually("its last line", () => first.log().includes("MCP server stopped"));
    expect(first.log()).toContain(`[forge] info: MCP server started transport=http url=${first.url} version=`);
    expect(first.log()).toContain(`[forge] info: MCP server stopped transport=http url=${first.url}\n`);
    const third = await start();
    expect(third.url).toBe(first.url);
    third.child.kill("SIGINT");
    await eventually("its end", () => third.child.exitCode !== null);
  });

  test("only the page is the user: with the token that assistants have, nothing is waived or proven", async () => {
    const created = await forge(["create", "Add logout", "--criterion", "The cookie is gone"]);
    expect(created.code).toBe(0);
    const child = spawn(process.execPath, [binary, "up"], { cwd: project, env: sandbox.environment });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    await eventually("the address", () => said.includes("Ctrl+C"));
    const [, origin = ""] = /(http:\/\/127\.0\.0\.1:\d+)\//.exec(said) ?? [];
    const { board: linkToken } = await readLinkTokens(project, links());
    // An assistant may have started it, and reads what it says.
    expect(said).not.toContain(linkToken);
    expect(said).toContain("run forge up in a terminal");
    expect((await forge(["up", "--json"])).out).not.toContain(linkToken);
    const onTerminal = await runForgeOnTerminal(["up"], "", { cwd: project, env: sandbox.environment });
    expect(onTerminal.output).toContain(`${origin}/#${linkToken}`);
    const [, token = ""] = /Authorization: Bearer ([\w-]+)/.exec(said) ?? [];
    const linked = await fetch(`${origin}/link`, { method: "POST", body: linkToken });
    // Otherwise an assistant could become the user.
    expect((await fetch(`${origin}/link`, { method: "POST", body: token })).status).toBe(401);
    const [cookie = ""] = linked.headers.get("set-cookie")?.split(";") ?? [];
    const waiver = { criterion: "AC-1", reason: "Not needed", until: "2099-01-01" };
    const record = async (entry: object, headers: Record<string, string>) => {
      const response = await fetch(`${origin}/api/tickets/T-001/records`, {
        method: "POST",
        headers: { "content-type": "application/json", origin, ...headers },
        body: JSON.stringify({ entry }),
      });
      return response.status;
    };
    const bearer = { authorization: `Bearer ${token}` };
    expect(await record({ kind: "waiver", waiver }, bearer)).toBe(403);
    expect(await record({ kind: "waiver", waiver }, { cookie })).toBe(200);
    // What checks showed is recorded by Forge itself, whoever asks.
    const commit = "a".repeat(40);
    const verification = { commit, tree: commit, clean: true, results: [], machine: "here" };
    for (const by of [bearer, { cookie }]) expect(await record({ kind: "verification", verification }, by)).toBe(403);
    child.kill("SIGINT");
    await eventually("its end", () => child.exitCode !== null);
  });

  test("settings that stop every other command are a finding", async () => {
    const own = join(sandbox.environment["HOME"] ?? "", ".forge");
    mkdirSync(own, { mode: 0o700 });
    writeFileSync(join(own, "settings.json"), '{ "databaseUrl": "hunter2-secret"', { mode: 0o600 });
    const { code, out } = await forge(["doctor", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toContainEqual(expect.objectContaining({ id: "settings", state: "problem" }));
    expect(out).not.toContain("hunter2");
  });

  test("G13 a database's password is in no finding", async () => {
    const env = { FORGE_DATABASE_URL: "postgres://ann:hunter2-secret@127.0.0.1:1/forge" };
    for (const args of [["doctor"], ["doctor", "--json"], ["doctor", "--log-level", "debug"]]) {
      const { code, out, err } = await forge(args, { env });
      expect(code).toBe(1);
      expect(out).toContain("127.0.0.1:1");
      expect(out + err).not.toContain("hunter2");
    }
  });

  test("a store of several versions, and one that was cut", async () => {
    await forge(["call", "get_repository_context"]);
    expect(await finding("versions")).toMatchObject({ state: "ok" });
    writeFileSync(join(project, ".forge", "used-by-9.9.9"), "");
    expect(await finding("versions")).toMatchObject({ state: "warning", message: expect.stringContaining("9.9.9") });
    writeFileSync(join(project, ".forge", "forge.db"), "x".repeat(5000));
    expect(await finding("store")).toMatchObject({ state: "problem", message: expect.stringContaining("damaged") });
  });
});

test("nothing asks for a newer version unless it is told to", async () => {
  expect(await finding("update")).toBeUndefined();
  const { code, err } = await forge(["update-check", "--registry", "http://127.0.0.1:1"]);
  expect(code).toBe(2);
  expect(err).toContain("127.0.0.1:1");
});
