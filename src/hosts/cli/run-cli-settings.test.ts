import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../test/harness/cli.ts";

describe("settings", () => {
  const file = { path: "/home/ada/.forge/settings.json", text: "{" };

  test("flags, environment and file reach the program", async () => {
    const { settings } = await run("toolsets --project ../shop", {
      env: { FORGE_LOG: "info" },
      settingsFile: { ...file, text: '{"ledgerDays": 7}' },
    });
    expect(settings).toMatchObject({ project: "../shop", logLevel: "info", ledgerDays: 7 });
  });

  test("a broken file stops what heeds it", async () => {
    const { code, err } = await run("toolsets", { settingsFile: file });
    expect(code).toBe(1);
    expect(err).toContain(file.path);
  });

  test.each(["version", "help", "--help", "mcp --help", "--version", "help repository"])(
    "it does not stop %s",
    async (line) => {
      expect(await run(line, { settingsFile: file, env: { FORGE_LOG: "loud" } })).toMatchObject({ code: 0, err: "" });
    },
  );

  test("a wrong value stops only who heeds that setting", async () => {
    const env = { DATABASE_URL: "mysql://db/shop" };
    expect(await run("toolsets", { env })).toMatchObject({ code: 0, err: "" });
    expect(await run("log", { env })).toMatchObject({ code: 1, out: "" });
  });

  test("an unknown key is a warning, unless silence is asked for", async () => {
    const settingsFile = { ...file, text: '{"projct": "x"}' };
    expect((await run("toolsets", { settingsFile })).err).toContain(
      'warning: /home/ada/.forge/settings.json: unknown setting "projct"',
    );
    expect((await run("toolsets --log-level silent", { settingsFile })).err).toBe("");
  });
});

describe("colours", () => {
  const terminal = () => new CapturedStream({ isTTY: true, columns: 100 });
  const esc = "\x1b[";

  test.each<[Record<string, string>, string, boolean]>([
    [{}, "toolsets", true],
    [{ NO_COLOR: "1" }, "toolsets", false],
    [{ TERM: "dumb" }, "toolsets", false],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "toolsets", true],
    [{}, "toolsets --no-color", false],
    [{}, "--no-color toolsets", false],
  ])("on a terminal with %j, %s has colours: %s", async (env, line, expected) => {
    const stdout = terminal();
    await run(line, { stdout, env });
    expect(stdout.text.includes(esc)).toBe(expected);
  });

  test("each stream for itself", async () => {
    const stderr = terminal();
    expect((await run("nosuch", { stderr })).out).toBe("");
    expect(stderr.text).toContain(esc);
    expect((await run("toolsets", { stderr: terminal() })).out).not.toContain(esc);
    expect((await run("toolsets", { env: { FORCE_COLOR: "1" } })).out).toContain(esc);
  });

  test("JSON has none", async () => {
    const stdout = terminal();
    await run("toolsets --json", { stdout });
    expect(JSON.parse(stdout.text)).toHaveLength(2);
  });
});

describe("faces", () => {
  test.each([
    ["", "serveStdio"],
    ["--read-only", "serveStdio"],
    ["--toolsets all", "serveStdio"],
    ["--project x", "serveStdio"],
    ["--http", "serveHttp"],
    ["--http 127.0.0.1:80", "serveHttp"],
    ["mcp", "serveStdio"],
    ["toolsets", "toolsets"],
    ["--json toolsets", "toolsets"],
  ])("forge-mcp %s is %s", async (line, called) => {
    const { app, code } = await run(line, { binary: "forge-mcp" });
    expect({ code, called: app.calls[0]?.[0] }).toEqual({ code: 0, called });
  });

  test("forge-mcp still has help, version and mistakes", async () => {
    expect((await run("--help", { binary: "forge-mcp" })).out).toContain("Start here:");
    expect((await run("--version", { binary: "forge-mcp" })).out).toBe("forge 1.2.3\n");
    expect((await run("--nope", { binary: "forge-mcp" })).err).toContain('Unknown option "--nope" for `forge mcp`');
    expect((await run("tolsets", { binary: "forge-mcp" })).err).toContain("Did you mean `toolsets`?");
  });

  test.each([
    ["fractary-forge-mcp", "", "registry"],
    ["fractary-forge", "list --json-file x", "registry"],
    ["fractary-forge", "", "registry"],
    ["bmad-mcp-server", "", "memory"],
    ["bmad-mcp-server", "--test", "memory"],
    ["forge", "mcp --profile governance", "governance"],
    ["forge", "mcp --profile workbench", "workbench"],
    ["forge", "mcp --toolsets registry", "registry"],
    ["forge", "registry list", "registry"],
    ["forge", "up --toolsets tickets,memory", "memory"],
  ])("%s %s says in one line that its room is not built yet", async (binary, line, room) => {
    const { code, out, err, app } = await run(line, { binary });
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toBe(`error: The ${room} toolset is not built yet; this version of Forge has: tickets.\n`);
    expect(app.calls).toEqual([]);
  });

  test("once built, a face serves", async () => {
    const app = new MemoryApp();
    app.built = ["tickets", "memory"];
    await run("", { binary: "bmad-mcp-server", app });
    expect(app.calls).toEqual([["serveStdio", { toolsets: "auto", profile: "memory", readOnly: false }]]);
    const { out } = await run("--test", { binary: "bmad-mcp-server", app });
    expect(out).toBe("bmad-mcp-server 1.2.3: 4 tools (tickets), ready\n");
  });

  test("an unknown name is met with the known ones", async () => {
    const { err, code } = await run("mcp --profile governence");
    expect(code).toBe(1);
    expect(err).toContain("the known ones are registry, governance, workbench, memory");
    expect(err).toContain("Did you mean `governance`?");
  });
});
