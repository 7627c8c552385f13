import { describe, expect, test } from "vitest";
import { CapturedStream, MemoryApp, run } from "../../../test/harness/cli.ts";
import { type Command, defineCommand } from "../../kernel/command.ts";
import { type ErrorCode, errorCodes, ForgeError } from "../../kernel/errors.ts";
import { Redactor } from "../../kernel/redact.ts";
import type { App } from "./app.ts";

function failing(thrown: unknown): Command<App>[] {
  return [
    defineCommand({
      name: "fail",
      summary: "Fail",
      examples: [],
      settings: [],
      group: "more",
      async run(_app: App) {
        throw thrown;
      },
    }),
  ];
}

const echo = defineCommand({
  name: "echo",
  summary: "Say what was given",
  examples: [],
  arguments: [{ name: "word", required: true, help: "What to say." }],
  options: {
    loud: { type: "boolean", short: "l", help: "Louder." },
    times: { type: "number", integer: true, min: 1, max: 9, default: 1, help: "How often." },
    ratio: { type: "number", help: "Any number." },
    mood: { type: "string", choices: ["calm", "angry"], help: "How." },
    tag: { type: "list", value: "TAG", help: "A tag." },
    at: { type: "string", value: "PLACE", optionalValue: true, help: "Where." },
  },
  settings: ["project"],
  group: "more",
  async run(_app: App, input, out) {
    const { loud, times, ratio, mood, tag, at } = input.options;
    out.print(JSON.stringify({ words: input.positionals, loud, times, ratio, mood, tag, at }));
    return 0;
  },
});
/** Has an option of the same name and another kind, which must not confuse what stands before the command. */
const twin = defineCommand({
  name: "twin",
  summary: "Do nothing",
  examples: [],
  options: { tag: { type: "boolean", help: "Not a list here." } },
  settings: [],
  group: "more",
  async run(_app: App) {
    return 0;
  },
});
const commands: Command<App>[] = [echo, twin];

async function echoed(line: string) {
  const { out, err, code } = await run(line, { commands });
  expect(err).toBe("");
  expect(code).toBe(0);
  return JSON.parse(out);
}

describe("arguments", () => {
  test.each([
    ["echo hi", { words: ["hi"], times: 1 }],
    ["echo hi --loud", { words: ["hi"], times: 1, loud: true }],
    ["echo -l hi", { words: ["hi"], times: 1, loud: true }],
    ["echo hi --loud=false", { words: ["hi"], times: 1, loud: false }],
    ["--loud echo hi", { words: ["hi"], times: 1, loud: true }],
    ["--times 3 echo hi", { words: ["hi"], times: 3 }],
    ["--project x echo hi --times=4 --times 5", { words: ["hi"], times: 5 }],
    ["--tag a echo --tag b hi --tag=c", { words: ["hi"], times: 1, tag: ["a", "b", "c"] }],
    ["echo -- --loud", { words: ["--loud"], times: 1 }],
    ["-- echo hi", { words: ["hi"], times: 1 }],
    ["echo hi --at", { words: ["hi"], times: 1, at: "" }],
    ["echo hi --at --loud", { words: ["hi"], times: 1, at: "", loud: true }],
    ["echo hi --at here", { words: ["hi"], times: 1, at: "here" }],
    ["echo hi --at=here", { words: ["hi"], times: 1, at: "here" }],
    ["--at echo hi", { words: ["hi"], times: 1, at: "" }],
    ["--at there echo hi", { words: ["hi"], times: 1, at: "there" }],
    ["echo hi --ratio -1.5", { words: ["hi"], times: 1, ratio: -1.5 }],
    ["echo hi --mood calm", { words: ["hi"], times: 1, mood: "calm" }],
    ["echo - ", { words: ["-"], times: 1 }],
  ])("%s", async (line, expected) => {
    expect(await echoed(line)).toEqual(expected);
  });

  test.each([
    ["ecoh", 'Unknown command "ecoh".', "Did you mean `echo`?"],
    ["frobnicate", 'Unknown command "frobnicate".', "forge --help"],
    ["echo hi --lout", 'Unknown option "--lout" for `forge echo`.', "Did you mean `--loud`?"],
    ["echo hi -x", 'Unknown option "-x" for `forge echo`.', "forge echo --help"],
    ["--lout", 'Unknown option "--lout".', "Did you mean `--loud`?"],
    ["--lout frob", 'Unknown option "--lout".', "Did you mean `--loud`?"],
    ["--loud", "--loud belongs to a command", "forge --help"],
    ["echo hi --__proto__ x", 'Unknown option "--__proto__"', "forge echo --help"],
    ["echo hi --constructor", 'Unknown option "--constructor"', "forge echo --help"],
    ["echo hi --times", "--times needs a value; it is a whole number from 1 to 9.", "--times=VALUE"],
    ["echo hi --tag --loud", "--tag needs a value.", "--tag=VALUE"],
    ["echo hi --times ten", '--times cannot be "ten"; it is a whole number from 1 to 9.', "forge echo --help"],
    ["echo hi --times 10", '--times cannot be "10"', "forge echo --help"],
    ["echo hi --times 1.5", '--times cannot be "1.5"', "forge echo --help"],
    ["echo hi --times 0x1", '--times cannot be "0x1"', "forge echo --help"],
    ["echo hi --mood angy", '--mood cannot be "angy"; it is calm or angry.', "Did you mean `angry`?"],
    ["echo hi --loud=yes", "--loud takes no value.", "forge echo --help"],
    ["echo hi --json=1", "--json takes no value.", "forge echo --help"],
    ["echo", "`forge echo` needs WORD: What to say.", "forge echo --help"],
    ["echo a b", '`forge echo` takes one argument; "b" is one too many.', "forge echo --help"],
    ["echo a --project", "--project needs a value.", "forge echo --help"],
  ])("%s is refused", async (line, message, suggestion) => {
    const { code, out, err } = await run(line, { commands });
    expect(code).toBe(1);
    expect(out).toBe("");
    expect(err).toContain(`error: ${message}`);
    expect(err).toContain(suggestion);
  });

  test("a long word is not quoted back whole", async () => {
    const { err } = await run(["x".repeat(10_000)]);
    expect(err.length).toBeLessThan(300);
  });
});

