import { describe, expect, test } from "vitest";
import { CapturedStream, callRecord, MemoryApp, run, withoutColours } from "../../../test/harness/cli.ts";
import { ForgeError } from "../../kernel/errors.ts";

const auto = { toolsets: "auto", profile: undefined, readOnly: false };

describe("mcp and up", () => {
  test.each([
    ["mcp", ["serveStdio", auto]],
    ["mcp --read-only --toolsets all", ["serveStdio", { ...auto, toolsets: "all", readOnly: true }]],
    ["mcp --http", ["serveHttp", auto, ""]],
    ["mcp --http 127.0.0.1:8080", ["serveHttp", auto, "127.0.0.1:8080"]],
    ["mcp --http=[::1]:8080", ["serveHttp", auto, "[::1]:8080"]],
    ["mcp --http localhost", ["serveHttp", auto, "localhost"]],
    ["mcp --http 8080 --read-only", ["serveHttp", { ...auto, readOnly: true }, "8080"]],
    ["up", ["up", auto, undefined]],
    ["up --port 0", ["up", auto, "0"]],
    ["up --port 8080 --toolsets tickets", ["up", { ...auto, toolsets: "tickets" }, "8080"]],
    ["up --http :9000", ["up", auto, ":9000"]],
  ])("forge %s", async (line, call) => {
    const { app, code } = await run(line);
    expect(code).toBe(0);
    expect(app.calls).toEqual([call]);
  });

  test.each([
    ["up --port 65536", "a whole number from 0 to 65535"],
    ["up --port 80 --http 1.2.3.4:5", "both say where to listen"],
    ["up --http", "--http needs a value"],
    ["mcp extra", "takes no arguments"],
  ])("forge %s is refused", async (line, message) => {
    const { app, code, err } = await run(line);
    expect({ code, calls: app.calls }).toEqual({ code: 1, calls: [] });
    expect(err).toContain(message);
  });

  test("stdout belongs to the protocol", async () => {
    expect((await run("mcp")).out).toBe("");
    expect(await run("mcp --http")).toMatchObject({
      out: "",
      err: expect.stringContaining("http://127.0.0.1:4000/mcp"),
    });
  });

  test("up says where it is and how to connect", async () => {
    const { out, err } = await run("up");
    expect(err).toBe("");
    for (const line of [
      "http://127.0.0.1:4000/",
      "claude mcp add --transport http forge http://127.0.0.1:4000/mcp",
      "claude mcp add forge -- forge mcp",
      '{"mcpServers":{"forge":{"url":"http://127.0.0.1:4000/mcp"}}}',
      "Ctrl+C",
    ]) {
      expect(out).toContain(line);
    }
    expect(JSON.parse((await run("up --json")).out)).toMatchObject({
      mcpUrl: "http://127.0.0.1:4000/mcp",
      connect: { claudeCode: "claude mcp add --transport http forge http://127.0.0.1:4000/mcp" },
    });
  });

  test("a server that cannot start is exit code 2", async () => {
    const app = new MemoryApp();
    app.up = async () => {
      throw new ForgeError("NETWORK_ERROR", "Port 8080 is taken.", { next: ["Choose another with --port."] });
    };
    expect(await run("up --port 8080", { app })).toMatchObject({ code: 2, out: "" });
  });
});

describe("toolsets and version", () => {
  test("a table with what is served, why, and its cost", async () => {
    expect((await run("toolsets")).out).toMatchInlineSnapshot(`
      "TOOLSET   SERVED  TOOLS  PROMPTS  RESOURCES  TOKENS  WHY
      tickets   yes         4        2          1     812  always
      registry  no          0        0          0       0  not built yet

      Served: 4 tools, about 812 tokens.
      "
    `);
    expect(JSON.parse((await run("toolsets --json")).out)).toEqual(new MemoryApp().reports);
  });

  test("version", async () => {
    expect((await run("version")).out).toBe("forge 1.2.3\n");
    expect(JSON.parse((await run("version --json")).out)).toEqual({
      version: "1.2.3",
      node: process.versions.node,
      platform: process.platform,
      arch: process.arch,
    });
    expect((await run("-v")).out).toBe("forge 1.2.3\n");
    expect((await run("mcp --version")).out).toBe("forge 1.2.3\n");
  });
});

