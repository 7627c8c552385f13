import { describe, expect, test } from "vitest";
import { CapturedStream, CliProject, run } from "../../../test/harness/cli/cli.ts";
import { RecordedServers } from "../../../test/harness/cli/recorded-servers.ts";
import { binaryNamed } from "../../app/settings/binaries.ts";

describe("settings", () => {
  const file = { path: "/home/ada/.forge/settings.json", text: "{" };

  test("flags, environment and file reach the program", async () => {
    const project = new CliProject();
    await project.run(["toolsets", "--project", project.home], {
      env: { FORGE_LOG: "info" },
      file: { ...file, text: '{"ledgerDays": 7}' },
    });
    expect(project.settings).toMatchObject({ project: project.home, logLevel: "info", ledgerDays: 7 });
  });

  test("a project's folder that does not exist is an error", async () => {
    const { code, err } = await run("toolsets --project /nowhere");
    expect(code).toBe(1);
    expect(err).toContain("The project folder /nowhere does not exist.");
  });

  test("a broken file stops the commands that use settings", async () => {
    const { code, err } = await run("toolsets", { file });
    expect(code).toBe(1);
    expect(err).toContain(file.path);
  });

  test.each(["version", "help", "--help", "mcp --help", "--version", "help log", "help settings"])(
    "it does not stop %s",
    async (line) => {
      expect(await run(line, { file, env: { FORGE_LOG: "loud" } })).toMatchObject({ code: 0, err: "" });
    },
  );

  test("a wrong value stops only the commands that use that setting", async () => {
    const env = { FORGE_DATABASE_URL: "mysql://db/shop" };
    expect(await run("toolsets", { env })).toMatchObject({ code: 0, err: "" });
    expect(await run("log", { env })).toMatchObject({ code: 1, out: "" });
  });

  test("an unknown key is a warning, except with --log-level silent", async () => {
    const unknown = { ...file, text: '{"projct": "x"}' };
    expect((await run("toolsets", { file: unknown })).err).toContain(
      'warning: /home/ada/.forge/settings.json: unknown setting "projct"',
    );
    expect((await run("toolsets --log-level silent", { file: unknown })).err).toBe("");
  });

  test("`forge help settings` lists every setting with what sets it", async () => {
    const { out } = await run("help settings");
    for (const word of ["~/.forge/settings.json", "logLevel", "--log-level, FORGE_LOG", "FORGE_TOKEN", "corsOrigins"]) {
      expect(out).toContain(word);
    }
    const { settings } = (await run("help settings --json")).json();
    expect(settings).toContainEqual({
      key: "project",
      flag: "project",
      variables: ["FORGE_PROJECT"],
      help: expect.any(String),
    });
  });
});

describe("colors", () => {
  const terminal = () => new CapturedStream({ isTTY: true, columns: 100 });
  const esc = "\x1b[";

  test.each<[Record<string, string>, string, boolean]>([
    [{}, "toolsets", true],
    [{ NO_COLOR: "1" }, "toolsets", false],
    [{ TERM: "dumb" }, "toolsets", false],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "toolsets", true],
    [{}, "toolsets --no-color", false],
    [{}, "--no-color toolsets", false],
  ])("on a terminal with %j, %s has colors: %s", async ({ TERM, ...env }, line, expected) => {
    const stdout = terminal();
    await run(line, { stdout, env, term: TERM });
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
    expect(JSON.parse(stdout.text)).toContainEqual(expect.objectContaining({ name: "tickets" }));
  });
});

describe("binaries", () => {
  const forgeMcp = binaryNamed("forge-mcp");

  test.each([
    ["", "stdio"],
    ["--read-only", "stdio"],
    ["--toolsets all", "stdio"],
    ["--log-level debug", "stdio"],
    ["--http", "http"],
    ["--http 127.0.0.1:80", "http"],
    ["mcp", "stdio"],
    ["toolsets", undefined],
    ["--json toolsets", undefined],
  ])("forge-mcp %s serves %s", async (line, called) => {
    const servers = new RecordedServers();
    const { code } = await run(line, { binary: forgeMcp, with: servers.with });
    expect({ code, called: servers.calls[0]?.[0] }).toEqual({ code: 0, called });
  });

  test("forge-mcp still has help, version and mistakes", async () => {
    expect((await run("--help", { binary: forgeMcp })).out).toContain("Commands:");
    expect((await run("--version", { binary: forgeMcp })).out).toMatch(/^forge \d/);
    expect((await run("--nope", { binary: forgeMcp })).err).toContain('Unknown option "--nope" for `forge mcp`');
    expect((await run("tolsets", { binary: forgeMcp })).err).toContain("Did you mean `toolsets`?");
  });

  test("a binary that replaces another server serves its toolset under that name", async () => {
    const options = { binary: binaryNamed("bmad-mcp-server") };
    const servers = new RecordedServers();
    await run("", { ...options, with: servers.with });
    expect(servers.calls).toEqual([["stdio", { toolsets: "auto", profile: "memory", readOnly: false }]]);
    expect((await run("--test", options)).out).toMatch(/^bmad-mcp-server [\d.]+: \d+ tools \(memory\), ready\n$/);
  });

  test("an unknown profile is answered with the known ones", async () => {
    const { err, code } = await run("mcp --profile governence");
    expect(code).toBe(1);
    expect(err).toContain("Known: registry, governance, workbench, memory.");
    expect(err).toContain("Did you mean `governance`?");
  });
});