describe("errors", () => {
  const serverSide: ErrorCode[] = ["INTERNAL_ERROR", "NETWORK_ERROR", "STORE_ERROR", "TIMEOUT"];

  test.each(errorCodes)("%s has its exit code", async (code) => {
    const error = new ForgeError(code, "It is so.", { suggestions: ["Do this.", "Or that."] });
    const ran = await run("fail", { commands: failing(error) });
    expect(ran).toMatchObject({ code: serverSide.includes(code) ? 2 : 1, out: "" });
    expect(ran.err).toBe("error: It is so.\n  Do this.\n  Or that.\n");
  });

  test("with --json the body is all of stdout", async () => {
    const error = new ForgeError("NOT_FOUND", "No such thing.", { details: { id: "T-1" }, suggestions: ["Look."] });
    const ran = await run("--json fail", { commands: failing(error) });
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(ran.out)).toEqual({
      error: true,
      code: "NOT_FOUND",
      message: "No such thing.",
      details: { id: "T-1" },
      suggestions: ["Look."],
    });
  });

  test.each(["nosuch --json", "--json", "version --nope --json", "mcp --profile nope --json"])(
    "%s prints nothing but JSON on stdout",
    async (line) => {
      const { out } = await run(line);
      expect(JSON.parse(out)).toBeTypeOf("object");
    },
  );

  test.each([new TypeError("secret path /home/ada"), "a string", undefined, null])(
    "a stranger (%s) says one line and a hint",
    async (thrown) => {
      const { code, out, err } = await run("fail", { commands: failing(thrown) });
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toBe(
        "error: Something went wrong inside Forge.\n  Run it again with DEBUG=forge:* to see where, and report it with what that shows.\n",
      );
    },
  );

  test("where it happened is shown to who asks, without secrets", async () => {
    const thrown = new TypeError("bad postgres://ada:hunter22@db/shop", { cause: new Error("the disk") });
    const { err } = await run("fail", { commands: failing(thrown), env: { DEBUG: "forge:*" } });
    expect(err).toContain("TypeError: bad");
    expect(err).toContain("run-cli.test.ts");
    expect(err).toContain("caused by Error: the disk");
    expect(err).not.toContain("hunter22");
  });

  test("what any part has learned to be secret is in no error, nor is the database's password", async () => {
    const redactor = new Redactor();
    redactor.learn("a token of no known shape");
    const message = "refused a token of no known shape, then tr0ub4dor&3";
    const thrown = new ForgeError("NETWORK_ERROR", message, { cause: new Error(message) });
    const env = { DATABASE_URL: "postgres://ada:tr0ub4dor%263@db/shop", DEBUG: "forge:*" };
    const { err } = await run("fail", { commands: failing(thrown), redactor, env });
    expect(err).toContain("error: refused [redacted], then [redacted]");
    expect(err).toContain("caused by");
    expect(err).not.toMatch(/known shape|tr0ub4dor/);
  });

  test("an error's text cannot drive the terminal or fake a line", async () => {
    const thrown = new ForgeError("NOT_FOUND", "No \x1b[2J\nerror: fake", { suggestions: ["\x1b]0;x\x07"] });
    const stderr = new CapturedStream({ isTTY: true });
    await run("fail", { commands: failing(thrown), stderr });
    expect(stderr.text).toContain("\x1b[31merror:\x1b[39m No \\x1b[2J\\nerror: fake");
    expect(stderr.text.split("\n")).toHaveLength(3);
    expect(stderr.text).not.toContain("\x1b]");
  });
});

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