describe("log", () => {
  function appWith(...records: ReturnType<typeof callRecord>[]): MemoryApp {
    const app = new MemoryApp();
    app.records = records;
    return app;
  }

  test("one line for each entry", async () => {
    const failed = callRecord({
      id: "call-2",
      outcome: "error",
      code: "NOT_FOUND",
      agent: undefined,
      evidence: ["commit:abc"],
    });
    const { out } = await run("log", { app: appWith(callRecord(), failed) });
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toMatch(
      /^2026-1\d-\d\d \d\d:\d\d:\d\d {2}ok .* 12 ms {2}get_repository_context .*claude-code .*file:src\/main\.ts$/,
    );
    expect(lines[2]).toMatch(/error .*local:ada .*NOT_FOUND file:src\/main\.ts commit:abc$/);
  });

  test("none is said in words, and in JSON as an empty list", async () => {
    expect((await run("log")).out).toBe("No entries.\n");
    expect((await run("log --json")).out).toBe("[]\n");
  });

  test("hostile text in an entry does nothing to the terminal", async () => {
    const evil = callRecord({ name: "x\x1b[2J\ny", agent: "\u202eevil\x9b0m", about: ["file:a\rb"] });
    const stdout = new CapturedStream({ isTTY: true, columns: 200 });
    await run("log", { app: appWith(evil), stdout });
    expect(stdout.text.trimEnd().split("\n")).toHaveLength(2);
    expect(withoutColours(stdout.text)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    const json = (await run("log --json", { app: appWith(evil) })).out;
    expect(json).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    expect(JSON.parse(json)[0].agent).toBe(evil.agent);
  });

  test("filters reach the ledger", async () => {
    const before = Date.now();
    const { app } = await run("log --limit 5 --since 1h --tool get_x --about ticket:T-1");
    const [, filter] = app.calls[0] ?? [];
    expect(filter).toEqual({ limit: 5, since: expect.any(Number), name: "get_x", about: "ticket:T-1" });
    expect(filter).toHaveProperty(
      "since",
      expect.toSatisfy((since: number) => since >= before - 3_600_000 && since <= Date.now() - 3_600_000),
    );
  });

  test("what came while reading is shown once", async () => {
    const app = appWith(callRecord(), callRecord({ id: "call-2" }));
    app.coming = [callRecord({ id: "call-2" }), callRecord({ id: "call-3" })];
    const { out, code } = await run("log --follow --json", { app });
    expect(code).toBe(0);
    const ids = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(ids).toEqual(["call-1", "call-2", "call-3"]);
    expect(app.calls.map(([name]) => name)).toEqual(["followActivity", "activity"]);
  });

  test("following ends with the signal", async () => {
    const app = new MemoryApp();
    const stop = new AbortController();
    app.followActivity = async function* (_filter: unknown, signal?: AbortSignal) {
      yield callRecord();
      stop.abort();
      await new Promise<void>((resolve) =>
        signal?.aborted ? resolve() : signal?.addEventListener("abort", () => resolve()),
      );
    };
    const { out, code } = await run("log -f", { app, signal: stop.signal });
    expect(code).toBe(0);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
  });
});

describe("repository", () => {
  const context = {
    branch: "main\x1b[2J",
    workingDirectory: "/home/ada/shop",
    status: { modified: ["a b.ts"], untracked: Array.from({ length: 12 }, (_, index) => `new-${index}`), staged: [] },
    fileTree: "README.md\nsrc/a.ts\nsrc/b/c.ts\n… and 900 more files",
    omitted: { untracked: 3, files: 900 },
  };

  test("what a person wants to know of it", async () => {
    const app = new MemoryApp();
    app.answer = () => context;
    const { out } = await run("repository --path sub", { app });
    expect(app.calls).toEqual([["callTool", "get_repository_context", { path: "sub" }]]);
    expect(out).toMatchInlineSnapshot(`
      "Branch:  main\\x1b[2J
      Root:    /home/ada/shop
      Changes:
        modified (1)
          a b.ts
        untracked (15)
          new-0
          new-1
          new-2
          new-3
          new-4
          new-5
          new-6
          new-7
          new-8
          new-9
          and 5 more
      Files:
        README.md
        src/ (2)
        and 900 more files
      "
    `);
    expect(JSON.parse((await run("repository --json", { app })).out)).toEqual(context);
  });

  test("a clean and empty one", async () => {
    const app = new MemoryApp();
    app.answer = () => ({
      ...context,
      status: { modified: [], untracked: [], staged: [] },
      fileTree: "",
      omitted: undefined,
    });
    expect((await run("repository", { app })).out).toContain("Changes: none\nFiles:   none");
  });
});
